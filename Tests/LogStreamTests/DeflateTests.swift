import CZlib
import TestSupport
import Testing

@testable import LogStream

/// The decompressor against libz, its twin, fed the same bytes: whole, cut and damaged.
@Suite struct DeflateTests {
    /// What a decompressor makes of an input.
    private struct Outcome: Equatable {
        var step: Inflater.Step
        var plain: [UInt8]
        /// How much of the input it used; told of whole streams only, because libz may hold back what it has not used.
        var taken: Int?
    }

    /// Texts of every kind of block: stored, with fixed codes, with codes of their own, with long and short matches.
    private static func text(_ random: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 0...[20, 3000, 70_000][Int.random(in: 0..<3, using: &random)], using: &random)
        let line = Array(EntryText.first(id: "\(count)").text.utf8)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        case 1: return Array(repeating: 0x61, count: count)
        case 2: return (0..<count).map { _ in UInt8.random(in: 0x61...0x63, using: &random) }
        // Rare symbols have codes longer than the first step of a table.
        case 3: return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next().leadingZeroBitCount * 7) }
        default:
            return (0..<count).map {
                line[($0 + $0 / 600) % line.count] ^ (Int.random(in: 0..<40, using: &random) == 0 ? 1 : 0)
            }
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func sameAsLibz(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = DeflateTests.text(&random)
        let level = Int32.random(in: 0...9, using: &random)
        let strategy = [Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED][
            Int.random(in: 0..<5, using: &random)]
        let whole = deflated(text, level: level, strategy: strategy, memory: .random(in: 1...9, using: &random))
        expectTwinsAgree(whole, &random)
        #expect(ours(whole, &random).plain == text)
        for _ in 0..<6 {
            expectTwinsAgree(Array(whole[..<Int.random(in: 0...whole.count, using: &random)]), &random)
            var damaged = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // The head of a stream, with its tables, is where most can go wrong.
                let end = Bool.random(using: &random) ? damaged.count : min(damaged.count, 100)
                damaged[Int.random(in: 0..<end, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            expectTwinsAgree(damaged, &random)
        }
    }

    /// Every length of a cut, so that each part of a header and each symbol is cut once.
    @Test func everyCut() {
        var random = SeededGenerator(seed: 1)
        let text = Array((0..<12).map { EntryText.first("f\($0)", id: "\($0 * 77)").text }.joined(separator: "\n").utf8)
        for level in [0, 1, 9] as [Int32] {
            // With little memory a compressor writes many blocks.
            let whole = deflated(text, level: level, memory: 1)
            for count in 0...whole.count {
                let cut = Array(whole[..<count])
                expectTwinsAgree(cut, &random)
                // The chunk is full where the input ends, perhaps inside a header.
                let libz = libz(cut)
                #expect(ours(cut, &random, chunkBytes: max(1, libz.plain.count)) == libz)
            }
        }
    }

    /// Headers that hardly any compressor writes: bytes at random, told to be each kind of block.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func anyHeader(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for kind in 0..<8 as Range<UInt8> {
            var bytes = (0..<200).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            bytes[0] = bytes[0] & 0xF8 | kind
            expectTwinsAgree(bytes, &random)
        }
    }

    /// A match may reach as far as a window, and never before the first byte.
    @Test func distancesHaveABound() {
        var random = SeededGenerator(seed: 3)
        let window = (0..<DeflateStream.window).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let whole = deflated(window + window, level: 9)
        #expect(ours(whole, &random) == Outcome(step: .finished, plain: window + window, taken: whole.count))
        // Fixed codes: literal "a", length 3, distance 2, of which there is only one byte.
        let tooFar: [UInt8] = [0x4B, 0x04, 0x22, 0x00]
        expectTwinsAgree(tooFar, &random)
        #expect(ours(tooFar, &random).step == .corrupt)
    }

    private func expectTwinsAgree(
        _ input: [UInt8], _ random: inout SeededGenerator, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let (ours, libz) = (ours(input, &random), libz(input))
        guard ours != libz else { return }
        Issue.record(
            "ours: \(ours.step), \(ours.plain.count) bytes; libz: \(libz.step), \(libz.plain.count) bytes",
            sourceLocation: sourceLocation)
    }

    /// Reads in pieces of random sizes, into chunks of random sizes.
    private func ours(_ input: [UInt8], _ random: inout SeededGenerator, chunkBytes: Int? = nil) -> Outcome {
        var stream = DeflateStream()
        var history = DeflateHistory()
        var plain: [UInt8] = []
        var start = 0
        while true {
            let shown = min(input.count - start, DeflateStream.leastInput + Int.random(in: 0...3000, using: &random))
            let isEnd = start + shown == input.count
            let chunk = PlainChunk(
                capacity: chunkBytes
                    ?? Int.random(in: 1...[7, 400, 70_000][Int.random(in: 0..<3, using: &random)], using: &random))
            history.put(inFrontOf: chunk)
            let (taken, step) = unsafe input[start..<start + shown].withUnsafeBufferPointer {
                unsafe stream.inflate(from: $0, isEnd: isEnd, into: chunk)
            }
            history.keepEnd(of: chunk)
            unsafe plain.append(contentsOf: chunk.bytes)
            start += taken
            if step == .more && !(isEnd && chunk.count < chunk.capacity) { continue }
            return Outcome(step: step, plain: plain, taken: step == .finished ? start : nil)
        }
    }

    private func libz(_ input: [UInt8]) -> Outcome {
        var inflater = Inflater()
        var room = [UInt8](repeating: 0, count: 300_000)
        let (taken, written, step) = unsafe input.withUnsafeBufferPointer { input in
            unsafe room.withUnsafeMutableBufferPointer { unsafe inflater.inflate(from: input, into: $0) }
        }
        return Outcome(step: step, plain: Array(room[..<written]), taken: step == .finished ? taken : nil)
    }

    private func deflated(
        _ text: [UInt8], level: Int32, strategy: Int32 = Z_DEFAULT_STRATEGY, memory: Int32 = 8
    ) -> [UInt8] {
        var text = text
        var output = [UInt8](repeating: 0, count: text.count + text.count / 4 + 1000)
        var stream = unsafe z_stream()
        unsafe deflateInit2_(
            &stream, level, Z_DEFLATED, -15, memory, strategy, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        // Safe: the arrays outlive the calls, and the counts are theirs.
        unsafe text.withUnsafeMutableBufferPointer { text in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe stream.next_in = text.baseAddress
                unsafe stream.avail_in = UInt32(text.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(output.count)
                _ = unsafe deflate(&stream, Z_FINISH)
            }
        }
        let count = unsafe Int(stream.total_out)
        unsafe deflateEnd(&stream)
        return Array(output[..<count])
    }
}
