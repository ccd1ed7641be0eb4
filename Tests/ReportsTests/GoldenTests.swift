import Readiness
import Testing
import Verifications

@testable import Reports

/// What each report writes, byte for byte; of long ones the parts that ``Excerpt`` leaves.
@Suite struct GoldenTests {
    @Test(arguments: [80, 120, 200])
    func table(columns: Int) {
        let terminal = Format.terminal(TerminalStyle(columns: columns))
        expectGolden(Report.summary(Story.judged).text(terminal), "table-judged-\(columns).txt")
        expectGolden(Report.summary(Story.oneFunction).text(terminal), "table-one-\(columns).txt")
        expectGolden(Report.summary(Story.troubled).text(terminal), "table-troubled-\(columns).txt")
    }

    @Test func tableOfManyFunctions() {
        let summary = Sample.summary(Sample.project(functions: 300, days: 60))
        let table = Report.summary(summary).text(.terminal(TerminalStyle(columns: 120)))
        expectGolden(table, "table-300-functions.txt")
    }

    @Test func tableOnOtherTerminals() {
        let plain = TerminalStyle(columns: 80, unicode: false)
        let text = Report.summary(Story.judged).text(.terminal(plain))
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        expectGolden(text, "table-ascii.txt")
        expectGolden(
            Report.summary(Story.judged).text(.terminal(TerminalStyle(columns: 120, color: true))), "table-color.txt")
        expectGolden(Report.summary(Story.empty).text(.terminal(TerminalStyle(columns: 80))), "table-empty.txt")
    }

    @Test func json() throws {
        expectGolden(try withShortFractions(Report.summary(Story.oneFunction).text(.json)), "one.json")
        let troubled = try withShortFractions(Report.summary(Story.troubled).text(.json))
        expectGolden(Excerpt.json(troubled, functions: [1, 6]), "troubled.json")
        expectGolden(Report.summary(Story.empty).text(.json), "empty.json")
    }

    @Test func csv() throws {
        expectGolden(try withShortFractions(Report.summary(Story.judged).text(.csv)), "judged.csv")
        expectGolden(try withShortFractions(Report.summary(Story.troubled).text(.csv)), "troubled.csv")
        expectGolden(Report.summary(Story.empty).text(.csv), "empty.csv")
    }

    @Test func markdown() {
        expectGolden(Report.summary(Story.judged).text(.markdown), "judged.md")
        expectGolden(Report.summary(Story.troubled).text(.markdown), "troubled.md")
        expectGolden(Report.summary(Story.empty).text(.markdown), "empty.md")
    }

    /// What a report writes depends on its summary alone, and not on the order in which that was put together.
    @Test func orderOfFunctionsChangesNothing() {
        var shuffled = Story.judged
        shuffled = Summary(
            asOf: shuffled.asOf, policy: shuffled.policy, input: shuffled.input,
            functions: shuffled.functions.reversed(), projects: shuffled.projects)
        let formats: [Format] = [
            .json, .csv, .markdown, .terminal(TerminalStyle(columns: 200)),
        ]
        for format in formats {
            #expect(Report.summary(shuffled).text(format) == Report.summary(Story.judged).text(format))
        }
    }
}
