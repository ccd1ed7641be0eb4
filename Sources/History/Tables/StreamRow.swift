internal import GRDB
internal import Verifications

/// A project whose standard-error log was read.
struct StreamRow: StoredRow {
    static let table = StoredTable("streams", key: ["id"], columns: ["project", "name_rank"])

    let id: Int
    let project: String
    /// Unkeyed hash of the project's name; nil for what is pooled already.
    let rank: UInt64?

    init(id: Int, project: String, rank: UInt64?) {
        self.id = id
        self.project = project
        self.rank = rank
    }

    init(_ cells: inout CellReader) throws(DamagedRow) {
        id = try cells.integer()
        project = try cells.text()
        rank = try cells.optionalBits()
    }

    var cells: [DatabaseValue] {
        [id.databaseValue, StoredText.cell(project), rank.map(bits) ?? .null]
    }
}

/// Says that a record without a time was read of a standard-error log.
struct StreamFactsRow: StoredRow {
    static let table = StoredTable("stream_facts", key: ["stream", "layer"], columns: [])

    let stream: Int
    let layer: Int

    init(stream: Int, layer: Int) {
        self.stream = stream
        self.layer = layer
    }

    init(_ cells: inout CellReader) throws(DamagedRow) {
        stream = try cells.integer()
        layer = try cells.integer()
    }

    var cells: [DatabaseValue] { [stream.databaseValue, layer.databaseValue] }
}

/// Says that a record of a day was read of a standard-error log.
struct StreamDayRow: StoredRow {
    static let table = StoredTable("stream_days", key: ["stream", "day", "layer"], columns: [])

    let stream: Int
    let day: Day
    let layer: Int

    init(stream: Int, day: Day, layer: Int) {
        self.stream = stream
        self.day = day
        self.layer = layer
    }

    init(_ cells: inout CellReader) throws(DamagedRow) {
        stream = try cells.integer()
        day = try cells.day()
        layer = try cells.integer()
    }

    var cells: [DatabaseValue] { [stream.databaseValue, day.number.databaseValue, layer.databaseValue] }
}
