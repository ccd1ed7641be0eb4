import Readiness
import Testing
import Verifications

@testable import Reports

/// What each report writes, byte for byte.
@Suite struct GoldenTests {
    private let golden = GoldenFiles()

    @Test(arguments: [80, 120, 200])
    func table(columns: Int) {
        let table = TableReport(style: TerminalStyle(columns: columns))
        golden.expect(table.text(Story.judged), "table-judged-\(columns).txt")
        golden.expect(table.text(Story.oneFunction), "table-one-\(columns).txt")
        golden.expect(table.text(Story.troubled), "table-troubled-\(columns).txt")
    }

    @Test func tableOfManyFunctions() {
        let summary = Sample.summary(Sample.project(functions: 300, days: 60))
        golden.expect(TableReport(style: TerminalStyle(columns: 120)).text(summary), "table-300-functions.txt")
    }

    @Test func tableOnOtherTerminals() {
        let plain = TerminalStyle(columns: 80, unicode: false)
        let text = TableReport(style: plain).text(Story.judged)
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        golden.expect(text, "table-ascii.txt")
        golden.expect(
            TableReport(style: TerminalStyle(columns: 120, color: true)).text(Story.judged), "table-color.txt")
        golden.expect(TableReport(style: TerminalStyle(columns: 80)).text(Story.empty), "table-empty.txt")
    }

    @Test func json() throws {
        golden.expect(try withShortFractions(JSONReport().text(Story.oneFunction)), "one.json")
        golden.expect(try withShortFractions(JSONReport().text(Story.troubled)), "troubled.json")
        golden.expect(JSONReport().text(Story.empty), "empty.json")
    }

    @Test func csv() throws {
        golden.expect(try withShortFractions(CSVReport().text(Story.judged)), "judged.csv")
        golden.expect(try withShortFractions(CSVReport().text(Story.troubled)), "troubled.csv")
        golden.expect(CSVReport().text(Story.empty), "empty.csv")
    }

    @Test func markdown() {
        golden.expect(MarkdownReport().text(Story.judged), "judged.md")
        golden.expect(MarkdownReport().text(Story.troubled), "troubled.md")
        golden.expect(MarkdownReport().text(Story.empty), "empty.md")
    }

    /// What a report writes depends on its summary alone, and not on the order in which that was put together.
    @Test func orderOfFunctionsChangesNothing() {
        var shuffled = Story.judged
        shuffled = Summary(
            asOf: shuffled.asOf, policy: shuffled.policy, input: shuffled.input,
            functions: shuffled.functions.reversed(), projects: shuffled.projects, groups: shuffled.groups)
        let reports: [any Report] = [
            JSONReport(), CSVReport(), MarkdownReport(), TableReport(style: TerminalStyle(columns: 200)),
        ]
        for report in reports { #expect(report.text(shuffled) == report.text(Story.judged)) }
    }
}
