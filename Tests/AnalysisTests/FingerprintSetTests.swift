import TestSupport
import Testing

@testable import Analysis

/// The set that remembers what was counted.
@Suite struct FingerprintSetTests {
    @Test func everyFingerprintIsNewOnce() {
        var random = SeededGenerator(seed: 11)
        let set = FingerprintSet()
        var known: Set<UInt64> = []
        for round in 0..<60_000 {
            // Some repeat, some crowd one shard, some are a single bit.
            let fingerprint: UInt64 =
                switch round % 4 {
                case 0: random.next()
                case 1: random.next() % 5000
                case 2: 0xAB << 56 | random.next() >> 8
                default: 1 << UInt64.random(in: 0..<64, using: &random)
                }
            // Zero marks an empty slot, and is taken for one.
            let expected = known.insert(fingerprint == 0 ? 1 : fingerprint).inserted
            #expect(set.insert(fingerprint) == expected)
        }
    }

    @Test func borderValues() {
        let set = FingerprintSet()
        for fingerprint in [.max, .min, 0xFF << 56, 0x00FF_FFFF_FFFF_FFFF, 1 << 56] as [UInt64] {
            #expect(set.insert(fingerprint))
            #expect(!set.insert(fingerprint))
        }
    }
}
