import Analysis
import History
import Readiness
import TestSupport
import Testing
import Verifications

/// A store tells names apart as one pass does: by their bytes, not by what Unicode calls equivalent.
@Suite struct SpellingTests {
    private static let spellings = ["caf\u{E9}", "cafe\u{301}"]

    private static let lines = spellings.flatMap { project in
        spellings.map { EntryText.second("s-\($0)", id: $0, project: project, label: $0).text }
    }

    @Test(arguments: [lines, lines.reversed()])
    func nights(lines: [String]) throws {
        let nights = try Nights()
        for (number, line) in lines.enumerated() { try nights.ingest(line, as: "\(number).json") }
        let tally = try nights.load().tally
        #expect(tally.functions.count == 4)
        #expect(Set(tally.functions.keys.map { ExactName($0.project) }).count == 2)
        expectEqual(tally, try nights.analysis(lines).tally)
    }

    /// One service, two labels, of which the smaller by bytes stays.
    @Test(arguments: [spellings, spellings.reversed()])
    func labels(spellings: [String]) throws {
        let nights = try Nights()
        for label in spellings { try nights.ingest(EntryText.second(id: label, label: label).text, as: "log.json") }
        let label = try #require(try nights.load().tally.functions.values.first?.label)
        #expect(Array(label.text.utf8) == Array("cafe\u{301}".utf8))
    }
}
