import Entries
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

/// With more functions than the limit a run says so, however the log is cut, and says nothing else.
@Suite struct FunctionLimitTests {
    @Test(arguments: [1, 19, 59, 60])
    func howeverTheLogIsCut(limit: Int) throws {
        let lines = (0..<60).flatMap { function in
            (0..<3).map { entry in
                EntryText.second(
                    "s\(function)", id: "\(function)-\(entry)", time: "2026-10-1\(entry)T12:00:00Z",
                    project: "p\(function % 55)"
                ).text
            }
        }
        for (files, jobs) in [(1, 1), (3, 1), (12, 4)] {
            var random = SeededGenerator(seed: UInt64(files))
            var parts = Array(repeating: [String](), count: files)
            for line in lines.shuffled(using: &random) { parts[Int.random(in: 0..<files, using: &random)].append(line) }
            let logs = try parts.map { try MemoryFile(Array($0.joined(separator: "\n").utf8)) }
            let stores = try logs.map { try MadeStore([.file($0.path)]).entries }
            for (inputs, stores) in [(logs, []), ([], stores), (Array(logs.prefix(1)), Array(stores.dropFirst()))] {
                let result = analysis(inputs, limit, jobs).run(with: stores) { _, error, _ in Issue.record(error) }
                #expect(result.input.faults.contains(.tooManyFunctions) == (limit < 60), "\(files) files, \(jobs) jobs")
                #expect(limit < 60 || result.tally.functions.count == 60)
            }
        }
    }

    @Test func tooManyProjects() throws {
        let streams = (0..<9).map { EntryText.second("s", project: "p\($0)").with("labels", "{}").text }
        let log = try MemoryFile(Array(streams.joined(separator: "\n").utf8))
        #expect(analysis([log], 8, 1).run().input.faults == .tooManyFunctions)
        #expect(analysis([log], 9, 1).run().input.faults == [])
    }

    private func analysis(_ files: [MemoryFile], _ limit: Int, _ jobs: Int) -> LogAnalysis {
        var analysis = LogAnalysis(inputs: files.map { .file($0.path) }, horizon: laterThanAll)
        analysis.jobs = jobs
        analysis.scan.maxFunctions = limit
        return analysis
    }
}
