public import Verifications

/// The exact content of a log, counted while it was made and not by reading it.
public struct Truth: Hashable, Sendable {
    /// Bytes of all that was written, in whatever parts; 0 where entries were taken as values.
    public internal(set) var bytes = 0
    /// Entries, or what the transport makes of them: lines of a console, messages, rows.
    public internal(set) var records = 0
    /// Verifications, each once.
    public internal(set) var verifications = 0
    /// Second copies of verifications.
    public internal(set) var duplicates = 0
    /// Verifications without any time, each of their copies included: nothing tells those apart.
    public internal(set) var undated = 0
    /// Verifications of which the transport shows that nobody verified them, and forged ones that show it; they are
    /// nowhere else.
    public internal(set) var ignored = 0
    /// Functions with at least one verification, by project, region, name and generation.
    public internal(set) var functions: [FunctionTruth] = []
    /// Streams with at least one verification or record of standard error, by project and generation;
    /// none where the transport does not say whose they are.
    public internal(set) var streams: [StreamTruth] = []
}

/// The counts of one function.
public struct FunctionTruth: Hashable, Sendable {
    public let identity: FunctionIdentity
    /// `goog-drz-cloudfunctions-id` of its entries.
    public let label: String?
    /// Days with at least one verification, ascending.
    public internal(set) var days: [DayTruth] = []
    public internal(set) var undated = StatusCounts()
    public internal(set) var first: Instant?
    public internal(set) var last: Instant?

    public var totals: StatusCounts {
        days.reduce(into: undated) { $0.add($1.counts) }
    }
}

/// The counts of one function and UTC day.
public struct DayTruth: Hashable, Sendable {
    public let day: Day
    public internal(set) var counts = StatusCounts()
    /// Bit h is set when hour h had a request with app not VALID and auth not INVALID.
    public internal(set) var blockedHours: UInt32 = 0
    /// The same for auth VALID alone.
    public internal(set) var signedInBlockedHours: UInt32 = 0
    /// The newest request with app not VALID and auth not INVALID.
    public internal(set) var lastBlocked: Instant?
    public internal(set) var lastSignedInBlocked: Instant?
}

/// Which days of a project and generation have verifications, failed ones, and records of standard error.
public struct StreamTruth: Hashable, Sendable {
    public let project: String
    public let generation: Generation
    public internal(set) var verifications: [Day: Int] = [:]
    public internal(set) var failed: [Day: Int] = [:]
    public internal(set) var undatedFailed = 0
    /// Days on which an entry of standard error was written.
    public internal(set) var errorStreamDays: Set<Day> = []
}

/// Counts by App Check status and Auth status.
public struct StatusCounts: Hashable, Sendable {
    /// 16 counts, in rows of four by App Check status.
    private var cells = [Int](repeating: 0, count: 16)

    public init() {}

    public internal(set) subscript(app: TokenStatus, auth: TokenStatus) -> Int {
        get { cells[Int(app.rawValue) * 4 + Int(auth.rawValue)] }
        set { cells[Int(app.rawValue) * 4 + Int(auth.rawValue)] = newValue }
    }

    public var total: Int {
        cells.reduce(0, +)
    }

    public func total(app: TokenStatus) -> Int {
        TokenStatus.allCases.reduce(0) { $0 + self[app, $1] }
    }

    /// Requests whose Auth token is not INVALID.
    public var admitted: Int {
        TokenStatus.allCases.reduce(0) { $0 + self[$1, .valid] + self[$1, .missing] + self[$1, .other] }
    }

    /// Those of them whose App Check token is not VALID.
    public var blocked: Int {
        admitted - self[.valid, .valid] - self[.valid, .missing] - self[.valid, .other]
    }

    /// Requests with a token INVALID.
    public var failed: Int {
        total(app: .invalid) + TokenStatus.allCases.reduce(0) { $0 + ($1 == .invalid ? 0 : self[$1, .invalid]) }
    }

    mutating func add(_ other: StatusCounts) {
        for index in cells.indices { cells[index] += other.cells[index] }
    }
}
