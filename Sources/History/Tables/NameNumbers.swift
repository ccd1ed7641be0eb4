internal import GRDB
internal import Readiness
internal import Verifications

/// The numbers of functions and streams.
struct NameNumbers {
    private struct Function: Hashable {
        let identity: FunctionIdentity
        let provenance: Provenance?
    }

    private var functions: [Function: Int] = [:]
    private var streams: [ExactName: Int] = [:]
    private var lastStream = 0
    private var isLoaded = false

    /// The number of a function's counts of one provenance, which is added to the table when it is new.
    mutating func number(
        of identity: FunctionIdentity, _ provenance: Provenance, rank: UInt64?, in store: StoreTransaction
    ) throws -> Int {
        try load(store)
        let function = Function(identity: identity, provenance: provenance)
        if let number = functions[function] { return number }
        let number = functions.count + 1
        try FunctionRow(id: number, identity: identity, rank: rank, provenance: provenance).insert(store.db)
        functions[function] = number
        return number
    }

    /// The number of a project's standard-error log, which is added to the table when it is new.
    mutating func number(of project: ExactName, rank: UInt64?, in store: StoreTransaction) throws -> Int {
        try load(store)
        if let number = streams[project] { return number }
        lastStream += 1
        try StreamRow(id: lastStream, project: project, rank: rank).insert(store.db)
        streams[project] = lastStream
        return lastStream
    }

    private mutating func load(_ store: StoreTransaction) throws {
        guard !isLoaded else { return }
        for row in try store.rows(FunctionRow.self) {
            functions[Function(identity: row.identity, provenance: row.provenance)] = row.id
        }
        for row in try store.rows(StreamRow.self) {
            streams[ExactName(row.project.text)] = row.id
            lastStream = row.id
        }
        isLoaded = true
    }
}

/// A project whose standard-error log was read.
struct StreamRow: StoreRow, Codable {
    static let databaseTableName = "streams"

    let id: Int
    let project: StoredText
    private let nameRank: Int64?

    init(id: Int, project: ExactName, rank: UInt64?) {
        self.id = id
        self.project = StoredText(project.text)
        nameRank = rank.map(Int64.init(bitPattern:))
    }

    /// Unkeyed hash of the project's name; nil for what is pooled already.
    var rank: UInt64? { nameRank.map(UInt64.init(bitPattern:)) }
}

/// A record without a time was read of a standard-error log.
struct StreamFactsRow: StoreRow, Codable {
    static let databaseTableName = "stream_facts"

    let stream: Int
    let layer: Int
}

/// A record of a day was read of a standard-error log.
struct StreamDayRow: StoreRow, Codable {
    static let databaseTableName = "stream_days"

    let stream: Int
    let day: Int32
    let layer: Int
}
