import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Limits from both sides, absurd ones among them.
@Suite struct LimitTests {
    /// Depth 512 is accepted, 513 is not, the entry's own braces counted.
    @Test(arguments: ["x", "labels2", "timestamp", "insertId", "severity"])
    func depthOfAVerification(key: String) {
        func entry(_ depth: Int) -> EntryText {
            let nested = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
            return EntryText.first().with(key, nested)
        }
        #expect(Extraction(entry(512)).identity != nil)
        #expect(Extraction(entry(513)) == .malformed)
        #expect(Extraction(entry(100_000)) == .malformed)
    }

    @Test func noLimitToSpeakOf() throws {
        var options = ScanOptions()
        options.maxRecordBytes = Int.max
        options.maxFunctions = Int.max
        let lines = (0..<200).map { EntryText.first("f\($0)", id: "\($0)", project: "p\($0)").text }
        let text = lines.joined(separator: "\n")
        for size in [100, 1 << 20] {
            #expect(Scan.chunks(Array(text.utf8), of: size, options: options).found.count == 200)
        }
        #expect(try Scan.text(text, options: options).found.count == 200)
    }

    @Test(arguments: [0, 1, 2])
    func hardlyAnything(limit: Int) throws {
        var options = ScanOptions()
        options.maxRecordBytes = limit
        options.maxFunctions = limit
        for size in [1, 2, 3, 64] {
            let scan = Scan.chunks(Array("44\n1\n\n22\n333\n".utf8), of: size, options: options)
            #expect(scan.summary.records == 4)
            #expect(scan.summary.oversized == [4, 3, 1][limit])
        }
    }

    /// A line without end is passed over; the record behind it is right.
    ///
    /// Its memory is measured in a separate process: `long-line` in Tests/HugeInputs.
    @Test func endlessLine() throws {
        let piece = Gzip.member([UInt8](repeating: UInt8(ascii: "v"), count: 1 << 20))
        let end = Gzip.member(Array("\n\(EntryText.first().text)\n".utf8))
        let bytes = Gzip.member(Array("{".utf8)) + Array(repeatElement(piece, count: 400).joined()) + end
        var options = ScanOptions()
        options.maxRecordBytes = 1 << 20
        let scan = try Scan.bytes(bytes, options: options)
        #expect(scan.summary.oversized == 1)
        #expect(scan.summary.records == 2)
        #expect(scan.found.count == 1)
        #expect(scan.summary.bytesDecompressed > 400 << 20)
    }
}
