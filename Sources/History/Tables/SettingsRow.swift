internal import GRDB
internal import Verifications

/// The one row that speaks of the store as a whole.
struct SettingsRow: StoredRow {
    static let table = StoredTable(
        "settings", key: ["id"],
        columns: [
            "key_low", "key_high", "retention_days", "sealed_before", "newest_second", "newest_nanosecond", "revision",
            "row_digest",
        ])

    /// Made once: fingerprints are comparable for as long as the store lives.
    let key: HashKey
    /// So many days before the newest one keep their fingerprints.
    var retentionDays: Int
    /// Days before this one take no verifications any more; nil while none does.
    var sealedBefore: Day?
    /// The newest dated verification that was not later than the clock plus 24 hours when it was read.
    var newest: Instant?
    /// Counts the transactions that changed something.
    var revision = 0
    /// The digests of all other rows, and of this one with a digest of 0, added up.
    var sum: UInt64 = 0

    init(key: HashKey, retentionDays: Int) {
        self.key = key
        self.retentionDays = retentionDays
    }

    init(_ cells: inout CellReader) throws(DamagedRow) {
        guard try cells.integer(Int.self) == 1 else { throw cells.damage }
        key = HashKey(low: try cells.bits(), high: try cells.bits())
        retentionDays = try cells.count()
        sealedBefore = try cells.optionalDay()
        newest = try cells.optionalInstant()
        revision = try cells.count()
        sum = try cells.bits()
    }

    var cells: [DatabaseValue] {
        [
            1.databaseValue, bits(key.low), bits(key.high), retentionDays.databaseValue,
            sealedBefore?.number.databaseValue ?? .null, newest?.seconds.databaseValue ?? .null,
            newest?.nanoseconds.databaseValue ?? .null, revision.databaseValue, bits(sum),
        ]
    }

    /// The digest of the row without the sum that it is part of.
    var ownDigest: UInt64 {
        var row = self
        row.sum = 0
        return row.digest
    }
}

/// All 64 bits, as SQLite's signed number.
func bits(_ value: UInt64) -> DatabaseValue {
    Int64(bitPattern: value).databaseValue
}

extension CellReader {
    /// Two cells: seconds and nanoseconds, or neither.
    mutating func optionalInstant() throws(DamagedRow) -> Instant? {
        let seconds = try optionalInteger(Int64.self)
        let nanoseconds = try optionalInteger(UInt32.self)
        guard (seconds == nil) == (nanoseconds == nil), nanoseconds ?? 0 < 1_000_000_000 else { throw damage }
        guard let seconds, let nanoseconds else { return nil }
        guard (-CellReader.farthest...CellReader.farthest).contains(seconds) else { throw damage }
        return Instant(seconds: seconds, nanoseconds: nanoseconds)
    }

    /// A day as its number.
    mutating func day() throws(DamagedRow) -> Day {
        guard let day = try optionalDay() else { throw damage }
        return day
    }

    mutating func optionalDay() throws(DamagedRow) -> Day? {
        guard let number = try optionalInteger(Int32.self) else { return nil }
        guard abs(Int64(number)) <= CellReader.farthest / Instant.secondsPerDay else { throw damage }
        return Day(number: number)
    }

    /// Logs know the years 1 to 9999; this many seconds from 1970 lie beyond them.
    private static let farthest: Int64 = 10_000 * 366 * Instant.secondsPerDay
}
