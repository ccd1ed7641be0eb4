internal import Foundation
internal import GRDB

/// A number for the contents of one row.
///
/// The numbers of all rows add up to the digest of the store, which is kept in step with every change: SQLite notices
/// when its own structures are damaged, and this tells when what it found between them is not what was written. It
/// guards against damage, not against somebody who wants to deceive.
enum RowDigest {
    static func of(_ cells: [DatabaseValue], in table: String) -> UInt64 {
        var digest: UInt64 = 0
        for byte in table.utf8 { digest = mixed(digest ^ UInt64(byte)) }
        for cell in cells {
            switch cell.storage {
            case .null: digest = mixed(digest ^ 1)
            case .int64(let number): digest = mixed(mixed(digest ^ 2) ^ UInt64(bitPattern: number))
            case .double(let number): digest = mixed(mixed(digest ^ 3) ^ number.bitPattern)
            case .string(let text):
                digest = mixed(digest ^ 4)
                for byte in text.utf8 { digest = mixed(digest ^ UInt64(byte)) }
            case .blob(let data):
                digest = mixed(digest ^ 5)
                for byte in data { digest = mixed(digest ^ UInt64(byte)) }
            }
        }
        return digest
    }

    /// The digests of all rows of a table, as a query selects them, added up.
    static func sum(of table: String, _ selection: String, in db: Database) throws -> UInt64 {
        var sum: UInt64 = 0
        let cursor = try Row.fetchCursor(db, sql: selection)
        while let row = try cursor.next() { sum &+= of(Array(row.databaseValues), in: table) }
        return sum
    }

    /// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014), which spreads each bit over all others.
    static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
