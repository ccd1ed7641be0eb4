import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Reading goes on behind a damaged gzip member, with the next one that can be found.
@Suite struct GzipResumptionTests {
    private static let count = 12

    /// Verifications whose `insertId` tells which part of the source they are from.
    private static func lines(_ part: String) -> [String] {
        (0..<count).map { index in
            EntryText.second("f\(part)", id: "\(part)\(index)", time: "2026-10-14T12:00:\(index + 10)Z").text
        }
    }

    private static func member(_ part: String, level: Int32 = 6) -> [UInt8] {
        Gzip.member(Array((lines(part).joined(separator: "\n") + "\n").utf8), level: level)
    }

    /// A member whose bytes are all there, but which then goes on with what cannot be.
    private static func brokenMember(_ bytes: [UInt8]) -> [UInt8] {
        let length = UInt16(bytes.count)
        let stored: [UInt8] = [0] + [length, ~length].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let blockOfNoType: UInt8 = 0x06
        return Gzip.header() + stored + bytes + [blockOfNoType]
    }

    private func scan(_ bytes: [UInt8], chunkBytes: Int = 1 << 16, isPipelined: Bool = false) throws -> Scan {
        var options = ScanOptions()
        options.chunkBytes = chunkBytes
        return try Scan.bytes(bytes, options: options, isPipelined: isPipelined)
    }

    /// How many verifications of each part were found.
    private func parts(_ scan: Scan) -> [String: Int] {
        Dictionary(grouping: scan.found, by: { $0.identity.name }).mapValues(\.count)
    }

    /// If any byte of the second of three members changes, the first is read whole, the third lacks at most its first
    /// line, and nothing is counted twice.
    @Test(arguments: [0, 1, 6] as [Int32])
    func everyByteOfTheMemberBefore(level: Int32) throws {
        let first = GzipResumptionTests.member("a")
        let second = GzipResumptionTests.member("b", level: level)
        let third = GzipResumptionTests.member("c")
        let masks: [UInt8] = level == 0 ? [0xFF] : [0x01, 0x10, 0x80, 0xFF]
        for place in Tier.some(of: second.indices, every: 7) {
            for mask in masks {
                var damaged = second
                damaged[place] ^= mask
                let scan = try self.scan(first + damaged + third)
                let parts = parts(scan)
                #expect(parts["fa"] == GzipResumptionTests.count, "byte \(place) ^ \(mask)")
                #expect((parts["fc"] ?? 0) >= GzipResumptionTests.count - 1, "byte \(place) ^ \(mask)")
                #expect((parts["fc"] ?? 0) <= GzipResumptionTests.count, "byte \(place) ^ \(mask)")
                let ids = Set(scan.found.filter { $0.identity.name == "fc" }.map(\.fingerprint))
                #expect(ids.count == parts["fc"])
            }
        }
    }

    /// A member that was cut off is inflated into the one behind it: that one is found all the same.
    @Test(arguments: [(100, false), (1 << 18, true)])
    func everyCutOfTheMemberBefore(chunkBytes: Int, isPipelined: Bool) throws {
        let second = GzipResumptionTests.member("b")
        let third = GzipResumptionTests.member("c")
        for length in Tier.some(of: 1..<second.count, every: 7) {
            let scan = try self.scan(
                GzipResumptionTests.member("a") + second.prefix(length) + third, chunkBytes: chunkBytes,
                isPipelined: isPipelined)
            let parts = parts(scan)
            #expect(parts["fa"] == GzipResumptionTests.count)
            #expect((parts["fb"] ?? 0) <= GzipResumptionTests.count)
            #expect((parts["fc"] ?? 0) >= GzipResumptionTests.count - 1, "cut at \(length)")
            #expect(scan.summary.faults.contains(.damaged))
        }
    }

    @Test func garbageBetweenMembers() throws {
        let garbage: [[UInt8]] = [
            Array("garbage\n".utf8), [0x1F], [0x1F, 0x8B], [0x1F, 0x8B, 8, 0xFF], Array(repeating: 0x1F, count: 1000),
        ]
        // What begins as a member may have held the beginning of the next line.
        let headers: [[UInt8]] = [
            Gzip.header() + [0xFF, 0xFF, 0xFF], Array(repeatElement([0x1F, 0x8B, 8, 0], count: 3000).joined()),
            Array(repeatElement(Gzip.header(flags: 8), count: 300).joined()),
        ]
        for (garbage, lost) in garbage.map({ ($0, 0) }) + headers.map({ ($0, 1) }) {
            let first = GzipResumptionTests.member("a")
            let bytes = first + garbage + GzipResumptionTests.member("b")
            let scan = try self.scan(bytes, chunkBytes: 777)
            #expect(parts(scan) == ["fa": GzipResumptionTests.count, "fb": GzipResumptionTests.count - lost])
            #expect(scan.kinds.first?.isStream == true)
            #expect(scan.summary.problems.entries.first?.byteOffset == first.count)
            #expect(scan.summary.records == 2 * GzipResumptionTests.count - lost)
        }
    }

    /// The line that was torn by a gap is not a record, and is not put together from its halves.
    @Test func linesTornOnBothSides() throws {
        let text = Array((GzipResumptionTests.lines("a").joined(separator: "\n") + "\n").utf8)
        for cut in [text.count / 3, text.count / 3 + 40, text.count / 2] {
            let first = GzipResumptionTests.brokenMember(Array(text[..<cut]))
            let scan = try self.scan(first + Gzip.member(Array(text[cut...])))
            #expect(scan.found.count == GzipResumptionTests.count - 1)
            #expect(scan.summary.records == GzipResumptionTests.count - 1)
            #expect(scan.summary.malformed == 0)
            #expect(scan.kinds == [.corruptGzip])
        }
    }

    /// In an array there are no lines to go by: reading resumes with the next record.
    @Test func arrays() throws {
        let entries = GzipResumptionTests.lines("a")
        let array = Array("[\(entries.joined(separator: ","))]".utf8)
        for cut in stride(from: 10, to: array.count - 10, by: 97) {
            let whole = Gzip.member(Array(array[..<cut])) + Gzip.member(Array(array[cut...]))
            #expect(try scan(whole).found.count == GzipResumptionTests.count)
            let first = GzipResumptionTests.brokenMember(Array(array[..<cut]))
            let scan = try self.scan(first + Gzip.member(Array(array[cut...])))
            #expect(scan.found.count >= GzipResumptionTests.count - 2, "cut at \(cut)")
            #expect(scan.found.count <= GzipResumptionTests.count)
            #expect(Set(scan.found.map(\.fingerprint)).count == scan.found.count)
            #expect(scan.summary.malformed == 0, "cut at \(cut)")
        }
    }

    /// The gap may lie in the first bytes, by which a source is recognised, or far behind them.
    @Test func gapsFarIntoTheSource() throws {
        let many = (0..<40).map { GzipResumptionTests.member("m\($0)") }
        let intact = try scan(Array(many.joined()))
        #expect(intact.found.count == 40 * GzipResumptionTests.count)
        for broken in many.indices {
            var damaged = many
            damaged[broken].removeLast(60)
            let scan = try self.scan(Array(damaged.joined()), chunkBytes: 4096)
            let lost = broken == many.count - 1 ? 1 : 2
            #expect(scan.found.count >= (40 - lost) * GzipResumptionTests.count - 1)
            #expect(parts(scan).filter { $0.value == GzipResumptionTests.count }.count >= 38)
        }
    }

    /// Members that all lead into the same damage are read again only as often as the source is long.
    @Test func membersWithinMembers() throws {
        // Each stored block holds the header of the next member, and all of them end in the same nonsense.
        var bytes: [UInt8] = [0xFF, 0xFF, 0xFF]
        for _ in 0..<6000 where bytes.count < 60_000 {
            let length = UInt16(bytes.count)
            let block: [UInt8] = [
                0, UInt8(truncatingIfNeeded: length), UInt8(length >> 8), UInt8(truncatingIfNeeded: ~length),
                UInt8(~length >> 8),
            ]
            bytes = Gzip.header() + block + bytes
        }
        let scan = try self.scan(bytes + [0xFF])
        #expect(scan.summary.faults.contains(.damaged))
        #expect(scan.summary.bytesDecompressed < 20 * bytes.count)
    }
}
