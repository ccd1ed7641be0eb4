package import Verifications

/// The part of the input that counts, by the time of its verifications.
package struct TimeRange: Hashable, Sendable {
    /// The first instant that counts; nil for no bound.
    package var since: Instant?
    /// The first instant that no longer counts; nil for no bound.
    package var until: Instant?

    package init(since: Instant? = nil, until: Instant? = nil) {
        self.since = since
        self.until = until
    }

    package var isBounded: Bool { since != nil || until != nil }

    /// True when a verification counts; one without a time counts only where there is no bound.
    package func contains(_ instant: Instant?) -> Bool {
        guard isBounded else { return true }
        guard let instant else { return false }
        return (since.map { instant >= $0 } ?? true) && (until.map { instant < $0 } ?? true)
    }
}

/// Bounds in time for what is kept by whole days.
extension TimeRange {
    /// The days that have a part in the range.
    ///
    /// A range may begin with the last nanosecond of a day (`--as-of 2026-10-14 --since 7d`): that day is not meant.
    package var days: WholeDays {
        WholeDays(first: since?.adding(nanoseconds: 1).day, last: until?.adding(nanoseconds: -1).day)
    }

    /// The same, where more counts than the bounds say.
    package var widenedDays: WholeDays? {
        let startsWithin = since.map { (1..<Instant.nanosecondsPerDay - 1).contains($0.nanosecondOfDay) } ?? false
        let endsWithin = until.map { $0.nanosecondOfDay != 0 } ?? false
        return startsWithin || endsWithin ? days : nil
    }
}

extension WholeDays {
    /// From the first instant of the first to the last of the last.
    package var range: TimeRange {
        TimeRange(
            since: first.map { Instant(day: $0, nanosecondOfDay: 0) },
            until: last.map { Instant(day: $0.advanced(by: 1), nanosecondOfDay: 0) })
    }
}
