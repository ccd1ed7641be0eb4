package import Verifications

/// A project's log apart from its functions' verifications: when generation 2's stderr log was read.
///
/// Generation 2 writes passed verifications to standard output and failed ones to standard error, two log streams that
/// are exported apart. Any record of the second one shows that it arrived.
package struct ProjectTally: Hashable, Sendable {
    /// Days on which a record of the standard-error log was read.
    package private(set) var errorStreamDays: Set<Day> = []
    /// True when such a record had no time, or its day was forgotten.
    package private(set) var undatedErrorStream = false

    /// The most days that are kept, the latest; while single ones are added, up to twice as many.
    ///
    /// Only forged timestamps have more.
    package static let dayLimit = FunctionTally.dayLimit

    package init() {}

    /// A project as it was kept somewhere.
    package init(errorStreamDays: Set<Day>, undatedErrorStream: Bool) {
        self.errorStreamDays = errorStreamDays
        self.undatedErrorStream = undatedErrorStream
        forgetDays(beyond: ProjectTally.dayLimit)
    }

    /// Notes that a record of the standard-error log was read.
    package mutating func addErrorStream(day: Day?) {
        guard let day else {
            undatedErrorStream = true
            return
        }
        errorStreamDays.insert(day)
        forgetDays(beyond: 2 * ProjectTally.dayLimit)
    }

    /// Adds what another part of the input shows; however the input was cut into parts, the same days stay.
    package mutating func merge(_ other: ProjectTally) {
        errorStreamDays.formUnion(other.errorStreamDays)
        undatedErrorStream = undatedErrorStream || other.undatedErrorStream
        forgetDays(beyond: ProjectTally.dayLimit)
    }

    private mutating func forgetDays(beyond limit: Int) {
        guard errorStreamDays.count > limit else { return }
        errorStreamDays = Set(errorStreamDays.sorted().suffix(ProjectTally.dayLimit))
        undatedErrorStream = true
    }

    /// The part of some days; what has no day is left out.
    func days(_ days: ClosedRange<Day>) -> ProjectTally {
        ProjectTally(errorStreamDays: errorStreamDays.filter(days.contains), undatedErrorStream: false)
    }
}
