import TestSupport
import Testing
import Verifications

@testable import LogStream

/// How the bytes reach the scanner changes nothing: chunk sizes, members, compression, one thread or two.
@Suite struct ChunkingTests {
    private static var options: ScanOptions {
        var options = ScanOptions()
        options.maxRecordBytes = SampleLog.limit
        return options
    }

    /// Every size that has a chance to matter, and some that have none.
    private static let sizes =
        Array(1...18) + Array(30...34) + Array(62...82) + [100, 127, 128, 129, 200, 255, 256, 257, 300]

    /// The first 64 KiB are looked at before they are framed; small chunks are framed one by one behind them.
    private static let long: [UInt8] = {
        let head = EntryText.application(String(repeating: "x", count: Container.sampleBytes)).text
        return Array("\u{FEFF}\(head)\n\(SampleLog.text.dropFirst())".utf8)
    }()

    @Test func theSampleHasOneOfEverything() throws {
        let scan = try Scan.bytes(SampleLog.bytes, options: ChunkingTests.options)
        #expect(scan.summary.records == SampleLog.records)
        #expect(scan.found.count == SampleLog.verifications)
        #expect(scan.summary.malformed == SampleLog.malformed)
        #expect(scan.summary.oversized == SampleLog.oversized)
        #expect(scan.errorStreams.count == 2)
        #expect(scan.kinds == [.malformedRecord, .oversizedRecord, .malformedRecord])
        #expect(scan.labels.values.sorted() == ["add_message", "delete_user"])
    }

    @Test func piecesOfEverySize() {
        let whole = Scan.pieces([SampleLog.bytes], options: ChunkingTests.options)
        #expect(whole.found.count == SampleLog.verifications)
        for size in Tier.some(of: 1...300, every: 7) {
            #expect(
                Scan.chunks(SampleLog.bytes, of: size, options: ChunkingTests.options) == whole, "pieces of \(size)")
        }
    }

    @Test func twoPiecesCutAtEveryByte() {
        let whole = Scan.pieces([SampleLog.bytes], options: ChunkingTests.options)
        for cut in Tier.some(of: 0...SampleLog.bytes.count, every: 7) {
            let pieces = [Array(SampleLog.bytes[..<cut]), Array(SampleLog.bytes[cut...])]
            #expect(Scan.pieces(pieces, options: ChunkingTests.options) == whole, "cut at \(cut)")
        }
    }

    @Test(arguments: [false, true])
    func twoMembersCutAtEveryByte(isPipelined: Bool) throws {
        var options = ChunkingTests.options
        options.chunkBytes = 1000
        let plain = try Scan.bytes(SampleLog.bytes, options: options)
        for cut in Tier.some(of: 0...SampleLog.bytes.count, every: 7) {
            let members =
                Gzip.member(Array(SampleLog.bytes[..<cut])) + Gzip.member(Array(SampleLog.bytes[cut...]), level: 1)
            let scan = try Scan.bytes(members, options: options, isPipelined: isPipelined)
            #expect(scan.content == plain.content, "cut at \(cut)")
            #expect(scan.summary.bytesRead == members.count)
            #expect(scan.summary.bytesDecompressed == SampleLog.bytes.count)
        }
    }

    @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
    func chunksOfEverySize(isCompressed: Bool, isPipelined: Bool) throws {
        let half = ChunkingTests.long.count - 1000
        let bytes =
            isCompressed
            ? Gzip.member(Array(ChunkingTests.long[..<half]))
                + Gzip.member(Array(ChunkingTests.long[half...]), level: 0)
            : ChunkingTests.long
        let whole = try Scan.bytes(bytes, options: ChunkingTests.options)
        #expect(whole.found.count == SampleLog.verifications)
        for size in Tier.some(of: ChunkingTests.sizes, every: 7) {
            var options = ChunkingTests.options
            options.chunkBytes = size
            #expect(try Scan.bytes(bytes, options: options, isPipelined: isPipelined) == whole, "chunks of \(size)")
        }
    }

    /// A record longer than many chunks, in plain and in compressed form.
    @Test func recordLongerThanAChunk() throws {
        let text = String(repeating: #"long \u0041 日本 callable-request \\ "#, count: 20_000)
        let entry = EntryText.first().adding("x", "\"\(text)\"").text
        let bytes = Array("\(EntryText.first("before").text)\n\(entry)\n\(EntryText.first("after").text)".utf8)
        for size in [1000, 65_536, 65_537, 262_144] {
            var options = ScanOptions()
            options.chunkBytes = size
            for wrapped in [bytes, Gzip.member(bytes)] {
                let scan = try Scan.bytes(wrapped, options: options, isPipelined: true)
                #expect(scan.found.map(\.identity.name) == ["before", "addMessage", "after"])
                #expect(scan.summary.records == 3)
            }
        }
    }
}
