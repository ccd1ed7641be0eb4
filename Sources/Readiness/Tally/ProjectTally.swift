public import Verifications

/// What is known of one project as a whole, from all its verifications, selected for display or not.
public struct ProjectTally: Hashable, Sendable {
    /// By generation; nil stands for transports that do not say which.
    public private(set) var streams: [Generation?: StreamTally] = [:]

    public init() {}

    /// A project as it was kept somewhere.
    public init(streams: [Generation?: StreamTally]) {
        self.streams = streams
    }

    /// Days with at least one verification of the project.
    public var coveredDays: Set<Day> {
        streams.values.reduce(into: []) { $0.formUnion($1.days.keys) }
    }

    /// Counts one verification of the project.
    public mutating func add(_ verification: Verification) {
        add(
            generation: verification.generation, day: verification.instant?.day, verifications: 1,
            failed: verification.failed ? 1 : 0)
    }

    /// Counts verifications of one generation and day; nil for those without a day.
    public mutating func add(generation: Generation?, day: Day?, verifications: Int, failed: Int) {
        streams[generation, default: StreamTally()].add(day: day, verifications: verifications, failed: failed)
    }

    /// Notes that a record of generation 2's standard-error log was read.
    public mutating func addErrorStream(day: Day?) {
        streams[.second, default: StreamTally()].addErrorStream(day: day)
    }

    public mutating func merge(_ other: ProjectTally) {
        for (generation, stream) in other.streams {
            streams[generation, default: StreamTally()].merge(stream)
        }
    }

    /// The part up to a day.
    func through(_ day: Day) -> ProjectTally {
        var part = ProjectTally()
        part.streams = streams.mapValues { $0.through(day) }
        return part
    }

    /// The part from a day on.
    func since(_ day: Day) -> ProjectTally {
        var part = ProjectTally()
        part.streams = streams.mapValues { $0.since(day) }
        return part
    }
}
