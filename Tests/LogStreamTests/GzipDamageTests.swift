import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Bytes of a compressed stream that are not what they were.
@Suite struct GzipDamageTests {
    private static let lines = (0..<9).map { index in
        index % 2 == 1
            ? EntryText.application("callable-request of app \(index)").text
            : EntryText.second("f\(index)", id: "\(index)", time: "2026-10-14T12:00:0\(index)Z").text
    }
    private static let plain = Array((lines.joined(separator: "\n") + "\n").utf8)
    private static let truth = 5

    /// A header with a checksum that covers all of it, so that every flip is detected.
    private static let checkedHeader: [UInt8] = {
        let head = Gzip.header(flags: 2)
        let sum = Gzip.checksum(head)
        return head + [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)]
    }()

    private static func checkedMember(_ bytes: [UInt8], level: Int32) -> [UInt8] {
        checkedHeader + Gzip.deflate(bytes, level: level) + Gzip.trailer(bytes)
    }

    @Test(arguments: [0, 1, 9] as [Int32])
    func everyBitFlipped(level: Int32) throws {
        let whole = GzipDamageTests.checkedMember(GzipDamageTests.plain, level: level)
        let intact = try scan(whole)
        #expect(intact.found.count == GzipDamageTests.truth)
        // A stored block shows every bit as it is: a few of each byte will do.
        let masks: [UInt8] = level == 0 ? [0x01, 0x20, 0xFF] : [1, 2, 4, 8, 16, 32, 64, 128, 0xFF]
        for place in Tier.some(of: whole.indices, every: 7) {
            for mask in masks {
                var damaged = whole
                damaged[place] ^= mask
                let scan = try self.scan(damaged)
                if level == 0 { #expect(scan.found.count <= GzipDamageTests.truth, "byte \(place) ^ \(mask)") }
                // Some bits of a stored block's header and of the last byte mean nothing.
                #expect(!scan.kinds.isEmpty || scan == intact, "byte \(place) ^ \(mask)")
                // Without its first two bytes it is no gzip, and perhaps text.
                if place >= 2, scan != intact {
                    #expect(scan.summary.faults.contains(.damaged), "byte \(place) ^ \(mask)")
                }
                #expect(scan.summary.records >= scan.found.count + scan.summary.malformed)
                #expect(scan.kinds.filter(\.isStream).count <= 1)
            }
        }
    }

    /// The damage bound: a flipped bit loses verifications, or leaves them as they are, and makes none.
    @Test func everyByteOfARealisticLogFlipped() throws {
        let file = GzipFixtureTests.folder.appending(path: "entropy.json.gz")
        let whole = try Array(Data(contentsOf: file))
        #expect(try scan(whole).found.count == 4)
        for place in Tier.some(of: whole.indices, every: 7) {
            for mask: UInt8 in [0x01, 0x04, 0x10, 0x80, 0xFF] {
                var damaged = whole
                damaged[place] ^= mask
                let scan = try self.scan(damaged)
                #expect(scan.found.count <= 4, "byte \(place) ^ \(mask)")
                #expect(!scan.kinds.isEmpty, "byte \(place) ^ \(mask)")
            }
        }
    }

    /// What comes before the damaged member is not touched, and the problem names the member's first byte.
    @Test func everyByteOfTheSecondMemberFlipped() throws {
        let first = GzipDamageTests.checkedMember(GzipDamageTests.plain, level: 6)
        let second = GzipDamageTests.checkedMember(GzipDamageTests.plain, level: 6)
        let intact = try scan(first + second)
        for place in Tier.some(of: second.indices, every: 7) {
            for mask: UInt8 in [0x01, 0x80, 0xFF] {
                var damaged = second
                damaged[place] ^= mask
                let scan = try self.scan(first + damaged)
                #expect(scan.found.prefix(5).map(\.app) == Array(repeating: .valid, count: 5))
                guard scan != intact else { continue }
                #expect(scan.summary.problems.entries.first?.kind.isStream == true, "byte \(place) ^ \(mask)")
                #expect(scan.summary.problems.entries.first?.byteOffset == first.count, "byte \(place) ^ \(mask)")
            }
        }
    }

    /// A line that lost its end to a broken second member is not a record, regardless of what is wrong with that
    /// member.
    @Test(arguments: [0, 1, 2, 3, 10, 14])
    func lineTornByTheNextMember(place: Int) throws {
        let cut = GzipDamageTests.plain.count - 20
        let first = GzipDamageTests.checkedMember(Array(GzipDamageTests.plain[..<cut]), level: 6)
        var second = GzipDamageTests.checkedMember(Array(GzipDamageTests.plain[cut...]), level: 6)
        second[place] = place == 3 ? 0x80 : 0xFF
        let scan = try self.scan(first + second)
        let areBytesLost = place != 10
        #expect(scan.summary.records == (areBytesLost ? 8 : 9))
        #expect(scan.summary.malformed == 0)
        #expect(scan.found.count == (areBytesLost ? 4 : 5))
    }

    @Test func wrongCheckSumCountsAllTheSame() throws {
        var member = Gzip.member(GzipDamageTests.plain)
        member[member.count - 8] ^= 1
        try expect([.checksumMismatchGzip], in: member)
    }

    @Test func wrongLengthCountsAllTheSame() throws {
        var member = Gzip.member(GzipDamageTests.plain)
        member[member.count - 1] ^= 1
        try expect([.lengthMismatchGzip], in: member)
    }

    /// A wrong length takes no bytes away: the input ends where it did.
    @Test func wrongLengthHidesNoEnd() throws {
        var member = Gzip.member(Array("[\(EntryText.first().text),".utf8))
        member[member.count - 1] ^= 1
        let scan = try Scan.bytes(member)
        #expect(scan.found.count == 1)
        #expect(scan.kinds == [.lengthMismatchGzip, .unterminatedArray])
    }

    @Test func wrongHeaderCheckSumCountsAllTheSame() throws {
        var member = GzipDamageTests.checkedMember(GzipDamageTests.plain, level: 6)
        member[10] ^= 1
        try expect([.checksumMismatchGzip], in: member)
    }

    @Test func wrongZlibCheckSumCountsAllTheSame() throws {
        var stream = Gzip.zlib(GzipDamageTests.plain)
        stream[stream.count - 1] ^= 1
        try expect([.checksumMismatchZlib], in: stream)
    }

    @Test(
        arguments: [
            Array("garbage".utf8), Array("{}\n".utf8), [0x1F], [0x1F, 0x8C], [0x50, 0x4B, 3, 4], [0x78, 0x9C], [1],
            Gzip.header(method: 7), Gzip.header(flags: 0x20) + [3, 0] + [UInt8](repeating: 0, count: 8),
        ] as [[UInt8]])
    func trailingGarbage(garbage: [UInt8]) throws {
        let isCut = garbage == [0x1F]
        for padding in [0, 3] {
            let member = Gzip.member(GzipDamageTests.plain) + [UInt8](repeating: 0, count: padding)
            try expect([isCut ? .truncatedGzip : .trailingGarbageGzip], in: member + garbage, offset: member.count)
        }
        let stream = Gzip.zlib(GzipDamageTests.plain)
        try expect([.trailingGarbageZlib], in: stream + garbage, offset: stream.count)
    }

    @Test func anotherStreamBehindAZlibStreamIsGarbage() throws {
        let stream = Gzip.zlib(GzipDamageTests.plain)
        try expect([.trailingGarbageZlib], in: stream + stream, offset: stream.count)
        try expect([.trailingGarbageZlib], in: stream + Gzip.member(GzipDamageTests.plain), offset: stream.count)
        try expect([], in: stream + [0, 0, 0])
    }

    @Test(arguments: [
        Gzip.header(flags: 0x20), Gzip.header(flags: 0x40), Gzip.header(flags: 0x80), Gzip.header(method: 0),
    ])
    func headersThatAreNotAllowed(header: [UInt8]) throws {
        let scan = try self.scan(header + Gzip.member(GzipDamageTests.plain).dropFirst(10))
        #expect(scan.kinds == [.corruptGzip])
        #expect(scan.summary.problems.entries.map(\.byteOffset) == [0])
        #expect(scan.summary.records == 0)
        #expect(scan.summary.faults == .damaged)
    }

    /// Which problem is the first one does not depend on how the bytes are cut into chunks.
    @Test func theFirstOfSeveralProblemsIsKept() throws {
        var first = GzipDamageTests.checkedMember(GzipDamageTests.plain, level: 6)
        first[10] ^= 1
        var second = Gzip.member(GzipDamageTests.plain)
        second[second.count - 8] ^= 1
        let third = Gzip.member(GzipDamageTests.plain)
        for order in [[first, second, third], [second, first, third], [third, second, first]] {
            let bytes = Array(order.joined()) + Array("garbage".utf8)
            let expected = order[0] == third ? third.count : 0
            for (chunkBytes, isPipelined) in [(100, false), (1000, true), (1 << 18, false), (1 << 18, true)] {
                var options = ScanOptions()
                options.chunkBytes = chunkBytes
                let scan = try Scan.bytes(bytes, options: options, isPipelined: isPipelined)
                #expect(scan.kinds == [.checksumMismatchGzip, .more])
                #expect(scan.summary.problems.entries.map(\.byteOffset) == [expected, nil])
                #expect(scan.summary.problems.dropped == 2)
                #expect(scan.found.count == 3 * GzipDamageTests.truth)
            }
        }
    }

    private func scan(_ bytes: [UInt8]) throws -> Scan {
        var options = ScanOptions()
        options.chunkBytes = 1000
        return try Scan.bytes(bytes, options: options)
    }

    /// All is counted, and the problems are these.
    private func expect(
        _ kinds: [Problem.Kind], in bytes: [UInt8], offset: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let scan = try self.scan(bytes)
        #expect(scan.kinds == kinds, sourceLocation: sourceLocation)
        #expect(scan.summary.problems.entries.allSatisfy { $0.byteOffset == offset }, sourceLocation: sourceLocation)
        #expect(scan.found.count == GzipDamageTests.truth, sourceLocation: sourceLocation)
        #expect(scan.summary.records == GzipDamageTests.lines.count, sourceLocation: sourceLocation)
        #expect(scan.summary.faults == (kinds.isEmpty ? [] : .damaged), sourceLocation: sourceLocation)
    }
}
