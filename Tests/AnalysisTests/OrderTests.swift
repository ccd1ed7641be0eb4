import Entries
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

/// Jobs, the order of inputs and the split of records over files change nothing.
@Suite struct OrderTests {
    @Test(arguments: 0..<6 as Range<UInt64>)
    func countsAreTheTruth(seed: UInt64) throws {
        let log = RandomLog(seed: seed, entries: 900)
        let result = try Files([log.lines.joined(separator: "\n")]).run()
        #expect(result.tally.functions.mapValues(\.totals) == log.truth)
        #expect(result.input.records == log.records)
        #expect(result.input.verifications == log.verifications)
        #expect(result.input.duplicates == log.duplicates)
        #expect(result.input.undated == log.undated)
        #expect(result.input.malformed == log.malformed)
        #expect(result.counted == result.input.verifications)
        // Cells are never more than entries.
        #expect(result.tally.functions.values.reduce(0) { $0 + $1.cells.count } <= result.input.verifications)
        #expect(log.duplicates > 20 && log.undated > 10 && log.malformed > 10)
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func jobsAndOrder(seed: UInt64) throws {
        let log = RandomLog(seed: seed, entries: 900)
        let files = try Files(log.parts(9, seed: seed)) { $0.isMultiple(of: 2) }
        let reference = files.run()
        #expect(reference.tally.functions.mapValues(\.totals) == log.truth)
        var random = SeededGenerator(seed: seed)
        for jobs in [1, 2, 3, 8, 16] {
            for _ in 0..<3 {
                let result = files.run(inputs: files.inputs.shuffled(using: &random), jobs: jobs)
                #expect(result.tally == reference.tally, "\(jobs) jobs")
                #expect(result.input == reference.input, "\(jobs) jobs")
                #expect(result.tally.functions.mapValues(\.first) == reference.tally.functions.mapValues(\.first))
                #expect(result.tally.functions.mapValues(\.label) == reference.tally.functions.mapValues(\.label))
                #expect(result.input.problems.entries == reference.input.problems.entries)
            }
        }
    }

    @Test(arguments: 0..<3 as Range<UInt64>)
    func splits(seed: UInt64) throws {
        let log = RandomLog(seed: seed, entries: 700)
        let whole = try Files([log.lines.joined(separator: "\n")]).run()
        for count in [1, 2, 5, 40] {
            let split = try Files(log.parts(count, seed: seed + 7)) { _ in count != 5 }.run(jobs: 3)
            #expect(split.tally == whole.tally, "\(count) files")
            #expect(counts(split.input) == counts(whole.input), "\(count) files")
            #expect(split.input.sources == count)
        }
    }

    /// More jobs than sources: a source is then read by two threads.
    @Test(arguments: [1, 2])
    func pipelinedSources(count: Int) throws {
        let log = RandomLog(seed: 5, entries: 700)
        for isCompressed in [true, false] {
            let files = try Files(log.parts(count, seed: 1)) { _ in isCompressed }
            let reference = files.run(jobs: 1)
            for jobs in [2, 3, 8] {
                // Chunks of many sizes: the two threads meet at other places.
                for chunkBytes in [100, 4096, 256 << 10] {
                    let result = files.run(jobs: jobs) { $0.scan.chunkBytes = chunkBytes }
                    #expect(result.tally == reference.tally)
                    #expect(result.input == reference.input)
                }
            }
        }
    }

    /// Inputs that fail do not disturb the others.
    @Test(arguments: [1, 2, 4])
    func failingInputs(jobs: Int) throws {
        let log = RandomLog(seed: 9, entries: 300)
        let files = try Files(log.parts(3, seed: 1))
        let missing = LogInput.file(files.directory.path("missing"))
        let noLog = LogInput.file(try files.directory.write(Array("<html>".utf8), to: "page"))
        let cut = LogInput.file(try files.directory.write(Gzip.member(Array("{\"a\":1}\n".utf8)).dropLast(), to: "cut"))
        let result = files.run(inputs: [missing] + files.inputs + [noLog, cut, missing], jobs: jobs)
        #expect(result.tally == files.run().tally)
        #expect(result.input.faults == [.unopened, .unsupported, .damaged])
        #expect(result.input.sources == 5)
        #expect(result.input.records == log.records + 1)
        let kinds = result.input.problems.entries.map(\.kind)
        #expect(kinds.filter { $0 == .unreadable }.count == 2)
        #expect(kinds.contains(.unsupportedFormat) && kinds.contains(.truncatedGzip))
    }

    @Test func noInputs() {
        let result = LogAnalysis(inputs: [], horizon: laterThanAll).run()
        #expect(result.tally == Tally())
        #expect(result.input == InputSummary())
    }

    /// Only the first twenty record problems are kept, in source order, whoever read them first.
    @Test(arguments: [1, 4])
    func problemsAreBounded(jobs: Int) throws {
        let broken = String(EntryText.first().text.dropLast())
        let files = try Files((0..<6).map { _ in Array(repeating: broken, count: 9).joined(separator: "\n") })
        let input = files.run(inputs: files.inputs.reversed(), jobs: jobs).input
        #expect(input.malformed == 54)
        let entries = input.problems.entries.filter { $0.kind != .incompleteRecord }
        #expect(entries.count == 21)
        #expect(
            entries.prefix(20).map(\.source) == [files.inputs[0], files.inputs[1]].flatMap {
                Array(repeating: $0.name, count: 9)
            } + [files.inputs[2].name, files.inputs[2].name])
        #expect(entries.prefix(20).map(\.record) == Array(1...9) + Array(1...9) + [1, 2])
        #expect(entries.last?.kind == .more)
        #expect(entries.last?.detail.hasPrefix("34 ") == true)
        #expect(entries.last?.source == nil)
    }

    /// A file is large or small, and read earlier or later; its name alone decides nothing either.
    @Test func sizesDoNotMatter() throws {
        let log = RandomLog(seed: 12, entries: 200)
        let files = try Files(["", log.lines.joined(separator: "\n"), "{\"a\":1}", "\n"])
        #expect(files.run(jobs: 2).tally == files.run(jobs: 1).tally)
        #expect(files.run(jobs: 2).input.records == log.records + 1)
    }

    private func counts(_ input: InputSummary) -> [Int] {
        [input.records, input.verifications, input.duplicates, input.filtered, input.malformed, input.undated]
    }
}
