internal import Foundation
internal import GRDB
internal import Verifications

/// A part of the ledger: fingerprints of one day that were counted; the bytes themselves are read apart.
struct SegmentRow: StoreRow, Encodable {
    static let databaseTableName = "ledger"
    static var databaseSelection: [any SQLSelectable] { ["id", "day", "layer", "count", "sum"].map { Column($0) } }

    let id: Int
    /// Nil for verifications without a time.
    let day: Int32?
    let layer: Int
    let count: Int
    /// Of the mixed fingerprints, to notice damage.
    let sum: Int64

    /// By position, as every input asks for the segments of all days.
    init(row: Row) throws {
        var cells = CellReader(row, of: SegmentRow.databaseTableName)
        (id, day, layer) = try (cells.next(), cells.next(), cells.next())
        (count, sum) = try (cells.next(), cells.next())
    }
}

/// Fingerprints on disk: eight bytes each, the lowest first.
extension StoreTransaction {
    /// Segments beyond this many fingerprints are left as they are; smaller ones are put together as they grow in
    /// number.
    private static let fullSegment = 1 << 20

    /// The fingerprints of a segment.
    ///
    /// - Throws: ``DamagedRow`` when they are not those that were written.
    func fingerprints(of segment: SegmentRow) throws -> [UInt64] {
        let damage = DamagedRow(table: SegmentRow.databaseTableName)
        let data = try Data.fetchOne(
            db, sql: "SELECT fingerprints FROM ledger WHERE id = ?", arguments: [segment.id])
        guard let data, data.count == segment.count * 8 else { throw damage }
        var fingerprints: [UInt64] = []
        fingerprints.reserveCapacity(segment.count)
        var sum: UInt64 = 0
        let bytes = data.span
        var index = 0
        while index < bytes.count {
            var fingerprint: UInt64 = 0
            for offset in 0..<8 { fingerprint |= UInt64(bytes[index + offset]) &<< UInt64(offset * 8) }
            sum &+= StoreDigest.mixed(fingerprint)
            fingerprints.append(fingerprint)
            index += 8
        }
        guard Int64(bitPattern: sum) == segment.sum else { throw damage }
        return fingerprints
    }

    /// Adds fingerprints to the ledger of a day.
    ///
    /// Small segments of that day are merged into the new one, each at most about as often as their number
    /// doubles: many small inputs leave a few segments, and a large input writes little more than its own.
    ///
    /// - Parameters:
    ///   - fingerprints: At least one, none of which the ledger has.
    ///   - day: Nil for verifications without a time.
    ///   - layer: Whose counts they belong to.
    ///   - segments: The segments of that day and layer.
    /// - Throws: What SQLite says, or ``DamagedRow``.
    func append(_ fingerprints: [UInt64], day: Day?, layer: Int, to segments: [SegmentRow]) throws {
        var all = fingerprints
        for segment in segments.sorted(by: { $0.count < $1.count })
        where segment.count < StoreTransaction.fullSegment && segment.count <= all.count * 2 {
            all += try self.fingerprints(of: segment)
            try segment.delete(db)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(all.count * 8)
        var sum: UInt64 = 0
        for fingerprint in all {
            sum &+= StoreDigest.mixed(fingerprint)
            for offset in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: fingerprint &>> UInt64(offset * 8))) }
        }
        let id = try (Int.fetchOne(db, sql: "SELECT max(id) FROM ledger") ?? 0) + 1
        try db.cachedStatement(
            sql: "INSERT INTO ledger (id, day, layer, count, sum, fingerprints) VALUES (?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [id, day?.number, layer, all.count, Int64(bitPattern: sum), Data(bytes)])
    }
}
