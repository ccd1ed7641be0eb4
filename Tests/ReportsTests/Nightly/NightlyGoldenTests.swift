import Readiness
import Testing
import Verifications

@testable import Reports

/// What each form of the morning page writes, byte for byte.
@Suite struct NightlyGoldenTests {
    private let golden = GoldenFiles()

    @Test func eventfulMorning() throws {
        for columns in [80, 120, 200] {
            let table = NightlyTable(style: TerminalStyle(columns: columns))
            golden.expect(table.text(Morning.eventful), "report-\(columns).txt")
        }
        golden.expect(NightlyMarkdown(isFolding: false).text(Morning.eventful), "report-chat.md")
        golden.expect(NightlyMarkdown(isFolding: true).text(Morning.eventful), "report-github.md")
        golden.expect(try withShortFractions(NightlyJSON().text(Morning.eventful)), "report.json")
        golden.expect(try withShortFractions(NightlyCSV().text(Morning.eventful)), "report.csv")
        golden.expect(try withShortFractions(NightlyPrometheus().text(Morning.eventful)), "report.prom")
    }

    @Test func otherMornings() {
        let table = NightlyTable(style: TerminalStyle(columns: 100))
        golden.expect(table.text(Morning.quiet), "report-quiet.txt")
        golden.expect(table.text(Morning.late), "report-late.txt")
        golden.expect(table.text(Morning.first), "report-first.txt")
        golden.expect(table.text(Morning.empty), "report-empty.txt")
        golden.expect(NightlyMarkdown(isFolding: true).text(Morning.empty), "report-empty.md")
        golden.expect(NightlyJSON().text(Morning.empty), "report-empty.json")
        golden.expect(NightlyCSV().text(Morning.empty), "report-empty.csv")
        golden.expect(NightlyPrometheus().text(Morning.empty), "report-empty.prom")
    }

    @Test func otherTerminals() {
        let plain = NightlyTable(style: TerminalStyle(columns: 80, unicode: false)).text(Morning.eventful)
        #expect(plain.utf8.allSatisfy { $0 < 0x80 })
        golden.expect(plain, "report-ascii.txt")
        golden.expect(
            NightlyTable(style: TerminalStyle(columns: 120, color: true)).text(Morning.eventful), "report-color.txt")
    }

    @Test func summaryAsMetrics() throws {
        golden.expect(try withShortFractions(PrometheusReport().text(Story.judged)), "judged.prom")
        golden.expect(try withShortFractions(PrometheusReport().text(Story.troubled)), "troubled.prom")
    }
}
