import Entries
import History
import LogStream
import Platform
import Readiness
import Reports
import Verifications

enum NamedStore {
    /// Opens a store, which must have the run's key where that matters; one that is made gets it.
    static func use<Value>(
        _ path: String, for access: Store.Access, key: HashKey? = nil, _ step: (Store) throws(StoreFailure) -> Value
    ) throws(Failure) -> Value {
        do throws(StoreFailure) {
            let store = try Store(path: path, access: access, newKey: key ?? .standard, patience: .telling(path))
            if key == nil || store.key == key { return try step(store) }
        } catch {
            throw Failure(error, path)
        }
        throw otherKey(path)
    }

    static func otherKey(_ path: String) -> Failure {
        let name = DisplayText(name: path).text
        return Failure("\(name) was made with another fingerprint-key. Give the same key to every run.", .badData)
    }

    /// Keeps what a report answered for the next one; says so where the store cannot be written to.
    static func keep(_ answers: Store.Answers, in path: String) {
        do throws(Failure) {
            try use(path, for: .upkeep) { store throws(StoreFailure) in try store.keep(answers) }
        } catch {
            Messages.print(["\(error.message). The next report will not know what this one said."])
        }
    }

    /// The store and the files that SQLite keeps next to it, whether or not they exist.
    static func files(of path: String) -> [FileIdentity] {
        let path = ReplacedFile.followed(path) ?? path
        return ["", "-wal", "-shm", "-journal"].compactMap { FileIdentity(path + $0) }
    }
}

extension LogAnalysis {
    /// Reads all inputs, with stores as if their entries were in them.
    ///
    /// A store that cannot be used is a separate problem: the other inputs are still read.
    ///
    /// - Throws: If a store has another key, and if it is unknown how often a request counts.
    func run(
        with paths: [String], progress: ReadProgress = ReadProgress(), begin: @Sendable (LogInput) -> Void = { _ in },
        note: (String) -> Void = { _ in }
    ) throws(Failure) -> Result {
        guard paths.isEmpty || removesDuplicates else {
            throw Failure(Messages.copiesInStore)
        }
        var refused = InputSummary()
        let result = try read(paths[...], [], &refused) { stores in
            for text in stores.compactMap(differences) { note(text) }
            return run(with: stores, progress: progress, begin: begin) { store, error, input in
                input.refuse(store.name, StoreFailure(error))
            }
        }
        var whole = result
        whole.input.merge(refused)
        guard whole.mixedProjects.isEmpty else {
            throw Failure(Messages.countsBesideEntries(of: whole.mixedProjects), .badData)
        }
        return whole
    }

    /// Names the settings that a store was filled with and that this run does not have; nil for none.
    private func differences(from store: StoredEntries) -> String? {
        let sources = store.sources.filter { $0.maxRecordBytes > 0 }
        let settings = [
            ("--strict", sources.contains { $0.isStrict != scan.isStrict }),
            ("max-record-bytes", sources.contains { $0.maxRecordBytes != scan.maxRecordBytes }),
            ("callers", rowLimit > 0 && sources.contains { !$0.hasEvidence }),
        ].filter(\.1).map(\.0)
        guard !settings.isEmpty else { return nil }
        return """
            \(DisplayText(name: store.name).text): logs in it were read with other settings than this run has: \
            \(settings.joined(separator: ", "))
            """
    }

    /// Opens stores one after another, so that each stays as it is until all are read.
    private func read(
        _ paths: ArraySlice<String>, _ opened: [StoredEntries], _ refused: inout InputSummary,
        _ body: ([StoredEntries]) -> Result
    ) throws(Failure) -> Result {
        guard let path = paths.first else { return body(opened) }
        let store: Store
        do throws(StoreFailure) { store = try Store(path: path, access: .reading, patience: .telling(path)) } catch {
            refused.refuse(path, error)
            return try read(paths.dropFirst(), opened, &refused, body)
        }
        guard store.key == scan.fingerprintKey else { throw NamedStore.otherKey(path) }
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

extension Patience {
    /// Says on standard error that it waits, and for what.
    static func telling(_ path: String) -> Patience {
        var patience = Patience()
        patience.isWaiting = { Messages.print([Messages.storeIsHeld(path)]) }
        return patience
    }
}

extension StoreFailure {
    fileprivate func text(at path: String) -> String {
        message + (self == .missing ? MistypedName.hint(near: path) : "")
    }
}

extension Failure {
    init(_ failure: StoreFailure, _ path: String) {
        self.init(
            "\(DisplayText(name: path).text): \(failure.text(at: path))",
            failure == .missing ? .noInput : .inputOutput)
    }
}

extension InputSummary {
    mutating func refuse(_ path: String, _ failure: StoreFailure) {
        faults.insert(failure == .missing ? .unopened : .readError)
        problems.append(Problem(source: path, kind: .unreadable, detail: failure.text(at: path)))
    }
}
