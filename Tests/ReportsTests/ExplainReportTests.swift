import Readiness
import Testing
import Verifications

@testable import Reports

/// The page of `explain`.
@Suite struct ExplainReportTests {
    private func text(_ name: String, columns: Int = 100, unicode: Bool = true, color: Bool = false) -> String {
        Report.explanation(Story.explanation(name), policyFile: "policy.yaml", isVerbose: true)
            .text(.terminal(TerminalStyle(columns: columns, color: color, unicode: unicode)))
    }

    @Test(
        arguments: [
            ("verifyUserProfile", "enforce"), ("sendReceipts", "wait"), ("scanReceipt", "investigate"),
            ("newThing", "silent"), ("rarelyUsed", "insufficient"), ("exportAll", "blind"), ("addPushToken", "exempt"),
            ("getAccount", "enforced"), ("signUp", "anonymous"),
        ])
    func pages(name: String, file: String) {
        expectGolden(text(name), "explain-\(file).txt")
    }

    /// Who, why, what to do and when fit a screen.
    @Test func screens() {
        for name in Story.judged.functions.map(\.name) {
            let text = Report.explanation(Story.explanation(name)).text(.terminal(TerminalStyle(columns: 80)))
            #expect(text.count { $0 == "\n" } <= 40, "\(name)")
            if ["verifyUserProfile", "sendReceipts"].contains(name) { expectGolden(text, "screen-\(name).txt") }
        }
    }

    @Test func otherTerminals() {
        expectGolden(text("scanReceipt", columns: 80, unicode: false), "explain-ascii.txt")
        expectGolden(text("scanReceipt", color: true), "explain-color.txt")
        #expect(text("scanReceipt", unicode: false).utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func comments() {
        let markdown = Format.markdown
        expectGolden(
            Report.explanation(Story.explanation("verifyUserProfile"), policyFile: "policy.yaml").text(markdown),
            "explain-enforce.md")
        expectGolden(Report.explanation(Story.explanation("scanReceipt")).text(markdown), "explain-investigate.md")
    }

    /// Prose and bars fit; commands stay as they are, to be copied.
    @Test(arguments: [72, 80, 100, 160])
    func linesFitTheTerminal(columns: Int) {
        for function in Story.judged.functions {
            let text = text(function.name, columns: columns)
            for line in text.split(separator: "\n") where !line.hasPrefix("      ") {
                #expect(displayWidth(of: String(line)) <= columns, "\(line)")
            }
            #expect(text.hasSuffix("\n") && !text.contains(" \n"))
        }
    }

    /// The numbers of callers add up to the verifications of the days judged.
    @Test func everyCallerIsCountedOnce() throws {
        var functions = Sample.project(functions: 9)
        functions[1] = functions[1].changed {
            $0.table.add(Requests(app: .other, auth: .other, count: 7), on: Sample.day("2026-10-10"))
        }
        functions[2] = functions[2].changed {
            $0.table.add(Requests(app: .invalid, auth: .missing, count: 5), on: Sample.day("2026-10-10"))
        }
        functions[2] = functions[2].changed {
            $0.table.add(Requests(app: .valid, auth: .invalid, count: 3), on: Sample.day("2026-10-10"))
        }
        for requiresAuth in [false, true] {
            var policy = VerdictPolicy()
            policy.requiresAuth = requiresAuth
            let summary = Sample.judged(Sample.summary(functions, policy: policy))
            for function in summary.functions {
                let explanation = Sample.explanation(function.name, in: summary)
                guard case .figures(let lines)? = explanation.tokenSection?.blocks.first else {
                    Issue.record("no callers of \(function.name)")
                    continue
                }
                let counts = lines.map { line -> Int in
                    let digits = line.figure.text(ascii: true).prefix { $0 != " " }.filter { $0 != "," }
                    return Int(String(digits)) ?? -1
                }
                let window = try #require(explanation.judged)
                let total = function.days.filter { window.days.contains($0.day) }
                    .reduce(0) { $0 + $1.statuses.total }
                #expect(counts.reduce(0, +) == total, "\(function.name)")
            }
        }
    }

    /// The chart of the days: bars in proportion, at least a mark of each kind, quiet days together.
    @Test func chart() throws {
        let function = Sample.function("f", generation: .first) { day in
            switch day {
            case 3...6, 9: []
            case 7: [Requests(app: .valid, count: 400), Requests(app: .missing, count: 1)]
            case 8: [Requests(app: .missing, count: 2)]
            default: [Requests(app: .valid, count: 100)]
            }
        }
        let other = Sample.function("g", generation: .first) { day in
            day == 4 ? [] : [Requests(app: .valid, count: 1)]
        }
        let summary = Sample.judged(Sample.summary([function, other], asOf: Sample.instant("2026-10-14T09:30:00Z")))
        let series = try #require(DaySeries(Sample.explanation("f", in: summary)))
        let lines = DayChart(series).lines(columns: 100, style: TerminalStyle())
            .map { $0.rendered(color: false) }
        #expect(
            lines == [
                "Thu  1 Oct     100  ██████████", "Fri  2 Oct     100  ██████████", "Sat  3 Oct     100  ██████████",
                "4 – 7 Oct      no request on 4 days: no data at all on 1 of them",
                "Thu  8 Oct     401  ███████████████████████████████████████▒  1 (0.2%)",
                "Fri  9 Oct       2  ▒                                         2 (100%)",
                "Sat 10 Oct     no request", "Sun 11 Oct     100  ██████████", "Mon 12 Oct     100  ██████████",
                "Tue 13 Oct     100  ██████████",
                "Wed 14 Oct     100  ██████████                                until 09:30",
            ])
    }

    @Test func commandsUseTheNameInTheSource() {
        let lower = FunctionSummary(
            identity: FunctionIdentity(project: "p", region: "r", name: "addmessage", generation: .second),
            name: "addmessage", table: CellTable())
        func paragraphs(_ function: FunctionSummary) -> String {
            let page = Document(title: [], sections: [Document.Section(blocks: function.rollback)])
            return page.markdown
        }
        #expect(paragraphs(lower).contains("functions:addmessage"))
        #expect(paragraphs(lower).contains("does not show its capitals"))
        var known = lower
        known = known.changed { $0.sourceName = "addMessage" }
        #expect(!paragraphs(known).contains("does not show its capitals"))
        #expect(known.deployment.hasPrefix("firebase deploy --only functions:addMessage --project "))
        #expect(EnforcementCode(known).listings.map(\.title) == ["Node.js, generation 2:", "Python:"])
        known = known.changed {
            $0.identity = FunctionIdentity(project: "p", region: "r", name: "addMessage", generation: .first)
        }
        #expect(EnforcementCode(known).listings.count == 1)
        known = known.changed {
            $0.identity = FunctionIdentity(project: "p", region: "r", name: "addMessage", generation: nil)
        }
        #expect(EnforcementCode(known).listings.count == 3)
    }
}
