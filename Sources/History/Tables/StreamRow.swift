internal import GRDB
internal import Verifications

/// A project and one generation of it, as they have been seen.
struct StreamRow: StoredRow {
    static let table = StoredTable("streams", key: ["id"], columns: ["project", "generation", "name_rank"])

    let id: Int
    let project: String
    let generation: Generation?
    /// Unkeyed hash of the project's name; nil for what is pooled already.
    let rank: UInt64?

    init(id: Int, project: String, generation: Generation?, rank: UInt64?) {
        self.id = id
        self.project = project
        self.generation = generation
        self.rank = rank
    }

    init(_ cells: inout CellReader) throws(DamagedRow) {
        id = try cells.integer()
        project = try cells.text()
        generation = try cells.generation()
        rank = try cells.optionalBits()
    }

    var cells: [DatabaseValue] {
        [id.databaseValue, StoredText.cell(project), generationCell(generation), rank.map(bits) ?? .null]
    }
}

/// What is known of a stream without a day.
struct StreamFactsRow: MergingRow {
    static let table = StoredTable(
        "stream_facts", key: ["stream", "layer"], columns: ["undated_failed", "undated_error_stream"])

    let stream: Int
    let layer: Int
    var undatedFailed: Int
    var undatedErrorStream: Bool

    init(stream: Int, layer: Int, undatedFailed: Int, undatedErrorStream: Bool) {
        self.stream = stream
        self.layer = layer
        self.undatedFailed = undatedFailed
        self.undatedErrorStream = undatedErrorStream
    }

    init(_ cells: inout CellReader) throws(DamagedRow) {
        stream = try cells.integer()
        layer = try cells.integer()
        undatedFailed = try cells.count()
        undatedErrorStream = try cells.flag()
    }

    var cells: [DatabaseValue] {
        [
            stream.databaseValue, layer.databaseValue, undatedFailed.databaseValue,
            undatedErrorStream.databaseValue,
        ]
    }

    mutating func merge(_ other: StreamFactsRow) {
        undatedFailed += other.undatedFailed
        undatedErrorStream = undatedErrorStream || other.undatedErrorStream
    }
}

/// What a stream brought on one UTC day.
struct StreamDayRow: MergingRow {
    static let table = StoredTable(
        "stream_days", key: ["stream", "day", "layer"], columns: ["verifications", "failed", "error_stream"])

    let stream: Int
    let day: Day
    let layer: Int
    var verifications: Int
    var failed: Int
    /// True when a record of generation 2's standard-error log was read.
    var errorStream: Bool

    init(stream: Int, day: Day, layer: Int, verifications: Int, failed: Int, errorStream: Bool) {
        self.stream = stream
        self.day = day
        self.layer = layer
        self.verifications = verifications
        self.failed = failed
        self.errorStream = errorStream
    }

    init(_ cells: inout CellReader) throws(DamagedRow) {
        stream = try cells.integer()
        day = try cells.day()
        layer = try cells.integer()
        verifications = try cells.count()
        failed = try cells.count()
        errorStream = try cells.flag()
    }

    var cells: [DatabaseValue] {
        [
            stream.databaseValue, day.number.databaseValue, layer.databaseValue, verifications.databaseValue,
            failed.databaseValue, errorStream.databaseValue,
        ]
    }

    mutating func merge(_ other: StreamDayRow) {
        verifications += other.verifications
        failed += other.failed
        errorStream = errorStream || other.errorStream
    }
}
