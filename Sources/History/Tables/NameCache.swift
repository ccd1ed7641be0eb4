internal import Readiness
internal import Verifications

/// The numbers of functions and streams.
struct NameCache {
    private struct Stream: Hashable {
        let project: ExactName
        let generation: Generation?
    }

    private var functions: [FunctionIdentity: Int] = [:]
    private var streams: [Stream: Int] = [:]
    private var isLoaded = false

    /// The number of a function, which is added to the table when it is new.
    mutating func number(of identity: FunctionIdentity, rank: UInt64?, in register: Register) throws -> Int {
        try load(register)
        if let number = functions[identity] { return number }
        let number = functions.count + 1
        try register.put(FunctionRow(id: number, identity: identity, rank: rank))
        functions[identity] = number
        return number
    }

    /// The number of a project's generation, which is added to the table when it is new.
    mutating func number(
        of project: ExactName, _ generation: Generation?, rank: UInt64?, in register: Register
    ) throws -> Int {
        try load(register)
        let stream = Stream(project: project, generation: generation)
        if let number = streams[stream] { return number }
        let number = streams.count + 1
        try register.put(StreamRow(id: number, project: project.text, generation: generation, rank: rank))
        streams[stream] = number
        return number
    }

    private mutating func load(_ register: Register) throws {
        guard !isLoaded else { return }
        for row in try register.rows(FunctionRow.self) { functions[row.identity] = row.id }
        for row in try register.rows(StreamRow.self) {
            streams[Stream(project: ExactName(row.project), generation: row.generation)] = row.id
        }
        isLoaded = true
    }
}
