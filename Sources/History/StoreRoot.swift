internal import Entries
internal import Foundation
internal import GRDB
internal import Verifications

/// The one row about the store as a whole.
///
/// It says how many rows each table has and what their checksums come to, and the same of the parts of each day. So a
/// row that was lost, changed, or put in another's place is noticed by whoever reads the table or the day.
struct StoreRoot: Equatable {
    /// Rows, in any order.
    struct Sum: Equatable {
        private(set) var count = 0
        private(set) var sum: UInt64 = 0

        mutating func add(_ check: UInt64) { (count, sum) = (count + 1, sum &+ check) }
        mutating func remove(_ check: UInt64) { (count, sum) = (count - 1, sum &- check) }
    }

    /// Made once: fingerprints are comparable for as long as the store lives.
    private(set) var key: HashKey
    /// How many days before the newest one of a project keep their entries; nil where nobody has chosen.
    var retentionDays: Int?
    var floors = Floors()
    /// Counts the transactions that changed something.
    var revision = 0
    var tables: [StoreTable: Sum] = [:]
    var days: [DayIndex: Sum] = [:]

    private static let id: Int64 = 1

    init(key: HashKey) { self.key = key }

    init(_ db: Database) throws {
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM root") == 1,
            let bytes = try Data.fetchOne(db, sql: "SELECT bytes FROM root WHERE id = \(StoreRoot.id)")
        else { throw DamagedRow(.root) }
        self.init(key: .usual)
        var decoder = ByteDecoder(try CheckedBytes(Array(bytes), id: StoreRoot.id, in: .root).content)
        try code(&decoder)
        try decoder.end()
    }

    func write(to db: Database) throws {
        var (encoder, copy) = (ByteEncoder(), self)
        copy.code(&encoder)
        let row = CheckedBytes(content: encoder.written, id: StoreRoot.id, in: .root)
        try db.execute(sql: "INSERT OR REPLACE INTO root VALUES (?, ?)", arguments: [StoreRoot.id, Data(row.bytes)])
    }

    private mutating func code<C: Coder>(_ coder: inout C) throws(C.Failure) {
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
