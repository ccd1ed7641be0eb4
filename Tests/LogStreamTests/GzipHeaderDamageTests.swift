import TestSupport
import Testing
import Verifications

@testable import LogStream

/// A gzip source whose first bytes are not what they were, so that little is left that says gzip.
@Suite struct GzipHeaderDamageTests {
    private static let count = 12

    /// A log whose functions are called like its part.
    private static func text(_ part: String) -> [UInt8] {
        let lines = (0..<count).map { index in
            EntryText.second(part, id: "\(part)\(index)", time: "2026-10-14T12:00:\(index + 10)Z").text + "\n"
        }
        return Array(lines.joined().utf8)
    }

    /// The shortest header, and one with every field that RFC 1952 knows.
    private static let headers: [[UInt8]] = {
        let fields: [UInt8] = [3, 0, 1, 2, 3] + Array("log.json\0comment\0".utf8)
        let head = Gzip.header(flags: 4 | 8 | 16 | 2) + fields
        let sum = Gzip.checksum(head)
        return [
            Gzip.header(), Gzip.header(flags: 8) + Array("log.json\0".utf8),
            head + [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)],
        ]
    }()

    private static func body(_ part: String, level: Int32 = 6) -> [UInt8] {
        Gzip.deflate(text(part), level: level) + Gzip.trailer(text(part))
    }

    /// What can happen to one byte of a header, and what it was.
    private static func damages(_ header: [UInt8]) -> [(bytes: [UInt8], what: String)] {
        header.indices.flatMap { place in
            let flips: [(bytes: [UInt8], what: String)] = ([1, 2, 4, 8, 16, 32, 64, 128, 0xFF] as [UInt8]).map { mask in
                var flipped = header
                flipped[place] ^= mask
                return (flipped, "byte \(place) ^ \(mask)")
            }
            let dropped = Array(header[..<place] + header[(place + 1)...])
            let doubled = Array(header[...place] + header[place...])
            return flips + [(dropped, "byte \(place) dropped"), (doubled, "byte \(place) doubled")]
        }
    }

    private func scan(_ bytes: [UInt8], chunkBytes: Int = 1000) throws -> Scan {
        var options = ScanOptions()
        options.chunkBytes = chunkBytes
        return try Scan.bytes(bytes, options: options)
    }

    private func parts(_ scan: Scan) -> [String: Int] {
        Dictionary(grouping: scan.found, by: { $0.identity.name }).mapValues(\.count)
    }

    /// Either it changes nothing, or a problem gives its place; the members after it lose at most a line.
    @Test(arguments: [0, 6] as [Int32], [0, 1, 2])
    func everyByteFlippedDroppedDoubled(level: Int32, membersBehind: Int) throws {
        let rest = (0..<membersBehind).flatMap { Gzip.member(GzipHeaderDamageTests.text("r\($0)"), level: level) }
        for header in GzipHeaderDamageTests.headers {
            let body = GzipHeaderDamageTests.body("first", level: level)
            let intact = try scan(header + body + rest)
            #expect(intact.found.count == GzipHeaderDamageTests.count * (1 + membersBehind))
            for (damaged, what) in Tier.some(of: GzipHeaderDamageTests.damages(header), every: 7) {
                let scan = try self.scan(damaged + body + rest)
                if scan.kinds.isEmpty {
                    #expect(scan.found == intact.found, "\(what)")
                    continue
                }
                #expect(scan.kinds.first?.isStream == true, "\(what)")
                #expect(scan.summary.problems.entries.first?.byteOffset == 0, "\(what)")
                #expect(scan.summary.faults == .damaged, "\(what)")
                #expect((parts(scan)["first"] ?? 0) <= GzipHeaderDamageTests.count, "\(what)")
                for index in 0..<membersBehind {
                    let found = parts(scan)["r\(index)"] ?? 0
                    let isNext = index == 0
                    #expect(found >= GzipHeaderDamageTests.count - (isNext ? 1 : 0), "\(what): member \(index)")
                    #expect(found <= GzipHeaderDamageTests.count, "\(what): member \(index)")
                }
            }
        }
    }

    /// Without one of its first two bytes, or with another in its place, it is a damaged header, and not text.
    @Test(arguments: [0, 1])
    func theFirstTwoBytes(place: Int) throws {
        for header in GzipHeaderDamageTests.headers {
            let bytes = header + GzipHeaderDamageTests.body("first")
            for value in UInt8.min...UInt8.max where value != bytes[place] {
                var damaged = bytes
                damaged[place] = value
                let scan = try self.scan(damaged)
                #expect(scan.kinds == [.corruptGzip], "byte \(place) = \(value)")
                #expect(scan.summary.problems.entries.first?.byteOffset == 0)
                #expect(scan.summary.problems.entries.first?.detail.contains("header") == true)
                #expect(scan.summary.records == 0)
            }
        }
    }

    @Test func bothOfTheFirstTwoBytes() throws {
        let member = Gzip.member(GzipHeaderDamageTests.text("first"))
        let rest = Gzip.member(GzipHeaderDamageTests.text("rest"))
        for start: [UInt8] in [[], [0, 0], [0xFF, 0xFF], [0x20, 0x20], Array("{}".utf8), Array("\n\n".utf8)] {
            let damaged = try scan(start + member.dropFirst(2) + rest)
            #expect(damaged.kinds == [.corruptGzip], "\(start)")
            #expect(parts(damaged) == ["rest": GzipHeaderDamageTests.count - 1])
        }
    }

    /// A hole in front, as a crash leaves it, takes the header and more: the next member shows what it was.
    @Test(arguments: [10, 50, 300])
    func beginningsOfNothingButZeros(length: Int) throws {
        var damaged = Gzip.member(GzipHeaderDamageTests.text("first"))
        #expect(damaged.count > 300)
        for place in 0..<length { damaged[place] = 0 }
        let whole = damaged + Gzip.member(GzipHeaderDamageTests.text("rest"))
        for chunkBytes in [100, 1 << 18] {
            let scan = try self.scan(whole, chunkBytes: chunkBytes)
            #expect(scan.kinds == [.corruptGzip])
            #expect(scan.summary.problems.entries.first?.byteOffset == 0)
            #expect(parts(scan) == ["rest": GzipHeaderDamageTests.count - 1])
            #expect(scan.summary.bytesRead == whole.count)
        }
    }

    /// Where the bytes alone do not tell, the name does.
    @Test func theNameOfAFile() throws {
        let directory = try TemporaryDirectory()
        let bytes = Array(Gzip.member(GzipHeaderDamageTests.text("first")).dropFirst(100))
        for (name, kind) in [
            ("log.json.gz", Problem.Kind.corruptGzip), ("log.json.GZ", .corruptGzip), ("log.gz.1", .corruptGzip),
            ("log.json", .unsupportedFormat), ("gz", .unsupportedFormat),
        ] {
            let scan = Scan.file(.file(try directory.write(bytes, to: name)))
            #expect(scan.kinds == [kind], "\(name)")
            #expect(scan.summary.problems.entries.first?.byteOffset == (kind == .corruptGzip ? 0 : nil))
        }
        let plain = Scan.file(.file(try directory.write(GzipHeaderDamageTests.text("first"), to: "plain.json.gz")))
        #expect(plain.kinds == [])
        #expect(plain.found.count == GzipHeaderDamageTests.count)
    }

    /// What is no damaged gzip, although something in it is like one.
    @Test func noFalseAlarm() throws {
        let text = GzipHeaderDamageTests.text("plain")
        let member = Gzip.member(GzipHeaderDamageTests.text("member"))
        let starts: [[UInt8]] = [
            [], [8], [8, 0], [0x20, 8, 0], [0x20, 0x20, 8, 0], [8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8],
            Array("N\u{8}N\n".utf8),
            Array("\u{8}\u{7}\u{8}\u{7}\u{8}\u{7}\u{8}\u{7}\u{8}\u{7}\u{8}\u{7}\u{8}\u{7}\u{8}\u{7}\n".utf8), [0xFF],
            [0, 0, 0, 0, 0, 0, 0, 0], [UInt8](repeating: 0, count: 5000) + [0x0A], [0x1B, 0x5B, 0x30, 0x6D],
        ]
        for start in starts {
            for end in [[], member] {
                let scan = try self.scan(start + text + end)
                let tellsDamage = scan.kinds.contains { $0.isStream }
                #expect(!tellsDamage || !end.isEmpty, "\(start.prefix(20))")
                // A gzip file behind a plain log makes it no gzip, unless what is in front is no text at all.
                if start.count < 100 {
                    #expect(!tellsDamage, "\(start.prefix(20))")
                    #expect((parts(scan)["plain"] ?? 0) >= GzipHeaderDamageTests.count - 1, "\(start.prefix(20))")
                }
            }
        }
    }

    private func tarHeader(name: String) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        header.replaceSubrange(0..<name.utf8.count, with: name.utf8)
        header.replaceSubrange(148..<156, with: repeatElement(0x20, count: 8))
        header.replaceSubrange(257..<262, with: "ustar".utf8)
        let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
        header.replaceSubrange(148..<155, with: "\(String(repeating: "0", count: 6 - sum.count))\(sum)\0".utf8)
        return header
    }

    /// Archives and tables hold compressed data as well; they stay what they are.
    @Test func otherFormatsThatHoldMembers() throws {
        let member = Gzip.member(GzipHeaderDamageTests.text("member"))
        let archive = tarHeader(name: "log.json.gz") + member
        let table = Array("PAR1".utf8) + [0x15, 4, 0x15, 0, 0x15, 0, 0x4C, 0x15, 0, 0x15] + member
        for (bytes, words) in [(archive, "tar archive"), (table, "Parquet")] {
            let scan = try self.scan(bytes)
            #expect(scan.kinds == [.unsupportedFormat], "\(words)")
            #expect(scan.summary.problems.entries.first?.detail.contains(words) == true)
        }
    }

    /// Seeded nonsense of every kind of byte is never taken for gzip; nor is text.
    @Test func randomBytes() throws {
        var generator = SeededGenerator(seed: 20_261_014)
        for round in 0..<2000 {
            let range: ClosedRange<UInt8> = round % 2 == 0 ? 0...255 : 0...127
            let bytes = (0..<Int.random(in: 1...3000, using: &generator)).map { _ in
                UInt8.random(in: range, using: &generator)
            }
            guard !bytes.starts(with: [0x1F]), !ZlibHeader.isHeader(bytes[0], bytes.last ?? 0) else { continue }
            let scan = try self.scan(bytes)
            #expect(!scan.kinds.contains(.corruptGzip), "round \(round)")
        }
    }
}
