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
struct FunctionFactsRow: MergingRow, Codable {
    static let databaseTableName = "function_facts"
    static let key = ["function", "layer"]

    let function: Int
    let layer: Int
    private var label: StoredText?
    private var passSeverities: UInt8 = 0
    private var pooledFirstSecond: Int64?
    private var pooledFirstNanosecond: UInt32?
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

    var keyValues: [any DatabaseValueConvertible] { [function, layer] }

    /// Of the function as a whole.
    var shownLabel: ExactName? {
        get { label.map { ExactName($0.text) } }
        set { label = newValue.map { StoredText($0.text) } }
    }

    /// Of passed verifications that have no row of a day.
    var severities: PassSeverity {
        get { PassSeverity(rawValue: passSeverities) }
        set { passSeverities = newValue.rawValue }
    }

    /// The first verification of days that have no row of their own any more; nil when all have.
    var pooledFirst: Instant? {
        get { Instant(second: pooledFirstSecond, nanosecond: pooledFirstNanosecond) }
        set { (pooledFirstSecond, pooledFirstNanosecond) = (newValue?.seconds, newValue?.nanoseconds) }
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

/// What one function did on one UTC day.
struct FunctionDayRow: MergingRow {
    static let databaseTableName = "function_days"
    static let key = ["function", "day", "layer"]

    let function: Int
    let layer: Int
    var tally: DayTally

    var keyValues: [any DatabaseValueConvertible] { [function, tally.day.number, layer] }

    mutating func merge(_ other: FunctionDayRow) {
        tally.merge(other.tally)
    }

    func encode(to container: inout PersistenceContainer) {
        container["function"] = function
        container["day"] = tally.day.number
        container["layer"] = layer
        tally.counts.encode(to: &container)
        container["first_nanosecond"] = tally.firstNanosecond
        container["last_nanosecond"] = tally.lastNanosecond
        container["blocked_hours"] = tally.blocked.hours
        container["blocked_last_nanosecond"] = tally.blocked.lastNanosecond
        container["signed_in_blocked_hours"] = tally.signedInBlocked.hours
        container["signed_in_blocked_last_nanosecond"] = tally.signedInBlocked.lastNanosecond
        container["pass_severities"] = tally.passSeverities.rawValue
    }
}

extension FunctionDayRow {
    init(row: Row) throws {
        function = try row.decode(forColumn: "function")
        layer = try row.decode(forColumn: "layer")
        let first: Int64 = try row.decode(forColumn: "first_nanosecond")
        let last: Int64 = try row.decode(forColumn: "last_nanosecond")
        guard first <= last else { throw DamagedRow(table: FunctionDayRow.databaseTableName) }
        tally = DayTally(
            day: Day(number: try row.decode(forColumn: "day")), counts: try StatusMatrix(row),
            nanoseconds: first...last,
            blocked: BlockedTimes(
                hours: try row.decode(forColumn: "blocked_hours"),
                lastNanosecond: try row.decode(forColumn: "blocked_last_nanosecond")),
            signedInBlocked: BlockedTimes(
                hours: try row.decode(forColumn: "signed_in_blocked_hours"),
                lastNanosecond: try row.decode(forColumn: "signed_in_blocked_last_nanosecond")),
            passSeverities: PassSeverity(rawValue: try row.decode(forColumn: "pass_severities")))
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
    static let key = ["function", "kind", "layer"]

    let function: Int
    let kind: Kind
    let layer: Int
    var counts: StatusMatrix

    var keyValues: [any DatabaseValueConvertible] { [function, kind, layer] }

    mutating func merge(_ other: DaylessRow) {
        counts.merge(other.counts)
    }

    func encode(to container: inout PersistenceContainer) {
        container["function"] = function
        container["kind"] = kind
        container["layer"] = layer
        counts.encode(to: &container)
    }
}

extension DaylessRow {
    init(row: Row) throws {
        function = try row.decode(forColumn: "function")
        kind = try row.decode(forColumn: "kind")
        layer = try row.decode(forColumn: "layer")
        counts = try StatusMatrix(row)
    }
}

/// The 16 cells of a matrix as columns: `valid_missing` counts requests with App Check VALID and Auth MISSING.
extension StatusMatrix {
    static let columns = TokenStatus.allCases.flatMap { app in
        TokenStatus.allCases.map { auth in (name: "\(app.name)_\(auth.name)".lowercased(), app: app, auth: auth) }
    }

    fileprivate init(_ row: Row) throws {
        self.init()
        for column in StatusMatrix.columns { self[column.app, column.auth] = try row.decode(forColumn: column.name) }
    }

    fileprivate func encode(to container: inout PersistenceContainer) {
        for column in StatusMatrix.columns { container[column.name] = self[column.app, column.auth] }
    }
}
