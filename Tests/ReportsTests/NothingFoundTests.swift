import Readiness
import Testing
import Verifications

@testable import Reports

/// Why there is nothing to show: the likeliest reason, from what else was seen.
@Suite struct NothingFoundTests {
    private func reason(
        projects: [ExactName: ProjectCoverage] = [:], _ change: (inout InputSummary) -> Void
    ) -> NothingFound? {
        var summary = Sample.summary([], asOf: nil, input: change)
        summary.projects = projects
        return NothingFound(summary)
    }

    private static let errorStream: [ExactName: ProjectCoverage] = {
        var project = ProjectTally()
        project.addErrorStream(day: nil)
        var tally = Tally()
        tally.add(project, for: "p")
        return Evaluator(tally: tally, rules: PolicyRules(), asOf: nil).projects
    }()

    @Test func eachSignHasItsReason() {
        #expect(reason { $0.records = 0 } == .noRecord)
        #expect(reason { ($0.records, $0.bytesDecompressed) = (0, 3) } == .emptyResult)
        #expect(reason { ($0.records, $0.filtered) = (3, 3) } == .filtered)
        #expect(reason { ($0.records, $0.ignored) = (3, 2) } == .ignored(count: 2))
        #expect(reason { ($0.records, $0.malformed, $0.oversized) = (3, 1, 1) } == .unusable(count: 2))
        #expect(reason(projects: NothingFoundTests.errorStream) { $0.records = 3 } == .errorStreamOnly(records: 3))
        #expect(reason { $0.records = 3 } == .otherRecords(count: 3))
    }

    /// A file that cannot be opened is reported as one.
    @Test func anUnreadableInputIsItsOwnReason() {
        #expect(reason { ($0.records, $0.faults) = (0, .unopened) } == nil)
        #expect(reason { ($0.records, $0.faults) = (3, .damaged) } == .otherRecords(count: 3))
    }

    @Test func whereThereIsSomethingThereIsNoReason() {
        let function = Sample.function("f", generation: .first, days: 9) { _ in [Requests(app: .valid, count: 9)] }
        #expect(NothingFound(Sample.summary([function], asOf: nil) { _ in }) == nil)
    }

    /// Every reason that a better export would cure says how to get one; a count of one is worded as one.
    @Test func reasonsSayWhatToDo() {
        let curable: [NothingFound] = [
            .noRecord, .ignored(count: 1), .errorStreamOnly(records: 1), .otherRecords(count: 1),
        ]
        for reason in curable {
            #expect(
                reason.wording.text(ascii: true).hasSuffix(
                    "callcheck export prints commands for a complete export."))
        }
        #expect(
            NothingFound.ignored(count: 1).wording.text(ascii: true).contains("the only one in the input comes from"))
        #expect(
            NothingFound.ignored(count: 4812).wording.text(ascii: true).contains("all 4,812 in the input come from"))
        #expect(NothingFound.otherRecords(count: 812).wording.text(ascii: true).contains("among 812 records."))
        #expect(NothingFound.filtered.wording.text(ascii: true).hasPrefix("No request matches"))
    }
}
