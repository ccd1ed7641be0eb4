import Readiness
import Verifications

extension ExcessBlocking {
    func words(_ assessment: Assessment) -> Words {
        switch self {
        case .tooManyBlocked(let lower, let limit, let blocked, let admitted, let window):
            let share = Reason.share(blocked, admitted, "requests")
            let span = CalendarText.during(window.from, window.to)
            let days = Double(max(1, min(window.dayCount, assessment.evidence.observedDays)))
            return Words(
                "Enforcement would have refused \(share) \(span). \(Reason.atLeast(lower, limit, assessment))",
                enforced: { day in
                    day < window.from
                        ? "Enforcement refused \(share) \(span). \(Reason.atLeast(lower, limit, assessment))"
                        : """
                        \(share) had no valid App Check token \(span). \(Reason.atLeast(lower, limit, assessment)) Enforcement \
                        has refused such requests since \(CalendarText.day(day)).
                        """
                },
                brief: "\(Figures.amount(Double(blocked) / days)) of \(Figures.amount(Double(admitted) / days)) a day",
                remedy: nil)
        case .unstableDay(let days, let limit):
            guard let worst = ExcessBlocking.worst(days) else { return Words(aside: "") }
            return Words(
                ExcessBlocking.badDay(worst, of: days, "would have been refused", limit),
                enforced: { _ in ExcessBlocking.badDay(worst, of: days, "had no valid App Check token", limit) },
                brief: """
                    \(Figures.grouped(worst.blocked)) of \(Figures.grouped(worst.admitted)) on \
                    \(CalendarText.short(worst.day))
                    """,
                remedy: nil)
        case .mostlyInvalid(let invalid, let blocked):
            let causes = "The cause is an app that fails attestation, a wrong setup, or forged requests."
            return Words(
                aside: """
                    \(Reason.share(invalid, blocked, "requests that would be refused")) carried a bad token (INVALID) \
                    rather than none. \(causes)
                    """,
                enforced: { _ in
                    """
                    \(Reason.share(invalid, blocked, "requests without a valid App Check token")) carried a bad one \
                    (INVALID) rather than none. \(causes)
                    """
                })
        case .cleanSince(let day, let activeDays):
            return Words(
                aside: """
                    Every request had a valid token on the last \(Figures.counted(activeDays, "day")) with requests. \
                    If a fix went out then, judge from there with \(code: "--since \(day)").
                    """)
        case .recentTrouble(let days, _):
            guard let worst = ExcessBlocking.worst(days) else { return Words(aside: "") }
            return Words(
                aside: """
                    Safe now, but not on \(CalendarText.day(worst.day)) \
                    (\(Figures.grouped(worst.blocked)) of \(Figures.grouped(worst.admitted)) requests had no valid \
                    token, in \(Figures.counted(worst.hours, "hour")))\(ExcessBlocking.rest(of: days, " and on ")). \
                    Find out why before you enforce.
                    """)
        }
    }

    private static func worst(_ days: [UnstableDay]) -> UnstableDay? {
        days.max { $0.lower < $1.lower }
    }

    private static func badDay(
        _ worst: UnstableDay, of days: [UnstableDay], _ fate: String, _ limit: Double
    ) -> Wording {
        """
        On \(CalendarText.day(worst.day)) alone, \(Reason.share(worst.blocked, worst.admitted, "requests")) \(fate), in \
        \(Figures.grouped(worst.hours)) different hours. The limit is \(Figures.exactRate(limit))\
        \(rest(of: days, "; it was exceeded on ")).
        """
    }

    private static func rest(of days: [UnstableDay], _ joint: String) -> String {
        days.count > 1 ? "\(joint)\(Figures.counted(days.count - 1, "more day", plural: "more days"))" : ""
    }
}
