import Entries
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

/// Which verifications are copies of one another.
@Suite struct DuplicateTests {
    private static let entry = EntryText.second()

    private func summary(_ entries: [EntryText], configure: (inout LogAnalysis) -> Void = { _ in }) throws
        -> InputSummary
    {
        let text = entries.map(\.text).joined(separator: "\n")
        let files = try Files([text])
        let result = files.run(configure: configure)
        #expect(result.counted == result.input.verifications)
        // Spread over files it is the same.
        let spread = try Files(entries.map(\.text))
        let other = spread.run(jobs: 4, configure: configure)
        #expect(other.tally == result.tally)
        #expect(other.input.duplicates == result.input.duplicates)
        return result.input
    }

    @Test func copiesCountOnce() throws {
        let summary = try summary(Array(repeating: DuplicateTests.entry, count: 5))
        #expect(summary.records == 5)
        #expect(summary.verifications == 1)
        #expect(summary.duplicates == 4)
    }

    /// Each of project, log, instant, insertId, function, statuses and provenance makes an entry another one.
    @Test(arguments: [
        entry.with("insertId", #""id-2""#), entry.with("timestamp", #""2026-10-14T11:59:59Z""#),
        entry.with("logName", #""projects/demo/logs/run.googleapis.com%2Fstderr""#),
        EntryText.second(project: "other").with("logName", #""projects/demo/logs/run.googleapis.com%2Fstdout""#),
        EntryText.second("othername"), EntryText.second(app: "MISSING"),
        EntryText.second(auth: "MISSING"),
    ])
    func eachComponentTells(other: EntryText) throws {
        let summary = try summary([DuplicateTests.entry, other, DuplicateTests.entry, other])
        #expect(summary.verifications == 2)
        #expect(summary.duplicates == 2)
    }

    /// The shown name, the severity, labels and arrival have no say.
    @Test(arguments: [
        entry.with("receiveTimestamp", #""2026-10-14T12:30:00Z""#), entry.adding("trace", #""projects/demo/traces/1""#),
        entry.with("timestamp", #""2026-10-14T14:00:00+02:00""#), entry.with("severity", #""NOTICE""#),
    ])
    func restDoesNotTell(other: EntryText) throws {
        let summary = try summary([DuplicateTests.entry, other])
        #expect(summary.verifications == 1)
        #expect(summary.duplicates == 1)
    }

    /// Nothing tells whether equal records of one source are copies; those of two sources are, one by one.
    @Test(arguments: [
        entry.with("insertId", "null"), entry.with("insertId", #""""#), entry.with("insertId", nil),
        entry.with("timestamp", nil).with("receiveTimestamp", nil),
    ])
    func recordsThatNothingTellsApart(entry: EntryText) throws {
        func input(_ counts: Int...) throws -> InputSummary {
            try Files(counts.map { Array(repeating: entry.text, count: $0).joined(separator: "\n") }).run(jobs: 2).input
        }
        let alone = try input(3)
        #expect(alone.verifications == 3 && alone.duplicates == 0)
        let dumps = try input(3, 3, 5)
        #expect(dumps.verifications == 5 && dumps.duplicates == 6)
        let mixed = try Files([entry.text, DuplicateTests.entry.text + "\n" + entry.text]).run().input
        // Beside an entry with an `insertId` a dated one is its copy.
        let isDated = entry.text.contains("timestamp\":\"")
        #expect(mixed.verifications == (isDated ? 1 : 2) && mixed.duplicates == (isDated ? 2 : 1))
    }

    @Test func keptWhenAsked() throws {
        let summary = try summary(Array(repeating: DuplicateTests.entry, count: 3)) { $0.removesDuplicates = false }
        #expect(summary.verifications == 3)
        #expect(summary.duplicates == 0)
    }

    /// A record is classed once, duplicate before filtered.
    @Test func copiesOutsideTheRange() throws {
        let summary = try summary([
            DuplicateTests.entry, DuplicateTests.entry, EntryText.second(id: "b", time: "2026-10-15T00:00:00Z"),
        ]) {
            $0.range.since = Instant(timestamp: "2026-10-15T00:00:00Z")
        }
        #expect(summary.duplicates == 1)
        #expect(summary.filtered == 1)
        #expect(summary.verifications == 1)
    }

    @Test func malformedAndOversizedCopiesStayWhatTheyAre() throws {
        let broken = EntryText([("labels", #"{"firebase-log-type":"callable-request-verification"}"#), ("x", "\u{1}")])
        let summary = try summary([broken, broken, DuplicateTests.entry]) { $0.scan.maxRecordBytes = 10_000 }
        #expect(summary.malformed == 2)
        #expect(summary.duplicates == 0)
    }

    /// Whether a run's key is drawn or given, the counts are the same.
    @Test func anyKeyWillDo() throws {
        let files = try Files([(0..<500).map { EntryText.first(id: "\($0 % 300)").text }.joined(separator: "\n")])
        for _ in 0..<3 {
            let result = files.run()
            #expect(result.input.verifications == 300)
            #expect(result.input.duplicates == 200)
        }
    }
}
