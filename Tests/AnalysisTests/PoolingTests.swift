import Analysis
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

/// Beyond the limit functions are added up as one, and which ones stay depends on their names alone.
@Suite struct PoolingTests {
    /// Entries of many functions in nearly as many projects, each function several times.
    private func lines(functions: Int) -> [String] {
        (0..<functions).flatMap { function in
            (0..<3).map { copy in
                EntryText.second(
                    "s\(function)", app: copy == 0 ? "INVALID" : "VALID", id: "\(function)-\(copy)",
                    time: "2026-10-1\(copy)T12:00:00Z", project: "p\(function % (functions - 5))", label: "l\(function)"
                ).text
            }
        }
    }

    private func parts(_ lines: [String], _ count: Int, seed: UInt64) -> [String] {
        var random = SeededGenerator(seed: seed)
        var parts = Array(repeating: [String](), count: count)
        for line in lines.shuffled(using: &random) { parts[Int.random(in: 0..<count, using: &random)].append(line) }
        return parts.map { $0.joined(separator: "\n") }
    }

    @Test(arguments: [1, 2, 7, 20, 59, 60])
    func whoStaysDependsOnNamesAlone(limit: Int) throws {
        let lines = lines(functions: 60)
        var reference: LogAnalysis.Result?
        for (files, jobs) in [(1, 1), (1, 2), (3, 1), (3, 3), (12, 2), (12, 4)] {
            for seed in 0..<3 as Range<UInt64> {
                let result = try Files(parts(lines, files, seed: seed)).run(jobs: jobs) { $0.scan.maxFunctions = limit }
                let expected = reference ?? result
                reference = expected
                #expect(result.tally.functions == expected.tally.functions, "\(files) files, \(jobs) jobs")
                #expect(result.tally.projects == expected.tally.projects, "\(files) files, \(jobs) jobs")
                #expect(result.input.verifications == 180)
                #expect(result.counted == 180)
            }
        }
        let tally = try #require(reference).tally
        #expect(tally.functions.count == min(limit + 1, 60))
        #expect((tally.functions[.pooled] == nil) == (limit == 60))
        for (identity, function) in tally.functions where identity != .pooled {
            #expect(function.totals.total == 3)
            #expect(function.label?.text == identity.name.replacing("s", with: "l"))
        }
        if let pooled = tally.functions[.pooled] {
            #expect(pooled.totals.total == (60 - limit) * 3)
            #expect(pooled.label == nil)
            #expect(pooled.days.count == 3)
            #expect(pooled.totals[.invalid, .valid] == 60 - limit)
        }
    }

    /// Copies, entries of one execution, text and labels alone of functions that some reader gives up sooner or later,
    /// and another reader never meets.
    @Test(arguments: [1, 2, 5], [true, false])
    func whatIsPooledCountsAsItWasRead(limit: Int, namesExecutions: Bool) throws {
        let lines = (0..<12).flatMap { function in
            let entry = EntryText.second("s\(function)", time: "2026-10-14T12:\(10 + function):00Z")
            let labelled = (0..<3).map { number in
                entry.with("insertId", #""\#(function)-\#(number)""#).with("labels", label(number == 0 ? "e" : nil))
            }
            let copy = labelled[0].with("labels", label(namesExecutions ? "e" : nil))
            let repeated = entry.with("insertId", #""again""#).with("labels", label("e"))
                .with("timestamp", #""2026-10-14T12:\#(10 + function):01Z""#)
            let text = entry.with("insertId", #""text""#).with("labels", "{}")
            let alone = entry.with("insertId", #""alone""#)
                .with("jsonPayload", #"{"verifications":{"app":"MISSING","auth":"VALID"}}"#)
            return (labelled + [copy, labelled[1], repeated, text, alone]).map(\.text)
        }
        var reference: LogAnalysis.Result?
        for (files, jobs) in [(1, 1), (3, 1), (3, 3), (6, 2)] {
            for seed in 0..<4 as Range<UInt64> {
                let logs = try parts(lines, files, seed: seed).map { try MemoryFile(Array($0.utf8)) }
                let snapshots = try logs.map { log in
                    try MemoryFile(analysis([log], limit, 1).snapshot().bytes)
                }
                for inputs in [logs, logs.reversed(), snapshots] {
                    let result = analysis(inputs, limit, jobs).run()
                    let expected = reference ?? result
                    reference = expected
                    #expect(result.tally == expected.tally, "\(files) files, \(jobs) jobs, seed \(seed)")
                    #expect(result.input.verifications == expected.input.verifications)
                    #expect(result.input.duplicates == expected.input.duplicates)
                    #expect(result.input.ignored == expected.input.ignored)
                }
            }
        }
        let result = try #require(reference)
        // Of those that keep their names one entry repeats another, one is text, and one has no message.
        #expect(result.input.duplicates == 24)
        #expect(result.input.ignored == 12 + 2 * limit)
        #expect(result.tally.functions[.pooled]?.totals.total == (12 - limit) * 5)
    }

    private func label(_ execution: String?) -> String {
        let execution = execution.map { #","execution_id":"\#($0)""# } ?? ""
        return #"{"firebase-log-type":"callable-request-verification"\#(execution)}"#
    }

    private func analysis(_ files: [MemoryFile], _ limit: Int, _ jobs: Int) -> LogAnalysis {
        var analysis = LogAnalysis(inputs: files.map { .file($0.path) }, horizon: laterThanAll)
        analysis.jobs = jobs
        analysis.scan.maxFunctions = limit
        return analysis
    }

    /// 100,000 distinct functions and more cost time and memory in proportion.
    @Test func veryManyFunctions() throws {
        let mark =
            #"{"labels":{"firebase-log-type":"callable-request-verification"},"resource":{"labels":{"function_name":"f"#
        let lines = (0..<120_000).map { "\(mark)\($0)\"}}}" }
        let half = lines.count / 2
        let files = try Files([lines[..<half].joined(separator: "\n"), lines[half...].joined(separator: "\n")])
        let result = files.run(jobs: 2)
        #expect(result.input.verifications == 120_000)
        #expect(result.tally.functions.count == 100_001)
        #expect(result.tally.functions[.pooled]?.totals.total == 20_000)
        #expect(result.counted == 120_000)
        let again = files.run(inputs: files.inputs.reversed(), jobs: 1)
        #expect(again.tally == result.tally)
    }
}
