internal import GRDB
internal import Readiness
internal import Verifications

/// What one function did on one UTC day.
struct FunctionDayRow: MergingRow {
    static let table = StoredTable(
        "function_days", key: ["function", "day", "layer"],
        columns: MatrixCells.columns + [
            "first_nanosecond", "last_nanosecond", "blocked_hours", "blocked_last_nanosecond",
            "signed_in_blocked_hours", "signed_in_blocked_last_nanosecond", "pass_severities",
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
            signedInBlocked: try cells.blockedTimes(), passSeverities: PassSeverity(rawValue: try cells.integer()))
    }

    var cells: [DatabaseValue] {
        [function.databaseValue, tally.day.number.databaseValue, layer.databaseValue]
            + MatrixCells.of(tally.counts)
            + [
                tally.firstNanosecond.databaseValue, tally.lastNanosecond.databaseValue,
                tally.blocked.hours.databaseValue, tally.blocked.lastNanosecond?.databaseValue ?? .null,
                tally.signedInBlocked.hours.databaseValue, tally.signedInBlocked.lastNanosecond?.databaseValue ?? .null,
                tally.passSeverities.rawValue.databaseValue,
            ]
    }

    mutating func merge(_ other: FunctionDayRow) {
        tally.merge(other.tally)
    }
}
