import Testing
import Verifications

@testable import Readiness
@testable import Reports

/// What every form of the morning page keeps to.
@Suite struct NightlyPagesTests {
    @Test func functionsAreThoseOfASummary() {
        let report = Morning.eventful
        let summary = report.summary
        func functions(_ text: String) -> [Substring] {
            Array(text.split(separator: "\n").drop { !$0.hasPrefix("  \"functions\": [") })
        }
        #expect(functions(MorningReport(report).text(.json)) == functions(SummaryReport(summary).text(.json)))
        let columns = csvRows(SummaryReport(summary).text(.csv))
        let more = csvRows(MorningReport(report).text(.csv))
        let new: Set<String> = ["comparedTo", "changes.code", "ready.date"]
        let kept = more[0].indices.filter { !new.contains(more[0][$0]) }
        #expect(more.map { row in kept.map { row[$0] } } == columns)
        #expect(MorningReport(report).text(.prometheus).hasPrefix(SummaryReport(summary).text(.prometheus)))
    }

    /// The shape of `callcheck.report/2`; when it changes, so does the number in ``NightlyJSON/schema``.
    @Test func shapeOfTheSchema() throws {
        let shape = try OrderedJSON(MorningReport(Morning.eventful).text(.json)).shape
        GoldenFiles().expect(shape.joined(separator: "\n") + "\n", "schema-callcheck.report-2.txt")
        #expect(NightlyJSON.schema == "callcheck.report/2")
        let functions = shape.filter { $0.hasPrefix("functions[]") }
        let summary = try OrderedJSON(SummaryReport(Story.judged).text(.json)).shape
        #expect(
            functions.filter { !$0.contains("safeSince") }
                == summary.filter { $0.hasPrefix("functions[]") && !$0.contains("safeSince") })
    }

    /// Lines fit the terminal, whatever its width.
    @Test(arguments: [40, 60, 80, 100, 140])
    func widths(columns: Int) {
        let text = MorningReport(Morning.eventful).text(.terminal(TerminalStyle(columns: columns)))
        // Words that are never broken (names, legends) may stick out on the narrowest ones.
        let widest = text.split(separator: "\n").map { displayWidth(of: String($0)) }.max() ?? 0
        #expect(widest <= max(columns, 60))
    }

    /// A message for a chat is short, however many functions changed, and says how many changes it leaves out.
    @Test(arguments: [1, 10, 500])
    func chatMessagesAreShort(count: Int) {
        for name in ["f", String(repeating: "`", count: 255), String(repeating: "é\u{202e}", count: 60)] {
            let text = MorningReport(NightlyPagesTests.manyChanges(name, count: count)).text(
                .markdown(isFolding: false))
            #expect(text.count <= NightlyReport.messageLimit)
            let told = text.split(separator: "\n").count { $0.hasPrefix("- ") }
            let untold = text.split(separator: "\n").compactMap { line in
                line.firstMatch(of: #/^And ([0-9,]+) more change/#).flatMap { Int($0.1.replacing(",", with: "")) }
            }
            #expect(told >= 1)
            #expect(told + (untold.first ?? 0) == 2 * count)
        }
    }

    /// Elsewhere the tags would show.
    @Test func onlyGitHubFolds() {
        #expect(!MorningReport(Morning.eventful).text(.markdown(isFolding: false)).contains("<details>"))
        let folded = MorningReport(Morning.eventful).text(.markdown(isFolding: true))
        #expect(folded.contains("<details>") && folded.contains("</details>"))
        #expect(folded.hasPrefix(MorningReport(Morning.eventful).text(.markdown(isFolding: false))))
    }

    /// As many rises as falls, of functions of one name.
    static func manyChanges(_ name: String, count: Int) -> NightlyReport {
        var report = Morning.quiet
        let window = Window(from: Sample.firstDay, to: Sample.firstDay)
        guard let window else { return report }
        report.comparedTo = Sample.firstDay
        report.changes = [(1, 9), (9, 1)].flatMap { before, now in
            (0..<count).map { index in
                .rate(
                    ChangedFunction(
                        identity: FunctionIdentity(project: name, region: "r", name: name, generation: .first),
                        name: name + (index == 0 ? "" : String(index))),
                    RateChange(
                        before: .init(window: window, blocked: before, admitted: 10),
                        now: .init(window: window, blocked: now, admitted: 10), dispersion: 1, pValue: 0))
            }
        }
        return report
    }
}
