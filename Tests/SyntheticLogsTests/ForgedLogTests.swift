import SyntheticLogs
import Testing

/// A log with forgeries is the log without them and more, and the same in every run.
@Suite struct ForgedLogTests {
    private let scenario = Scenario.everyStatus(seed: 7)

    @Test func withoutForgeriesItIsTheScenario() throws {
        let log = try ForgedLog(scenario, forgeries: [], share: 1)
        let (lines, truth) = try scenario.lines()
        #expect(log.lines.sorted() == lines.sorted())
        #expect(log.truth.functions == truth.functions && log.truth.streams == truth.streams)
        #expect(log.discarded.isEmpty && log.truth.ignored == 0)
    }

    @Test func itIsTheSameInEveryRun() throws {
        let log = try ForgedLog(scenario, forgeries: Forgery.allCases, share: 0.5)
        #expect(try ForgedLog(scenario, forgeries: Forgery.allCases, share: 0.5).lines == log.lines)
    }

    /// Every line is an entry, and what is discarded is what is ignored.
    @Test(arguments: Forgery.allCases)
    func linesAreEntries(forgery: Forgery) throws {
        let log = try ForgedLog(scenario, forgeries: [forgery], share: 0.5)
        let own = try scenario.lines()
        #expect(Set(log.lines).isSuperset(of: own.lines))
        #expect(log.lines.count > own.lines.count && log.truth.records == log.lines.count)
        let discarded = log.discarded.values.reduce(0) { $0 + $1.unlabelled + $1.otherMessage + $1.repeated }
        #expect(discarded == log.truth.ignored)
        for line in log.lines {
            let entry = try LoggedEntry(line: line)
            #expect(entry.timestamp != nil && !entry.insertID.isEmpty)
        }
    }
}
