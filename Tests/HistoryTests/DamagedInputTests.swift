import Analysis
import History
import Readiness
import TestSupport
import Testing
import Verifications

/// A damaged export gives what was readable; an intact copy repairs it.
@Suite struct DamagedInputTests {
    private func entries(_ range: Range<Int>) -> String {
        range.map { EntryText.first("f\($0 % 3)", id: "\($0)", time: time($0)).text + "\n" }.joined()
    }

    private func time(_ number: Int) -> String {
        Instant(seconds: 1_791_000_000 + Int64(number) * 600).description
    }

    /// A member with a wrong checksum, in which entries that nobody wrote replace others.
    private func falsified(_ text: String) -> [UInt8] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let other = lines.enumerated().map { index, line in
            let falsified = line.replacing("\"insertId\":\"2", with: "\"insertId\":\"9").replacing("f2", with: "g2")
            return String(index < 200 ? line : falsified)
        }
        return Gzip.header() + Gzip.deflate(Array(other.joined(separator: "\n").utf8)) + Gzip.trailer(Array(text.utf8))
    }

    @Test func whatIsCutOffIsTrueAsFarAsItGoes() throws {
        let nights = try Nights()
        let text = entries(0..<300)
        let whole = Gzip.member(Array(text.utf8))
        let half = try nights.ingest(bytes: Array(whole.prefix(whole.count / 2)), as: "a.json.gz")
        #expect(half.summary.faults == .damaged)
        #expect(half.summary.verifications > 50)
        let rest = try nights.ingest(bytes: whole, as: "a.json.gz")
        #expect(rest.summary.duplicates == half.summary.verifications)
        #expect(rest.replaced == 1)
        expectEqual(try nights.load().tally, try nights.analysis([text]).tally)
    }

    @Test(arguments: [false, true])
    func falsifiedEntriesGoWhenAnIntactCopyComes(isOverlapFirst: Bool) throws {
        let nights = try Nights()
        let text = entries(0..<300)
        let overlap = entries(200..<400)
        let whole = Gzip.member(Array(text.utf8))
        let damaged = falsified(text)
        let first = try nights.ingest(bytes: damaged, as: "a.json.gz")
        #expect(first.summary.faults == .damaged)
        #expect(first.summary.verifications == 300)
        let names = try nights.load().tally.functions.keys.map(\.name).sorted()
        #expect(names == ["f0", "f1", "f2", "g2"])
        if isOverlapFirst { try nights.ingest(overlap, as: "b.json") }
        let repair = try nights.ingest(bytes: whole, as: "another name.json.gz")
        #expect(repair.replaced == 1)
        if !isOverlapFirst { try nights.ingest(overlap, as: "b.json") }
        let stored = try nights.load()
        expectEqual(stored.tally, try nights.analysis([text, overlap]).tally)
        #expect(stored.input.verifications == 400)
        #expect(stored.input.problems.isEmpty)
        // The damaged file once more adds nothing, not even what it falsifies.
        let again = try nights.ingest(bytes: damaged, as: "a.json.gz")
        #expect(again.original == repair.number)
        #expect(again.summary.verifications == 0)
        expectEqual(try nights.load().tally, try nights.analysis([text, overlap]).tally)
    }

    @Test func anotherFileTakesNothingAway() throws {
        let nights = try Nights()
        let text = entries(0..<300)
        let damaged = falsified(text)
        try nights.ingest(bytes: damaged, as: "a.json.gz")
        #expect(try nights.ingest(bytes: damaged, as: "again.json.gz").summary.verifications == 0)
        let other = Gzip.member(Array(entries(1000..<1050).utf8))
        let outcome = try nights.ingest(bytes: other, as: "b.json.gz")
        #expect(outcome.replaced == nil)
        #expect(outcome.summary.verifications == 50)
        #expect(try nights.load().input.verifications == 350)
    }

    @Test func problemsAreKeptWithTheirInput() throws {
        let nights = try Nights()
        let whole = Gzip.member(Array(entries(0..<300).utf8))
        try nights.ingest(bytes: Array(whole.dropLast(20)), as: "a.json.gz")
        let stored = try nights.load().input
        #expect(stored.problems.entries.map(\.kind) == [.truncatedGzip])
        #expect(stored.faults == [])
        #expect(stored.sources == 1)
        #expect(try nights.store(.reading).contents().inputs.first?.summary.faults == .damaged)
    }
}
