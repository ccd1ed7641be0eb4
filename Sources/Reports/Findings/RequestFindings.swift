import Readiness
import Verifications

/// Texts on how many requests would be refused, and whose.
extension Finding {
    func requestText(_ assessment: Assessment) -> FindingText? {
        switch code {
        case .tooManyBlocked:
            guard let window else { return nil }
            let (share, bound) = (share(), tooMany)
            let span = CalendarText.during(window.from, window.to)
            let days = min(Double(window.dayCount), assessment.observedDays)
            return FindingText(
                "Enforcement would have refused \(share) \(span). \(bound)",
                enforced: { enforcement in
                    let isAll = enforcement.state != .off && enforcement.start.map { $0.day < window.from } ?? false
                    if isAll { return "Enforcement refused \(share) \(span). \(bound)" }
                    let had: Wording = "\(share) had no valid App Check token \(span). \(bound)"
                    return had.capitalized + enforcement.refusal
                },
                brief: "\(Figures.share(count, of: total, in: days))")
        case .mostlyInvalid:
            func sentence(_ ending: String, _ one: String) -> Wording {
                let sentence: Wording = """
                    \(share("request", ending)) had an \(one) (INVALID). Usual causes: attestation fails, App Check is \
                    misconfigured, or requests are forged.
                    """
                return sentence.capitalized
            }
            return FindingText(
                aside: sentence(" that would be refused", "invalid token"),
                enforced: { _ in sentence(" without a valid App Check token", "invalid one") })
        case .sameHours:
            return FindingText(
                aside: """
                    Refused only \(CalendarText.hours(counts)) UTC, on \(Figures.counted(number, "day")): a daily quota that \
                    runs out, or a job.
                    """)
        case .tooFewRequests, .tooFewDays, .tooFewActiveDays: return sampleText(assessment)
        case .safe, .few, .notConfirmed: return safetyText(assessment)
        default: return callersText(assessment)
        }
    }

    private func sampleText(_ assessment: Assessment) -> FindingText {
        switch code {
        case .tooFewRequests:
            let limit = assessment.policy.numbers.maxBlocked
            let bound = """
                With \(Figures.counted(total, "request")), up to \(Figures.rate(rate ?? 1, .up, against: limit)) could
                """
            let (allowed, missing) = ("(limit \(Figures.exactRate(limit)))", assessment.missing(self))
            let short = assessment.shortage(self)
            return FindingText(
                """
                \(bound) still be refused \(allowed). Missing: \(missing), all with valid tokens.
                """,
                enforced: { _ in "\(bound) have no valid App Check token \(allowed)." },
                brief: short.map { "too few requests: \($0)" }
                    ?? "\(Figures.counted(total, "request")), missing: \(missing)",
                remedy: { $0.collect(self) })
        case .tooFewDays:
            return FindingText(
                "The log covers only \(Figures.counted(number, "day")) of this function; \(Figures.grouped(bar)) are needed.",
                brief: "log of \(Figures.grouped(number)) of \(Figures.counted(bar, "day"))",
                remedy: { _ in Finding.wait("Export a longer log, or wait for", bar - number, "day") })
        default:
            return FindingText(
                "Requests on only \(Figures.counted(number, "day")); \(Figures.grouped(bar)) are needed.",
                brief: "\(Figures.counted(number, "day")) with requests; \(Figures.grouped(bar)) needed",
                remedy: { _ in Finding.wait("Wait for", bar - number, "day", " with requests") })
        }
    }

    /// One item, such as `Wait for 3 more days with requests.`.
    private static func wait(_ lead: String, _ count: Int, _ noun: String, _ rest: String = "") -> [Document.Block] {
        [.item("\(lead) \(Figures.counted(count, "more \(noun)"))\(rest).")]
    }

    private func safetyText(_ assessment: Assessment) -> FindingText {
        switch code {
        case .safe:
            let bound = "At most \(Figures.rate(value ?? 1, .up, against: limit ?? 0))"
            let allowed = "(limit \(Figures.exactRate(limit ?? 0)))"
            return FindingText(
                "\(bound) of requests would be refused \(allowed).",
                enforced: { _ in "\(bound) of requests have no valid App Check token \(allowed)." },
                brief: "\(bound.prefix(1).lowercased() + bound.dropFirst())")
        case .few:
            let (most, accepted) = ("most \(Figures.perWeek(value ?? 0))", Figures.perWeek(limit ?? 0))
            return FindingText(
                """
                At \(most) would be refused: \(share()) had no valid token. \
                \(accepted) \(limit == 1 ? "is" : "are") accepted.
                """,
                brief: "at \(most)",
                shared: { ("Accepted by \(code: "max-per-week"), not by percentage", "at \(most)", "") })
        default:
            let lacking = assessment.lackingLog
            let rest: Wording =
                lacking.map {
                    """
                     The log is too short for more: it must cover \(Figures.counted($0, "day")), and it covers \
                    \(Figures.grouped(count)). Cloud Logging keeps \(String(ExportScript.usualRetention)): \
                    \(code: "callcheck store add") keeps more.
                    """
                } ?? ""
            return FindingText(
                "Safe for \(Figures.counted(number, "day")) in a row; \(Figures.grouped(bar)) are needed." + rest,
                brief: lacking != nil
                    ? "log too short" : "safe on \(Figures.grouped(number)) of \(Figures.counted(bar, "day"))",
                remedy: { _ in
                    lacking.map { Finding.wait("Keep the log for", $0 - count, "day") }
                        ?? Finding.wait("Wait for", bar - number, "day", " with the same answer")
                })
        }
    }

    private func callersText(_ assessment: Assessment) -> FindingText? {
        switch code {
        case .anonymousOnly:
            let some =
                count == 0
                ? "none is signed in" : "\(Figures.grouped(count)) \(count == 1 ? "is" : "are") signed in"
            let requests = Figures.counted(total, "request")
            return FindingText(
                aside: """
                    \(requests) would be refused; \(some). If this function rejects signed-out callers itself, set \
                    \(code: "requires-auth: true"). If signed-out people use it (sign-up, public content), enforcement \
                    would refuse them.
                    """,
                enforced: { _ in
                    """
                    \(requests) had no valid App Check token; \(some). If signed-out people use this function (sign-up, \
                    public content), enforcement refuses them.
                    """
                })
        case .alreadyFailing:
            let those =
                total == 1
                ? "The only request without a valid token"
                : """
                \(number == total ? "All" : "\(Figures.grouped(number)) of the") \(Figures.grouped(total)) requests \
                without a valid token
                """
            return FindingText(
                aside: """
                    \(those) already \(number == 1 ? "fails" : "fail"), so enforcement changes nothing for \
                    \(number == 1 ? "it" : "them").
                    """,
                enforced: { _ in "\(those) failed, because of enforcement or in the function." })
        case .notAnApp:
            func those(_ fate: String) -> Wording {
                """
                Most requests that \(fate) come from scripts and servers, not from an app (\(Figures.grouped(count)) of \
                the \(Figures.grouped(total)) with a known client). Are they yours?
                """
            }
            return FindingText(
                aside: those("would be refused"), enforced: { _ in those("have no valid App Check token") })
        case .validFromTools where number <= assessment.programs:
            return FindingText(aside: "Programs send valid tokens, probably debug tokens: keep those secret.")
        case .validFromTools:
            return FindingText(
                aside: """
                    \(Figures.counted(number, "request")) with a valid token \(number == 1 ? "claims" : "claim") to come \
                    from a tool, a server or a simulator. Did a debug token leak?
                    """)
        default: return nil
        }
    }
}

extension Assessment {
    /// How much is missing of ``Finding/Code/tooFewRequests``: in days at the present volume, and until the day that is
    /// expected, or in requests of a function that has none.
    func missing(_ finding: Finding) -> String {
        let expected = period.window.flatMap { window in wait?.day.map { window.to.distance(to: $0) } }
        let days = expected ?? (shortage(finding) == nil ? finding.counts.first : nil)
        return days.map { "about \(Figures.counted(max(1, $0), "more day"))" }
            ?? Figures.counted(finding.number, "more request")
    }

    /// `28 days have 77, 473 are needed`; nil where waiting for some days brings the missing requests.
    func shortage(_ finding: Finding) -> String? {
        guard wait?.day == nil, neededDays != nil, let days = period.window?.dayCount else { return nil }
        return """
            \(Figures.counted(days, "day")) have \(Figures.grouped(finding.total)), \
            \(Figures.grouped(finding.total + finding.number)) are needed
            """
    }
}

extension SampleSize {
    /// Days of log that somebody may collect for an answer; beyond, a function is too quiet for a share.
    static let longestWait = 90
}

extension Explanation {
    /// How long it takes to collect the missing requests.
    fileprivate func collect(_ finding: Finding) -> [Document.Block] {
        let assessment = function.assessment
        if assessment.policy.numbers.maxPerWeek != nil, assessment.readyDay != nil {
            return [.item("Time: it will meet \(code: "max-per-week") sooner than the percentage limit.")]
        }
        if let over = assessment.overInWindow {
            return [
                .item(
                    """
                    Find out what failed: \(over.segment.span). If it is fixed, judge from then on: \
                    \(code: "--since \(over.next)"). Otherwise it counts until \(CalendarText.day(over.leaves)).
                    """)
            ]
        }
        // Neither time nor a longer window is asked for where one answer is enough.
        if case .acceptance? = assessment.wait { return [] }
        let wait: Wording =
            assessment.shortage(finding).map { "Too few requests: \($0)." }
            ?? "Wait for \(assessment.missing(finding))."
        if assessment.wait?.day != nil { return [.item(wait)] }
        if let window = assessment.neededWindow {
            return [.item(wait + " That needs a longer window: \(set: \.maxWindow, window).")]
        }
        if let days = assessment.neededDays {
            let advice: Wording =
                days > SampleSize.longestWait
                ? "It is too quiet for a share."
                : """
                Cloud Logging keeps \(String(ExportScript.usualRetention)): \(code: "callcheck store add") keeps more. \
                Then allow a longer window: \(set: \.maxWindow, assessment.wholeWindows(days)).
                """
            return [.item(wait + " That takes \(Figures.counted(days, "day")) of log. " + advice)]
        }
        return [.item(wait)]
    }
}
