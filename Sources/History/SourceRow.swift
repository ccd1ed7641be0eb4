internal import Entries
internal import Foundation
internal import GRDB
internal import Readiness
internal import Verifications

/// One source that was ingested, as it is listed, with what it says of itself.
struct SourceRow: StoreRow {
    static let databaseTableName = "sources"

    let id: Int
    /// As it was given the first time; `-` for standard input.
    let name: StoredText
    private let ingestedSecond: Int64
    private let ingestedNanosecond: UInt32
    /// As stored, in bytes; nil when it was not known beforehand.
    let size: Int?
    private let bytesRead: Int
    let records: Int
    /// See ``InputSummary/unreadable``.
    let unreadable: Int
    // What became of its verifications on the night on which they came.
    private let added: Int
    private let known: Int
    private let tooOld: Int
    private let ignored: Int
    private let undated: Int
    private let hasUndated: Bool
    private let newestSecond: Int64?
    private let newestNanosecond: UInt32?
    /// The source that replaces this damaged one; nil for nearly all.
    var replacedBy: Int?
    private let headCheck: Int64
    private let headBytes: Data

    /// A source, and what was counted of it.
    init(
        id: Int, name: String, ingestedAt: Instant, size: Int?, source: PackedSource, counted: InputSummary,
        contents: PartContents
    ) {
        self.id = id
        self.name = StoredText(name)
        (ingestedSecond, ingestedNanosecond) = (ingestedAt.seconds, ingestedAt.nanoseconds)
        self.size = size
        (bytesRead, records, unreadable) = (counted.bytesRead, counted.records, counted.unreadable)
        (added, known, tooOld) = (counted.verifications, counted.duplicates, counted.filtered)
        (ignored, undated, hasUndated) = (counted.ignored, counted.undated, contents.hasUndated)
        (newestSecond, newestNanosecond) = (contents.newest?.seconds, contents.newest?.nanoseconds)
        headBytes = Data(source.head)
        headCheck = Int64(bitPattern: source.head.checkSum)
    }

    var isPossible: Bool {
        let times = [ingestedSecond, newestSecond].compactMap(\.self)
        let counts = [records, unreadable, added, known, tooOld, ignored, undated]
        return RowLimits.numbers.contains(id) && replacedBy.map(RowLimits.numbers.contains) ?? true
            && [size, bytesRead].compactMap(\.self).allSatisfy(RowLimits.numbers.contains)
            && times.allSatisfy(RowLimits.seconds.contains) && counts.allSatisfy(RowLimits.counts.contains)
    }

    var ingestedAt: Instant { Instant(seconds: ingestedSecond, nanoseconds: ingestedNanosecond) }

    /// The newest dated verification of a time that was not in the future when it was read; nil without one.
    var newest: Instant? { newestSecond.map { Instant(seconds: $0, nanoseconds: newestNanosecond ?? 0) } }

    func isOf(_ source: PackedSource) -> Bool { headBytes.elementsEqual(source.head) }

    /// The head as it was written.
    var checkedHead: ArraySlice<UInt8> {
        get throws { try headBytes.checked(headCheck, in: SourceRow.databaseTableName) }
    }

    /// What the source says of itself.
    ///
    /// - Throws: ``DamagedRow``.
    func head(
        _ range: TimeRange = TimeRange(), horizon: Instant = Instant(seconds: .max), hash: (FunctionIdentity) -> UInt64
    ) throws -> SourceHead {
        var head = try SourceHead(checkedHead, named: name.text, range: range, horizon: horizon, hash: hash)
        head.source.set.input.bytesRead = bytesRead
        var contents = PartContents()
        (contents.newest, contents.hasUndated) = (newest, hasUndated)
        head.source.set.input.add(contents)
        head.source.set.input.filtered = tooOld
        return head
    }

    /// What was read of it, and what became of it.
    func summary(of head: SourceHead) -> InputSummary {
        var summary = head.source.set.input
        (summary.verifications, summary.duplicates, summary.filtered) = (added, known, tooOld)
        (summary.ignored, summary.undated) = (ignored, undated)
        return summary
    }
}

extension InputSummary {
    /// How much could not be read: 0 for nearly all inputs; data whose compression is damaged come last.
    var unreadable: Int {
        let broken = faults.isDisjoint(with: [.damaged, .readError]) ? 0 : 1 << 48
        return broken + malformed + oversized + unexpected + (unread.total ?? 1 << 44) + problems.entries.count
    }

    var isBroken: Bool { unreadable >= 1 << 48 }
}

/// The entries of a source and a day.
struct PartRow: StoreRow {
    static let databaseTableName = "parts"

    let day: Int
    let source: Int
    let verifications: Int
    fileprivate let bytesCheck: Int64
    /// Nil where they were not asked for.
    private let bytes: Data?

    init(_ part: PackedSource.Part, verifications: Int, of source: Int) {
        (day, self.source, self.verifications) = (part.day.number, source, verifications)
        (bytes, bytesCheck) = (Data(part.bytes), Int64(bitPattern: part.bytes.checkSum))
    }

    var isPossible: Bool {
        DayIndex.numbers.contains(day) && RowLimits.numbers.contains(source)
            && RowLimits.counts.contains(verifications)
    }

    func part() throws -> PackedSource.Part {
        PackedSource.Part(
            day: DayIndex(number: day),
            bytes: try (bytes ?? Data()).checked(bytesCheck, in: PartRow.databaseTableName))
    }

    /// Hands out the parts of a day, or of a source, one at a time.
    static func forEach(_ key: String, _ value: Int, _ db: Database, _ body: (PartRow) throws -> Void) throws {
        let rows = try PartRow.filter(Column(key) == value).order(Column("day"), Column("source")).fetchCursor(db)
        while let row = try rows.next() { try body(row) }
    }
}

/// The sums of a day, and what they rest on.
struct DayRow: StoreRow {
    static let databaseTableName = "days"

    let day: Int
    let basis: Int64
    private let bytesCheck: Int64
    private let bytes: Data

    init(_ sums: DaySums, of day: DayIndex, basis: UInt64) {
        self.day = day.number
        self.basis = Int64(bitPattern: basis)
        let bytes = sums.bytes
        bytesCheck = Int64(bitPattern: bytes[...].checkSum)
        self.bytes = Data(bytes)
    }

    var isPossible: Bool { DayIndex.numbers.contains(day) }

    func sums(
        _ range: TimeRange = TimeRange(), horizon: Instant = Instant(seconds: .max), versions: ClientVersions? = nil
    ) throws -> DaySums {
        try DaySums(
            bytes.checked(bytesCheck, in: DayRow.databaseTableName), of: DayIndex(number: day), range: range,
            horizon: horizon, versions: versions)
    }
}

extension Data {
    /// The bytes of a row, where they have the checksum that was written with them.
    fileprivate func checked(_ sum: Int64, in table: String) throws -> ArraySlice<UInt8> {
        let bytes = Array(self)[...]
        guard bytes.checkSum == UInt64(bitPattern: sum) else { throw DamagedRow(table: table) }
        return bytes
    }
}

/// Which parts there are, without their bytes.
struct PartList {
    private var checks: [DayIndex: UInt64] = [:]
    private(set) var verifications: [DayIndex: Int] = [:]

    init(_ db: Database) throws {
        let keys = ["day", "source", "verifications", "bytes_check"].map { Column($0) }
        let rows = try PartRow.select(keys).fetchCursor(db)
        while let row = try rows.next() {
            let day = DayIndex(number: row.day)
            checks[day, default: 0] &+= mixed(mixed(UInt64(row.source)) ^ UInt64(bitPattern: row.bytesCheck))
            verifications[day, default: 0] += row.verifications
        }
    }

    var days: Set<DayIndex> { Set(checks.keys) }

    /// What the sums of a day rest on: the parts around it, and how they are counted.
    func basis(of day: DayIndex) -> UInt64 {
        day.around.reduce(EntrySet.countingVersion) { mixed($0 ^ checks[$1, default: 0]) }
    }

    /// The newest day with verifications that is not in the future.
    func newest(at now: Instant) -> DayIndex? {
        let last = DayIndex(now.adding(seconds: 86_400).day)
        return verifications.filter { $0.value > 0 && $0.key <= last }.keys.max()
    }
}
