internal import Entries
internal import Foundation
internal import GRDB
internal import Verifications

/// The tables of a store: each row is a number, and bytes.
enum StoreTable: UInt64, CaseIterable {
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
    static let version = 23

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

    /// False for an empty database, which can become a store; throws when it is something else.
    static func isStore(_ db: Database) throws -> Bool {
        let id = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let definitions = try String.fetchAll(db, sql: "SELECT coalesce(sql, name) FROM sqlite_master")
        guard id == applicationID else {
            guard id == 0, version == 0, definitions.isEmpty else { throw StoreFailure.isOfAnotherProgram }
            return false
        }
        guard version == self.version else { throw StoreFailure.isOfAnotherVersion(isNewer: version > self.version) }
        guard definitions.sorted() == StoreTable.allCases.map(\.definition).sorted() else {
            throw StoreFailure.isDamaged("table sqlite_master")
        }
        return true
    }
}

/// The one row about the store as a whole.
///
/// It says how many rows each table has and what their checksums come to, and the same of the parts of each day. So a
/// row that was lost, changed, or put in another's place is noticed by whoever reads the table or the day.
struct StoreRoot: Equatable, StoredValue {
    struct Sum: Equatable {
        private(set) var count = 0
        private(set) var sum: UInt64 = 0

        mutating func add(_ check: UInt64) { (count, sum) = (count + 1, sum &+ check) }
        mutating func remove(_ check: UInt64) { (count, sum) = (count - 1, sum &- check) }
    }

    /// Made once: fingerprints are comparable for as long as the store lives.
    private(set) var key = HashKey.standard
    /// The number of days before the newest one of a project whose entries are kept; nil if nobody has chosen.
    var retentionDays: Int?
    var floors = Floors()
    var revision = 0
    var tables: [StoreTable: Sum] = [:]
    var days: [DayIndex: Sum] = [:]

    private static let id: Int64 = 1

    init() {}
    init(key: HashKey) { self.key = key }

    init(_ db: Database) throws {
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM root") == 1,
            let bytes = try Data.fetchOne(db, sql: "SELECT bytes FROM root WHERE id = \(StoreRoot.id)")
        else { throw StoreFailure.damaged(.root) }
        try self.init(CheckedBytes(Array(bytes), id: StoreRoot.id, in: .root).content)
    }

    func write(to db: Database) throws {
        let row = CheckedBytes(content: bytes, id: StoreRoot.id, in: .root)
        try db.execute(sql: "INSERT OR REPLACE INTO root VALUES (?, ?)", arguments: [StoreRoot.id, Data(row.bytes)])
    }

    mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        key = HashKey(low: try coder.word(key.low), high: try coder.word(key.high))
        retentionDays = try coder.optional(retentionDays, in: 0...Store.longestRetention + 1)
        revision = try coder.number(revision, in: 0...1 << 53)
        try floors.code(&coder)
        for table in [StoreTable.sources, .names, .clients, .answers] {
            var sum = tables[table] ?? Sum()
            try sum.code(&coder)
            tables[table] = sum
        }
        var read: [DayIndex: Sum] = [:]
        for element in try coder.elements(days.sorted { $0.key < $1.key }, or: (.none, Sum())) {
            var (day, sum) = element
            day = DayIndex(number: try coder.number(day.number, in: DayIndex.numbers))
            try sum.code(&coder)
            read[day] = sum
        }
        days = read
    }
}

extension StoreRoot.Sum {
    fileprivate mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
        count = try coder.number(count, in: 0...1 << 40)
        sum = try coder.word(sum)
    }
}
