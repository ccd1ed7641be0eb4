import Readiness
import Verifications

extension ExcessBlocking {
    func words(_ assessment: Assessment) -> Words {
        switch self {
        case .tooManyBlocked(let lower, let limit, let blocked, let admitted, let window):
            let share = Reason.share(blocked, admitted, "requests")
            let span = CalendarText.during(window.from, window.to)
            let days = min(window.dayCount, assessment.counts.observedDays)
            return Words(
                "Enforcement would have refused \(share) \(span). \(Reason.atLeast(lower, limit, assessment))",
                enforced: { enforcement in
                    let bound = Reason.atLeast(lower, limit, assessment)
                    let isAll = enforcement.state != .off && enforcement.start.map { $0.day < window.from } ?? false
                    return isAll
                        ? "Enforcement refused \(share) \(span). \(bound)"
                        : "\(share) had no valid App Check token \(span). \(bound)" + enforcement.refusal
                },
                brief: "\(Figures.share(blocked, of: admitted, in: days))")
        case .mostlyInvalid(let invalid, let blocked):
            let causes = "Usual causes: attestation fails, App Check is misconfigured, or requests are forged."
            return Words(
                aside: """
                    \(Reason.share(invalid, blocked, "requests that would be refused")) had an invalid token (INVALID), \
                    not a missing one. \(causes)
                    """,
                enforced: { _ in
                    """
                    \(Reason.share(invalid, blocked, "requests without a valid App Check token")) had an invalid one \
                    (INVALID), not a missing one. \(causes)
                    """
                })
        case .cleanSince(let day, let activeDays):
            return Words(
                aside: """
                    Every request had a valid token on the last \(Figures.counted(activeDays, "day")) with requests. \
                    If a fix went out then, judge from there with \(code: "--since \(day)").
                    """)
        case .badDay(let days, _):
            let count = days.count == 1 ? "one day" : "each of \(Figures.grouped(days.count)) days"
            let rest = days.count > 3 ? "; and \(Figures.counted(days.count - 3, "earlier one"))" : ""
            let advice =
                switch assessment.verdict {
                case .enforce: "Find out why before you enforce."
                case .wait, .investigate: "On the other days they were not. Find out what happened."
                default: "Find out what happened."
                }
            return Words(
                aside: """
                    Requests without a valid token were clearly over the limit on \(count): \
                    \(days.prefix(3).map(\.wording).joined(separator: "; "))\(rest). \(advice)
                    """,
                shared: {
                    Words.Shared(
                        "Bad days in the last four weeks", days.first.map { "\($0.wording)" },
                        end: " Find out who sent them.")
                })
        }
    }
}

extension BadDay {
    /// `9 of 36 on 12 Oct`, `20 of 90 on 3 Oct, within 2 hours`.
    var wording: String {
        """
        \(Figures.grouped(blocked)) of \(Figures.grouped(admitted)) on \(CalendarText.short(day))\
        \(isBurst ? ", within \(Figures.counted(hours, "hour"))" : "")
        """
    }
}

extension SampleSize {
    /// Days of log that somebody may collect for an answer; beyond, a function is too quiet for a share.
    static let longestWait = 90

    func words(_ assessment: Assessment) -> Words {
        switch self {
        case .tooFewRequests(let missing, let upper, let limit, let admitted):
            let bound = """
                With \(Figures.counted(admitted, "request")), up to \(Figures.rate(upper, .up, against: limit)) could
                """
            let allowed = "(limit \(Figures.exactRate(limit)))"
            return Words(
                """
                \(bound) still be refused \(allowed). \(Figures.counted(missing, "more request")) with \
                \(missing == 1 ? "a valid token" : "valid tokens") would settle it.
                """,
                enforced: { _ in "\(bound) have no valid App Check token \(allowed)." },
                brief: "\(Figures.counted(admitted, "request")), \(Figures.grouped(missing)) more needed",
                remedy: { $0.collect(missing) })
        case .tooFewDays(let age, let limit):
            return Words(
                "The log covers only \(Figures.counted(age, "day")) of this function; \(Figures.grouped(limit)) are needed.",
                brief: "log of \(Figures.grouped(age)) of \(Figures.counted(limit, "day"))",
                remedy: { _ in SampleSize.more(limit - age, "day of log", "days of log") })
        case .tooFewActiveDays(let days, let limit):
            return Words(
                "Requests on only \(Figures.counted(days, "day")); \(Figures.grouped(limit)) are needed.",
                brief: "requests on \(Figures.grouped(days)) of \(Figures.counted(limit, "day"))",
                remedy: { _ in SampleSize.more(limit - days, "day with requests", "days with requests") })
        }
    }

    /// One item, such as `3 more days of log.`.
    static func more(_ count: Int, _ one: String, _ several: String) -> [Words.Block] {
        [.item("\(Figures.counted(count, "more \(one)", plural: "more \(several)")).")]
    }
}

extension Explanation {
    /// How long it takes to collect the missing requests.
    fileprivate func collect(_ missing: Int) -> [Words.Block] {
        let requests: Wording = """
            \(Figures.counted(missing, "more request")), all with a valid token.
            """
        let assessment = function.assessment
        let counts = assessment.counts
        if assessment.policy.numbers.maxPerWeek != nil, assessment.readyDay != nil {
            return [.item("Time: it will meet \(code: "max-per-week") sooner than the percentage limit.")]
        }
        guard counts.admitted > 0, counts.observedDays > 0 else { return [.item(requests)] }
        let volume = "At \(Figures.frequency(Double(counts.admitted) / Double(counts.observedDays)))"
        if let window = assessment.neededWindow {
            return [.item(requests + " \(volume), they need a longer window: \(set: .maxWindow, .count(window)).")]
        }
        if let days = assessment.neededDays {
            let advice: Wording =
                days > SampleSize.longestWait
                ? "It is too quiet for a share."
                : "Cloud Logging keeps \(String(ExportScript.usualRetention)): \(code: "callcheck store add") keeps more."
            return [.item(requests + " \(volume), that takes \(Figures.counted(days, "day")) of log. " + advice)]
        }
        let days = Double(missing) * Double(counts.observedDays) / Double(counts.admitted)
        return [.item(requests + " \(volume), that takes \(Figures.counted(Int(days.rounded(.up)), "day")).")]
    }
}

extension Safety {
    func words(_ assessment: Assessment) -> Words {
        switch self {
        case .safe(let upper, let limit):
            let bound = "At most \(Figures.rate(upper, .up, against: limit)) of requests"
            return Words(
                "\(bound) would be refused (limit \(Figures.exactRate(limit))).",
                enforced: { _ in "\(bound) have no valid App Check token (limit \(Figures.exactRate(limit)))." },
                brief: "at most \(Figures.rate(upper, .up, against: limit))")
        case .few(let perWeek, let limit, let blocked, let admitted):
            let bound = "At most \(Figures.perWeek(perWeek)) would be refused"
            return Words(
                """
                \(bound): \(Reason.share(blocked, admitted, "requests")) had no valid token. \
                \(Figures.perWeek(limit)) \(limit == 1 ? "is" : "are") accepted.
                """,
                brief: "at most \(Figures.perWeek(perWeek))",
                shared: {
                    Words.Shared(
                        "Accepted by \(code: "max-per-week"), not by percentage", "at most \(Figures.perWeek(perWeek))")
                })
        case .notConfirmed(let nights, let required, let logDays):
            let rest: Wording =
                assessment.lackingLog.map {
                    """
                     The log is too short for more: it must cover \(Figures.counted($0, "day")), and it covers \
                    \(Figures.grouped(logDays ?? 0)). Cloud Logging keeps \(String(ExportScript.usualRetention)): \
                    \(code: "callcheck store add") keeps more.
                    """
                } ?? ""
            return Words(
                """
                Almost ready: safe for \(Figures.counted(nights, "day")) in a row; \(Figures.grouped(required)) are needed.
                """ + rest,
                brief: assessment.lackingLog != nil
                    ? "log too short" : "safe on \(Figures.grouped(nights)) of \(Figures.counted(required, "day"))",
                remedy: { _ in
                    assessment.lackingLog.map { SampleSize.more($0 - (logDays ?? 0), "day of log", "days of log") }
                        ?? SampleSize.more(required - nights, "day with the same answer", "days with the same answer")
                })
        }
    }
}

extension BlockedCallers {
    var words: Words {
        switch self {
        case .anonymousOnly(let blocked, let signedIn, _, _):
            let some =
                signedIn == 0
                ? "none is signed in" : "\(Figures.grouped(signedIn)) \(signedIn == 1 ? "is" : "are") signed in"
            return Words(
                aside: """
                    \(Figures.counted(blocked, "request")) would be refused; \(some). If this function rejects \
                    signed-out callers itself, set \(code: "requires-auth: true"). If signed-out people use it \
                    (sign-up, public content), enforcement would refuse them.
                    """,
                enforced: { _ in
                    """
                    \(Figures.counted(blocked, "request")) had no valid App Check token; \(some). If signed-out people use this function (sign-up, public content), enforcement refuses them.
                    """
                })
        case .alreadyFailing(let failing, let blocked):
            let those =
                blocked == 1
                ? "The only request without a valid token"
                : """
                \(failing == blocked ? "All" : "\(Figures.grouped(failing)) of the") \(Figures.grouped(blocked)) requests \
                without a valid token
                """
            return Words(
                aside: """
                    \(those) already \(failing == 1 ? "fails" : "fail"), so enforcement changes nothing for \
                    \(failing == 1 ? "it" : "them").
                    """,
                enforced: { _ in "\(those) failed, because of enforcement or in the function." })
        case .notAnApp(let foreign, let blocked):
            let those: (String) -> Wording = { fate in
                """
                Most requests that \(fate) come from scripts and servers, not from an app (\(Figures.grouped(foreign)) of \
                the \(Figures.grouped(blocked)) with a known client). Are they yours?
                """
            }
            return Words(aside: those("would be refused"), enforced: { _ in those("have no valid App Check token") })
        case .validFromTools(let valid):
            return Words(
                aside: """
                    \(Figures.counted(valid, "request")) with a valid token \(valid == 1 ? "claims" : "claim") to come \
                    from a tool, a server or a simulator. Did a debug token leak?
                    """)
        }
    }
}
