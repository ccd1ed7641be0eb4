internal import Entries
internal import Foundation
internal import Verifications

/// The bytes of a row: what they say, and a checksum over table, number and content.
struct CheckedBytes {
    let bytes: [UInt8]
    let check: UInt64

    private static let length = 8

    init(content: [UInt8], id: Int64, in table: StoreTable) {
        check = CheckedBytes.check(content[...], id: id, in: table)
        bytes = content + (0..<8).map { [check] in UInt8(truncatingIfNeeded: check >> (8 * $0)) }
    }

    /// - Throws: That the row is not what was written.
    init(_ bytes: [UInt8], id: Int64, in table: StoreTable) throws(DamagedRow) {
        self.bytes = bytes
        check = CheckedBytes.check(bytes.dropLast(CheckedBytes.length), id: id, in: table)
        let written = bytes.suffix(CheckedBytes.length).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        guard bytes.count >= CheckedBytes.length, written == check else { throw DamagedRow(table) }
    }

    var content: ArraySlice<UInt8> { bytes.dropLast(CheckedBytes.length) }

    private static func check(_ content: ArraySlice<UInt8>, id: Int64, in table: StoreTable) -> UInt64 {
        mixed(mixed(content.checkSum ^ UInt64(bitPattern: id)) ^ table.rawValue)
    }
}
