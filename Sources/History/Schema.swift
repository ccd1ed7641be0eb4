internal import Foundation
internal import GRDB
internal import Readiness
internal import Verifications

/// The tables of a store.
enum Schema {
    /// "CChk" in ASCII: marks an SQLite database as a callcheck store, in the file's header.
    static let applicationID = 0x4343_686B
    /// In the file's header; versions before it were never released, and such a store is refused.
    static let version = 18

    /// Makes the tables in an empty database, all of them or none.
    ///
    /// If several do so at once, all but one find them made.
    static func make(_ queue: DatabaseQueue, _ key: HashKey) throws {
        try queue.inDatabase { db in
            try db.inTransaction(.immediate) {
                guard try !Store.isStore(db) else { return .rollback }
                try db.execute(sql: tables)
                try db.execute(
                    sql: "INSERT INTO settings VALUES (1, ?, ?, ?, NULL, 0)",
                    arguments: [
                        Int64(bitPattern: key.low), Int64(bitPattern: key.high), Store.defaultRetentionDays,
                    ])
                try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
                return .commit
            }
        }
    }

    /// Whether the tables are those that were made.
    static func isIntact(_ db: Database) throws -> Bool {
        let found = try String.fetchAll(db, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
        let made = tables.split(separator: ";").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        return Set(found) == Set(made)
    }

    /// Each blob has a checksum, which is compared when it is read.
    private static let tables = """
        CREATE TABLE settings (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            key_low INTEGER NOT NULL, key_high INTEGER NOT NULL, retention_days INTEGER NOT NULL,
            sealed_before INTEGER, revision INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE sources (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL,
            ingested_second INTEGER NOT NULL, ingested_nanosecond INTEGER NOT NULL, size INTEGER,
            bytes_read INTEGER NOT NULL, records INTEGER NOT NULL, unreadable INTEGER NOT NULL,
            added INTEGER NOT NULL, known INTEGER NOT NULL, too_old INTEGER NOT NULL, ignored INTEGER NOT NULL,
            undated INTEGER NOT NULL, has_undated INTEGER NOT NULL,
            newest_second INTEGER, newest_nanosecond INTEGER,
            replaced_by INTEGER REFERENCES sources, head_check INTEGER NOT NULL, head_bytes BLOB NOT NULL
        ) STRICT;
        CREATE INDEX sources_by_head ON sources (head_check);
        CREATE TABLE parts (
            day INTEGER NOT NULL, source INTEGER NOT NULL REFERENCES sources, verifications INTEGER NOT NULL,
            bytes_check INTEGER NOT NULL, bytes BLOB NOT NULL,
            UNIQUE (day, source)
        ) STRICT;
        CREATE TABLE days (
            day INTEGER PRIMARY KEY, basis INTEGER NOT NULL, bytes_check INTEGER NOT NULL, bytes BLOB NOT NULL
        ) STRICT;
        CREATE TABLE answers (
            project TEXT NOT NULL, region TEXT NOT NULL, name TEXT NOT NULL, generation INTEGER NOT NULL,
            is_former INTEGER NOT NULL, as_of_second INTEGER NOT NULL, as_of_nanosecond INTEGER NOT NULL,
            verdict TEXT NOT NULL, ready INTEGER, is_lockout INTEGER NOT NULL, aftermath TEXT,
            requests INTEGER NOT NULL, blocked INTEGER NOT NULL,
            PRIMARY KEY (project, region, name, generation, is_former)
        ) STRICT, WITHOUT ROWID;
        """
}
