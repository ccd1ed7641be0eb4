import Analysis
import Entries
import History
import LogStream
import Platform
import Readiness
import Reports
import Verifications

enum StoreFile {
    /// Opens a store, which must have the run's key where that matters; one that is made gets it.
    static func use<Value>(
        _ path: String, for access: Store.Access, key: HashKey? = nil, _ step: (Store) throws(StoreFailure) -> Value
    ) throws(Failure) -> Value {
        do throws(StoreFailure) {
            let store = try Store(path: path, access: access, newKey: key ?? .usual)
            if key == nil || store.key == key { return try step(store) }
        } catch {
            throw failure(error, path)
        }
        throw otherKey(path)
    }

    static func otherKey(_ path: String) -> Failure {
        let name = DisplayText(name: path).text
        return Failure(
            status: .badData,
            message: "\(name) was made with another fingerprint-key. Give the same key to every run.")
    }

    /// Keeps what a report answered for the next one; says so where the store cannot be written to.
    static func keep(_ answers: Store.Answers, in path: String) {
        do throws(Failure) {
            try use(path, for: .upkeep) { store throws(StoreFailure) in try store.keep(answers) }
        } catch {
            Messages.print(["\(error.message) The next report will not know what this one said."])
        }
    }

    /// The store and the files that SQLite keeps next to it, whether or not they exist.
    static func files(of path: String) -> [FileIdentity] {
        let path = ReplacedFile.followed(path) ?? path
        return ["", "-wal", "-shm", "-journal"].compactMap { FileIdentity(path + $0) }
    }

    static func failure(_ failure: StoreFailure, _ path: String) -> Failure {
        let hint = failure.isMissingStore ? MistypedName.hint(near: path) : ""
        return Failure(
            status: failure.isMissingStore ? .noInput : .inputOutput,
            message: "\(DisplayText(name: path).text): \(failure.message)\(hint)")
    }
}

extension LogAnalysis {
    /// Reads all inputs, with stores as if their entries were in them.
    ///
    /// A store that cannot be used is a separate problem: the other inputs are still read.
    ///
    /// - Throws: If a store has another key, and if it is unknown how often a request counts.
    func run(
        with paths: [String], progress: ReadProgress = ReadProgress(), begin: @Sendable (LogInput) -> Void = { _ in }
    ) throws(Failure) -> Result {
        guard paths.isEmpty || removesDuplicates else {
            throw Failure(status: .usage, message: Messages.copiesInStore)
        }
        var refused = InputSummary()
        let result = try read(paths[...], [], &refused) { stores in
            run(with: stores, progress: progress, begin: begin) { store, error, input in
                input.refuse(store.name, StoreFailure(error))
            }
        }
        var whole = result
        whole.input.merge(refused)
        guard whole.mixedProjects.isEmpty else {
            throw Failure(status: .badData, message: Messages.countsBesideEntries(of: whole.mixedProjects))
        }
        return whole
    }

    /// Opens stores one after another, so that each stays as it is until all are read.
    private func read(
        _ paths: ArraySlice<String>, _ opened: [StoredEntries], _ refused: inout InputSummary,
        _ body: ([StoredEntries]) -> Result
    ) throws(Failure) -> Result {
        guard let path = paths.first else { return body(opened) }
        let store: Store
        do throws(StoreFailure) { store = try Store(path: path, access: .reading) } catch {
            refused.refuse(path, error)
            return try read(paths.dropFirst(), opened, &refused, body)
        }
        guard store.key == scan.fingerprintKey else { throw StoreFile.otherKey(path) }
        var found: Swift.Result<Result, Failure>?
        do {
            try store.read { entries in
                var entries = entries
                entries.name = path
                found = Swift.Result { () throws(Failure) in
                    try read(paths.dropFirst(), opened + [entries], &refused, body)
                }
            }
        } catch {
            // Its tables could not be read, or somebody wrote to it meanwhile: it counts for nothing.
            refused.refuse(path, StoreFailure(error))
            return try read(paths.dropFirst(), opened, &refused, body)
        }
        guard let found else { preconditionFailure("a store hands out what it holds, or says why not") }
        return try found.get()
    }
}

extension InputSummary {
    /// Takes note of a store that cannot be used.
    mutating func refuse(_ path: String, _ failure: StoreFailure) {
        faults.insert(failure.isMissingStore ? .unopened : .readError)
        let hint = failure.isMissingStore ? MistypedName.hint(near: path) : ""
        problems.append(Problem(source: path, kind: .unreadable, detail: failure.message + hint))
    }
}
