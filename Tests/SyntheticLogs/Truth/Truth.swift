package import Verifications

/// The exact content of a log, counted while it was made and not by reading it.
public struct Truth: Hashable, Sendable {
    /// Bytes written, of all parts together; 0 if entries were taken as values.
    package internal(set) var bytes = 0
    /// Entries, or what the transport makes of them: lines of a console, messages, rows.
    package internal(set) var records = 0
    /// Verifications, each once.
    package internal(set) var verifications = 0
    /// Second copies of verifications.
    package internal(set) var duplicates = 0
    /// Verifications without any time, each of their copies included: nothing tells those apart.
    package internal(set) var undated = 0
    /// Verifications of which the transport shows that nobody verified them, and forged ones that show it; they are
    /// nowhere else.
    package internal(set) var ignored = 0
    /// Functions with at least one verification, by project, region, name and generation.
    package internal(set) var functions: [FunctionTruth] = []
    /// Streams with at least one verification or record of standard error, by project and generation;
    /// none where the transport does not say whose they are.
    package internal(set) var streams: [StreamTruth] = []
}

/// The counts of one function.
package struct FunctionTruth: Hashable, Sendable {
    package let identity: FunctionIdentity
    /// `goog-drz-cloudfunctions-id` of its entries.
    package let label: String?
    /// Days with at least one verification, ascending.
    package internal(set) var days: [DayTruth] = []
    package internal(set) var undated = StatusCounts()
    package internal(set) var first: Instant?
    package internal(set) var last: Instant?

    package var totals: StatusCounts {
        days.reduce(into: undated) { $0.add($1.counts) }
    }
}

/// The counts of one function and UTC day.
package struct DayTruth: Hashable, Sendable {
    package let day: Day
    package internal(set) var counts = StatusCounts()
    /// Bit h is set when hour h had a request with app not VALID and auth not INVALID.
    package internal(set) var blockedHours: UInt32 = 0
    /// The same for auth VALID alone.
    package internal(set) var signedInBlockedHours: UInt32 = 0
    /// The newest request with app not VALID and auth not INVALID.
    package internal(set) var lastBlocked: Instant?
    package internal(set) var lastSignedInBlocked: Instant?
}

/// Which days of a project and generation have verifications, failed ones, and records of standard error.
package struct StreamTruth: Hashable, Sendable {
    package let project: String
    package let generation: Generation
    package internal(set) var verifications: [Day: Int] = [:]
    package internal(set) var failed: [Day: Int] = [:]
    package internal(set) var undatedFailed = 0
    /// Days on which an entry of standard error was written.
    package internal(set) var errorStreamDays: Set<Day> = []
}

/// Counts by App Check status and Auth status.
package struct StatusCounts: Hashable, Sendable {
    /// 16 counts, in rows of four by App Check status.
    private var cells = [Int](repeating: 0, count: 16)

    package init() {}

    package internal(set) subscript(app: TokenStatus, auth: TokenStatus) -> Int {
        get { cells[Int(app.rawValue) * 4 + Int(auth.rawValue)] }
        set { cells[Int(app.rawValue) * 4 + Int(auth.rawValue)] = newValue }
    }

    package var total: Int {
        cells.reduce(0, +)
    }

    package func total(app: TokenStatus) -> Int {
        TokenStatus.allCases.reduce(0) { $0 + self[app, $1] }
    }

    /// Requests whose Auth token is not INVALID.
    package var admitted: Int {
        TokenStatus.allCases.reduce(0) { $0 + self[$1, .valid] + self[$1, .missing] + self[$1, .other] }
    }

    /// Those of them whose App Check token is not VALID.
    package var blocked: Int {
        admitted - self[.valid, .valid] - self[.valid, .missing] - self[.valid, .other]
    }

    /// Requests with a token INVALID.
    package var failed: Int {
        total(app: .invalid) + TokenStatus.allCases.reduce(0) { $0 + ($1 == .invalid ? 0 : self[$1, .invalid]) }
    }

    mutating func add(_ other: StatusCounts) {
        for index in cells.indices { cells[index] += other.cells[index] }
    }
}
