import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Records around the size limit: the exact border, what is passed over, and the record behind it.
@Suite struct OversizedTests {
    private static let limit = 700

    /// A verification of exactly `length` bytes.
    private static func record(of length: Int, id: String) -> String {
        let bare = EntryText.first(id: id).adding("pad", "\"\"").text
        return EntryText.first(id: id).adding("pad", "\"\(String(repeating: "x", count: length - bare.utf8.count))\"")
            .text
    }

    private static var options: ScanOptions {
        var options = ScanOptions()
        options.maxRecordBytes = limit
        return options
    }

    @Test(arguments: [
        ("\n", ""), ("\r\n", ""), ("\n", "\u{FEFF}"), ("\r\n", "\u{FEFF}"), ("", ""), ("\r", ""), ("", "\u{FEFF}"),
    ])
    func exactBorder(lineEnd: String, mark: String) {
        for (length, isRead) in [
            (OversizedTests.limit - 1, true), (OversizedTests.limit, true), (OversizedTests.limit + 1, false),
            (OversizedTests.limit + 2, false), (OversizedTests.limit + 3, false), (OversizedTests.limit + 5, false),
        ] {
            let bytes = Array((mark + OversizedTests.record(of: length, id: "a") + lineEnd).utf8)
            for size in [1, 2, 3, 63, 64, 65, 300, OversizedTests.limit, OversizedTests.limit + 1, bytes.count] {
                let scan = Scan.chunks(bytes, of: size, options: OversizedTests.options)
                #expect(scan.summary.records == 1, "\(length) bytes in pieces of \(size)")
                #expect(scan.summary.oversized == (isRead ? 0 : 1), "\(length) bytes in pieces of \(size)")
                #expect(scan.found.count == (isRead ? 1 : 0), "\(length) bytes in pieces of \(size)")
                #expect(scan.kinds == (isRead ? [] : [.oversizedRecord]))
            }
        }
    }

    @Test(arguments: ["\n", "\r\n"])
    func theNextRecordIsRight(lineEnd: String) {
        let before = OversizedTests.record(of: 650, id: "a")
        let middle = OversizedTests.record(of: 5000, id: "b")
        let after = OversizedTests.record(of: 690, id: "c")
        let bytes = Array([before, middle, after, middle].map { $0 + lineEnd }.joined().utf8)
        for size in Array(1...70) + [300, 699, 700, 701, 5000, bytes.count] {
            let scan = Scan.chunks(bytes, of: size, options: OversizedTests.options)
            #expect(scan.summary.records == 4)
            #expect(scan.summary.oversized == 2)
            #expect(scan.found.count == 2)
            #expect(scan.summary.problems.entries.map(\.record) == [2, 4])
            let first = before.utf8.count + lineEnd.utf8.count
            let second = bytes.count - middle.utf8.count - lineEnd.utf8.count
            #expect(scan.summary.problems.entries.map(\.byteOffset) == [first, second])
        }
    }

    /// A blank line is not a record, however long it is.
    @Test func blankLinesHaveNoLimit() {
        for (blank, head) in [(" ", ""), ("\t", ""), ("\r", ""), (" ", "\u{FEFF}")] {
            let line = head + String(repeating: blank, count: 5000)
            let bytes = Array("\(line)\n\(EntryText.first().text)\n\(line.dropFirst(head.count))".utf8)
            for size in [1, 2, 3, 64, 700, 3000, bytes.count] {
                let scan = Scan.chunks(bytes, of: size, options: OversizedTests.options)
                #expect(scan.summary.records == 1, "pieces of \(size)")
                #expect(scan.summary.oversized == 0, "pieces of \(size)")
                #expect(scan.found.count == 1)
            }
        }
    }

    /// White space counts towards the length of a line that holds something else.
    @Test func paddedRecordIsMeasuredWithItsPadding() {
        for padded in [
            String(repeating: " ", count: 5000) + "77", "77" + String(repeating: " ", count: 5000),
            String(repeating: " ", count: 699) + "77",
        ] {
            for size in [1, 64, 699, 700, 701, 702, 703, 704, 705, 706, 6000] {
                let scan = Scan.chunks(Array("\(padded)\n7\n".utf8), of: size, options: OversizedTests.options)
                #expect(scan.summary.oversized == 1, "pieces of \(size)")
                #expect(scan.summary.records == 2)
            }
        }
    }

    /// The end of a damaged stream is not a record, even if it is already too long for one.
    @Test func oversizedTailOfADamagedStreamIsNoRecord() {
        let bytes = Array((EntryText.first().text + "\n" + OversizedTests.record(of: 5000, id: "b")).utf8)
        for size in [1, 64, 700, bytes.count] {
            let scan = Scan.chunks(bytes, of: size, options: OversizedTests.options, isDamaged: true)
            #expect(scan.summary.records == 1)
            #expect(scan.summary.oversized == 0)
        }
    }

    @Test func malformedOversizedRecordIsOversized() {
        let bytes = Array((OversizedTests.record(of: 5000, id: "b").dropLast() + "\n").utf8)
        for size in [1, 64, 700, bytes.count] {
            let scan = Scan.chunks(bytes, of: size, options: OversizedTests.options)
            #expect(scan.summary.oversized == 1)
            #expect(scan.summary.malformed == 0)
        }
    }
}
