import Analysis
import Entries
import Foundation
import History
import LogStream
import Platform
import Readiness
import TestSupport
import Testing
import Verifications

/// Everything written can be read back: names, times and counts up to the system's own limits.
@Suite struct WrittenLimitsTests {
    /// A file at the longest path that can be opened, of components of this byte.
    private func write(_ text: [UInt8], _ number: UInt8, deepUnder byte: UInt8, in directory: TemporaryDirectory) throws
        -> LogInput
    {
        var path = Array(directory.url.path.utf8)
        while path.count < 4093 {
            path += [UInt8(ascii: "/")] + Array(repeating: byte, count: min(250, 4093 - path.count))
            if path.count < 4093 { _ = unsafe mkdir(path.map { CChar(bitPattern: $0) } + [0], 0o700) }
        }
        path.append(UInt8(ascii: "0") + number)
        let descriptor = unsafe open(path.map { CChar(bitPattern: $0) } + [0], O_WRONLY | O_CREAT, 0o600)
        try #require(descriptor >= 0)
        #expect(unsafe Foundation.write(descriptor, text, text.count) == text.count)
        close(descriptor)
        return LogInput.expand([SystemPath.argument(path)])[0]
    }

    /// What the store and a snapshot say of inputs is what a run over the inputs says.
    private func expectEqual(_ inputs: [LogInput], in nights: Nights, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        let whole = LogAnalysis(inputs: inputs, horizon: laterThanAll).run()
        let written = LogAnalysis(inputs: inputs, horizon: laterThanAll).snapshot().bytes
        let snapshot = try nights.input(written, "snapshot.ccs")
        let read = LogAnalysis(inputs: [snapshot], horizon: laterThanAll).run()
        #expect(read.tally == whole.tally, sourceLocation: sourceLocation)
        #expect(read.input.problems == whole.input.problems, sourceLocation: sourceLocation)
        #expect(read.input.faults == whole.input.faults, sourceLocation: sourceLocation)
        let store = try nights.store()
        for input in inputs { _ = try Nights.ingest(input, into: store) }
        try store.finishRun(retentionDays: nil, at: now)
        let stored = try nights.load()
        #expect(stored.tally == whole.tally, sourceLocation: sourceLocation)
        let kept = LogAnalysis(inputs: [try nights.input(nights.snapshot(), "kept.ccs")], horizon: laterThanAll).run()
        #expect(kept.tally == whole.tally && !kept.input.faults.contains(.unsupported), sourceLocation: sourceLocation)
    }

    /// Each is named in its problems, and in the advice that they give.
    @Test(arguments: [UInt8(ascii: "d"), 0xFF, UInt8(ascii: "\n"), UInt8(ascii: "\u{1B}")])
    func pathsOfAnyBytes(byte: UInt8) throws {
        let nights = try Nights()
        // Gzip in gzip, whose advice names the file; then what is damaged; then what is sound.
        let log = Array((EntryText.first().text + "\n").utf8)
        let texts = [Gzip.member(Gzip.member(log)), Array(Gzip.member(log + log).dropLast(3)), log]
        let inputs = try texts.enumerated().map { number, text in
            try write(text, UInt8(number), deepUnder: byte, in: nights.directory)
        }
        try expectEqual(inputs, in: nights)
    }

    /// A path may be longer than any that can be opened.
    @Test func pathsThatCannotBeOpened() throws {
        let nights = try Nights()
        let name = "/" + String(repeating: "é", count: 50_000) + "/log.json"
        let written = LogAnalysis(inputs: [.file(name)], horizon: laterThanAll).snapshot().bytes
        let snapshot = try nights.input(written, "snapshot.ccs")
        let read = LogAnalysis(inputs: [snapshot], horizon: laterThanAll).run()
        let shown = try #require(read.input.problems.entries.first?.source)
        #expect(read.input.faults == .unopened)
        #expect(shown.hasPrefix("/ééé") && shown.contains("é…é") && shown.hasSuffix("/log.json"))
    }

    /// A clock may say anything.
    @Test func timesOfAnyYear() throws {
        let nights = try Nights()
        let years = ["0001", "1969", "2015", "2016", "2083", "2084", "2374", "2375", "2560", "2561", "9999"]
        let lines = years.enumerated().flatMap { number, year in
            ["01-01T00:00:", "12-31T23:59:"].enumerated().flatMap { half, start in
                CalledRequest(10 + 2 * number + half).lines.map {
                    $0.replacing("2026-10-14T12:00:", with: "\(year)-\(start)")
                }
            }
        }
        try expectEqual([try nights.input(Array(lines.joined(separator: "\n").utf8), "years.json")], in: nights)
    }

    /// The largest count of a query that is accepted.
    @Test func countsOfQueries() throws {
        let nights = try Nights()
        let counts = """
            project,region,function,id,generation,labelled,severity,day,hour,app,auth,count,first,last,row_count
            p,r,f,,2,true,DEBUG,2026-10-14,9,VALID,VALID,\(1 << 40),2026-10-14T09:00:00Z,2026-10-14T09:59:59Z,1

            """
        let input = try nights.input(Array(counts.utf8), "counts.csv")
        let whole = LogAnalysis(inputs: [input], horizon: laterThanAll).run()
        #expect(whole.input.verifications == 1 << 40)
        let written = LogAnalysis(inputs: [input], horizon: laterThanAll).snapshot().bytes
        let read = LogAnalysis(inputs: [try nights.input(written, "counts.ccs")], horizon: laterThanAll).run()
        #expect(read.tally == whole.tally)
    }

    /// What SQLite has no room for is the input's fault, and the next one is added.
    @Test func daysOfAnySize() throws {
        let nights = try Nights()
        let store = try nights.store()
        store.longestPart = 200
        let large = (0..<100).map { EntryText.first(id: "\($0)").text }.joined(separator: "\n")
        let refused = try Nights.ingest(try nights.input(Array(large.utf8), "large.json"), into: store)
        #expect(refused.number == nil && refused.summary.faults == .unsupported)
        #expect(refused.summary.problems.entries.first?.detail.contains("Split the file") == true)
        let small = try Nights.ingest(
            try nights.input(Array(EntryText.first().text.utf8), "small.json"), into: store)
        #expect(small.summary.verifications == 1)
    }

    /// The largest counts of a source are read back, and the sum of many such sources does not overflow.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func countsOfAnySize(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func count() -> Int { [0, 1, 1 << 32, 1 << 40, 1 << 50, 1 << 60, .max].randomElement(using: &random) ?? 0 }
        func text() -> String {
            String(repeating: ["x", "é", "\u{FFFD}", "👩‍👩‍👧"].randomElement(using: &random) ?? "", count: count() & 8191)
        }
        var source = Source()
        var input = InputSummary()
        (input.sources, input.bytesDecompressed, input.records) = (1, count(), count())
        (input.ignored, input.malformed, input.oversized, input.unexpected) = (count(), count(), count(), count())
        input.unread.add(count())
        for number in 0..<50 {
            input.problems.append(
                Problem(
                    source: "log", kind: number.isMultiple(of: 2) ? .malformedRecord : .unreadable,
                    byteOffset: count() / 2, record: count() / 2, detail: "\(number)"))
        }
        input.problems.drop(count())
        source.set.input = input
        let read = try Source(PackedSource(source, named: text()), named: "log", horizon: laterThanAll) { _ in 0 }
        #expect(read.set.input.problems.entries.count == input.problems.entries.count)
        #expect(read.set.input.records == min(input.records, 1 << 40))
        var sum = InputSummary()
        (sum.records, sum.unread) = (input.records, input.unread)
        for _ in 0..<70 { sum.merge(sum) }
        #expect(sum.records >= input.records)
    }
}
