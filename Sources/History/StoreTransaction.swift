internal import Entries
internal import Foundation
internal import GRDB
internal import Verifications

/// A row of any table: bytes that hold a part of a day, or a value as JSON.
struct StoredRow: Decodable, FetchableRecord {
    let id: Int64
    let bytes: Data

    /// Tells it from every other row of every other table.
    func check(in table: StoreTable) -> UInt64 {
        mixed(mixed(Array(bytes)[...].checkSum ^ UInt64(bitPattern: id)) ^ table.rawValue)
    }
}

/// The tables within one transaction: every table is verified as it is read, and the root knows of each row that is
/// written.
final class StoreTransaction {
    let db: Database
    var root: StoreRoot
    let former: StoreRoot
    /// As of the last transaction, until it is asked for here.
    private(set) var known: Catalogue?

    /// Begins with what was read of the tables before, at any time.
    init(_ db: Database, as name: StoreName, known: Catalogue? = nil) throws {
        guard try StoreFormat.isStore(db, as: name) else { throw StoreFailure.isEmpty }
        self.db = db
        root = try StoreRoot(db)
        former = root
        if known?.revision == root.revision { self.known = known }
    }

    /// The contents of the store without its entries; changed by whoever adds or removes rows of it.
    var catalogue: Catalogue {
        get throws {
            if let known { return known }
            let read = try Catalogue(self)
            known = read
            return read
        }
    }

    /// Writes down that something changed, if anything did, and returns what is known from now on: the last step.
    func close() throws -> Catalogue? {
        guard root != former else { return known }
        root.revision += 1
        try root.write(to: db)
        known?.revision = root.revision
        return known
    }

    /// Returns all values of a table by their numbers.
    ///
    /// - Throws: ``StoreFailure`` unless they are those that were written.
    func values<Value: Decodable>(of table: StoreTable) throws -> [UInt64: Value] {
        let rows = try StoredRow.fetchAll(db, sql: "SELECT id, bytes FROM \(table.name)")
        var sum = StoreRoot.Sum()
        for row in rows { sum.add(row.check(in: table)) }
        guard sum == root.tables[table] ?? StoreRoot.Sum() else { throw StoreFailure.damaged(table) }
        let decoder = JSONDecoder()
        return try rows.reduce(into: [:]) { values, row in
            values[UInt64(bitPattern: row.id)] = try decoder.decode(Value.self, from: row.bytes)
        }
    }

    /// Writes a value in the place of the one that is known by the same number, if any.
    func put(_ value: some Encodable, as id: UInt64, in table: StoreTable, isKnown: Bool) throws {
        if isKnown { try remove(id, from: table) }
        let row = StoredRow(id: Int64(bitPattern: id), bytes: try JSONEncoder().encode(value))
        root.tables[table, default: StoreRoot.Sum()].add(row.check(in: table))
        let statement = try db.cachedStatement(sql: "INSERT INTO \(table.name) VALUES (?, ?)")
        try statement.execute(arguments: [row.id, row.bytes])
    }

    func remove(_ id: UInt64, from table: StoreTable) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM \(table.name) WHERE id = ? RETURNING id, bytes")
        let rows = try StoredRow.fetchAll(statement, arguments: [Int64(bitPattern: id)])
        // In a damaged tree, a row may be found in its turn and not by its number.
        guard rows.count == 1 else { throw StoreFailure.damaged(table) }
        root.tables[table]?.remove(rows[0].check(in: table))
    }

    /// In bytes, on disk.
    var bytes: Int {
        get throws {
            try ["page_count", "page_size"].reduce(1) { product, name in
                try product * (Int.fetchOne(db, sql: "PRAGMA \(name)") ?? 0)
            }
        }
    }

    /// Shortens the file by the pages that are not used.
    func giveBackSpace() throws { try db.execute(sql: "PRAGMA incremental_vacuum") }
}
