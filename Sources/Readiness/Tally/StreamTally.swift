public import Verifications

/// Which days of one project and generation the logs cover.
///
/// Generation 2 writes passed verifications to standard output and failed ones to standard error, two log streams that
/// are exported apart. Whether the second one arrived is judged per project and generation, from this.
///
/// Days beyond ``dayLimit`` are forgotten, as only forged timestamps have so many: the first day stays, which tells
/// since when a project is known, and the latest. What the others had counts as undated.
public struct StreamTally: Hashable, Sendable {
    /// Verifications and failed verifications (a token INVALID) of each day that has any.
    public private(set) var days: [Day: (verifications: Int, failed: Int)] = [:]
    /// Failed verifications without a day.
    public private(set) var undatedFailed = 0
    /// Days on which a record of the standard-error log was read.
    public private(set) var errorStreamDays: Set<Day> = []
    /// True when a record of the standard-error log without a time was read.
    public private(set) var undatedErrorStream = false

    /// How many days of each kind one stream keeps; while single ones are added, up to twice as many.
    public static let dayLimit = FunctionTally.dayLimit

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
        forgetDays()
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
        if days.count == 2 * StreamTally.dayLimit { forgetDays() }
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
        if errorStreamDays.count == 2 * StreamTally.dayLimit { forgetDays() }
    }

    /// Adds the counts of another part of the input; however the input was cut into parts, the same days stay.
    public mutating func merge(_ other: StreamTally) {
        for (day, counts) in other.days {
            add(day: day, verifications: counts.verifications, failed: counts.failed)
        }
        undatedFailed += other.undatedFailed
        errorStreamDays.formUnion(other.errorStreamDays)
        undatedErrorStream = undatedErrorStream || other.undatedErrorStream
        forgetDays()
    }

    /// Forgets the days beyond the limit.
    private mutating func forgetDays() {
        if days.count > StreamTally.dayLimit {
            for day in days.keys.sorted().dropFirst().dropLast(StreamTally.dayLimit - 1) {
                undatedFailed += days.removeValue(forKey: day)?.failed ?? 0
            }
        }
        if errorStreamDays.count > StreamTally.dayLimit {
            errorStreamDays = Set(errorStreamDays.sorted().suffix(StreamTally.dayLimit))
            undatedErrorStream = true
        }
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
