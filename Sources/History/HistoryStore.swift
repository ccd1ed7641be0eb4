internal import Foundation
internal import GRDB
package import Verifications

/// What was counted on earlier nights: a SQLite database, and what of it is in memory.
///
/// ```
/// settings                          fingerprint key, retention, digest
/// functions ── function_facts       names, one row for each provenance ── labels, what was discarded
///     └─────── function_days        the 16 counts of a day, hours and instants
///     └─────── dayless_counts       what has no day
/// streams ──── stream_facts, stream_days    projects of which a standard-error log was read, and its days
/// inputs ───── problems             what was read
/// rollout_days                      sums of the days of an App Attest rollout
/// caller_days, admitted_days, admitted_clients, evidence_gaps
///                                   sums of what stands next to verifications, and up to when they may miss some
/// ledger                            fingerprints and executions of what was counted, by day
/// ```
///
/// A layer is 0, or the number of a damaged input whose counts are kept apart until an intact copy takes their place.
package final class HistoryStore {
    /// What a store is opened for.
    package enum Access {
        case reading
        /// Adding to it; a store that does not exist is made.
        case adding
        /// Trying what adding would do; nothing is written, and no store is made.
        case trying
        /// Trying what upkeep would do; nothing is written.
        case rehearsing
        /// Changing what is there.
        case upkeep
    }

    /// How long to wait for another writer, in seconds: one input may take minutes.
    static let patience = 600

    /// How many days keep their fingerprints by default.
    package static let defaultRetentionDays = 90

    let path: String
    let queue: DatabaseQueue
    let ledger = Ledger()
    var names = NameNumbers()
    var known = KnownInputs()
    /// The revision of the store that ``ledger``, ``names`` and ``known`` are of; nil while they are empty.
    private var revision: Int?
    /// The revision that was compared with its digest.
    let verifiedRevision: Int

    /// Stands for what is added while the store is open.
    let run = Int64.random(in: 1...(.max))

    /// Makes fingerprints that are comparable with those of the store.
    package let key: HashKey

    /// Opens a store, or a copy of it in a temporary file where things are only tried.
    ///
    /// All rows but the fingerprints are read and compared with what was written.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - access: What it is opened for.
    /// - Throws: ``HistoryFailure`` for what is not a store, is damaged, or belongs to a newer callcheck.
    package init(path: String, access: Access) throws(HistoryFailure) {
        self.path = path
        do {
            // SQLite takes a name that begins with file: for a URI, which leads to another file.
            queue = try HistoryStore.connect(path.hasPrefix("file:") ? "./" + path : path, access)
            let settings = try queue.read { db in
                let store = try StoreTransaction(db)
                try store.verify()
                return store.settings
            }
            (key, verifiedRevision) = (settings.key, settings.revision)
            if access != .reading { try queue.inDatabase(StoreDigest.watch) }
        } catch {
            throw HistoryFailure(error, at: path)
        }
    }

    private static func connect(_ path: String, _ access: Access) throws -> DatabaseQueue {
        let exists = FileManager.default.fileExists(atPath: path)
        guard !FileManager.default.fileExists(atPath: path + "/.") else { throw HistoryFailure(.isDirectory, at: path) }
        guard exists || access == .adding || access == .trying else { throw HistoryFailure(.missing, at: path) }
        switch access {
        case .reading, .rehearsing:
            let queue = try openForReading(path)
            guard try queue.read(isStore) else { throw HistoryFailure(.isEmpty, at: path) }
            let isCurrent = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == Schema.version
            return access == .reading && isCurrent ? queue : try copy(of: queue)
        case .trying:
            let queue = exists ? try openForReading(path) : nil
            let isStore = try queue?.read(isStore) ?? false
            return try copy(of: isStore ? queue : nil)
        case .upkeep:
            let queue = try open(path, isReadOnly: false)
            guard try queue.read(isStore) else { throw HistoryFailure(.isEmpty, at: path) }
            try prepare(queue)
            return queue
        case .adding:
            let folder = URL(filePath: path).deletingLastPathComponent().path
            guard exists || FileManager.default.fileExists(atPath: folder) else {
                throw HistoryFailure(.folderIsMissing, at: path)
            }
            if !exists { makeFile(path) }
            let queue = try open(path, isReadOnly: false)
            try prepare(queue)
            return queue
        }
    }

    /// A store that is thrown away in the end, with what is in another one, if any, and tables of this version.
    private static func copy(of store: DatabaseQueue?) throws -> DatabaseQueue {
        // SQLite takes a database without a name for a temporary one, and removes it in the end.
        let copy = try DatabaseQueue(path: "", configuration: configuration())
        try store?.backup(to: copy)
        try Schema.migrator.migrate(copy)
        return copy
    }

    /// Makes an empty file that only its owner can read, as a store names functions and projects.
    ///
    /// SQLite gives the files next to it the same rights. Where that fails, or another process was faster, opening the
    /// store reports it.
    private static func makeFile(_ path: String) {
        guard (try? Data().write(to: URL(filePath: path), options: .withoutOverwriting)) != nil else { return }
        try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// Opens a store that others may be writing to, or one that nobody can write to.
    ///
    /// SQLite makes files next to a database in WAL mode, even to read it. Where it cannot, and none is there,
    /// all of the store is in its one file, and nobody changes that.
    private static func openForReading(_ path: String) throws -> DatabaseQueue {
        do {
            let queue = try open(path, isReadOnly: true)
            _ = try queue.read(isStore)
            return queue
        } catch let error as DatabaseError {
            guard [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode), let sealed = sealedURI(of: path)
            else {
                throw error
            }
            return try open(sealed, isReadOnly: true)
        }
    }

    /// The URI of a file that SQLite need not lock; nil when a write-ahead log is next to it.
    private static func sealedURI(of path: String) -> String? {
        let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
        guard log == nil || log?[.size] as? Int == 0, FileManager.default.isReadableFile(atPath: path) else {
            return nil
        }
        let kept = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "/._-"))
        guard let name = path.addingPercentEncoding(withAllowedCharacters: kept) else { return nil }
        return (name.hasPrefix("/") ? "file://" : "file:") + name + "?immutable=1"
    }

    private static func open(_ path: String, isReadOnly: Bool) throws -> DatabaseQueue {
        var configuration = configuration()
        configuration.readonly = isReadOnly
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(TimeInterval(patience))
        configuration.label = "callcheck.history"
        return configuration
    }

    /// Makes the tables, or changes, that are not there yet; of several who do so at once, all but one find them made.
    private static func prepare(_ queue: DatabaseQueue) throws {
        var attempts = 0
        while true {
            do {
                _ = try queue.read(isStore)
                try queue.inDatabase { db in
                    try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
                }
                try Schema.migrator.migrate(queue)
                return
            } catch let error as DatabaseError where attempts < 100 {
                guard [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_ERROR, .SQLITE_CONSTRAINT].contains(error.resultCode)
                else {
                    throw error
                }
                attempts += 1
                usleep(50_000)
            }
        }
    }

    /// False for an empty database, which can become a store.
    ///
    /// - Throws: ``HistoryFailure`` when it is something else.
    private static func isStore(_ db: Database) throws -> Bool {
        let id = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        if id == Schema.applicationID {
            guard version <= Schema.version else { throw HistoryFailure(.isNewer(version: version), at: "") }
            return true
        }
        // The list of migrations is made before the first of them: a store that was killed in between has it alone.
        let tables =
            try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE tbl_name != 'grdb_migrations'") ?? 0
        guard id == 0, version == 0, tables == 0 else { throw HistoryFailure(.isOfAnotherProgram, at: "") }
        return false
    }

    /// Runs a step, and puts what goes wrong into our terms.
    func attempt<Value>(_ step: () throws -> Value) throws(HistoryFailure) -> Value {
        do {
            return try step()
        } catch {
            forget()
            throw HistoryFailure(error, at: path)
        }
    }

    /// Runs a step as one transaction that waits for other writers before it reads anything.
    ///
    /// - Parameters:
    ///   - isDryRun: True to undo the step in the end.
    ///   - step: Reads and changes the tables.
    /// - Returns: What the step returns.
    /// - Throws: ``HistoryFailure``; the store is as it was then.
    func write<Value>(
        isDryRun: Bool = false, _ step: (StoreTransaction) throws -> Value
    ) throws(HistoryFailure) -> Value {
        try attempt {
            try queue.writeWithoutTransaction { db in
                var result: (value: Value, revision: Int)?
                try db.inTransaction(.immediate) {
                    let store = try StoreTransaction(db)
                    if store.settings.revision != revision { forget() }
                    let value = try step(store)
                    try store.close()
                    result = (value, store.settings.revision)
                    return isDryRun ? .rollback : .commit
                }
                guard let result else { throw HistoryFailure(.failed("no transaction"), at: path) }
                revision = isDryRun ? nil : result.revision
                return result.value
            }
        }
    }

    /// What is in memory is read again when it is needed.
    func forget() {
        ledger.forget()
        names = NameNumbers()
        known = KnownInputs()
        revision = nil
    }
}
