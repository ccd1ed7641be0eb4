import Readiness
import Verifications

extension Settled {
    func words(_ assessment: Assessment) -> Words {
        switch self {
        case .exempt(let because):
            Words(
                "Exempt by policy: \(sentence: because)", brief: "\(because)", remedy: nil)
        case .enforced(let since):
            Words(
                """
                Enforced since \(CalendarText.day(since)), by policy. callcheck only checks whether signed-in people \
                are refused.
                """,
                brief: "since \(CalendarText.day(since))", remedy: nil)
        case .lockout(let lower, let limit, let blocked, let admitted):
            Words(
                """
                Enforcement refuses signed-in users: \(Reason.share(blocked, admitted, "signed-in requests")) had no \
                valid App Check token. \(Reason.atLeast(lower, limit, assessment))
                """,
                brief: "\(Figures.grouped(blocked)) of \(Figures.grouped(admitted)) signed-in",
                remedy: nil)
        case .superseded(let successor):
            Words(
                "The generation 2 function \(name: successor.name) has taken over its traffic.",
                brief: "by \(name: successor.name) (gen 2)", remedy: nil)
        }
    }
}
