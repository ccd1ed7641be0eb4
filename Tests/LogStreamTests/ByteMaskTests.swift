import CByteMask
import TestSupport
import Testing

@_spi(Stages) @testable import LogStream

/// The vector forms of the byte masks against their scalar twins, fed the same bytes at every alignment.
@Suite struct ByteMaskTests {
    /// Bytes that any of the masks asks for, their neighbours in value, and the borders of signed and unsigned order.
    private static let telling: [UInt8] =
        Array("\nvn\\u%r\"\u{1F} !#[]{}Z^nopqrtw".utf8) + [0x00, 0x7F, 0x80, 0x81, 0xFE, 0xFF, 0x0B, 0x09]

    @Test(arguments: 0..<64 as Range<UInt64>)
    func randomBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let everything = (0..<(600 + Int(seed) * 3)).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let telling = (0..<700).map { _ in ByteMaskTests.telling.randomElement(using: &random) ?? 0 }
        expectTwinsAgree(everything)
        expectTwinsAgree(telling)
    }

    @Test func everyByteInEveryLane() {
        for byte in UInt8.min ... .max {
            expectTwinsAgree(Array(repeating: byte, count: 160))
            var alone = [UInt8](repeating: UInt8(ascii: "a"), count: 160)
            alone[73] = byte
            expectTwinsAgree(alone)
        }
    }

    /// The second byte of a pair lies up to eleven bytes on, in the next block for the last lanes.
    @Test(
        arguments: [("v", "n", 11), ("\\", "u", 1), ("%", "r", 8), ("%", "s", 8), ("A", "k", 11)]
            as [(Character, Character, Int)])
    func pairsInEveryLane(first: Character, second: Character, distance: Int) throws {
        let head = try #require(first.asciiValue)
        let tail = try #require(second.asciiValue)
        for lane in 0..<64 {
            var bytes = [UInt8](repeating: UInt8(ascii: "."), count: 64 + distance)
            bytes[lane] = head
            bytes[lane + distance] = tail
            let found = unsafe withSlack(bytes) { unsafe hints($0, at: 0, CByteMask_hints) }
            #expect(found.candidate == 1 << UInt64(lane))
            #expect(found.newline == 0)
            expectTwinsAgree(bytes)
        }
    }

    /// What a mask may read is what buffers have behind their last byte.
    @Test func slackCoversABlockAtTheLastByte() {
        #expect(byteSlack >= 63 + 11 + 1)
        #expect(byteSlack >= 16)
    }

    private typealias Hints = (UnsafePointer<UInt8>) -> CByteMask_Hints

    private func hints(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, _ form: Hints) -> CByteMask_Hints {
        guard let base = bytes.baseAddress else { return CByteMask_Hints() }
        return unsafe form(base + start)
    }

    private func expectTwinsAgree(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(VectorChecks.masksAgree(on: bytes), sourceLocation: sourceLocation)
    }
}
