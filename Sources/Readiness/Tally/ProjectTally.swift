public import Verifications

/// Which days of one project and generation the logs cover.
///
/// Generation 2 writes passed verifications to standard output and failed ones to standard error, two log streams that
/// are exported apart. Whether the second one arrived is judged per project and generation, from this.
public struct StreamTally: Hashable, Sendable {
    /// Verifications and failed verifications (a token INVALID) of each day that has any.
    public private(set) var days: [Day: (verifications: Int, failed: Int)] = [:]
    /// Failed verifications without a day.
    public private(set) var undatedFailed = 0
    /// Days on which a record of the standard-error log was read.
    public private(set) var errorStreamDays: Set<Day> = []
    /// True when a record of the standard-error log without a time was read.
    public private(set) var undatedErrorStream = false

    public init() {}

    /// A stream as it was kept somewhere.
    public init(
        days: [Day: (verifications: Int, failed: Int)], undatedFailed: Int, errorStreamDays: Set<Day>,
        undatedErrorStream: Bool
    ) {
        self.days = days
        self.undatedFailed = undatedFailed
        self.errorStreamDays = errorStreamDays
        self.undatedErrorStream = undatedErrorStream
    }

    /// All failed verifications of the input.
    public var failed: Int {
        days.values.reduce(undatedFailed) { $0 + $1.failed }
    }

    /// Counts verifications of one day, or verifications without one.
    public mutating func add(day: Day?, verifications: Int, failed: Int) {
        guard let day else {
            undatedFailed += failed
            return
        }
        days[day, default: (0, 0)].verifications += verifications
        days[day, default: (0, 0)].failed += failed
    }

    /// True when any record of the standard-error log was read, dated or not.
    public var errorStreamSeen: Bool {
        undatedErrorStream || !errorStreamDays.isEmpty
    }

    /// Notes that a record of the standard-error log was read.
    public mutating func addErrorStream(day: Day?) {
        guard let day else {
            undatedErrorStream = true
            return
        }
        errorStreamDays.insert(day)
    }

    public mutating func merge(_ other: StreamTally) {
        for (day, counts) in other.days {
            add(day: day, verifications: counts.verifications, failed: counts.failed)
        }
        undatedFailed += other.undatedFailed
        errorStreamDays.formUnion(other.errorStreamDays)
        undatedErrorStream = undatedErrorStream || other.undatedErrorStream
    }

    /// The part from a day on; what has no day is left out.
    func since(_ day: Day) -> StreamTally {
        var part = StreamTally()
        part.days = days.filter { day <= $0.key }
        part.errorStreamDays = errorStreamDays.filter { day <= $0 }
        return part
    }

    /// The part up to a day; what has no day is left out.
    func through(_ day: Day) -> StreamTally {
        StreamTally(
            days: days.filter { $0.key <= day }, undatedFailed: 0,
            errorStreamDays: errorStreamDays.filter { $0 <= day }, undatedErrorStream: false)
    }

    public static func == (left: StreamTally, right: StreamTally) -> Bool {
        left.undatedFailed == right.undatedFailed && left.errorStreamDays == right.errorStreamDays
            && left.undatedErrorStream == right.undatedErrorStream && left.days.count == right.days.count
            && left.days.allSatisfy { day, counts in right.days[day].map { $0 == counts } ?? false }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(undatedFailed)
        hasher.combine(errorStreamDays)
        hasher.combine(undatedErrorStream)
        hasher.combine(days.count)
    }
}

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
