internal import GRDB
internal import Verifications

/// One input that was ingested.
struct InputRow: StoredRow {
    static let table = StoredTable(
        "inputs", key: ["id"],
        columns: [
            "name", "ingested_second", "ingested_nanosecond", "size", "content", "sources", "bytes_read",
            "bytes_decompressed", "records", "verifications", "duplicates", "too_old", "ignored", "malformed",
            "oversized", "undated", "faults", "further_problems", "replaced_by", "unexpected", "held", "newest_second",
            "newest_nanosecond",
        ])

    let id: Int
    /// As it was given the first time; `-` for standard input.
    let name: String
    let ingestedAt: Instant
    /// As stored, in bytes; nil when it was not known beforehand.
    let size: Int?
    /// See ``InputContent/sum``; of an input without a verification ``FileSample/hash``, or 0 where there is none.
    var content: UInt64
    /// How many verifications it held, whatever became of them.
    let held: Int
    /// Its newest dated verification, as far as it is not later than ``ingestedAt``, or ``ingestedAt`` where version 1
    /// of the tables did not keep it; nil without one.
    let newest: Instant?
    /// What was read; ``InputSummary/filtered`` counts what was too old, and problems lie in a table of their own.
    var summary: InputSummary
    /// Problems that were counted and not kept.
    let furtherProblems: Int
    /// The input whose counts stand in place of this one's; nil for nearly all.
    var replacedBy: Int?

    init(id: Int, name: String, ingestedAt: Instant, size: Int?, content: InputContent, summary: InputSummary) {
        self.id = id
        self.name = name
        self.ingestedAt = ingestedAt
        self.size = size
        self.content = content.sum
        held = content.held
        // One that claims to be of the future was forged.
        newest = content.newest.map { min($0, ingestedAt) }
        self.summary = summary
        furtherProblems = summary.problems.dropped
    }

    init(_ cells: inout CellReader) throws(DamagedRow) {
        id = try cells.integer()
        name = try cells.text()
        guard let instant = try cells.optionalInstant() else { throw cells.damage }
        ingestedAt = instant
        size = try cells.optionalInteger()
        content = try cells.bits()
        summary = InputSummary()
        summary.sources = try cells.count()
        summary.bytesRead = try cells.count()
        summary.bytesDecompressed = try cells.count()
        summary.records = try cells.count()
        summary.verifications = try cells.count()
        summary.duplicates = try cells.count()
        summary.filtered = try cells.count()
        summary.ignored = try cells.count()
        summary.malformed = try cells.count()
        summary.oversized = try cells.count()
        summary.undated = try cells.count()
        summary.faults = InputFaults(rawValue: try cells.integer())
        furtherProblems = try cells.count()
        replacedBy = try cells.optionalInteger()
        summary.unexpected = try cells.count()
        held = try cells.count()
        newest = try cells.optionalInstant()
    }

    var cells: [DatabaseValue] {
        let counts = [
            summary.sources, summary.bytesRead, summary.bytesDecompressed, summary.records, summary.verifications,
            summary.duplicates, summary.filtered, summary.ignored, summary.malformed, summary.oversized,
            summary.undated, Int(summary.faults.rawValue), furtherProblems,
        ]
        return [
            id.databaseValue, StoredText.cell(name), ingestedAt.seconds.databaseValue,
            ingestedAt.nanoseconds.databaseValue, size?.databaseValue ?? .null, bits(content),
        ] + counts.map(\.databaseValue) + [
            replacedBy?.databaseValue ?? .null, summary.unexpected.databaseValue, held.databaseValue,
            newest?.seconds.databaseValue ?? .null, newest?.nanoseconds.databaseValue ?? .null,
        ]
    }
}

/// Something in an input that could not be read as it stands.
struct ProblemRow: StoredRow {
    static let table = StoredTable(
        "problems", key: ["input", "number"], columns: ["kind", "byte_offset", "record", "detail"])

    let input: Int
    let number: Int
    let kind: Problem.Kind
    let byteOffset: Int?
    let record: Int?
    let detail: String

    init(input: Int, number: Int, _ problem: Problem) {
        self.input = input
        self.number = number
        kind = problem.kind
        byteOffset = problem.byteOffset
        record = problem.record
        detail = problem.detail
    }

    init(_ cells: inout CellReader) throws(DamagedRow) {
        input = try cells.integer()
        number = try cells.integer()
        guard let kind = Problem.Kind(rawValue: try cells.text()) else { throw cells.damage }
        self.kind = kind
        byteOffset = try cells.optionalInteger()
        record = try cells.optionalInteger()
        detail = try cells.text()
    }

    var cells: [DatabaseValue] {
        [
            input.databaseValue, number.databaseValue, kind.rawValue.databaseValue,
            byteOffset?.databaseValue ?? .null, record?.databaseValue ?? .null, detail.databaseValue,
        ]
    }
}
