internal import GRDB
internal import Verifications

/// A function that has been seen.
struct FunctionRow: StoredRow {
    static let table = StoredTable(
        "functions", key: ["id"], columns: ["project", "region", "name", "generation", "name_rank"])

    let id: Int
    let identity: FunctionIdentity
    /// Unkeyed hash of the name, which decides who stays when there are too many; nil for those pooled already.
    let rank: UInt64?

    init(id: Int, identity: FunctionIdentity, rank: UInt64?) {
        self.id = id
        self.identity = identity
        self.rank = rank
    }

    init(_ cells: inout CellReader) throws(DamagedRow) {
        id = try cells.integer()
        identity = FunctionIdentity(
            project: try cells.text(), region: try cells.text(), name: try cells.text(),
            generation: try cells.generation())
        rank = try cells.optionalBits()
    }

    var cells: [DatabaseValue] {
        [
            id.databaseValue, StoredText.cell(identity.project), StoredText.cell(identity.region),
            StoredText.cell(identity.name), generationCell(identity.generation), rank.map(bits) ?? .null,
        ]
    }
}

/// What is known of a function beside its counts.
struct FunctionFactsRow: MergingRow {
    static let table = StoredTable(
        "function_facts", key: ["function", "layer"],
        columns: ["label", "pass_severities", "pooled_first_second", "pooled_first_nanosecond"])

    let function: Int
    let layer: Int
    var label: ExactName?
    var passSeverities: PassSeverity
    /// The first verification of days that have no row of their own any more; nil when all have.
    var pooledFirst: Instant?

    init(function: Int, layer: Int, label: ExactName?, passSeverities: PassSeverity, pooledFirst: Instant?) {
        self.function = function
        self.layer = layer
        self.label = label
        self.passSeverities = passSeverities
        self.pooledFirst = pooledFirst
    }

    init(_ cells: inout CellReader) throws(DamagedRow) {
        function = try cells.integer()
        layer = try cells.integer()
        label = try cells.optionalText().map { ExactName($0) }
        passSeverities = PassSeverity(rawValue: try cells.integer())
        pooledFirst = try cells.optionalInstant()
    }

    var cells: [DatabaseValue] {
        [
            function.databaseValue, layer.databaseValue, label.map { StoredText.cell($0.text) } ?? .null,
            passSeverities.rawValue.databaseValue, pooledFirst?.seconds.databaseValue ?? .null,
            pooledFirst?.nanoseconds.databaseValue ?? .null,
        ]
    }

    mutating func merge(_ other: FunctionFactsRow) {
        if let theirs = other.label { label = min(label ?? theirs, theirs) }
        passSeverities.formUnion(other.passSeverities)
        if let theirs = other.pooledFirst { pooledFirst = min(pooledFirst ?? theirs, theirs) }
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
