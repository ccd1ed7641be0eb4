import TestSupport
import Testing
import Verifications

@testable import LogStream

/// The problems of a source are in the order of its bytes, and the first of them are kept.
@Suite struct ProblemOrderTests {
    private static let entry = EntryText.first().text
    /// A verification that has lost its closing brace.
    private static let broken = String(entry.dropLast())

    @Test func arrayWithoutEndBehindARecord() throws {
        let colonless = ProblemOrderTests.entry.replacing(":", with: " ")
        let scan = try Scan.text("[\(ProblemOrderTests.entry),\n\(colonless),\n")
        #expect(scan.kinds == [.malformedRecord, .unterminatedArray])
    }

    @Test func pageWithoutEndBetweenRecords() throws {
        let page = #"{"entries":[\#(ProblemOrderTests.entry)"#
        let lines = [ProblemOrderTests.entry, ProblemOrderTests.broken, page, ProblemOrderTests.broken]
        let scan = try Scan.text(lines.joined(separator: "\n"))
        #expect(scan.kinds == [.incompleteRecord, .malformedRecord, .unterminatedArray, .malformedRecord])
        #expect(isAscending(scan))
    }

    /// In a line with several values, each problem is reported where its value begins.
    @Test func valuesOfOneLine() {
        let tooLong = EntryText.first(String(repeating: "n", count: 257)).text
        let page = #"{"entries":[\#(ProblemOrderTests.entry),\#(tooLong)]}"#
        let values = [page, tooLong, ProblemOrderTests.entry, tooLong]
        let line = ProblemOrderTests.entry + "\n" + values.joined(separator: " ")
        let scan = Scan.pieces([Array(line.utf8)])
        #expect(scan.found.count == 3)
        #expect(scan.summary.problems.entries.map(\.record) == [3, 4, 6])
        #expect(isAscending(scan))
        let text = ProblemOrderTests.entry + "\n" + values[0] + " "
        #expect(scan.summary.problems.entries[1].byteOffset == text.utf8.count)
    }

    /// Problems are kept by their place, regardless of their kind; logs of several sources merge likewise.
    @Test func theFirstAreKept() {
        func problem(_ number: Int) -> Problem {
            let isArray = number.isMultiple(of: 3)
            return Problem(
                source: "a", kind: isArray ? .unterminatedArray : .malformedRecord, byteOffset: number * 10,
                record: isArray ? nil : number, detail: "")
        }
        let numbers = Array(1...30)
        var whole = ProblemLog()
        for number in numbers { whole.append(problem(number)) }
        #expect(whole.entries.compactMap(\.byteOffset) == (1...20).map { $0 * 10 })

        var merged = ProblemLog()
        merged.merge(whole)
        var other = ProblemLog()
        other.append(Problem(source: "b", kind: .malformedRecord, byteOffset: 0, record: 1, detail: ""))
        other.merge(merged)
        #expect(other.entries.dropLast() == whole.entries.dropLast())
        #expect(other.dropped == 11)
    }

    private func isAscending(_ scan: Scan) -> Bool {
        let offsets = scan.summary.problems.entries.compactMap(\.byteOffset)
        return zip(offsets, offsets.dropFirst()).allSatisfy { $0 < $1 }
    }
}
