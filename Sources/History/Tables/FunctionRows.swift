internal import GRDB
internal import Readiness
internal import Verifications

/// A function that has been seen, once for each provenance of its counts.
struct FunctionRow: StoreRow, Codable {
    static let databaseTableName = "functions"
    /// Stands in the column for what was counted before version 2 of the tables, which is the first to keep it.
    static let unknownProvenance: UInt8 = 3

    let id: Int
    private let project: StoredText
    private let region: StoredText
    private let name: StoredText
    private let generation: UInt8?
    private let nameRank: Int64?
    private let provenanceNumber: UInt8

    private enum CodingKeys: String, CodingKey {
        case id, project, region, name, generation, nameRank
        case provenanceNumber = "provenance"
    }

    init(id: Int, identity: FunctionIdentity, rank: UInt64?, provenance: Provenance) {
        self.id = id
        (project, region) = (StoredText(identity.project), StoredText(identity.region))
        name = StoredText(identity.name)
        generation = identity.generation?.rawValue
        nameRank = rank.map(Int64.init(bitPattern:))
        provenanceNumber = provenance.rawValue
    }

    var identity: FunctionIdentity {
        FunctionIdentity(
            project: project.text, region: region.text, name: name.text,
            generation: generation.flatMap(Generation.init(rawValue:)))
    }

    /// Unkeyed hash of the name, which decides who stays when there are too many; nil for those pooled already.
    var rank: UInt64? { nameRank.map(UInt64.init(bitPattern:)) }

    /// Nil where it is not known.
    var provenance: Provenance? { Provenance(rawValue: provenanceNumber) }
}

/// What is known of a function besides its counts.
///
/// What concerns the function as a whole is in the row of one of its provenances, whichever it is.
struct FunctionFactsRow: MergingRow, Equatable {
    static let databaseTableName = "function_facts"
    static let statements = MergingStatements(databaseTableName, key: ["function", "layer"], width: 11)

    let function: Int
    let layer: Int
    /// Of the function as a whole.
    var shownLabel: ExactName?
    /// Of passed verifications that have no row of a day.
    var severities: PassSeverity = []
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

    var cells: [(any DatabaseValueConvertible)?] {
        [
            function, layer, shownLabel.map { StoredText($0.text) }, severities.rawValue, pooledFirst?.seconds,
            pooledFirst?.nanoseconds, otherMessage, contradictoryText, repeated, copies, tooOld,
        ]
    }

    mutating func merge(_ other: FunctionFactsRow) {
        if let theirs = other.shownLabel { shownLabel = min(shownLabel ?? theirs, theirs) }
        severities.formUnion(other.severities)
        if let theirs = other.pooledFirst { pooledFirst = min(pooledFirst ?? theirs, theirs) }
        otherMessage += other.otherMessage
        contradictoryText += other.contradictoryText
        repeated += other.repeated
        copies += other.copies
        tooOld += other.tooOld
    }
}

extension FunctionFactsRow {
    init(row: Row) throws {
        var cells = CellReader(row, of: FunctionFactsRow.databaseTableName)
        (function, layer) = try (cells.next(), cells.next())
        shownLabel = try cells.next(StoredText?.self).map { ExactName($0.text) }
        severities = PassSeverity(rawValue: try cells.next())
        pooledFirst = try Instant(second: cells.next(), nanosecond: cells.next())
        (otherMessage, contradictoryText) = try (cells.next(), cells.next())
        (repeated, copies, tooOld) = try (cells.next(), cells.next(), cells.next())
    }
}

/// What one function did on one UTC day.
struct FunctionDayRow: MergingRow {
    static let databaseTableName = "function_days"
    static let statements = MergingStatements(databaseTableName, key: ["function", "day", "layer"], width: 26)

    let function: Int
    let layer: Int
    var tally: DayTally

    var cells: [(any DatabaseValueConvertible)?] {
        [function, tally.day.number, layer] + tally.counts.cells + [
            tally.firstNanosecond, tally.lastNanosecond, tally.blocked.hours, tally.blocked.lastNanosecond,
            tally.signedInBlocked.hours, tally.signedInBlocked.lastNanosecond, tally.passSeverities.rawValue,
        ]
    }

    mutating func merge(_ other: FunctionDayRow) {
        tally.merge(other.tally)
    }
}

extension FunctionDayRow {
    init(row: Row) throws {
        var cells = CellReader(row, of: FunctionDayRow.databaseTableName)
        function = try cells.next()
        let day = Day(number: try cells.next())
        layer = try cells.next()
        let counts = try StatusMatrix(&cells)
        let (first, last) = try (cells.next(Int64.self), cells.next(Int64.self))
        guard first <= last else { throw cells.damage }
        tally = DayTally(
            day: day, counts: counts, nanoseconds: first...last,
            blocked: try BlockedTimes(hours: cells.next(), lastNanosecond: cells.next()),
            signedInBlocked: try BlockedTimes(hours: cells.next(), lastNanosecond: cells.next()),
            passSeverities: PassSeverity(rawValue: try cells.next()))
    }
}

/// Counts of a function that belong to no day.
struct DaylessRow: MergingRow {
    /// Why they have no day.
    enum Kind: String, DatabaseValueConvertible {
        /// No time was given.
        case undated
        /// The function has more days than it keeps.
        case pooled
    }

    static let databaseTableName = "dayless_counts"
    static let statements = MergingStatements(databaseTableName, key: ["function", "kind", "layer"], width: 19)

    let function: Int
    let kind: Kind
    let layer: Int
    var counts: StatusMatrix

    var cells: [(any DatabaseValueConvertible)?] { [function, kind, layer] + counts.cells }

    mutating func merge(_ other: DaylessRow) {
        counts.merge(other.counts)
    }
}

extension DaylessRow {
    init(row: Row) throws {
        var cells = CellReader(row, of: DaylessRow.databaseTableName)
        (function, kind, layer) = try (cells.next(), cells.next(), cells.next())
        counts = try StatusMatrix(&cells)
    }
}

/// The 16 cells of a matrix as columns: `valid_missing` counts requests with App Check VALID and Auth MISSING.
extension StatusMatrix {
    static let columns = TokenStatus.allCases.flatMap { app in
        TokenStatus.allCases.map { auth in (name: "\(app.name)_\(auth.name)".lowercased(), app: app, auth: auth) }
    }

    fileprivate init(_ cells: inout CellReader) throws {
        self.init()
        for column in StatusMatrix.columns { self[column.app, column.auth] = try cells.next() }
    }

    fileprivate var cells: [(any DatabaseValueConvertible)?] {
        StatusMatrix.columns.map { self[$0.app, $0.auth] }
    }
}
