internal import GRDB
internal import Readiness
internal import Verifications

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
