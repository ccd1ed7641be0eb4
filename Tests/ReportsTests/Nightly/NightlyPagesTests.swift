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
        #expect(functions(Report.morning(report).text(.json)) == functions(Report.summary(summary).text(.json)))
        let columns = csvRows(Report.summary(summary).text(.csv))
        let more = csvRows(Report.morning(report).text(.csv))
        let new: Set<String> = ["comparedTo", "changes.code", "ready.date"]
        let kept = more[0].indices.filter { !new.contains(more[0][$0]) }
        #expect(more.map { row in kept.map { row[$0] } } == columns)
        #expect(Report.morning(report).text(.prometheus).hasPrefix(Report.summary(summary).text(.prometheus)))
    }

    /// The shape of `callcheck.report/4`; when it changes, so does the number in ``JSONReport/nightlySchema``.
    @Test func shapeOfTheSchema() throws {
        let shape = try OrderedJSON(Report.morning(Morning.eventful).text(.json)).shape
        GoldenFiles().expect(shape.joined(separator: "\n") + "\n", "schema-callcheck.report-4.txt")
        #expect(JSONReport.nightlySchema == "callcheck.report/4")
        let functions = shape.filter { $0.hasPrefix("functions[]") }
        let summary = try OrderedJSON(Report.summary(Story.judged).text(.json)).shape
        #expect(
            functions.filter { !$0.contains("safeSince") && !$0.contains("lockout") }
                == summary.filter {
                    $0.hasPrefix("functions[]") && !$0.contains("safeSince") && !$0.contains("lockout")
                })
    }

    /// Lines fit the terminal, whatever its width.
    @Test(arguments: [40, 60, 80, 100, 140])
    func widths(columns: Int) {
        let text = Report.morning(Morning.eventful).text(.terminal(TerminalStyle(columns: columns)))
        // Words that are never broken (names, legends) may stick out on the narrowest ones.
        let widest = text.split(separator: "\n").map { displayWidth(of: String($0)) }.max() ?? 0
        #expect(widest <= max(columns, 60))
    }

    /// A message for a chat is short, however many functions changed, and says how many changes it leaves out.
    @Test(arguments: [1, 10, 500])
    func chatMessagesAreShort(count: Int) {
        for name in ["f", String(repeating: "`", count: 255), String(repeating: "é\u{202e}", count: 60)] {
            let text = Report.morning(NightlyPagesTests.manyChanges(name, count: count)).text(
                .markdown(isFolding: false))
            #expect(text.count <= NightlyReport.messageLimit)
            let told = text.split(separator: "\n").count { $0.hasPrefix("- ") }
            let untold = text.split(separator: "\n").compactMap { line in
                line.firstMatch(of: #/^And ([0-9,]+) more change/#).flatMap { Int($0.1.replacing(",", with: "")) }
            }
            #expect(told >= 1)
            #expect(told + untold.reduce(0, +) == 2 * count)
        }
    }

    /// A message says what a summary says, after what changed: what is ready, what is not, and when.
    @Test func messagesShowFunctions() throws {
        var report = NightlyPagesTests.manyChanges("f", count: 1)
        report.summary = Story.judged
        for format in [Format.slack, .markdown(isFolding: false)] {
            let text = Report.morning(report).text(format)
            let change = try #require(text.firstRange(of: "more would be refused"))
            for part in ["verifyUserProfile", "ready 20 Oct", "not falling", "at most 0.03%"] {
                #expect(try #require(text.firstRange(of: part)).lowerBound > change.upperBound, "\(part)")
            }
        }
        #expect(Report.morning(report).text(.markdown(isFolding: false)).count <= NightlyReport.messageLimit)
    }

    /// Elsewhere the tags would show.
    @Test func onlyGitHubFolds() {
        var report = Morning.eventful
        report.summary = Sample.summary(Sample.project(functions: 300, days: 20))
        let plain = Report.morning(report).text(.markdown(isFolding: false))
        #expect(!plain.contains("<details>"))
        let folded = Report.morning(report).text(.markdown(isFolding: true))
        #expect(folded.contains("<details>") && folded.contains("</details>"))
        #expect(folded.hasPrefix(plain))
    }

    /// Nothing is left to unfold where the message has every function.
    @Test func whatIsShownIsNotFolded() {
        var report = Morning.quiet
        report.summary = Sample.judged(Sample.summary(Sample.project(functions: 24, days: 20)))
        let text = Report.morning(report).text(.markdown(isFolding: true))
        let isComplete = report.summary.functions.allSatisfy { text.contains($0.name) } && !text.contains("--limit all")
        #expect(text.contains("<details>") != isComplete)
        #expect(isComplete)
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
