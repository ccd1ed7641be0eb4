import CChecksum
import TestSupport
import Testing

@testable import LogStream

/// CRC-32 against its definition, bit by bit, where no file shows that it is right: every compressed one is read on the
/// processor at hand.
@Suite struct ChecksumTests {
    @Test func olderProcessors() {
        let bytes = random(700, seed: 2)
        for count in 64...bytes.count {
            let folded = unsafe bytes.withUnsafeBufferPointer {
                unsafe CChecksum_foldBlocks($0.baseAddress, count, 0)
            }
            // Zero where the processor cannot fold at all.
            guard folded.count > 0 else { continue }
            let sum = unsafe withUnsafeBytes(of: folded.bytes) { unsafe definition(Array($0)[...], after: .max) }
            let whole = definition(bytes[folded.count..<count], after: sum)
            #expect(whole == definition(bytes[..<count]), "\(count) bytes")
        }
    }

    /// RFC 1952, section 8: division by the reflected polynomial, one bit at a time.
    private func definition(_ bytes: ArraySlice<UInt8>, after before: UInt32 = 0) -> UInt32 {
        var sum = ~before
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    private func random(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }
}
