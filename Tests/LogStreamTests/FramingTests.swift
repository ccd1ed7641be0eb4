import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Where a record starts and ends.
@Suite struct FramingTests {
    private static let valid = EntryText.first("ok").text
    private static let missing = EntryText.first("ok", app: "MISSING", id: "id-2").text

    @Test(arguments: [
        ("\(valid)\n\(missing)\n", 2), ("\(valid)\n\(missing)", 2), ("\(valid)\r\n\(missing)\r\n", 2),
        ("\(valid)\r\n\(missing)\r", 2), ("\n\n\(valid)\n\n \t\r\n\(missing)\n\n\r\n", 2),
        ("\u{FEFF}\(valid)\n\(missing)", 2),
        ("\u{FEFF}\r\n\(valid)\r\n\(missing)", 2), ("  \(valid)  \n\t\(missing)\t", 2), ("\(valid)\(missing)\n", 2),
        ("\(valid) \(missing)\n7\n", 3), ("1 2\(valid)3\(missing)4\n", 6),
        // An empty object is a page without entries, no record.
        ("{}{}\(valid){}\(missing){}\n", 2), ("{}\n\(valid)\n{ }\n1\n\(missing)\nnull", 4),
        ("{\"nextPageToken\":\"a\"}\n\(valid)\n{\"entries\":[\(missing)],\"nextPageToken\":\"b\"}\n", 2),
    ])
    func linesAndValues(text: String, records: Int) throws {
        let bytes = Array(text.utf8)
        for size in [1, 2, 3, 7, 64, bytes.count] {
            let scan = Scan.chunks(bytes, of: size)
            #expect(scan.summary.records == records)
            #expect(scan.found.map(\.app) == [.valid, .missing])
            #expect(scan.summary.problems.isEmpty)
        }
    }

    @Test(arguments: ["\n", "\r\n", "\u{FEFF}", "\u{FEFF}\n", " \n\t\n\r\n", "\n\n\n "])
    func nothingButBlankLines(text: String) throws {
        for size in 1...4 { #expect(Scan.chunks(Array(text.utf8), of: size).summary.records == 0) }
        let scan = try Scan.text(text)
        #expect(scan.summary.records == 0)
        #expect(scan.kinds == [])
    }

    /// Files that begin with a byte order mark were joined.
    @Test func marksInTheMiddle() {
        let scan = Scan.pieces([Array("\(FramingTests.valid)\n\u{FEFF}\(FramingTests.missing)\n".utf8)])
        #expect(scan.found.map(\.app) == [.valid, .missing])
        #expect(scan.summary.malformed == 0)
        #expect(scan.summary.records == 2)
    }

    /// A line on which one of several values is broken counts as one malformed record, and nothing of it is tallied.
    @Test(arguments: [
        "\(valid)x", "x\(valid)", "\(valid)\(missing.dropLast())", "\(valid),\(missing)", "\(valid)]", "{}\(valid){",
        "\(valid)\u{0}", "\(valid)\u{B}",
    ])
    func brokenLineIsMalformedAsAWhole(line: String) {
        let scan = Scan.pieces([Array("\(line)\n\(FramingTests.missing)\n".utf8)])
        #expect(scan.found.map(\.app) == [.missing])
        #expect(scan.summary.malformed == 1)
        #expect(scan.summary.records == 2)
        #expect(scan.summary.problems.entries.map(\.record) == [1])
        #expect(scan.summary.problems.entries.map(\.byteOffset) == [0])
    }

    /// Problems say where their record starts in the plain bytes, and its number, however the bytes were cut.
    @Test func problemsArePlacedAlike() {
        let head = "\u{FEFF}7\r\n\n\(FramingTests.valid)\n"
        let bytes = Array((head + FramingTests.missing.dropLast() + "\n{}\n").utf8)
        for size in 1...100 {
            let problems = Scan.chunks(bytes, of: size).summary.problems.entries
            #expect(problems.map(\.byteOffset) == [head.utf8.count])
            #expect(problems.map(\.record) == [3])
            #expect(problems.map(\.kind) == [.malformedRecord])
        }
    }

    /// The last line of an intact stream is a record, whole or not; the tail of a damaged one only when it is whole.
    @Test(arguments: [
        ("", false, 2, 0, 2), ("", true, 2, 0, 2), ("x", false, 2, 1, 1), ("x", true, 1, 0, 1),
    ])
    func lastLine(end: String, isDamaged: Bool, records: Int, malformed: Int, verifications: Int) {
        let bytes = Array("\(FramingTests.valid)\n\(FramingTests.missing)\(end)".utf8)
        for size in [1, 5, 64, bytes.count] {
            let scan = Scan.chunks(bytes, of: size, isDamaged: isDamaged)
            #expect(scan.summary.records == records)
            #expect(scan.summary.malformed == malformed)
            #expect(scan.found.count == verifications)
        }
    }

    @Test func cutLastLineWithoutTheMarkerIsARecordOfNoInterest() {
        let cut = EntryText.application("text").text.dropLast(5)
        let scan = Scan.pieces([Array("\(FramingTests.valid)\n\(cut)".utf8)])
        #expect(scan.summary.records == 2)
        #expect(scan.summary.malformed == 0)
        let damaged = Scan.pieces([Array("\(FramingTests.valid)\n\(cut)".utf8)], isDamaged: true)
        #expect(damaged.summary.records == 1)
    }

    @Test func strictParsesAll() {
        var strict = ScanOptions()
        strict.isStrict = true
        let bytes = Array("77\n{\"a\":01}\n\(FramingTests.valid)\nplain text\n".utf8)
        let lenient = Scan.pieces([bytes])
        #expect(lenient.summary.malformed == 0)
        #expect(lenient.summary.records == 4)
        let scan = Scan.pieces([bytes], options: strict)
        #expect(scan.summary.malformed == 2)
        #expect(scan.summary.records == 4)
        #expect(scan.summary.problems.entries.map(\.record) == [2, 4])
        #expect(scan.found.count == 1)
    }
}
