import Readiness
import Verifications

extension Settled {
    func words(_ assessment: Assessment) -> Words {
        switch self {
        case .exempt(let because):
            Words(
                "Exempt by policy: \(sentence: because)", brief: "\(because)", clause: "exempt by policy", remedy: nil)
        case .enforced(let since):
            Words(
                """
                Enforced since \(CalendarText.day(since)), by policy. callcheck only checks whether signed-in people \
                are refused.
                """,
                brief: "since \(CalendarText.day(since))", clause: "enforced by policy",
                measured: "since \(CalendarText.day(since)), refuses nobody who is signed in", remedy: nil)
        case .lockout(let lower, let limit, let blocked, let admitted):
            Words(
                """
                Enforcement refuses signed-in people: \(Reason.share(blocked, admitted, "signed-in requests")) had no \
                valid App Check token. \(Reason.atLeast(lower, limit, assessment))
                """,
                brief: "refuses \(Figures.grouped(blocked)) of \(Figures.grouped(admitted)) signed-in",
                clause: "signed-in refused ≤ \(Figures.exactRate(limit))",
                measured: """
                    at least \(Figures.rate(lower, .down, against: limit)) of \(Figures.grouped(admitted)) are refused
                    """,
                remedy: nil)
        case .superseded(let successor):
            Words(
                "The generation 2 function \(name: successor.name) has taken over its traffic.",
                brief: "by \(name: successor.name), generation 2", clause: "not replaced", remedy: nil)
        }
    }
}
