internal import Synchronization

/// The fingerprints of the verifications that were counted, shared by all workers of a run.
///
/// The set is cut into 256 shards by the top byte of the fingerprint. Each has a lock of its own and grows alone, by
/// half, so that growing never holds more than one small table twice.
final class FingerprintSet: Sendable {
    private let shards: InlineArray<256, Mutex<Table>>

    init() {
        shards = .init { _ in Mutex(Table()) }
    }

    /// Adds a fingerprint.
    ///
    /// - Returns: False when it was there already.
    func insert(_ fingerprint: UInt64) -> Bool {
        shards[Int(fingerprint >> 56)].withLock { $0.insert(fingerprint) }
    }

    /// Open addressing with linear probing; 0 is an empty slot.
    private struct Table {
        private var slots: [UInt64] = []
        private var count = 0

        mutating func insert(_ fingerprint: UInt64) -> Bool {
            // At most five slots in six are taken, at least five in nine after growing: 9.6 to 14.4 bytes an entry.
            if (count + 1) * 6 > slots.count * 5 { grow() }
            return place(fingerprint == 0 ? 1 : fingerprint)
        }

        private mutating func place(_ fingerprint: UInt64) -> Bool {
            // The top byte chose the shard; the bits below it choose the slot, scaled to the table's length.
            var slot = Int(truncatingIfNeeded: (fingerprint << 8).multipliedFullWidth(by: UInt64(slots.count)).high)
            while slots[slot] != 0 {
                if slots[slot] == fingerprint { return false }
                slot += 1
                if slot == slots.count { slot = 0 }
            }
            slots[slot] = fingerprint
            count += 1
            return true
        }

        private mutating func grow() {
            let old = slots
            slots = Array(repeating: 0, count: max(16, old.count * 3 / 2))
            count = 0
            for fingerprint in old where fingerprint != 0 { _ = place(fingerprint) }
        }
    }
}
