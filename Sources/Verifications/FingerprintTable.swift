/// The 128-bit key of fingerprints: random per process, or kept by a history so that they stay comparable.
public struct HashKey: Hashable, Sendable {
    public let low: UInt64
    public let high: UInt64

    public init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// A fresh key from the system's random source.
    public static func random() -> HashKey {
        HashKey(low: .random(in: .min ... .max), high: .random(in: .min ... .max))
    }
}

/// A set of fingerprints: open addressing with linear probing, 9.6 to 14.4 bytes an entry.
package struct FingerprintTable: Sendable {
    /// 0 is an empty slot.
    private var slots: [UInt64] = []
    package private(set) var count = 0

    package init() {}

    /// Adds a fingerprint.
    ///
    /// - Returns: False when it was there already.
    package mutating func insert(_ fingerprint: UInt64) -> Bool {
        // At most five slots in six are taken, at least five in nine after growing.
        if (count + 1) * 6 > slots.count * 5 { grow(to: max(16, slots.count * 3 / 2)) }
        return place(fingerprint == 0 ? 1 : fingerprint)
    }

    package func contains(_ fingerprint: UInt64) -> Bool {
        guard !slots.isEmpty else { return false }
        let fingerprint = fingerprint == 0 ? 1 : fingerprint
        var slot = home(of: fingerprint)
        while slots[slot] != 0 {
            if slots[slot] == fingerprint { return true }
            slot = slot + 1 == slots.count ? 0 : slot + 1
        }
        return false
    }

    /// Makes room for so many more, so that adding them grows nothing.
    package mutating func reserve(_ more: Int) {
        let needed = (count + more) * 6 / 5 + 1
        if needed > slots.count { grow(to: max(16, needed)) }
    }

    private mutating func place(_ fingerprint: UInt64) -> Bool {
        var slot = home(of: fingerprint)
        while slots[slot] != 0 {
            if slots[slot] == fingerprint { return false }
            slot += 1
            if slot == slots.count { slot = 0 }
        }
        slots[slot] = fingerprint
        count += 1
        return true
    }

    /// The top byte may have chosen the table; the bits below it choose the slot, scaled to the table's length.
    private func home(of fingerprint: UInt64) -> Int {
        Int(truncatingIfNeeded: (fingerprint << 8).multipliedFullWidth(by: UInt64(slots.count)).high)
    }

    private mutating func grow(to length: Int) {
        let old = slots
        slots = Array(repeating: 0, count: length)
        count = 0
        for fingerprint in old where fingerprint != 0 { _ = place(fingerprint) }
    }
}

/// Knows which verifications were counted on earlier nights, so that each counts once, ever.
package protocol CountLedger: AnyObject {
    /// False for a time of which nothing is counted any more, whatever it is.
    func isOpen(at instant: Instant?) -> Bool
    /// What earlier inputs make of a verification; called once for each that is read, in the order of the input.
    func find(_ verification: Verification, _ fingerprint: Fingerprint) -> LedgerEntry
    /// Takes note of a verification that counts from now on, instead of later ones of its execution.
    func add(_ verification: Verification, _ fingerprint: Fingerprint, of function: @autoclosure () -> FunctionIdentity)
}

/// What earlier inputs make of a verification.
package enum LedgerEntry: Hashable, Sendable {
    case isNew
    /// It was counted already.
    case isCopy
    /// An earlier one of its execution was counted.
    case isRepeated
    /// It lies in a time of which nothing is counted any more.
    case isTooOld
}

/// Knows what of the evidence next to verifications was counted on earlier nights, by keyed hashes.
package protocol EvidenceLedger: AnyObject {
    /// False for a day of which nothing is counted any more.
    func isOpen(_ day: Day) -> Bool
    /// True for what was counted in an earlier run.
    func knows(_ hash: UInt64, on day: Day) -> Bool
    /// Takes note of what counts from now on.
    func add(_ hash: UInt64, on day: Day)
}
