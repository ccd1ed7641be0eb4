internal import Entries
internal import Foundation
internal import GRDB
internal import Verifications

/// What is said of a store as a whole.
///
/// It says how many rows each table has and what their checksums come to, and the same of the parts of each day. So a
/// row that was lost, changed, or put in another's place is noticed by whoever reads the table or the day.
struct StoreRoot: Codable, Equatable {
    struct Sum: Codable, Equatable {
        private(set) var count = 0
        private(set) var sum: UInt64 = 0

        mutating func add(_ check: UInt64) { (count, sum) = (count &+ 1, sum &+ check) }
        mutating func remove(_ check: UInt64) { (count, sum) = (count &- 1, sum &- check) }
    }

    /// Made once: fingerprints are comparable for as long as the store lives.
    private(set) var key = HashKey.standard
    /// The number of days before the newest one of a project whose entries are kept; nil if nobody has chosen.
    var retentionDays: Int?
    var floors = Floors()
    var revision = 0
    var tables: [StoreTable: Sum] = [:]
    var days: [DayIndex: Sum] = [:]

    init(key: HashKey) { self.key = key }

    /// Reads the one row, whose number is its checksum.
    init(_ db: Database) throws {
        let rows = try StoredRow.fetchAll(db, sql: "SELECT id, bytes FROM root")
        guard rows.count == 1, rows[0].id == StoreRoot.check(rows[0].bytes) else { throw StoreFailure.damaged(.root) }
        self = try JSONDecoder().decode(StoreRoot.self, from: rows[0].bytes)
        guard (0...Store.longestRetention).contains(retentionDays ?? 0), (0...1 << 53).contains(revision) else {
            throw StoreFailure.damaged(.root)
        }
    }

    func write(to db: Database) throws {
        let bytes = try JSONEncoder().encode(self)
        try db.execute(sql: "DELETE FROM root")
        try db.execute(sql: "INSERT INTO root VALUES (?, ?)", arguments: [StoreRoot.check(bytes), bytes])
    }

    static func check(_ bytes: Data) -> Int64 { Int64(bitPattern: Array(bytes)[...].checkSum) }
}
