internal import Foundation
internal import GRDB
internal import Verifications

/// A part of the ledger: what was counted on one day; the bytes themselves are read apart.
struct SegmentRow: StoreRow, Encodable {
    static let databaseTableName = "ledger"
    static var databaseSelection: [any SQLSelectable] {
        ["id", "day", "layer", "count", "sum", "content"].map { Column($0) }
    }

    enum Content: Int, Codable, DatabaseValueConvertible {
        /// A word each; also the hashes of executions, as earlier versions of the tables kept them.
        case fingerprints = 1
        /// Two words each: the hash of an execution, and its ``PackedEntry``.
        case executions = 2
    }

    let id: Int
    /// Nil for verifications without a time.
    let day: Int32?
    let layer: Int
    /// Of its words.
    let count: Int
    /// Of the mixed words, to notice damage.
    let sum: Int64
    let content: Content

    /// How many fingerprints or executions it has.
    var hashCount: Int { count / content.rawValue }

    /// By position, as every input asks for the segments of all days.
    init(row: Row) throws {
        var cells = CellReader(row, of: SegmentRow.databaseTableName)
        (id, day, layer) = try (cells.next(), cells.next(), cells.next())
        (count, sum, content) = try (cells.next(), cells.next(), cells.next())
    }
}

/// Words on disk: eight bytes each, the lowest first.
extension StoreTransaction {
    /// Segments beyond this many words are left as they are; smaller ones are put together as they grow in number.
    private static let fullSegment = 1 << 20

    /// The fingerprints of a segment, or its executions.
    ///
    /// - Throws: ``DamagedRow`` when they are not those that were written.
    func hashes(of segment: SegmentRow) throws -> [UInt64] {
        let words = try words(of: segment)
        return segment.content == .fingerprints ? words : stride(from: 0, to: words.count, by: 2).map { words[$0] }
    }

    /// The words of a segment.
    ///
    /// - Throws: ``DamagedRow`` when they are not those that were written.
    func words(of segment: SegmentRow) throws -> [UInt64] {
        let damage = DamagedRow(table: SegmentRow.databaseTableName)
        let data = try Data.fetchOne(
            db, sql: "SELECT fingerprints FROM ledger WHERE id = ?", arguments: [segment.id])
        guard let data, data.count == segment.count * 8, segment.count.isMultiple(of: segment.content.rawValue)
        else { throw damage }
        var words: [UInt64] = []
        words.reserveCapacity(segment.count)
        var sum: UInt64 = 0
        let bytes = data.span
        var index = 0
        while index < bytes.count {
            var word: UInt64 = 0
            for offset in 0..<8 { word |= UInt64(bytes[index + offset]) &<< UInt64(offset * 8) }
            sum &+= StoreDigest.mixed(word)
            words.append(word)
            index += 8
        }
        guard Int64(bitPattern: sum) == segment.sum else { throw damage }
        return words
    }

    /// Adds words to the ledger of a day.
    ///
    /// Small segments of that day are merged into the new one, each at most about as often as their number
    /// doubles: many small inputs leave a few segments, and a large input writes little more than its own.
    ///
    /// - Parameters:
    ///   - words: None of which the ledger has.
    ///   - content: What they are.
    ///   - day: Nil for verifications without a time.
    ///   - layer: Whose counts they belong to.
    ///   - segments: The segments of that day and layer.
    /// - Throws: What SQLite says, or ``DamagedRow``.
    func append(
        _ words: [UInt64], _ content: SegmentRow.Content, day: Day?, layer: Int, to segments: [SegmentRow]
    ) throws {
        guard !words.isEmpty else { return }
        var all = words
        for segment in segments.sorted(by: { $0.count < $1.count })
        where segment.content == content && segment.count < StoreTransaction.fullSegment
            && segment.count <= all.count * 2
        {
            all += try self.words(of: segment)
            try segment.delete(db)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(all.count * 8)
        var sum: UInt64 = 0
        for word in all {
            sum &+= StoreDigest.mixed(word)
            for offset in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word &>> UInt64(offset * 8))) }
        }
        let id = try (Int.fetchOne(db, sql: "SELECT max(id) FROM ledger") ?? 0) + 1
        try db.cachedStatement(
            sql: "INSERT INTO ledger (id, day, layer, count, sum, content, fingerprints) VALUES (?, ?, ?, ?, ?, ?, ?)"
        ).execute(
            arguments: [
                id, day?.number, layer, all.count, Int64(bitPattern: sum), content.rawValue, Data(bytes),
            ])
    }
}
