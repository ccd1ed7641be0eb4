import Readiness
import Verifications

/// Texts on how many requests would be refused, and whose.
extension Finding {
    func requestStatement(_ assessment: Assessment) -> Statement? {
        let (enforcement, hasRefused) = (assessment.enforcement, assessment.enforcement.hasRefused)
        switch code {
        case .tooManyBlocked:
            guard let window else { return nil }
            let (share, bound) = (share(), tooMany)
            let span = CalendarText.during(window.from, window.to)
            let days = min(Double(window.dayCount), assessment.observedDays)
            let isAll = enforcement.state != .off && enforcement.start.map { $0.day < window.from } ?? false
            let had: Wording = "\(share) had no valid App Check token \(span). \(bound)"
            let partly: Wording =
                enforcement.start == nil ? "" : " Enforcement has refused such requests \(enforcement.span)."
            return says(
                !hasRefused
                    ? "Enforcement would have refused \(share) \(span). \(bound)"
                    : isAll ? "Enforcement refused \(share) \(span). \(bound)" : had.capitalized + partly,
                short: "\(Figures.share(count, of: total, in: days))")
        case .mostlyInvalid:
            let ending = hasRefused ? " without a valid App Check token" : " that would be refused"
            let sentence: Wording = """
                \(share("request", ending)) had an invalid \(hasRefused ? "one" : "token") (INVALID). Usual causes: \
                attestation fails, App Check is misconfigured, or requests are forged.
                """
            return says(sentence.capitalized)
        case .sameHours:
            return says(
                """
                Refused only \(CalendarText.hours(counts)) UTC, on \(Figures.counted(number, "day")): a daily quota that \
                runs out, or a job.
                """)
        case .tooFewRequests, .tooFewDays, .tooFewActiveDays: return sampleStatement(assessment)
        case .safe, .few, .notConfirmed: return safetyStatement(assessment)
        case .leftOut:
            return says(
                lead: "Requests left out because of their user agents (can be faked)",
                item: "\(Figures.grouped(number)); \(set: \.ignoreClients, assessment.policy.numbers.ignoredClients)")
        case .programsLeftOut:
            let kinds = names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
            return says(
                lead: "Requests from programs do not count",
                item: "\(Figures.grouped(number))\(kinds); \(set: \.countMachines, true)")
        case .signedOutRefused:
            return says(
                lead: "Signed-out requests that the function itself refuses do not count",
                item: "\(Figures.grouped(number))")
        case .tokenlessRefused:
            return says(
                lead: "Requests without a valid token that the function itself refuses do not count",
                item: "\(Figures.grouped(number))")
        case .accepted:
            return says(
                lead: "Accepted, though enforcement \(assessment.enforcement.isOn ? "refuses" : "would refuse") it",
                item: "\(list: assessment.acceptedRefusals.prefix(2).map(\.share))")
        case .passedOver:
            let quiet = days.filter(assessment.policy.numbers.quietDays.contains)
            let others = days.filter { !quiet.contains($0) }
            let sentences: [Wording?] = [
                quiet.isEmpty
                    ? nil : "No requests on \(Finding.list(quiet)), which is no gap by \(code: "quiet-days").",
                others.isEmpty
                    ? nil
                    : """
                    No requests on \(Finding.list(others)), which is no gap, as no other day is missing within two \
                    weeks.
                    """,
            ]
            return says(sentences.compactMap(\.self).joined)
        default: return callersStatement(assessment)
        }
    }

    private func sampleStatement(_ assessment: Assessment) -> Statement {
        switch code {
        case .tooFewRequests:
            let limit = assessment.policy.numbers.maxBlocked
            let bound = """
                With \(Figures.counted(total, "request")), up to \(Figures.rate(rate ?? 1, .up, against: limit)) could
                """
            let (allowed, missing) = ("(limit \(Figures.exactRate(limit)))", assessment.missing(self))
            let short = assessment.shortage(self)
            return says(
                assessment.enforcement.hasRefused
                    ? "\(bound) have no valid App Check token \(allowed)."
                    : "\(bound) still be refused \(allowed). Missing: \(missing), all with valid tokens.",
                short: short.map { "too few requests: \($0)" }
                    ?? "\(Figures.counted(total, "request")), missing: \(missing)",
                steps: { $0.collect(self) })
        case .tooFewDays:
            return says(
                "The log covers only \(Figures.counted(number, "day")) of this function; \(Figures.grouped(bar)) are needed.",
                short: "log of \(Figures.grouped(number)) of \(Figures.counted(bar, "day"))",
                steps: { _ in Finding.wait("Export a longer log, or wait for", bar - number, "day") })
        default:
            return says(
                "Requests on only \(Figures.counted(number, "day")); \(Figures.grouped(bar)) are needed.",
                short: "\(Figures.counted(number, "day")) with requests; \(Figures.grouped(bar)) needed",
                steps: { _ in Finding.wait("Wait for", bar - number, "day", " with requests") })
        }
    }

    /// One item, such as `Wait for 3 more days with requests.`.
    private static func wait(_ lead: String, _ count: Int, _ noun: String, _ rest: String = "") -> [Document.Block] {
        [.item("\(lead) \(Figures.counted(count, "more \(noun)"))\(rest).")]
    }

    private func safetyStatement(_ assessment: Assessment) -> Statement {
        switch code {
        case .safe:
            let bound = "At most \(Figures.rate(value ?? 1, .up, against: limit ?? 0))"
            let allowed = "(limit \(Figures.exactRate(limit ?? 0)))"
            let fate = assessment.enforcement.hasRefused ? "have no valid App Check token" : "would be refused"
            return says(
                "\(bound) of requests \(fate) \(allowed).",
                short: "\(bound.prefix(1).lowercased() + bound.dropFirst())")
        case .few:
            let (most, accepted) = ("most \(Figures.perWeek(value ?? 0))", Figures.perWeek(limit ?? 0))
            return says(
                """
                At \(most) would be refused: \(share()) had no valid token. \
                \(accepted) \(limit == 1 ? "is" : "are") accepted.
                """,
                short: "at \(most)",
                shared: ("Accepted by \(code: "max-per-week"), not by percentage", "at \(most)", ""))
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
            return says(
                "Safe for \(Figures.counted(number, "day")) in a row; \(Figures.grouped(bar)) are needed." + rest,
                short: lacking != nil
                    ? "log too short" : "safe on \(Figures.grouped(number)) of \(Figures.counted(bar, "day"))",
                steps: { _ in
                    lacking.map { Finding.wait("Keep the log for", $0 - count, "day") }
                        ?? Finding.wait("Wait for", bar - number, "day", " with the same answer")
                })
        }
    }

    private func callersStatement(_ assessment: Assessment) -> Statement? {
        let hasRefused = assessment.enforcement.hasRefused
        switch code {
        case .anonymousOnly:
            let some =
                count == 0
                ? "none is signed in" : "\(Figures.grouped(count)) \(count == 1 ? "is" : "are") signed in"
            let requests = Figures.counted(total, "request")
            return says(
                hasRefused
                    ? """
                    \(requests) had no valid App Check token; \(some). If signed-out people use this function (sign-up, \
                    public content), enforcement refuses them.
                    """
                    : """
                    \(requests) would be refused; \(some). If this function rejects signed-out callers itself, set \
                    \(code: "requires-auth: true"). If signed-out people use it (sign-up, public content), enforcement \
                    would refuse them.
                    """)
        case .alreadyFailing:
            let shown = "without a valid token that the request log shows"
            let those =
                total == 1
                ? "The only request \(shown)"
                : "\(number == total ? "All" : "\(Figures.grouped(number)) of the") \(Figures.grouped(total)) requests \(shown)"
            return says(
                hasRefused
                    ? "\(those) failed, because of enforcement or in the function."
                    : """
                    \(those) already \(number == 1 ? "fails" : "fail"), so enforcement changes nothing for \
                    \(number == 1 ? "it" : "them").
                    """)
        case .notAnApp:
            return says(
                """
                Most requests that \(hasRefused ? "have no valid App Check token" : "would be refused") come from scripts \
                and servers, not from an app (\(Figures.grouped(count)) of the \(Figures.grouped(total)) with a known \
                client). Are they yours?
                """)
        case .validFromTools where number <= assessment.programs:
            return says("Programs send valid tokens, probably debug tokens: keep those secret.")
        case .validFromTools:
            return says(
                """
                \(Figures.counted(number, "request")) with a valid token \(number == 1 ? "claims" : "claim") to come \
                from a tool, a server or a simulator. Did a debug token leak?
                """)
        default: return nil
        }
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
        if let (day, date) = whatIfs.lazy.compactMap(\.sinceAndDate).first {
            return [
                .item(
                    """
                    Find out what failed until \(CalendarText.day(day.advanced(by: -1))). If it is fixed, judge from then \
                    on: \(code: "--since \(day)"). It is then ready on \(CalendarText.day(date)).
                    """)
            ]
        }
        // Neither time nor a longer window is asked for where one answer is enough.
        if assessment.nextStep?.perWeek != nil { return [] }
        let wait: Wording =
            assessment.shortage(finding).map { "Too few requests: \($0)." }
            ?? "Wait for \(assessment.missing(finding))."
        if assessment.nextStep?.day != nil { return [.item(wait)] }
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

extension WhatIf {
    /// The day to judge from, and the day on which the function is ready then.
    fileprivate var sinceAndDate: (since: Day, date: Day)? {
        guard case .since(let day) = change else { return nil }
        return date.map { (day, $0) }
    }
}
