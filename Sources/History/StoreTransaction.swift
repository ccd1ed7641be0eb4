internal import Entries
internal import Foundation
internal import GRDB
internal import Verifications

/// The tables within one transaction: every row is verified as it is read, and the root knows of each that is written.
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

    func update(_ change: (inout Catalogue) throws -> Void) throws {
        var catalogue = try catalogue
        known = nil
        try change(&catalogue)
        known = catalogue
    }

    /// Writes down that something changed, if anything did, and returns what is known from now on: the last step.
    func close() throws -> Catalogue? {
        guard root != former else { return known }
        root.revision += 1
        try root.write(to: db)
        known?.revision = root.revision
        return known
    }

    /// Hands out all rows of a table, in the order of their numbers.
    ///
    /// - Throws: ``StoreFailure`` unless they are those that were written.
    func forEachRow(of table: StoreTable, _ body: (UInt64, ArraySlice<UInt8>) throws -> Void) throws {
        var sum = StoreRoot.Sum()
        let rows = try Row.fetchCursor(db, sql: "SELECT id, bytes FROM \(table.name) ORDER BY id")
        while let row = try rows.next() {
            let (id, bytes) = try row.content(of: table)
            let checked = try CheckedBytes(bytes, id: id, in: table)
            sum.add(checked.check)
            try body(UInt64(bitPattern: id), checked.content)
        }
        guard sum == root.tables[table] ?? StoreRoot.Sum() else { throw StoreFailure.damaged(table) }
    }

    func row(_ id: UInt64, in table: StoreTable) throws -> CheckedBytes? {
        let id = Int64(bitPattern: id)
        let bytes = try Data.fetchOne(db, sql: "SELECT bytes FROM \(table.name) WHERE id = ?", arguments: [id])
        return try bytes.map { try CheckedBytes(Array($0), id: id, in: table) }
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

    func put(_ content: [UInt8], as id: UInt64, in table: StoreTable) throws {
        let (row, former) = (
            CheckedBytes(content: content, id: Int64(bitPattern: id), in: table), try row(id, in: table)
        )
        guard row.check != former?.check else { return }
        if let former { root.tables[table]?.remove(former.check) }
        root.tables[table, default: StoreRoot.Sum()].add(row.check)
        let statement = try db.cachedStatement(sql: "INSERT OR REPLACE INTO \(table.name) VALUES (?, ?)")
        try statement.execute(arguments: [Int64(bitPattern: id), Data(row.bytes)])
    }

    func remove(_ id: UInt64, from table: StoreTable) throws {
        guard let row = try row(id, in: table) else { return }
        root.tables[table]?.remove(row.check)
        let statement = try db.cachedStatement(sql: "DELETE FROM \(table.name) WHERE id = ?")
        try statement.execute(arguments: [Int64(bitPattern: id)])
    }
}

extension Row {
    /// The number and the bytes of a row, which may be anything in a damaged store.
    func content(of table: StoreTable) throws(StoreFailure) -> (id: Int64, bytes: [UInt8]) {
        guard let id = Int64.fromDatabaseValue(self[0]), case .blob(let bytes) = (self[1] as DatabaseValue).storage
        else { throw StoreFailure.damaged(table) }
        return (id, Array(bytes))
    }
}

/// The bytes of a row: what they say, and a checksum over table, number and content.
struct CheckedBytes {
    let bytes: [UInt8]
    let check: UInt64

    private static let length = 8

    init(content: [UInt8], id: Int64, in table: StoreTable) {
        check = CheckedBytes.check(content[...], id: id, in: table)
        bytes = content + (0..<8).map { [check] in UInt8(truncatingIfNeeded: check >> (8 * $0)) }
    }

    init(_ bytes: [UInt8], id: Int64, in table: StoreTable) throws(StoreFailure) {
        self.bytes = bytes
        check = CheckedBytes.check(bytes.dropLast(CheckedBytes.length), id: id, in: table)
        let written = bytes.suffix(CheckedBytes.length).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        guard bytes.count >= CheckedBytes.length, written == check else { throw StoreFailure.damaged(table) }
    }

    var content: ArraySlice<UInt8> { bytes.dropLast(CheckedBytes.length) }

    private static func check(_ content: ArraySlice<UInt8>, id: Int64, in table: StoreTable) -> UInt64 {
        mixed(mixed(content.checkSum ^ UInt64(bitPattern: id)) ^ table.rawValue)
    }
}
