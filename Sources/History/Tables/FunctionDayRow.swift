internal import GRDB
internal import Readiness
internal import Verifications

/// What one function did on one UTC day.
struct FunctionDayRow: MergingRow {
    static let table = StoredTable(
        "function_days", key: ["function", "day", "layer"],
        columns: MatrixCells.columns + [
            "first_nanosecond", "last_nanosecond", "blocked_hours", "blocked_last_nanosecond",
            "signed_in_blocked_hours", "signed_in_blocked_last_nanosecond",
        ])

    let function: Int
    let layer: Int
    var tally: DayTally

    init(function: Int, layer: Int, tally: DayTally) {
        self.function = function
        self.layer = layer
        self.tally = tally
    }

    init(_ cells: inout CellReader) throws(DamagedRow) {
        function = try cells.integer()
        let day = try cells.day()
        layer = try cells.integer()
        let counts = try cells.matrix()
        let first = try cells.integer(Int64.self)
        let last = try cells.integer(Int64.self)
        guard 0 <= first, first <= last, last < 86_400_000_000_000 else { throw cells.damage }
        tally = DayTally(
            day: day, counts: counts, nanoseconds: first...last, blocked: try cells.blockedTimes(),
            signedInBlocked: try cells.blockedTimes())
    }

    var cells: [DatabaseValue] {
        [function.databaseValue, tally.day.number.databaseValue, layer.databaseValue]
            + MatrixCells.of(tally.counts)
            + [
                tally.firstNanosecond.databaseValue, tally.lastNanosecond.databaseValue,
                tally.blocked.hours.databaseValue, tally.blocked.lastNanosecond?.databaseValue ?? .null,
                tally.signedInBlocked.hours.databaseValue, tally.signedInBlocked.lastNanosecond?.databaseValue ?? .null,
            ]
    }

    mutating func merge(_ other: FunctionDayRow) {
        tally.merge(other.tally)
    }
}

/// Counts of a function that belong to no day.
struct DaylessRow: MergingRow {
    /// Why they have no day.
    enum Kind: String {
        /// No time was given.
        case undated
        /// The function has more days than it keeps.
        case pooled
    }

    static let table = StoredTable(
        "dayless_counts", key: ["function", "kind", "layer"], columns: MatrixCells.columns)

    let function: Int
    let kind: Kind
    let layer: Int
    var counts: StatusMatrix

    init(function: Int, kind: Kind, layer: Int, counts: StatusMatrix) {
        self.function = function
        self.kind = kind
        self.layer = layer
        self.counts = counts
    }

    init(_ cells: inout CellReader) throws(DamagedRow) {
        function = try cells.integer()
        guard let kind = Kind(rawValue: try cells.text()) else { throw cells.damage }
        self.kind = kind
        layer = try cells.integer()
        counts = try cells.matrix()
    }

    var cells: [DatabaseValue] {
        [function.databaseValue, kind.rawValue.databaseValue, layer.databaseValue] + MatrixCells.of(counts)
    }

    mutating func merge(_ other: DaylessRow) {
        counts.merge(other.counts)
    }
}

/// The 16 cells of a matrix as columns: `valid_missing` counts requests with App Check VALID and Auth MISSING.
enum MatrixCells {
    static let columns = TokenStatus.allCases.flatMap { app in
        TokenStatus.allCases.map { auth in "\(app.name)_\(auth.name)".lowercased() }
    }

    static func of(_ matrix: StatusMatrix) -> [DatabaseValue] {
        TokenStatus.allCases.flatMap { app in TokenStatus.allCases.map { matrix[app, $0].databaseValue } }
    }
}

extension CellReader {
    mutating func matrix() throws(DamagedRow) -> StatusMatrix {
        var matrix = StatusMatrix()
        for app in TokenStatus.allCases {
            for auth in TokenStatus.allCases { matrix[app, auth] = try count() }
        }
        return matrix
    }

    mutating func blockedTimes() throws(DamagedRow) -> BlockedTimes {
        let hours = try integer(UInt32.self)
        let last = try optionalInteger(Int64.self)
        guard hours < 1 << 24, (hours == 0) == (last == nil),
            last.map({ (0..<86_400_000_000_000).contains($0) }) ?? true
        else { throw damage }
        return BlockedTimes(hours: hours, lastNanosecond: last)
    }
}
