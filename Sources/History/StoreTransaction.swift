internal import Entries
internal import Foundation
internal import GRDB
internal import Verifications

/// The tables within one transaction.
final class StoreTransaction {
    let db: Database
    var settings: SettingsRow
    private let former: SettingsRow
    private let changes: Int

    /// - Throws: ``DamagedRow`` when there are no settings, so that it is not a store.
    init(_ db: Database) throws {
        guard let settings = try SettingsRow.fetchOne(db) else { throw DamagedRow(table: "settings") }
        self.db = db
        self.settings = settings
        former = settings
        changes = db.totalChangesCount
    }

    /// Compares the tables with those that were made; rows are SQLite's to keep, except for the sums of their blobs.
    func verify() throws {
        guard try Schema.isIntact(db) else { throw DamagedRow(table: "sqlite_master") }
    }

    /// Writes down that something changed, if anything did; the last step of a transaction.
    func close() throws {
        guard settings != former || db.totalChangesCount != changes else { return }
        settings.revision += 1
        try settings.update(db)
    }

    /// All rows of a table, in the order of their keys.
    func rows<R: FetchableRecord & TableRecord>(_ type: R.Type) throws -> [R] {
        try R.orderByPrimaryKey().fetchAll(db)
    }
}

/// A row of a table of ours, whose columns are called as its properties.
protocol StoreRow: FetchableRecord, PersistableRecord, Codable {
    /// False for numbers that are never written: what is calculated with them might not end well.
    var isPossible: Bool { get }
}

extension StoreRow {
    init(row: Row) throws {
        self = try FetchableRecordDecoder().decode(Self.self, from: row)
        guard isPossible else { throw DamagedRow(table: Self.databaseTableName) }
    }

    static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy { .convertFromSnakeCase }
    static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy { .convertToSnakeCase }
}

/// Ranges of the numbers in rows, for reading and writing.
enum RowLimits {
    /// Numbers of sources and of steps.
    static let numbers = 0...1 << 53
    /// Counts, each of which adds up over rows; the largest is ``InputSummary/unreadable``.
    static let counts = 0...1 << 50
    /// From year 1 to year 9999.
    static let days = Int32(-719_162)...2_932_896
    static let seconds = Int64(days.lowerBound) * Instant.secondsPerDay...Int64(days.upperBound) * Instant.secondsPerDay
}

/// A row that callcheck did not write like this.
struct DamagedRow: Error {
    let table: String
}

/// The one row about the store as a whole.
struct SettingsRow: StoreRow, Equatable {
    static let databaseTableName = "settings"

    private let id: Int
    private let keyLow: Int64
    private let keyHigh: Int64
    /// How many days before the newest one keep their entries.
    var retentionDays: Int
    private var sealedBefore: Int32?
    /// Counts the transactions that changed something.
    fileprivate(set) var revision = 0

    var isPossible: Bool {
        RowLimits.numbers.contains(retentionDays) && RowLimits.numbers.contains(revision)
            && sealedBefore.map(RowLimits.days.contains) ?? true
    }

    /// Made once: fingerprints are comparable for as long as the store lives.
    var key: HashKey { HashKey(low: UInt64(bitPattern: keyLow), high: UInt64(bitPattern: keyHigh)) }

    /// Earlier days take no verifications any more; nil while all do.
    var firstOpenDay: Day? {
        get { sealedBefore.map(Day.init(number:)) }
        set { sealedBefore = newValue?.number }
    }
}

/// Text as the tables hold it: SQLite gives text back only to its first NUL, so that one is spelled out.
///
/// U+001A begins a spelling: `0` after it means NUL, `1` itself.
struct StoredText: Codable, Equatable, DatabaseValueConvertible {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    var databaseValue: DatabaseValue {
        let marked = text.unicodeScalars.replacing("\u{1A}".unicodeScalars, with: "\u{1A}1".unicodeScalars)
        return String(marked.replacing("\0".unicodeScalars, with: "\u{1A}0".unicodeScalars)).databaseValue
    }

    static func fromDatabaseValue(_ value: DatabaseValue) -> StoredText? {
        guard let stored = String.fromDatabaseValue(value) else { return nil }
        let marked = stored.unicodeScalars.replacing("\u{1A}0".unicodeScalars, with: "\0".unicodeScalars)
        return StoredText(String(marked.replacing("\u{1A}1".unicodeScalars, with: "\u{1A}".unicodeScalars)))
    }
}
