import Readiness
import Testing
import Verifications

@testable import Reports

/// What each form of the morning page writes, byte for byte; of long ones the parts that ``Excerpt`` leaves.
@Suite struct NightlyGoldenTests {
    private let golden = GoldenFiles()

    @Test func eventfulMorning() throws {
        for columns in [80, 120, 200] {
            let terminal = Format.terminal(TerminalStyle(columns: columns))
            golden.expect(Report.morning(Morning.eventful).text(terminal), "report-\(columns).txt")
        }
        golden.expect(Report.morning(Morning.eventful).text(.markdown(isFolding: false)), "report-chat.md")
        golden.expect(Report.morning(Morning.eventful).text(.markdown(isFolding: true)), "report-github.md")
        let json = try withShortFractions(Report.morning(Morning.eventful).text(.json))
        golden.expect(Excerpt.json(json, functions: [1]), "report.json")
        golden.expect(try withShortFractions(Report.morning(Morning.eventful).text(.csv)), "report.csv")
        let metrics = try withShortFractions(Report.morning(Morning.eventful).text(.prometheus))
        golden.expect(Excerpt.metrics(metrics), "report.prom")
    }

    @Test func otherMornings() {
        let terminal = Format.terminal(TerminalStyle(columns: 100))
        golden.expect(Report.morning(Morning.quiet).text(terminal), "report-quiet.txt")
        golden.expect(Report.morning(Morning.late).text(terminal), "report-late.txt")
        golden.expect(Report.morning(Morning.first).text(terminal), "report-first.txt")
        golden.expect(Report.morning(Morning.empty).text(terminal), "report-empty.txt")
        golden.expect(Report.morning(Morning.empty).text(.markdown(isFolding: true)), "report-empty.md")
        golden.expect(Report.morning(Morning.empty).text(.json), "report-empty.json")
        golden.expect(Report.morning(Morning.empty).text(.csv), "report-empty.csv")
        golden.expect(Report.morning(Morning.empty).text(.prometheus), "report-empty.prom")
    }

    @Test func otherTerminals() {
        let plain = Report.morning(Morning.eventful).text(.terminal(TerminalStyle(columns: 80, unicode: false)))
        #expect(plain.utf8.allSatisfy { $0 < 0x80 })
        golden.expect(plain, "report-ascii.txt")
        golden.expect(
            Report.morning(Morning.eventful).text(.terminal(TerminalStyle(columns: 120, color: true))),
            "report-color.txt")
    }

    @Test func summaryAsMetrics() throws {
        for (summary, name) in [(Story.judged, "judged"), (Story.troubled, "troubled")] {
            let metrics = try withShortFractions(Report.summary(summary).text(.prometheus))
            golden.expect(Excerpt.metrics(metrics), "\(name).prom")
        }
    }
}
