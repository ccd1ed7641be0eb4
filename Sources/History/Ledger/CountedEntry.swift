internal import Verifications

/// A verification that was counted and names its execution.
struct CountedEntry {
    let day: Day?
    let layer: Int
    let entry: PackedEntry

    func isBefore(_ other: PackedEntry, on day: Day?) -> Bool {
        (self.day?.number ?? 0, entry.place) < (day?.number ?? 0, other.place)
    }
}

/// A verification that no longer counts, because an earlier one of its execution was found.
struct ReplacedEntry {
    let function: FunctionIdentity
    let counted: CountedEntry
}

/// What the ledger keeps of a verification that names its execution.
///
/// ```
/// nanoseconds since midnight: 47 · some bits of the insertId: 8 · app: 2 · auth: 2 · severity: 2 · provenance: 2
/// ```
struct PackedEntry {
    let word: UInt64

    init(word: UInt64) { self.word = word }

    init(_ verification: Verification, _ fingerprint: Fingerprint) {
        var word = UInt64(verification.instant?.nanosecondOfDay ?? 0) << 8 | UInt64(fingerprint.order.digest)
        word = word << 2 | UInt64(verification.app.rawValue)
        word = word << 2 | UInt64(verification.auth.rawValue)
        word = word << 2 | UInt64(verification.severity.rawValue >> 1)
        self.word = word << 2 | UInt64(verification.provenance.rawValue)
    }

    /// Its place in the order of its day.
    var place: UInt64 { word >> 8 }
    var app: TokenStatus { TokenStatus(rawValue: UInt8(word >> 6 & 3)) ?? .other }
    var auth: TokenStatus { TokenStatus(rawValue: UInt8(word >> 4 & 3)) ?? .other }
    var provenance: Provenance { Provenance(rawValue: UInt8(word & 3)) ?? .unlabelled }

    /// True when both say the same of the same day, but for the severity.
    func isCopy(of other: PackedEntry) -> Bool { (word ^ other.word) & ~0b1100 == 0 }
}
