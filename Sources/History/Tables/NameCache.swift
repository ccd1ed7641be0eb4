internal import Readiness
internal import Verifications

/// The numbers of functions and streams.
struct NameCache {
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
        of identity: FunctionIdentity, _ provenance: Provenance, rank: UInt64?, in register: Register
    ) throws -> Int {
        try load(register)
        let function = Function(identity: identity, provenance: provenance)
        if let number = functions[function] { return number }
        let number = functions.count + 1
        try register.put(FunctionRow(id: number, identity: identity, rank: rank, provenance: provenance))
        functions[function] = number
        return number
    }

    /// The number of a project's standard-error log, which is added to the table when it is new.
    mutating func number(of project: ExactName, rank: UInt64?, in register: Register) throws -> Int {
        try load(register)
        if let number = streams[project] { return number }
        lastStream += 1
        try register.put(StreamRow(id: lastStream, project: project.text, rank: rank))
        streams[project] = lastStream
        return lastStream
    }

    private mutating func load(_ register: Register) throws {
        guard !isLoaded else { return }
        for row in try register.rows(FunctionRow.self) {
            functions[Function(identity: row.identity, provenance: row.provenance)] = row.id
        }
        for row in try register.rows(StreamRow.self) {
            streams[ExactName(row.project)] = row.id
            lastStream = row.id
        }
        isLoaded = true
    }
}
