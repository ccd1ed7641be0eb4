import Readiness
import Verifications

/// What pages say about one finding; each part is put into words only where it is shown.
struct Words {
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
    struct Shared {
        let lead: Wording
        let item: Wording?
        let end: Wording

        init(_ lead: Wording, _ item: Wording? = nil, end: Wording = "") {
            (self.lead, self.item, self.end) = (lead, item, end)
        }
    }

    /// Words of a finding that decides; without an export or a wait that helps it has no remedy.
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

    /// Words of a finding that is only ever listed after another one.
    init(
        aside sentence: @escaping @autoclosure () -> Wording, enforced: ((Enforcement) -> Wording)? = nil,
        shared: (() -> Shared)? = nil
    ) {
        self.init(sentence(), enforced: enforced, brief: sentence(), shared: shared)
    }

    /// Words of what functions usually share, and one that has it alone says in the same way.
    init(lead: Wording, item: Wording? = nil, end: Wording = "") {
        self.init(aside: lead + (item.map { ": " + $0 } ?? "") + "." + end, shared: { Shared(lead, item, end: end) })
    }
}

extension Reason {
    func words(_ assessment: Assessment) -> Words {
        switch self {
        case .settled(let finding): finding.words(assessment)
        case .passes(let finding): finding.words
        case .silence(let finding): finding.words
        case .excess(let finding): finding.words(assessment)
        case .sample(let finding): finding.words(assessment)
        case .completeness(let finding): finding.words
        case .failures(let finding): finding.words
        case .origin(let finding): finding.words
        case .safety(let finding): finding.words(assessment)
        case .callers(let finding): finding.words
        case .platforms(let finding): finding.words(assessment)
        case .failing(let finding): finding.words
        case .enforcement(let finding): finding.words
        case .reservation(let finding): finding.words
        }
    }

    func wording(of assessment: Assessment) -> Wording {
        let (words, enforcement) = (words(assessment), assessment.enforcement)
        return (enforcement.hasRefused ? words.enforced?(enforcement) : nil) ?? words.sentence()
    }

    /// `84 of 4,200 requests (2%)`.
    static func share(_ part: Int, _ whole: Int, _ noun: String) -> String {
        let rate = whole > 0 ? " (\(Figures.rate(Double(part) / Double(whole))))" : ""
        return "\(Figures.grouped(part)) of \(Figures.grouped(whole)) \(noun)\(rate)"
    }

    static func atLeast(_ lower: Double, _ limit: Double, _ assessment: Assessment) -> String {
        let confidence = Figures.exactRate(assessment.policy.numbers.confidence)
        return """
            The true rate is at least \(Figures.rate(lower, .down, against: limit)) (\(confidence) confidence), more \
            than the \(Figures.exactRate(limit)) allowed.
            """
    }

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

    /// The reason that the verdict comes from; a lock-out, and an unknown time of the switch, come first.
    var decidingReason: Reason? {
        let ranks = ["lockout", "switch-unclear"]
        return ranks.lazy.compactMap { code in listed.first { $0.code == code } }.first ?? reasons.first
    }

    /// A lock-out is what matters most, regardless of the verdict.
    var brief: Wording { lockout?.brief(of: self) ?? decidingReason?.words(self).brief() ?? "" }
}

extension Settled {
    func words(_ assessment: Assessment) -> Words {
        switch self {
        case .exempt(let because): Words("Exempt by policy: \(sentence: because)", brief: "\(because)")
        case .enforced(let enforcement):
            Words(
                """
                Enforced \(enforcement.span), \(enforcement.origin)\(enforcement.lateness). callcheck only checks whether \
                signed-in people are refused.
                """,
                brief: "\(enforcement.span)")
        case .enforcedByLog(let enforcement):
            Words(
                """
                Enforced \(enforcement.span), as the log shows: requests without a valid App Check token are answered \
                401.
                """,
                brief: "\(enforcement.span), by the log")
        case .lockout(let lockout):
            Words(
                """
                \(assessment.enforcement.isDoubted ? "" : "Enforcement refuses signed-in users: ")\
                \(Reason.share(lockout.refused, lockout.requests, "signed-in requests")) had no valid App Check token. \
                \(Reason.atLeast(lockout.lower, lockout.limit, assessment))
                """,
                brief: lockout.brief(of: assessment))
        case .switchUnclear(let day):
            Words(
                """
                The log does not show at what time of \(CalendarText.day(day)) enforcement was switched on, so it is \
                unknown who was refused on that day. Write the time into the policy: \(code: "enforced: \(day)T09:00Z").
                """,
                brief: "time of \(CalendarText.short(day)) unknown")
        case .superseded(let successor):
            Words(
                "The generation 2 function \(name: successor.name) has taken over its traffic.",
                brief: "by \(name: successor.name) (gen 2)")
        }
    }
}

extension MissingEntry {
    var lines: [String] {
        [
            "- match: \(MissingEntry.scalar(match))", project.map { "  project: \(MissingEntry.scalar($0))" },
            region.map { "  region: \(MissingEntry.scalar($0))" }, "  enforced: \(enforced)",
        ].compactMap(\.self)
    }

    /// A name as YAML, quoted unless it is made of letters, digits, `-` and `_`.
    private static func scalar(_ name: String) -> String {
        let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
        if name.allSatisfy(plain.contains), name.first.map({ $0 != "-" && $0 != "_" }) ?? false { return name }
        return "\"\(name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
