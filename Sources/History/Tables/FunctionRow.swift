internal import GRDB
internal import Verifications

/// A function that has been seen, once for each provenance of its counts.
struct FunctionRow: StoredRow {
    static let table = StoredTable(
        "functions", key: ["id"], columns: ["project", "region", "name", "generation", "name_rank", "provenance"])

    let id: Int
    let identity: FunctionIdentity
    /// Unkeyed hash of the name, which decides who stays when there are too many; nil for those pooled already.
    let rank: UInt64?
    /// Nil for what was counted before version 2 of the tables, which is the first to keep it.
    let provenance: Provenance?

    /// Stands in the column for nil.
    static let unknownProvenance: UInt8 = 3

    init(id: Int, identity: FunctionIdentity, rank: UInt64?, provenance: Provenance?) {
        self.id = id
        self.identity = identity
        self.rank = rank
        self.provenance = provenance
    }

    init(_ cells: inout CellReader) throws(DamagedRow) {
        id = try cells.integer()
        identity = FunctionIdentity(
            project: try cells.text(), region: try cells.text(), name: try cells.text(),
            generation: try cells.generation())
        rank = try cells.optionalBits()
        let number = try cells.integer(UInt8.self)
        provenance = Provenance(rawValue: number)
        guard provenance != nil || number == FunctionRow.unknownProvenance else { throw cells.damage }
    }

    var cells: [DatabaseValue] {
        [
            id.databaseValue, StoredText.cell(identity.project), StoredText.cell(identity.region),
            StoredText.cell(identity.name), generationCell(identity.generation), rank.map(bits) ?? .null,
            (provenance?.rawValue ?? FunctionRow.unknownProvenance).databaseValue,
        ]
    }
}

/// What is known of a function beside its counts.
///
/// What concerns the function as a whole stands in the row of one of its provenances, whichever it is.
struct FunctionFactsRow: MergingRow {
    static let table = StoredTable(
        "function_facts", key: ["function", "layer"],
        columns: [
            "label", "pass_severities", "pooled_first_second", "pooled_first_nanosecond", "other_message",
            "contradictory_text", "repeated", "copies", "too_old",
        ])

    let function: Int
    let layer: Int
    /// Of the function as a whole.
    var label: ExactName?
    /// Of passed verifications that have no row of a day.
    var passSeverities: PassSeverity = []
    /// The first verification of days that have no row of their own any more; nil when all have.
    var pooledFirst: Instant?
    /// Entries with the label and without the SDK's message; of the function as a whole.
    var otherMessage = 0
    /// Text without the label that contradicts its statuses; of the function as a whole.
    var contradictoryText = 0
    /// Entries of an execution in which another one counts; of the function as a whole.
    var repeated = 0
    /// Copies of what was counted.
    var copies = 0
    /// Verifications of days that took none any more.
    var tooOld = 0

    init(function: Int, layer: Int) {
        self.function = function
        self.layer = layer
    }

    init(_ cells: inout CellReader) throws(DamagedRow) {
        function = try cells.integer()
        layer = try cells.integer()
        label = try cells.optionalText().map { ExactName($0) }
        passSeverities = PassSeverity(rawValue: try cells.integer())
        pooledFirst = try cells.optionalInstant()
        otherMessage = try cells.count()
        contradictoryText = try cells.count()
        repeated = try cells.count()
        copies = try cells.count()
        tooOld = try cells.count()
    }

    var cells: [DatabaseValue] {
        [
            function.databaseValue, layer.databaseValue, label.map { StoredText.cell($0.text) } ?? .null,
            passSeverities.rawValue.databaseValue, pooledFirst?.seconds.databaseValue ?? .null,
            pooledFirst?.nanoseconds.databaseValue ?? .null,
        ] + [otherMessage, contradictoryText, repeated, copies, tooOld].map(\.databaseValue)
    }

    mutating func merge(_ other: FunctionFactsRow) {
        if let theirs = other.label { label = min(label ?? theirs, theirs) }
        passSeverities.formUnion(other.passSeverities)
        if let theirs = other.pooledFirst { pooledFirst = min(pooledFirst ?? theirs, theirs) }
        otherMessage += other.otherMessage
        contradictoryText += other.contradictoryText
        repeated += other.repeated
        copies += other.copies
        tooOld += other.tooOld
    }
}

extension CellReader {
    /// 1 or 2; null for a log that does not say.
    mutating func generation() throws(DamagedRow) -> Generation? {
        guard let number = try optionalInteger(UInt8.self) else { return nil }
        guard let generation = Generation(rawValue: number) else { throw damage }
        return generation
    }
}

func generationCell(_ generation: Generation?) -> DatabaseValue {
    generation?.rawValue.databaseValue ?? .null
}
