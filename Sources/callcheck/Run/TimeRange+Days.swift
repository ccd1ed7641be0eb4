import Analysis
import Readiness
import Verifications

/// Bounds in time that are asked of a store, which knows no more than days.
extension TimeRange {
    /// The days that have a part in the range.
    ///
    /// A range may begin with the last nanosecond of a day (`--as-of 2026-10-14 --since 7d`): that day is not meant.
    var days: WholeDays {
        WholeDays(first: since?.adding(nanoseconds: 1).day, last: until?.adding(nanoseconds: -1).day)
    }

    /// The same, where more counts than the bounds ask for.
    var widenedDays: WholeDays? {
        let startsWithin = since.map { (1..<Instant.nanosecondsPerDay - 1).contains($0.nanosecondOfDay) } ?? false
        let endsWithin = until.map { $0.nanosecondOfDay != 0 } ?? false
        return startsWithin || endsWithin ? days : nil
    }
}
