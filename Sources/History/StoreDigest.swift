internal import Foundation
internal import GRDB
internal import Verifications

/// A number for the contents of a store: the digests of all rows, added up.
///
/// SQLite notices when its own structures are damaged; `PRAGMA integrity_check` does not notice when a number in a row
/// is another one than was written. This does. It guards against damage, not against somebody who wants to deceive.
///
/// Triggers of the connection keep it in step with every change, whatever statement makes it.
enum StoreDigest {
    /// All but the settings, which hold the digest.
    private static let tables = ["sources", "parts", "days", "rollout_days"]

    /// The digest of all rows, read from the first to the last, but for that of the settings.
    static func ofRows(_ db: Database) throws -> UInt64 {
        try tables.reduce(0) { sum, table in
            let columns = try columns(of: table, db).joined(separator: ", ")
            return try sum &+ self.sum(of: table, "SELECT \(columns) FROM \(table)", db)
        }
    }

    /// The digest of the settings, the digest in them taken for 0.
    static func ofSettings(_ db: Database) throws -> UInt64 {
        try sum(
            of: "settings",
            """
            SELECT id, key_low, key_high, retention_days, sealed_before, revision, 0 FROM settings
            """, db)
    }

    private static func sum(of table: String, _ selection: String, _ db: Database) throws -> UInt64 {
        var sum: UInt64 = 0
        let columns = try db.columns(in: table).filter { $0.type != "BLOB" }
        let cursor = try Row.fetchCursor(db, sql: selection)
        while let row = try cursor.next() {
            let cells = Array(row.databaseValues)
            // SQLite looks at types when it writes, and reads a text as the number 0 where one is asked for.
            guard zip(cells, columns).allSatisfy({ $0.hasType(of: $1) }) else { throw DamagedRow(table: table) }
            sum &+= digest(of: cells, in: table)
        }
        return sum
    }

    /// Blobs are not read to open a store: each has a sum of its own, which is among the columns.
    private static func columns(of table: String, _ db: Database) throws -> [String] {
        try db.columns(in: table).filter { $0.type != "BLOB" }.map(\.name)
    }

    /// Makes the triggers.
    ///
    /// They add up the change in two halves of 32 bits, as SQLite's numbers do not wrap around.
    static func watch(_ db: Database) throws {
        let function = DatabaseFunction("row_digest", pure: true) { values in
            guard let table = values.first.flatMap(String.fromDatabaseValue) else { return nil }
            return Int64(bitPattern: digest(of: values.dropFirst(), in: table))
        }
        db.add(function: function)
        try db.execute(
            sql: """
                PRAGMA temp_store = MEMORY;
                PRAGMA recursive_triggers = ON; -- else a row that is replaced would not count as deleted
                CREATE TEMP TABLE digest_change (low INTEGER NOT NULL, high INTEGER NOT NULL);
                INSERT INTO digest_change VALUES (0, 0)
                """)
        for table in tables {
            let columns = try columns(of: table, db)
            func step(_ sign: String, _ row: String) -> String {
                let digest = "row_digest('\(table)', \(columns.map { "\(row).\($0)" }.joined(separator: ", ")))"
                return "UPDATE digest_change SET (low, high) = (SELECT low \(sign) (d & 4294967295), "
                    + "high \(sign) (d >> 32 & 4294967295) FROM (SELECT \(digest) AS d));"
            }
            for (event, steps) in [
                ("INSERT", step("+", "NEW")), ("DELETE", step("-", "OLD")),
                ("UPDATE", step("-", "OLD") + step("+", "NEW")),
            ] {
                try db.execute(
                    sql: "CREATE TEMP TRIGGER \(table)_\(event) AFTER \(event) ON main.\(table) BEGIN \(steps) END")
            }
        }
    }

    /// What the changes since the last call add to the digest.
    static func takeChange(_ db: Database) throws -> UInt64 {
        guard let row = try Row.fetchOne(db, sql: "SELECT low, high FROM digest_change") else {
            throw DamagedRow(table: "digest")
        }
        let (low, high): (Int64, Int64) = (row[0], row[1])
        try db.execute(sql: "UPDATE digest_change SET low = 0, high = 0")
        return UInt64(bitPattern: low) &+ UInt64(bitPattern: high) &<< 32
    }

    private static func digest(of cells: some Sequence<DatabaseValue>, in table: String) -> UInt64 {
        var digest: UInt64 = 0
        for byte in table.utf8 { digest = mixed(digest ^ UInt64(byte)) }
        for cell in cells {
            switch cell.storage {
            case .null: digest = mixed(digest ^ 1)
            case .int64(let number): digest = mixed(mixed(digest ^ 2) ^ UInt64(bitPattern: number))
            case .double(let number): digest = mixed(mixed(digest ^ 3) ^ number.bitPattern)
            case .string(let text):
                digest = mixed(digest ^ 4)
                for byte in text.utf8 { digest = mixed(digest ^ UInt64(byte)) }
            case .blob(let data):
                digest = mixed(digest ^ 5)
                for byte in data { digest = mixed(digest ^ UInt64(byte)) }
            }
        }
        return digest
    }
}

extension DatabaseValue {
    fileprivate func hasType(of column: ColumnInfo) -> Bool {
        switch storage {
        case .null: !column.isNotNull
        case .int64: column.type == "INTEGER"
        case .double: column.type == "REAL"
        case .string: column.type == "TEXT"
        case .blob: false
        }
    }
}
