internal import Entries
internal import Foundation
internal import GRDB
internal import Platform
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
    static let version = 24

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
