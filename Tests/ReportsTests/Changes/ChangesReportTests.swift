import Testing
import Verifications

@testable import Readiness
@testable import Reports

/// Reports that say what has changed, in every format.
@Suite struct ChangesReportTests {
    /// Much has happened, in a log of four weeks up to 28 Oct 2026.
    static let eventful: Summary = {
        let functions = [
            function("addMessage") { _ in [Requests(app: .valid, count: 400)] },
            function("createInvite") { day in
                [Requests(app: .valid, count: 300), Requests(app: .missing, count: day < 20 ? 30 : 0)]
            },
            function("rateDriver") { day in
                [Requests(app: .valid, count: 100), Requests(app: .missing, count: day < 26 ? 0 : 60)]
            },
            function("scanReceipt") { day in
                [Requests(app: .valid, count: 300), Requests(app: .missing, count: day < 26 ? 60 : 8)]
            },
            function("castVote") { day in day < 26 ? [] : [Requests(app: .valid, count: 40)] },
            function("syncCalendar") { day in
                [Requests(app: .valid, count: day < 27 ? 50 : 0), Requests(app: .invalid, count: 20)]
            },
        ]
        var tally = Tally()
        for function in functions { tally.add(function.table, for: function.identity) }
        var rules = PolicyRules()
        var enforced = PolicyEntry(match: Glob("rateDriver"), line: 2)
        enforced.settings.enforced = .date(Sample.firstDay.advanced(by: 5))
        rules.entries = [enforced]
        let last = Sample.firstDay.advanced(by: days - 1)
        let evaluator = Evaluator(tally: tally, rules: rules, asOf: Instant(endOf: last))
        var summary = Summary(evaluator: evaluator, input: Sample.summary(functions).input, selection: Selection())
        let past = evaluator.answers(at: Instant(endOf: last.advanced(by: -2)))
        summary.comparison = Comparison(summary, past: past)
        return summary
    }()

    private static let days = 28

    private static func function(_ name: String, requests: (Int) -> [Requests]) -> FunctionSummary {
        Sample.function(name, generation: .first, days: days, requests: requests)
    }

    @Test func everyFormat() throws {
        let report = Report.summary(ChangesReportTests.eventful)
        expectGolden(report.text(.terminal(TerminalStyle(columns: 80))), "changes.txt")
        expectGolden(report.text(.markdown), "changes.md")
        expectGolden(Excerpt.json(try withShortFractions(report.text(.json)), functions: [1]), "changes.json")
        expectGolden(Excerpt.metrics(try withShortFractions(report.text(.prometheus))), "changes.prom")
        #expect(report.text(.csv).contains(",lockout,"))
    }

    /// Lines fit the terminal at any width, except for commands, which are never broken.
    @Test(arguments: [60, 80, 100, 140])
    func widths(columns: Int) {
        let text = Report.summary(ChangesReportTests.eventful).text(.terminal(TerminalStyle(columns: columns)))
        let lines = text.split(separator: "\n").filter { line in
            !["callcheck explain", "firebase deploy"].contains { line.contains($0) }
        }
        #expect(lines.map { displayWidth(of: String($0)) }.max() ?? 0 <= columns)
    }

    /// Without a comparison, no changes are printed, and JSON has null.
    @Test func withoutAComparison() throws {
        var summary = ChangesReportTests.eventful
        summary.comparison = nil
        #expect(Report.summary(summary).text(.json).contains("\"changes\": null"))
        #expect(!Report.summary(summary).text(.terminal(TerminalStyle())).contains("report of"))
        summary = ChangesReportTests.eventful
        let changes = try #require(summary.comparison)
        summary.comparison = Comparison(since: changes.since, changes: [])
        #expect(Report.summary(summary).text(.terminal(TerminalStyle())).contains("Nothing has changed since"))
    }

    /// What a name out of a log may not do.
    @Test(arguments: PageSample.markup + ["\u{1b}[31m", "\u{202e}", "\n", "a`b|c", "\u{301}"])
    func namesAreInert(name: String) {
        var summary = PageSample.hostileSummary([name])
        let before = PastAnswer(
            asOf: Instant(endOf: Sample.firstDay), verdict: .blind, ready: nil, isLockout: true, aftermath: nil,
            requests: 1, blocked: 0)
        let kinds: [Change.Kind] = [
            .lockout(.began), .lockout(.ended), .verdict, .ready, .appeared(first: Sample.firstDay),
            .missingLog(Finding(code: .passesNotSeen, value: 3)), .urgent(Finding(code: .failingNow), .began),
        ]
        summary.comparison = Comparison(
            since: before.asOf,
            changes: kinds.map { Change(kind: $0, functions: summary.functions, before: before) })
        for format in [Format.terminal(TerminalStyle()), .markdown, .json, .prometheus] {
            let text = Report.summary(summary).text(format)
            #expect(text.unicodeScalars.allSatisfy { $0.isInert || $0 == "\n" })
        }
        // Outside code nothing is left that could begin markup.
        let markdown = Report.summary(summary).text(.markdown).replacing(#/`[^`\n]*`|\*\*/#, with: "")
        #expect(!markdown.contains(#/[<>*_`~$@\\\[\]]/#), "\(markdown)")
    }
}
