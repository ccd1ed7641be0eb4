package import Verifications

/// A project's log apart from its functions' verifications: when generation 2's stderr log was read.
///
/// Generation 2 writes passed verifications to standard output and failed ones to standard error, two log streams that
/// are exported apart. Any record of the second one shows that it arrived.
package struct ProjectTally: Hashable, Codable, Sendable {
    /// When the first and the last record of the standard-error log on each day was written, in nanoseconds since
    /// midnight.
    package private(set) var errorStream: [Day: ClosedRange<Int64>] = [:]
    /// True when such a record had no time, or its day was forgotten.
    package private(set) var undatedErrorStream = false

    /// The most days that are kept, the latest; while single ones are added, up to twice as many.
    ///
    /// Only forged timestamps have more.
    package static let dayLimit = CellTable.dayLimit

    package init() {}

    /// A project as it was kept somewhere.
    package init(errorStream: [Day: ClosedRange<Int64>], undatedErrorStream: Bool) {
        self.errorStream = errorStream
        self.undatedErrorStream = undatedErrorStream
        forgetDays(beyond: ProjectTally.dayLimit)
    }

    /// Days on which a record of the standard-error log was read.
    package var errorStreamDays: Set<Day> { Set(errorStream.keys) }

    /// Notes that a record of the standard-error log was read; nil for a time of the day that is unknown.
    package mutating func addErrorStream(day: Day?, at nanosecond: Int64? = nil) {
        guard let day else {
            undatedErrorStream = true
            return
        }
        add(nanosecond.map { $0...$0 } ?? ProjectTally.wholeDay, on: day)
        forgetDays(beyond: 2 * ProjectTally.dayLimit)
    }

    private static let wholeDay: ClosedRange<Int64> = 0...Instant.nanosecondsPerDay - 1

    private mutating func add(_ times: ClosedRange<Int64>, on day: Day) {
        let known = errorStream[day] ?? times
        errorStream[day] = min(known.lowerBound, times.lowerBound)...max(known.upperBound, times.upperBound)
    }

    /// Adds what another part of the input shows; however the input was cut into parts, the same days stay.
    package mutating func merge(_ other: ProjectTally) {
        for (day, times) in other.errorStream { add(times, on: day) }
        undatedErrorStream = undatedErrorStream || other.undatedErrorStream
        forgetDays(beyond: ProjectTally.dayLimit)
    }

    private mutating func forgetDays(beyond limit: Int) {
        guard errorStream.count > limit else { return }
        let kept = Set(errorStream.keys.sorted().suffix(ProjectTally.dayLimit))
        errorStream = errorStream.filter { kept.contains($0.key) }
        undatedErrorStream = true
    }

    /// The part of some days; what has no day is left out.
    func days(_ days: ClosedRange<Day>) -> ProjectTally {
        ProjectTally(errorStream: errorStream.filter { days.contains($0.key) }, undatedErrorStream: false)
    }

    /// The days on which it was read in a range and not later than an instant.
    package func part(of range: TimeRange, until end: Instant?) -> ProjectTally {
        let part = errorStream.filter { day, times in
            let first = Instant(day: day, nanosecondOfDay: times.lowerBound)
            let last = Instant(day: day, nanosecondOfDay: times.upperBound)
            return range.since ?? last <= last && range.until.map { first < $0 } ?? true && first <= end ?? first
        }
        return ProjectTally(
            errorStream: part.mapValues { _ in ProjectTally.wholeDay },
            undatedErrorStream: undatedErrorStream && !range.isBounded)
    }
}
