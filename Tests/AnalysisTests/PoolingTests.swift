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
