/// A set of fingerprints: open addressing with linear probing, 9.6 to 14.4 bytes an entry.
public struct FingerprintTable: Sendable {
    /// 0 is an empty slot.
    private var slots: [UInt64] = []
    public private(set) var count = 0

    public init() {}

    /// Adds a fingerprint.
    ///
    /// - Returns: False when it was there already.
    public mutating func insert(_ fingerprint: UInt64) -> Bool {
        // At most five slots in six are taken, at least five in nine after growing.
        if (count + 1) * 6 > slots.count * 5 { grow(to: max(16, slots.count * 3 / 2)) }
        return place(fingerprint == 0 ? 1 : fingerprint)
    }

    public func contains(_ fingerprint: UInt64) -> Bool {
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
    public mutating func reserve(_ more: Int) {
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
