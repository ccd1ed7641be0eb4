import Readiness
import Testing
import Verifications

@testable import Reports

@Suite struct TableReportTests {
    /// No line is wider than the terminal, but one with a command, which has to stay in one piece.
    @Test(arguments: [72, 80, 100, 120, 160, 200], [true, false])
    func linesFitTheTerminal(columns: Int, unicode: Bool) {
        for summary in [Story.judged, Story.troubled, Story.empty] {
            let text = SummaryReport(summary).text(.terminal(TerminalStyle(columns: columns, unicode: unicode)))
            for line in text.split(separator: "\n") where !line.contains("gcloud") {
                #expect(displayWidth(of: String(line)) <= columns, "\(line)")
            }
            #expect(text.hasSuffix("\n") && !text.contains(" \n"))
        }
    }

    @Test func functionsWithMostRequestsComeFirst() {
        let text = SummaryReport(Story.judged).text(.terminal(TerminalStyle(columns: 200)))
        let rows = text.split(separator: "\n").drop { !$0.contains("requests") }.dropFirst().prefix(17)
        let expected = Story.judged.functions.sorted { $0.tally.totals.total > $1.tally.totals.total }.map(\.name)
        #expect(rows.map { row in expected.first { row.contains(" \($0) ") } ?? "?" } == expected)
    }

    @Test func otherHasAColumnOnlyWhereItOccurs() {
        #expect(!SummaryReport(Story.judged).text(.terminal(TerminalStyle())).contains("OTHER"))
        #expect(SummaryReport(Story.troubled).text(.terminal(TerminalStyle())).contains("OTHER\n"))
    }

    @Test func colorOnlyWhereItIsAskedForAndNothingElseChanges() throws {
        let plain = SummaryReport(Story.judged).text(.terminal(TerminalStyle(columns: 120)))
        let colored = SummaryReport(Story.judged).text(.terminal(TerminalStyle(columns: 120, color: true)))
        #expect(!plain.contains("\u{1b}"))
        #expect(colored.contains("\u{1b}[33m"))
        #expect(colored.replacing(try Regex("\u{1b}\\[[0-9]*m"), with: "") == plain)
    }

    @Test func aPlaceThatAllShareStandsAboveAndHasNoColumn() throws {
        let text = SummaryReport(Story.oneFunction).text(.terminal(TerminalStyle(columns: 200)))
        let lines = text.split(separator: "\n")
        #expect(try #require(lines.first).hasPrefix("demo-prod · europe-west1 · gen 2 · 1–14 Oct 2026 · "))
        #expect(!text.contains("region"))
        let mixed = SummaryReport(Story.judged).text(.terminal(TerminalStyle(columns: 200)))
        #expect(mixed.contains("region") && mixed.contains(" gen ") && !mixed.contains("project"))
        #expect(SummaryReport(Story.troubled).text(.terminal(TerminalStyle(columns: 200))).contains("project"))
    }

    /// The steps of the marks, from both sides.
    @Test(
        arguments: [
            (0, "▁"), (1, "▂"), (100, "▂"), (101, "▃"), (200, "▃"), (201, "▄"), (500, "▄"), (501, "▅"), (1000, "▅"),
            (1001, "▆"), (2500, "▆"), (2501, "▇"), (5000, "▇"), (5001, "█"), (10_000, "█"),
        ])
    func marks(blocked: Int, mark: String) {
        var tally = FunctionTally()
        tally.add(Requests(app: .missing, count: blocked), on: Sample.firstDay)
        tally.add(Requests(app: .valid, count: 10_000 - blocked), on: Sample.firstDay)
        // Refused for their Auth token whatever App Check says: of no weight here.
        tally.add(Requests(app: .invalid, auth: .invalid, count: 5000), on: Sample.firstDay)
        let sparkline = Sparkline(days: Sample.firstDay...Sample.firstDay, width: 14)
        #expect(sparkline.marks(tally.days, glyphs: Sparkline.glyphs(unicode: true)) == mark)
    }

    @Test(arguments: [(1, 14, 1, 1), (14, 14, 1, 14), (15, 14, 2, 8), (28, 14, 2, 14), (29, 14, 3, 10), (28, 7, 4, 7)])
    func marksShareDaysEvenly(days: Int, width: Int, daysPerMark: Int, marks: Int) {
        let last = Sample.firstDay.advanced(by: days - 1)
        let sparkline = Sparkline(days: Sample.firstDay...last, width: width)
        #expect(sparkline.daysPerMark == daysPerMark)
        #expect(sparkline.markCount == marks)
        var tally = FunctionTally()
        tally.add(Requests(app: .missing, count: 1), on: last)
        let text = sparkline.marks(tally.days, glyphs: Sparkline.glyphs(unicode: false))
        #expect(text == String(repeating: " ", count: marks - 1) + "@")
    }

    /// A forged timestamp far away must not stretch the marks of all other days to nothing.
    @Test func outliersDoNotStretchTheSparkline() {
        var functions = Sample.project(functions: 1)
        functions[0].tally.add(Requests(app: .valid, count: 1), on: Sample.day("1970-01-01"))
        functions[0].tally.add(Requests(app: .valid, count: 1), on: Sample.day("9999-12-31"))
        let asOf = Sample.instant("2026-10-14T12:00:00Z")
        let text = SummaryReport(Sample.summary(functions, asOf: asOf)).text(.terminal(TerminalStyle(columns: 200)))
        #expect(text.contains("one mark per day, last 28 days"))
        #expect(text.contains("              ▁▁▁▁▁▁▁▁▁▁▁▁▁▁"))
    }
}
