public import Verifications

/// What one looks at in the morning: every function as of last night, and what is not as it was.
///
/// This is what every renderer gets. All of it comes from one tally: a report can be drawn up again for any night, and
/// drawing it up writes nothing.
public struct NightlyReport: Sendable {
    public var summary: Summary
    /// The functions are held against what the rule said at the end of this day; nil when the log is not that old.
    public var comparedTo: Day?
    /// What is not as it was then, what needs action first.
    public var changes: [Change]
    /// How many functions' rates were compared: each more makes a difference count for less (``HolmCorrection``).
    public var ratesCompared: Int

    public init(
        summary: Summary, comparedTo: Day?, changes: [Change], ratesCompared: Int = 0
    ) {
        self.summary = summary
        self.comparedTo = comparedTo
        self.changes = changes
        self.ratesCompared = ratesCompared
    }
}

extension NightlyReport {
    /// `--confirm`, at least 1.
    public var nightsWanted: Int {
        summary.policy.confirm
    }

    /// The first day with a verification of a function shown.
    public var firstDay: Day? {
        summary.functions.compactMap { $0.tally.days.first?.day }.min()
    }

    /// The day that a report is compared to unless somebody asks for another one.
    ///
    /// The day before as-of; the one before that while as-of's day is less than half over. So at least half a day lies
    /// between, reports of every night at 3 o'clock leave no day out, and no night is judged by its first hours.
    public static func usualComparison(asOf: Instant) -> Day {
        let noon: Int64 = 43_200_000_000_000
        return asOf.day.advanced(by: asOf.nanosecondOfDay < noon ? -2 : -1)
    }
}
