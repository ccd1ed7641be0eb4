internal import Foundation
internal import GRDB
internal import Platform
package import Verifications

/// What was read on earlier nights, in an SQLite database.
///
/// ```
/// settings          fingerprint key, retention
/// sources           the head of each source, and which of them replaces a damaged one
///    └── parts      its entries, a part for each UTC day
/// days              what the parts of a day and around it count, and what those parts were
/// answers           what the last two reports said about each function
/// ```
///
/// An answer is made as if all entries had been read in one run: ``answer(_:sealed:_:)``. Old days are sealed: their
/// sums stay, and their parts go.
package final class Store {
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

    /// How many days keep their entries by default.
    package static let defaultRetentionDays = 90

    let path: String
    let queue: DatabaseQueue
    /// What is read without locks; nil for nearly all.
    private let unlocked: UnlockedFile?

    /// In bytes; SQLite takes no more than 1,000,000,000 for a row.
    package var longestPart = 999_000_000

    /// While sources are added; of the store as the last transaction has left it.
    var recent = RecentDays()

    /// Makes fingerprints that are comparable with those of the store.
    package let key: HashKey
    /// The keyed hash of a function's identity, by which its rows are known.
    let hash: (FunctionIdentity) -> UInt64

    /// Opens a store, or a copy of it in a temporary file where things are only tried.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - access: What it is opened for.
    ///   - newKey: The key of fingerprints for as long as the store lives, where it is made.
    ///   - hash: The keyed hash of a function's identity.
    /// - Throws: ``StoreFailure`` for what is not a store, is damaged, or belongs to a newer callcheck.
    package init(
        path: String, access: Access, newKey: HashKey = .usual, hash: @escaping (FunctionIdentity, HashKey) -> UInt64
    ) throws(StoreFailure) {
        self.path = path
        do {
            // SQLite takes a name that begins with file: for a URI, which leads to another file.
            (queue, unlocked) = try Store.connect(path.hasPrefix("file:") ? "./" + path : path, access, newKey)
            let settings = try queue.read { db in
                let store = try StoreTransaction(db)
                try store.verify()
                return store.settings
            }
            try unlocked?.check()
            key = settings.key
            self.hash = { hash($0, settings.key) }
        } catch {
            throw StoreFailure(error, at: path)
        }
    }

    private static func connect(
        _ path: String, _ access: Access, _ newKey: HashKey
    ) throws -> (DatabaseQueue, UnlockedFile?) {
        let exists = FileManager.default.fileExists(atPath: path)
        guard !FileManager.default.fileExists(atPath: path + "/.") else { throw StoreFailure(.isDirectory, at: path) }
        guard exists || access == .adding || access == .trying else { throw StoreFailure(.missing, at: path) }
        switch access {
        case .reading, .rehearsing:
            let (queue, file) = try openForReading(path)
            guard try queue.read(isStore) else { throw StoreFailure(.isEmpty, at: path) }
            return (access == .reading ? queue : try copy(of: queue, newKey), file)
        case .trying:
            guard exists else { return (try copy(of: nil, newKey), nil) }
            let (queue, file) = try openForReading(path)
            return (try copy(of: queue.read(isStore) ? queue : nil, newKey), file)
        case .upkeep, .adding:
            if !exists {
                let folder = URL(filePath: path).deletingLastPathComponent().path
                guard FileManager.default.fileExists(atPath: folder) else {
                    throw StoreFailure(.folderIsMissing, at: path)
                }
                makeFile(path)
            }
            let queue = try open(path, isReadOnly: false)
            guard try access == .adding || queue.read(isStore) else { throw StoreFailure(.isEmpty, at: path) }
            try prepare(queue, newKey)
            return (queue, nil)
        }
    }

    /// A store that is thrown away in the end, with what is in another one, if any.
    private static func copy(of store: DatabaseQueue?, _ newKey: HashKey) throws -> DatabaseQueue {
        // SQLite takes a database without a name for a temporary one, and removes it in the end.
        let copy = try DatabaseQueue(path: "", configuration: configuration())
        try store?.backup(to: copy)
        try Schema.make(copy, newKey)
        return copy
    }

    /// Makes an empty file that only its owner can read, as a store names functions and projects.
    ///
    /// SQLite gives the files next to it the same rights. Where that fails, or another process was faster, opening the
    /// store reports it.
    private static func makeFile(_ path: String) {
        let descriptor = FileSystem.descriptor(
            of: Array(path.utf8CString), O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Opens a store that others may be writing to.
    ///
    /// SQLite makes files next to a database in WAL mode, even to read it. Where it cannot, and none is there, all of
    /// the store is in its one file.
    private static func openForReading(_ path: String) throws -> (DatabaseQueue, UnlockedFile?) {
        do {
            let queue = try open(path, isReadOnly: true)
            _ = try queue.read(isStore)
            return (queue, nil)
        } catch let error as DatabaseError {
            guard [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode), let file = UnlockedFile(path)
            else {
                throw error
            }
            return (try open(file.uri, isReadOnly: true), file)
        }
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

    /// Makes the tables that are not there yet.
    private static func prepare(_ queue: DatabaseQueue, _ newKey: HashKey) throws {
        var attempts = 0
        while true {
            do {
                _ = try queue.read(isStore)
                try queue.inDatabase { db in
                    try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
                }
                try Schema.make(queue, newKey)
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
    /// - Throws: ``StoreFailure`` when it is something else.
    static func isStore(_ db: Database) throws -> Bool {
        let id = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        if id == Schema.applicationID {
            guard version <= Schema.version else { throw StoreFailure(.isNewer(version: version), at: "") }
            guard version == Schema.version else { throw StoreFailure(.isOlder, at: "") }
            return true
        }
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        guard id == 0, version == 0, tables == 0 else { throw StoreFailure(.isOfAnotherProgram, at: "") }
        return false
    }

    /// Runs a step, and puts what goes wrong into our terms.
    func attempt<Value>(_ step: () throws -> Value) throws(StoreFailure) -> Value {
        do {
            return try step()
        } catch {
            recent.forget()
            throw StoreFailure(error, at: path)
        }
    }

    /// Runs a step that reads the tables as they are at one moment.
    func read<Value>(_ step: (StoreTransaction) throws -> Value) throws(StoreFailure) -> Value {
        try attempt {
            // A file that changes while it is read is not damaged, so this error comes first.
            let result = Result { try queue.read { try step(StoreTransaction($0)) } }
            try unlocked?.check()
            return try result.get()
        }
    }

    /// Runs a step as one transaction that waits for other writers before it reads anything.
    ///
    /// - Parameters:
    ///   - isDryRun: True to undo the step in the end.
    ///   - step: Reads and changes the tables.
    /// - Returns: What the step returns.
    /// - Throws: ``StoreFailure``; the store is as it was then.
    func write<Value>(
        isDryRun: Bool = false, _ step: (StoreTransaction) throws -> Value
    ) throws(StoreFailure) -> Value {
        try attempt {
            try queue.writeWithoutTransaction { db in
                var result: Value?
                try db.inTransaction(.immediate) {
                    let store = try StoreTransaction(db)
                    result = try step(store)
                    try store.close()
                    recent.revision = isDryRun ? -1 : store.settings.revision
                    return isDryRun ? .rollback : .commit
                }
                guard let result else { throw StoreFailure(.failed("no transaction"), at: path) }
                return result
            }
        }
    }
}
