import Analysis
import History
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

/// Inputs are known by what they hold, not by what they are called.
@Suite struct InputListTests {
    private let verification = EntryText.first().text
    private let silent = EntryText.application("hello").text

    private func names(_ nights: Nights) throws -> [String] {
        try nights.store(.reading).contents().inputs.map { String($0.name.split(separator: "/").last ?? "") }
    }

    @Test func aFileUnderAnotherNameIsNoOther() throws {
        let nights = try Nights()
        for text in [verification, silent, "", verification + "\n{\"broken"] {
            let number = try nights.ingest(text, as: "first").number
            for name in ["second", "folder/first", "folder/../first", "first"] {
                let again = try nights.ingest(text, as: name)
                #expect(again.isKnown)
                #expect(again.number == number)
            }
            let packed = try nights.ingest(text, as: "first.gz", isCompressed: true)
            #expect(packed.isKnown)
        }
    }

    @Test func otherFilesOfTheSameLengthAreOthers() throws {
        let nights = try Nights()
        for number in 1...3 { try nights.ingest(EntryText.application("hello \(number)").text, as: "\(number).json") }
        #expect(try names(nights) == ["1.json", "2.json", "3.json"])
        #expect(try nights.load().input.records == 3)
    }

    @Test func whatCallcheckHasWrittenIsNoInput() throws {
        let nights = try Nights()
        try nights.ingest(verification, as: "a.json")
        try nights.ingest("{\n  \"schema\": \"callcheck.summary/4\",\n  \"functions\": []\n}\n", as: "report.json")
        let store = try nights.store()
        _ = try Nights.ingest(try nights.input([], "empty"), into: store)
        _ = try Nights.ingest(.file(nights.path), into: store)
        #expect(try names(nights) == ["a.json", "empty"])
    }

    @Test func knownFilesLeaveTheStoreAsItIs() throws {
        let nights = try Nights()
        try nights.ingest(verification, as: "a.json")
        let revision = try revision(of: nights)
        try nights.ingest(verification, as: "b.json")
        #expect(try self.revision(of: nights) == revision)
    }

    private func revision(of nights: Nights) throws -> Int {
        try nights.store(.reading).contents().revision
    }

    @Test func prunedDaysTakeTheirInputsWithThem() throws {
        let nights = try Nights()
        func entry(_ day: Int) -> String { EntryText.first(id: "\(day)", time: "2026-10-\(day)T12:00:00Z").text }
        let whole = Gzip.member(Array([entry(20), entry(21)].joined(separator: "\n").utf8))
        try nights.ingest(bytes: Array(whole.dropLast(12)), as: "cut.gz")
        try nights.ingest(bytes: whole, as: "whole.gz")
        try nights.ingest(entry(22), as: "later.json")
        try nights.ingest([entry(19), entry(24)].joined(separator: "\n"), as: "both.json")
        try nights.ingest(silent, as: "silent.json")
        let day = try #require(Day(iso8601: "2026-10-22"))
        #expect(try nights.store(.rehearsing).prune(before: day, isDryRun: true).inputs == 2)
        #expect(try names(nights).count == 5)
        #expect(try nights.store(.upkeep).prune(before: day, isDryRun: false).inputs == 2)
        #expect(try names(nights) == ["later.json", "both.json", "silent.json"])
        let input = try nights.load().input
        #expect(input.verifications == 2)
        #expect(input.filtered >= 0 && input.duplicates >= 0)
    }

    /// For a rule that asks whether records that nobody could read may tip the balance.
    @Test func uncountedRecordsAreToldByInput() throws {
        let nights = try Nights()
        let broken = EntryText.first(id: "broken").text.dropLast()
        let night = EntryText.first(id: "a", time: "2026-10-14T12:00:00Z").text
        try nights.ingest("\(night)\n\(broken)\n\(broken)\n", as: "1.json")
        try nights.ingest("\(broken)\n\(broken) \n", as: "2.json")
        try nights.ingest("{\"event\":\(night)}\n", as: "3.json")
        let newest = Instant(seconds: 1_791_979_200)
        func records(_ parts: [(Int, newest: Instant?)]) -> UnreadRecords {
            parts.reduce(into: UnreadRecords()) { $0.add($1.0, newest: $1.newest) }
        }
        // The second file's last record is open: it may still be written.
        #expect(try nights.load().input.unread == records([(2, newest), (1, nil), (1, nil)]))
    }

    /// A folder of many files that hold no verification, given again every night.
    @Test(.timeLimit(.minutes(1)))
    func hundredsOfSilentFiles() throws {
        let nights = try Nights()
        let store = try nights.store()
        let inputs = try (0..<500).map { number in
            try nights.input(Array(EntryText.application("\(number)").text.utf8), "\(number).json")
        }
        for isKnown in [false, true] {
            for input in inputs { #expect(try Nights.ingest(input, into: store).isKnown == isKnown) }
        }
        #expect(try nights.store(.reading).contents().inputs.count == 500)
    }
}
