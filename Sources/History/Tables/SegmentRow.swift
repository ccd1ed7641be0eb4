internal import GRDB
internal import Verifications

/// A part of the ledger: fingerprints of one day that were counted; the bytes themselves are read apart.
struct SegmentRow: StoredRow {
    static let table = StoredTable("ledger", key: ["id"], columns: ["day", "layer", "count", "sum"])

    let id: Int
    /// Nil for verifications without a time.
    let day: Day?
    let layer: Int
    let count: Int
    /// Of the mixed fingerprints, to notice damage.
    let sum: UInt64

    init(id: Int, day: Day?, layer: Int, count: Int, sum: UInt64) {
        self.id = id
        self.day = day
        self.layer = layer
        self.count = count
        self.sum = sum
    }

    init(_ cells: inout CellReader) throws(DamagedRow) {
        id = try cells.integer()
        day = try cells.optionalDay()
        layer = try cells.integer()
        count = try cells.count()
        sum = try cells.bits()
    }

    var cells: [DatabaseValue] {
        [
            id.databaseValue, day?.number.databaseValue ?? .null, layer.databaseValue, count.databaseValue, bits(sum),
        ]
    }
}
