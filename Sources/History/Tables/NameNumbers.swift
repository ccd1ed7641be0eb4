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
