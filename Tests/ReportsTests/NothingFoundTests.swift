import Testing
import Verifications

@testable import Readiness
@testable import Reports

/// Why there is nothing to show: the likeliest reason, from what else was seen.
@Suite struct NothingFoundTests {
    private func reason(
        projects: [ExactName: ProjectCoverage] = [:], _ change: (inout InputSummary) -> Void
    ) -> Finding? {
        var summary = Sample.summary([], asOf: nil, input: change)
        summary.projects = projects
        return summary.nothingFound
    }

    private static let errorStream: [ExactName: ProjectCoverage] = {
        var project = ProjectTally()
        project.addErrorStream(day: nil)
        var tally = Tally()
        tally.add(project, for: "p")
        return Evaluator(tally: tally, rules: PolicyRules(), asOf: nil).projects
    }()

    @Test func eachSignHasItsReason() {
        #expect(reason { $0.records = 0 } == Finding(code: .noRecord))
        #expect(reason { ($0.records, $0.bytesDecompressed) = (0, 3) } == Finding(code: .emptyResult))
        #expect(reason { ($0.records, $0.filtered) = (3, 3) } == Finding(code: .allFiltered))
        #expect(reason { ($0.records, $0.ignored) = (3, 2) } == Finding(code: .allIgnored, count: 2))
        #expect(reason { ($0.records, $0.malformed, $0.oversized) = (3, 1, 1) } == Finding(code: .unusable, count: 2))
        #expect(
            reason(projects: NothingFoundTests.errorStream) { $0.records = 3 }
                == Finding(code: .errorStreamOnly, count: 3))
        #expect(reason { $0.records = 3 } == Finding(code: .otherRecords, count: 3))
    }

    /// A file that cannot be opened is reported as one.
    @Test func anUnreadableInputIsItsOwnReason() {
        #expect(reason { ($0.records, $0.faults) = (0, .unopened) } == nil)
        #expect(reason { ($0.records, $0.faults) = (3, .damaged) } == Finding(code: .otherRecords, count: 3))
    }

    @Test func whereThereIsSomethingThereIsNoReason() {
        let function = Sample.function("f", generation: .first, days: 9) { _ in [Requests(app: .valid, count: 9)] }
        #expect(Sample.summary([function], asOf: nil) { _ in }.nothingFound == nil)
    }

    /// Every reason that a better export would cure says how to get one; a count of one is worded as one.
    @Test func reasonsSayWhatToDo() {
        func text(_ code: Finding.Code, _ count: Int = 0) -> String {
            Finding(code: code, count: count).statement(of: Sample.summary([])).sentence.text(ascii: true)
        }
        let curable = [text(.noRecord), text(.allIgnored, 1), text(.errorStreamOnly, 1), text(.otherRecords, 1)]
        for text in curable {
            #expect(text.hasSuffix("callcheck export prints commands for a complete export."))
        }
        #expect(text(.allIgnored, 1).contains("the only one in the input comes from"))
        #expect(text(.allIgnored, 4812).contains("all 4,812 in the input come from"))
        #expect(text(.otherRecords, 812).contains("among 812 records."))
        #expect(text(.allFiltered).hasPrefix("No request matches"))
    }
}
