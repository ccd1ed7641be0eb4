import Readiness
import Verifications

extension Assessment {
    /// The reasons in words: of a function that is enforced they say what is refused, not what would be.
    var reasonWordings: [Wording] {
        guard let day = enforcedSince else { return reasons.map(\.wording) }
        return reasons.map { $0.wording(enforcedSince: day) }
    }

    /// The day on which enforcement was switched on; nil where it is not on.
    var enforcedSince: Day? {
        for case .enforced(let since) in reasons { return since }
        return nil
    }
}

extension Reason {
    /// Windows may begin before the day: what is said of them is true of both sides.
    func wording(enforcedSince day: Day) -> Wording {
        switch self {
        case .tooManyBlocked(let lower, let limit, let blocked, let admitted, let window):
            let span = CalendarText.span(from: window.from, to: window.to, dash: "-")
            let share = Reason.share(blocked, admitted, "requests")
            let bound = Reason.atLeast(lower, limit)
            return day < window.from
                ? "From \(span) enforcement has refused \(share), \(bound)."
                : """
                From \(span), \(share) had no valid App Check token, \(bound). Since \(CalendarText.day(day)) \
                enforcement refuses such requests.
                """
        case .unstableDay(let days, let limit):
            return """
                Too many requests had no valid App Check token on \(Reason.list(days)), taken by \
                \(days.count == 1 ? "itself" : "themselves") (allowed: \(Figures.exactRate(limit))).
                """
        case .safe(let upper, let limit):
            return """
                At most \(Figures.rate(upper, .up, against: limit)) of requests have no valid App Check token (allowed: \
                \(Figures.exactRate(limit))).
                """
        case .tooFewRequests(_, let upper, let limit, let admitted):
            return """
                \(Figures.counted(admitted, "request")) \(admitted == 1 ? "is" : "are") too few to be sure: up to \
                \(Figures.rate(upper, .up, against: limit)) may have no valid App Check token (allowed: \
                \(Figures.exactRate(limit))).
                """
        case .anonymousOnly(let blocked, let signedInBlocked, _, _):
            let signedIn =
                signedInBlocked == 0
                ? "none is" : "\(Figures.grouped(signedInBlocked)) \(signedInBlocked == 1 ? "is" : "are")"
            return """
                Of \(Figures.grouped(blocked)) without a valid App Check token \(signedIn) signed in. If signed-out \
                people use this function (sign-up, public content), they are locked out.
                """
        default: return wording
        }
    }
}
