package import Verifications

/// A run of UTC calendar days, first and last included.
package struct Window: Hashable, Sendable {
    package let from: Day
    package let to: Day

    /// window(w): `length` days ending with the day of `asOf`, and one more in front when that day is less
    /// than half over, so that a whole number of weeks is never judged by a few hours.
    ///
    /// Days before `since` are cut off; nil when that leaves none.
    package init?(length: Int, asOf: Instant, since: Day?) {
        let noon: Int64 = 43_200_000_000_000
        let nominal = asOf.day.advanced(by: 1 - length - (asOf.nanosecondOfDay < noon ? 1 : 0))
        self.init(from: max(nominal, since ?? nominal), to: asOf.day)
    }

    /// Nil when the last day is before the first.
    package init?(from: Day, to: Day) {
        guard from <= to else { return nil }
        self.from = from
        self.to = to
    }

    /// The number of days, at least 1.
    package var dayCount: Int {
        from.distance(to: to) + 1
    }

    package var days: ClosedRange<Day> {
        from...to
    }
}

extension Instant {
    /// The last second of a day: nights and days to come are judged as of it.
    package init(endOf day: Day) {
        self.init(day: day, nanosecondOfDay: 86_399_000_000_000)
    }
}
