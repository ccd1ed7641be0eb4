package import Verifications

/// The days of a rollout as they are kept from night to night: sums of each day, and nothing of any user.
///
/// Who used the app on two days counts on both, so that sums of days are not users, and no verdict is based on them.
package struct RolloutHistory: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package let day: RolloutDay
        /// The share of users with App Attest, in per cent; nil where it was not known.
        package let percent: Double?

        package init(day: RolloutDay, percent: Double?) {
            (self.day, self.percent) = (day, percent)
        }
    }

    package let parameter: String
    /// Ascending.
    package let entries: [Entry]

    package init(parameter: String, entries: [Entry]) {
        (self.parameter, self.entries) = (parameter, entries)
    }

    /// What one run knows; a day up to the last change of the percentage has none.
    ///
    /// Days after the newest one of its rows have a clock that is wrong.
    package init(_ assessment: RolloutAssessment, through newest: Day?, parameter: String) {
        let (since, percent) = (assessment.policy.since, assessment.template?.percent)
        let days = assessment.counts.days.filter { day in newest.map { day.day <= $0 } ?? false }
        self.init(
            parameter: parameter,
            entries: days.map { day in
                Entry(day: day, percent: since.map { day.day > $0 } ?? true ? percent : nil)
            })
    }

    /// Days that Google Analytics changes no more.
    package var complete: [Entry] {
        guard let newest = entries.last?.day.day else { return [] }
        return entries.filter { $0.day.day <= newest.advanced(by: -RolloutPolicy.lateDays) }
    }

    /// The percentage, and the first day of those in a row that have it; nil where it was never known.
    package var percentage: (percent: Double, since: Day)? {
        let known = entries.filter { $0.percent != nil }
        guard let last = known.last, let percent = last.percent else { return nil }
        let run = known.reversed().prefix { $0.percent == percent }
        return (percent, run.last?.day.day ?? last.day.day)
    }
}
