internal import Entries
internal import Foundation
internal import GRDB
internal import Verifications

/// The tables of a store: each row is a number, and bytes.
enum StoreTable: UInt64, CaseIterable {
    /// One row: what the store is, and what the others must hold.
    case root
    /// What is known of each source, by ``SourceRecord/contents``.
    case sources
    /// Names of functions and services, by their keyed hashes.
    case names
    /// Kinds of clients, by their hashes.
    case clients
    /// Entries, by day.
    case parts
    /// What the last two reports answered.
    case answers

    var name: String { "\(self)" }

    fileprivate var definition: String { "CREATE TABLE \(name) (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT" }
}

/// How a file is marked as a store, and told from others.
enum StoreFormat {
    /// "CChk" in ASCII, in the file's header.
    private static let applicationID = 0x4343_686B
    /// In the file's header: a store of another version is refused, as no other was released.
    static let version = 21

    /// Makes the tables in an empty database, all of them or none.
    ///
    /// If several do so at once, all but one find them made.
    static func make(_ queue: DatabaseQueue, _ key: HashKey) throws {
        try queue.inDatabase { db in
            try db.inTransaction(.immediate) {
                guard try !isStore(db) else { return .rollback }
                for table in StoreTable.allCases { try db.execute(sql: table.definition) }
                try StoreRoot(key: key).write(to: db)
                try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
                return .commit
            }
        }
    }

    /// False for an empty database, which can become a store.
    ///
    /// - Throws: ``StoreFailure`` when it is something else.
    static func isStore(_ db: Database) throws -> Bool {
        let id = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let definitions = try String.fetchAll(db, sql: "SELECT coalesce(sql, name) FROM sqlite_master")
        guard id == applicationID else {
            guard id == 0, version == 0, definitions.isEmpty else { throw StoreFailure(.isOfAnotherProgram) }
            return false
        }
        guard version == self.version else { throw StoreFailure(.isOfAnotherVersion(isNewer: version > self.version)) }
        guard definitions.sorted() == StoreTable.allCases.map(\.definition).sorted() else {
            throw DamagedRow(table: "sqlite_master")
        }
        return true
    }
}

/// A row that callcheck did not write like this, or that is missing.
struct DamagedRow: Error {
    let table: String

    init(table: String) { self.table = table }
    init(_ table: StoreTable) { self.table = table.name }
}
