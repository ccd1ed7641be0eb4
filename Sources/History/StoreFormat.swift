internal import Entries
internal import Foundation
internal import GRDB
internal import Platform
internal import Verifications

/// The tables of a store: each row is a number, and bytes.
enum StoreTable: UInt64, CaseIterable, Codable {
    /// One row: what the store is, and what the others must hold.
    case root
    /// The record of each source, by ``SourceRecord/contents``.
    case sources
    /// Names of functions and services, by their keyed hashes.
    case names
    case clients
    case parts
    case answers

    var name: String { "\(self)" }
    fileprivate var definition: String { "CREATE TABLE \(name) (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT" }
}

enum StoreFormat {
    /// "CChk" in ASCII, in the file's header.
    private static let applicationID = 0x4343_686B
    /// In the file's header: a store of another version is refused, as no other was released.
    static let version = 25

    private static let versions = 1 << 8

    /// Makes the tables in an empty database, within a transaction.
    static func make(_ db: Database, _ key: HashKey) throws {
        for table in StoreTable.allCases { try db.execute(sql: table.definition) }
        try StoreRoot(key: key).write(to: db)
    }

    /// Says in the header of the file who is writing to it, or nobody.
    static func sign(_ db: Database, _ writer: StoreName?) throws {
        let word = version + versions * (writer?.hash ?? 0)
        try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(word)")
    }

    /// False for an empty database, which can become a store; throws when it is something else, or when somebody who
    /// was writing to it under another name did not come to the end: what undoes that is next to the other name.
    static func isStore(_ db: Database, as name: StoreName) throws -> Bool {
        let id = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let word = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let definitions = try String.fetchAll(db, sql: "SELECT coalesce(sql, name) FROM sqlite_master")
        guard id == applicationID else {
            guard id == 0, word == 0, definitions.isEmpty else { throw StoreFailure.isOfAnotherProgram }
            return false
        }
        let (version, writer) = (word % versions, word / versions)
        guard version == self.version else { throw StoreFailure.isOfAnotherVersion(isNewer: version > self.version) }
        guard writer == 0 || writer == name.hash else { throw StoreFailure.isInterrupted }
        // Whoever was making it did not come to the end.
        if writer != 0, definitions.isEmpty { return false }
        guard definitions.sorted() == StoreTable.allCases.map(\.definition).sorted() else {
            throw StoreFailure.isDamaged("table sqlite_master")
        }
        return true
    }
}

/// The name under which a file is opened, as a hash of 23 bits: links and mounts may give it several.
///
/// SQLite makes its journal next to that name, and whoever opens the file under another one does not see it.
struct StoreName: Sendable {
    let hash: Int

    /// - Parameters:
    ///   - file: The last part of the path, without links.
    ///   - folder: The device and the number of its folder, which may have several paths itself. Two containers of one
    ///     image differ in the device alone.
    init(_ file: ArraySlice<UInt8>, folder: (device: UInt64, inode: UInt64)) {
        hash = Int(mixed(file.checkSum ^ mixed(folder.device ^ mixed(folder.inode))) >> 41) | 1
    }
}

extension Database {
    /// Runs a step as one transaction, and says in the file who writes to it before anything else changes in it, until
    /// the step is done or undone.
    ///
    /// Saying so needs no journal, as it changes the first page alone. The lock is held until the step is over. Between
    /// that and the last line, whoever comes by another name has to come again: ``StoreFailure/isInterrupted``.
    func alone<Value>(
        as name: StoreName, makes: Bool = false, isDryRun: Bool = false, _ step: () throws -> Value
    ) throws -> Value {
        defer { try? execute(sql: "PRAGMA locking_mode = NORMAL") }
        // This has no effect once there are tables.
        if makes { try execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
        try setJournal("memory")
        try inTransaction(.exclusive) {
            guard try StoreFormat.isStore(self, as: name) || makes else { throw StoreFailure.isEmpty }
            try StoreFormat.sign(self, name)
            try execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            return .commit
        }
        let result = Result {
            var value: Value?
            try setJournal("delete")
            try inTransaction(.immediate) {
                // The lock goes with this transaction, as usual, and so does what undoes it.
                try execute(sql: "PRAGMA locking_mode = NORMAL")
                value = try step()
                return isDryRun ? .rollback : .commit
            }
            return value
        }
        do {
            try execute(sql: "PRAGMA locking_mode = NORMAL")
            try setJournal("memory")
            try inTransaction(.exclusive) {
                try StoreFormat.sign(self, nil)
                return .commit
            }
        } catch {
            _ = try result.get()
            throw error
        }
        guard let value = try result.get() else { preconditionFailure("a step returns a value, or throws") }
        return value
    }

    private func setJournal(_ mode: String) throws {
        guard try String.fetchOne(self, sql: "PRAGMA journal_mode = \(mode)") == mode else { throw StoreFailure.isBusy }
    }
}

extension StoreFailure {
    /// Runs a step once more where somebody who writes by another name has not yet taken down that they do.
    static func retried<Value>(_ step: () throws -> Value) throws -> Value {
        let start = ContinuousClock.now
        while true {
            do { return try step() } catch StoreFailure.isInterrupted where ContinuousClock.now - start < .seconds(3) {
                usleep(10_000)
            }
        }
    }
}
