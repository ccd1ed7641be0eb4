import CChecksum
import TestSupport
import Testing

@testable import LogStream

/// CRC-32 by carry-less multiplication against the definition, bit by bit, fed the same bytes.
@Suite struct ChecksumTests {
    /// Around every border: nothing to fold, one and several rounds of 64 or 128 bytes, every length of what is left.
    @Test func everyLength() {
        let bytes = random(700, seed: 1)
        for count in 0...bytes.count {
            #expect(checksum([bytes[..<count]]) == definition(bytes[..<count]), "\(count) bytes")
        }
    }

    /// The code for older processors, tested on any processor.
    @Test func everyLengthInBlocks() {
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

    @Test(arguments: 0..<32 as Range<UInt64>)
    func anyPieces(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = self.random(4000, seed: seed)
        let cuts = [0, bytes.count] + (0..<6).map { _ in Int.random(in: 0...bytes.count, using: &random) }
        let borders = cuts.sorted()
        let pieces = zip(borders, borders.dropFirst()).map { bytes[$0..<$1] }
        #expect(checksum(pieces) == definition(bytes[...]))
    }

    /// The check value that lists of CRCs give for this polynomial.
    @Test func checkValue() {
        #expect(definition(ArraySlice("123456789".utf8)) == 0xCBF4_3926)
    }

    private func checksum(_ pieces: [ArraySlice<UInt8>]) -> UInt32 {
        var sum = Checksum(.gzip)
        for piece in pieces { unsafe piece.withUnsafeBufferPointer { unsafe sum.add($0) } }
        return sum.value
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
