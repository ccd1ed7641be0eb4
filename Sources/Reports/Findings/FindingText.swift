import Readiness
import Verifications

/// The text of one finding on pages; each part is put into words only where it is shown.
struct FindingText {
    typealias Block = Document.Block
    typealias Remedy = (Explanation) -> [Block]

    /// One or two sentences for someone who has never heard of a confidence bound.
    let sentence: () -> Wording
    /// The same for a function that refused some of its requests; nil if the sentence fits both.
    ///
    /// A window may begin before the switch, so the sentence must be true of both sides.
    let enforced: ((Enforcement) -> Wording)?
    /// The one number that decided, in requests and days rather than rates.
    let brief: () -> Wording
    let remedy: Remedy?
    /// How functions with the same finding share a line; nil where those with the same sentence do.
    let shared: (() -> Shared)?
    /// `LEAD: a (ITEM), b (ITEM).END`.
    typealias Shared = (lead: Wording, item: Wording?, end: Wording)

    /// The text of a finding that decides; without an export or a wait that helps it has no remedy.
    init(
        _ sentence: @escaping @autoclosure () -> Wording, enforced: ((Enforcement) -> Wording)? = nil,
        brief: @escaping @autoclosure () -> Wording, remedy: Remedy? = nil, shared: (() -> Shared)? = nil
    ) {
        self.sentence = sentence
        self.enforced = enforced
        self.brief = brief
        self.remedy = remedy
        self.shared = shared
    }

    /// The text of a finding that is only ever listed after another one.
    init(
        aside sentence: @escaping @autoclosure () -> Wording, enforced: ((Enforcement) -> Wording)? = nil,
        shared: (() -> Shared)? = nil
    ) {
        self.init(sentence(), enforced: enforced, brief: sentence(), shared: shared)
    }

    /// The text of what functions usually share, and one that has it alone says in the same way.
    init(lead: Wording, item: Wording? = nil, end: Wording = "") {
        self.init(aside: lead + (item.map { ": " + $0 } ?? "") + "." + end, shared: { (lead, item, end) })
    }
}

extension Finding {
    /// The words of a function's finding, which are in the files next to this one.
    func text(_ assessment: Assessment) -> FindingText {
        serviceText(assessment) ?? settledText(assessment) ?? segmentText(assessment) ?? requestText(assessment)
            ?? platformText(assessment)
            ?? logText(assessment) ?? noticeText(assessment) ?? FindingText(aside: "\(name).")
    }

    func wording(of assessment: Assessment) -> Wording {
        let (text, enforcement) = (text(assessment), assessment.enforcement)
        return (enforcement.hasRefused ? text.enforced?(enforcement) : nil) ?? text.sentence()
    }

    /// The value and the limit of what is counted.
    var number: Int { Int(value ?? 0) }
    var bar: Int { Int(limit ?? 0) }

    /// `84 of 4,200 requests (2%)`, `all 160 requests`, `the only request`; `ending` follows the noun.
    func share(_ noun: String = "request", _ ending: String = "") -> String {
        let requests = Figures.counted(total, noun) + ending
        guard total > 0 else { return "\(Figures.grouped(count)) of \(requests)" }
        if count == total { return total == 1 ? "the only \(noun)\(ending)" : "all \(requests)" }
        return "\(Figures.grouped(count)) of \(requests) (\(Figures.rate(Double(count) / Double(total))))"
    }

    /// What a share, which exceeds it beyond chance, is held against.
    var tooMany: String { "Limit: \(Figures.exactRate(limit ?? 0))." }

    static func list(_ days: [Day]) -> String {
        var shown = days.prefix(3).map(CalendarText.day)
        if days.count > 3 { shown.append(Figures.counted(days.count - 3, "more day")) }
        guard shown.count > 1, let last = shown.popLast() else { return shown.joined() }
        return "\(shown.joined(separator: ", ")) and \(last)"
    }
}

extension Assessment {
    var reasonWordings: [Wording] {
        listed.map { $0.wording(of: self) }
    }

    /// The reason that the verdict comes from; a lock-out, an unknown time of the switch, and that every request fails,
    /// come first.
    var decidingReason: Finding? {
        let failing = verdict == .insufficient ? listed[.failingBeforeLog] : nil
        return listed[.lockout] ?? listed[.switchUnclear] ?? listed[.policyUnconfirmed] ?? failing ?? reasons.first
    }

    /// A lock-out is what matters most, regardless of the verdict.
    var brief: Wording { lockout?.brief(of: self) ?? decidingReason?.text(self).brief() ?? "" }
}

extension Finding {
    /// Returns sentences on how many are refused, and on the clauses of a lock-out that show it.
    private func lockoutSentences(_ assessment: Assessment) -> Wording {
        let lockout = assessment.lockout
        let whose = lockout?.isSignedIn ?? true ? "signed-in " : ""
        let only = lockout?.isMany == false ? lockout?.failing : nil
        let since = only?.instant.map { " since \(CalendarText.moment($0))" } ?? ""
        let had = "\(share("\(whose)request")) had no valid App Check token\(since)"
        let first: Wording =
            total > 0 ? "Enforcement refuses \(whose)users: \(had)." : "Every request has failed since the switch."
        var more: [Wording] = []
        if let value, let limit, value > limit { more.append("\(tooMany)") }
        if only == nil, let failing = lockout?.failing { more.append("Now \(failing.failingShare).") }
        if let platforms = lockout?.namedPlatforms.prefix(3), !platforms.isEmpty {
            more.append("Mostly refused: \(list: platforms.map(\.share)).")
        }
        if let day = lockout?.failingBeforeLog {
            more.append("On \(CalendarText.day(day)), requests failed before the SDK logged them.")
        }
        return more.reduce(first) { $0 + " " + $1 }
    }

    private func settledText(_ assessment: Assessment) -> FindingText? {
        let enforcement = assessment.enforcement
        return switch code {
        case .exempt: FindingText("Exempt by policy: \(sentence: names.first ?? "")", brief: "\(names.first ?? "")")
        case .enforced:
            FindingText(
                """
                Enforced \(enforcement.span), \(assessment.origin). callcheck only checks whether signed-in people are \
                refused.
                """,
                brief: "\(enforcement.span)")
        case .enforcedByLog:
            FindingText(
                """
                Enforced \(enforcement.span), as the log shows: requests without a valid App Check token are answered \
                401.
                """,
                brief: "\(enforcement.span), by the log")
        case .lockout:
            FindingText(lockoutSentences(assessment), brief: assessment.lockout?.brief(of: assessment) ?? "")
        case .switchUnclear:
            days.first.map { day in
                FindingText(
                    """
                    The log does not show at what time of \(CalendarText.day(day)) enforcement was switched on, so it \
                    is unknown who was refused on that day. Write the time into the policy: \
                    \(code: "enforced: \(day)T09:00Z").
                    """,
                    brief: "time of \(CalendarText.short(day)) unknown")
            }
        case .silentSince:
            FindingText(
                """
                No requests since \(instant.map(CalendarText.minute) ?? "") UTC; before, \(Figures.amount(rate ?? 0)) a day. \
                Do the callers still reach it, and may they (the role Cloud Run Invoker)?
                """,
                brief: "silent since \(instant.map { CalendarText.short($0.day) } ?? "")",
                shared: { ("Silent since the switch", instant.map { "\(CalendarText.minute($0)) UTC" }, "") })
        case .policyUnconfirmed:
            FindingText(
                """
                Only the policy says so: the log shows no request that was refused, or let through, since then. The \
                function was not ready, and is not ready now. Export the request log as well, or wait for a request \
                without a valid token.
                """, brief: "by policy alone, and not ready")
        case .superseded:
            FindingText(
                "The generation 2 function \(name: names.first ?? "") has taken over its traffic.",
                brief: "by \(name: names.first ?? "") (gen 2)")
        default: nil
        }
    }
}

extension MissingEntry {
    var lines: [String] {
        [
            "- match: \(MissingEntry.scalar(match))", project.map { "  project: \(MissingEntry.scalar($0))" },
            region.map { "  region: \(MissingEntry.scalar($0))" },
            line,
        ].compactMap(\.self)
    }

    private var line: String {
        switch setting {
        case .enforced(let start): "  enforced: \(start.day)T\(CalendarText.clock(start))Z"
        case .maxPerWeek(let most): "  max-per-week: \(most)"
        }
    }

    /// A name as YAML, quoted unless it is made of letters, digits, `-` and `_`.
    private static func scalar(_ name: String) -> String {
        let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
        if name.allSatisfy(plain.contains), name.first.map({ $0 != "-" && $0 != "_" }) ?? false { return name }
        return "\"\(name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
