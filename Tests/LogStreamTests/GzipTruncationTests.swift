import TestSupport
import Testing
import Verifications

@testable import LogStream

/// A stream that ends too early: all that could be decoded counts, its torn last line does not, and one problem says
/// so.
@Suite struct GzipTruncationTests {
    private static let lines = (0..<12).map { index in
        index % 3 == 2
            ? EntryText.application("line \(index) 日本").text : EntryText.first("f\(index)", id: "\(index)").text
    }
    private static let plain = Array((lines.joined(separator: "\n") + "\n").utf8)

    @Test(arguments: [0, 1, 6, 9] as [Int32])
    func oneMemberCutAtEveryByte(level: Int32) throws {
        let whole = Gzip.member(GzipTruncationTests.plain, level: level)
        var last = 0
        for cut in Tier.some(of: 1..<whole.count, every: 7) {
            let stump = Array(whole[..<cut])
            let scan = try self.scan(stump)
            let expected = expectation(stump)
            #expect(scan.summary.records == expected.records, "cut at \(cut)")
            #expect(scan.found.count == expected.verifications, "cut at \(cut)")
            #expect(scan.summary.bytesDecompressed == expected.bytes, "cut at \(cut)")
            #expect(scan.summary.malformed == 0)
            #expect(scan.kinds == [.truncatedGzip], "cut at \(cut)")
            #expect(scan.summary.problems.entries.map(\.byteOffset) == [0])
            #expect(scan.summary.faults == .damaged)
            #expect(scan.summary.bytesRead == cut)
            #expect(scan.found.count >= last)
            last = scan.found.count
        }
        #expect(last == 8)
        #expect(try scan(whole).kinds == [])
    }

    @Test func secondMemberCutAtEveryByte() throws {
        let torn = GzipTruncationTests.lines.prefix(7).joined(separator: "\n").dropLast(5)
        let half = torn.utf8.count
        let first = Gzip.member(Array(GzipTruncationTests.plain[..<half]))
        let second = Gzip.member(Array(GzipTruncationTests.plain[half...]), level: 0)
        for cut in Tier.some(of: 1..<second.count, every: 7) {
            let stump = first + second[..<cut]
            let scan = try self.scan(stump)
            let expected = expectation(stump)
            #expect(scan.found.count == expected.verifications, "cut at \(cut)")
            #expect(scan.kinds == [.truncatedGzip], "cut at \(cut)")
            #expect(scan.summary.problems.entries.map(\.byteOffset) == [first.count])
        }
        let between = try scan(first)
        #expect(between.kinds == [.incompleteRecord, .malformedRecord], "an intact stream whose last line is torn")
        #expect(between.summary.faults == [])
    }

    /// Header fields can be cut as well.
    @Test func headerFieldsCutAtEveryByte() throws {
        let fields: [UInt8] = [3, 0, 1, 2, 3] + Array("name\0comment\0".utf8)
        let head = Gzip.header(flags: 4 | 8 | 16 | 2) + fields
        let sum = Gzip.checksum(head)
        let header = head + [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)]
        let body = Gzip.deflate(GzipTruncationTests.plain) + Gzip.trailer(GzipTruncationTests.plain)
        #expect(try scan(header + body).kinds == [])
        for cut in 1...header.count {
            #expect(try scan(Array(header[..<cut])).kinds == [.truncatedGzip], "cut at \(cut)")
            let second = try scan(header + body + header[..<cut])
            #expect(second.kinds == [.truncatedGzip], "cut at \(cut)")
            #expect(second.found.count == 8)
            #expect(second.summary.problems.entries.map(\.byteOffset) == [header.count + body.count])
        }
    }

    @Test(arguments: [1, 9] as [Int32])
    func zlibStreamCutAtEveryByte(level: Int32) throws {
        let whole = Gzip.zlib(GzipTruncationTests.plain, level: level)
        for cut in Tier.some(of: 2..<whole.count, every: 7) {
            let scan = try self.scan(Array(whole[..<cut]))
            #expect(scan.kinds == [.truncatedZlib], "cut at \(cut)")
            #expect(scan.summary.problems.entries.map(\.byteOffset) == [0])
        }
        #expect(try scan(whole).found.count == 8)
        #expect(try scan(whole).kinds == [])
    }

    /// A whole last record without its line feed counts, a torn one does not, nor is it malformed.
    @Test func tailOfADamagedStream() throws {
        let record = EntryText.first("tail").text
        for (text, records) in [
            (record, 1), (record + "\n", 1), (String(record.dropLast()), 0), (record + " ", 1), ("", 0),
        ] {
            let member = Gzip.member(Array(text.utf8), level: 0)
            // Only the trailer is lost.
            let scan = try self.scan(Array(member.dropLast(4)))
            #expect(scan.summary.records == records)
            #expect(scan.summary.malformed == 0)
            #expect(scan.kinds == [.truncatedGzip])
        }
    }

    private func scan(_ bytes: [UInt8]) throws -> Scan {
        var options = ScanOptions()
        options.chunkBytes = 1000
        return try Scan.bytes(bytes, options: options)
    }

    /// What can be decoded, by libz's own reader, and the lines of it that are whole.
    private func expectation(_ stump: [UInt8]) -> (bytes: Int, records: Int, verifications: Int) {
        let decoded = Gzip.decodable(stump)
        var whole = decoded.split(separator: 0x0A).map(Array.init)
        if let last = whole.last, decoded.last != 0x0A, last.last != UInt8(ascii: "}") || !JSONText.isOneValue(last) {
            whole.removeLast()
        }
        let marker = Array("callable-request-verification".utf8)
        let verifications = whole.filter { line in line.indices.contains { line[$0...].starts(with: marker) } }
        return (decoded.count, whole.count, verifications.count)
    }
}
