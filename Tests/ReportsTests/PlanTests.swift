import Readiness
import Testing
import Verifications

@testable import Reports

/// What the table says to do.
@Suite struct PlanTests {
    private func safe(_ name: String, region: String = "us-central1", requests: Int) -> FunctionSummary {
        Sample.function(name, region: region, generation: .first) { _ in [Requests(app: .valid, count: requests)] }
    }

    /// Busier than it seems, and with a bad day not long ago.
    private func troubled(_ name: String) -> FunctionSummary {
        func people(_ addresses: ClosedRange<UInt16>, _ app: TokenStatus, requests: Int) -> [Requests] {
            addresses.map { Requests(app: app, count: requests, client: Client(kind: .web), address: $0) }
        }
        return Sample.function(name, generation: .first) { day in
            day == 3
                ? people(101...1000, .valid, requests: 1) + people(1...12, .missing, requests: 1)
                : people(101...1000, .valid, requests: 1)
        }
    }

    /// Since a day by the policy, which means its end.
    private func enforced(_ name: String, on date: String = "2026-10-02") -> PolicyEntry {
        var entry = PolicyEntry(match: Glob(name), line: 1)
        entry.settings.enforced = .date(Sample.day(date))
        return entry
    }

    private func refused(_ name: String, days: Range<Int> = 0..<14) -> FunctionSummary {
        Sample.function(name, generation: .first) { day in
            days.contains(day) ? [Requests(app: .valid, count: 900), Requests(app: .missing, count: 90)] : []
        }
    }

    /// The last of them are refused on 9 Oct.
    private func soon(_ name: String, requests: Int) -> FunctionSummary {
        Sample.function(name, generation: .first) { day in
            [Requests(app: .valid, count: requests), Requests(app: .missing, count: day < 9 ? requests / 10 : 0)]
        }
    }

    /// Guests alone are refused, since the day before: the signed-in users' *0 of 6,300* says nothing of it.
    private var guests: FunctionSummary {
        Sample.function("f", generation: .first, days: 28) { day in
            [
                Requests(app: .valid, count: 900),
                Requests(app: day < 26 ? .valid : .missing, auth: .missing, count: 400),
            ]
        }
    }

    private func situations() -> [(what: String, summary: Summary)] {
        let (on, a, never) = (safe("on", requests: 900), safe("a", requests: 900), refused("never"))
        let off = PolicyEntry(match: Glob("off"), SettingValues(\.exempt, "never"), line: 1)
        let team = PolicyEntry(match: Glob("*"), SettingValues(\.owner, "team"), line: 1)
        func judged(_ functions: [FunctionSummary], _ entries: PolicyEntry...) -> Summary {
            var rules = PolicyRules()
            rules.entries = entries
            return Sample.judged(Sample.summary(functions), rules: rules)
        }
        // What an inventory names and may not be callable counts in neither line.
        var listed = judged([on, a, safe("webhook", requests: 900)], enforced("on"))
        listed.functions[2] = listed.functions[2].changed {
            ($0.listing, $0.table) = (.deployed(.unknown), CellTable())
            $0.assessment = Story.judged("exportAll").functions[0].assessment
        }
        let four = [("a", 900), ("b", 300), ("c", 500), ("d", 999)].map { safe($0, requests: $1) }
        return [
            ("fewest requests first", judged(four)), ("one", judged([a])), ("none", judged([never])),
            ("what failed last", judged([troubled("quiet"), safe("busy", requests: 5000)])),
            ("two regions", judged([a, safe("a", region: "europe-west1", requests: 300)])),
            ("a lock-out", judged([refused("f")], enforced("f"))),
            // Since the day of the switch only where all days since then were looked at.
            ("since a day", judged([refused("f", days: 0..<12), a], enforced("f", on: "2026-10-08"))),
            ("since longer", judged([refused("f", days: 0..<12), a], enforced("f", on: "2026-10-05"))),
            ("guests", judged([guests], enforced("f"))), ("not callable", listed),
            ("the rest is soon ready", judged([on, a, soon("soon", requests: 700)], enforced("on"), off)),
            (
                "and some never",
                judged(
                    [on, a, soon("soon", requests: 700), never, safe("off", requests: 900)], enforced("on"), off)
            ),
            ("one on, one never", judged([on, never], enforced("on"))), ("ready or never", judged([a, never])),
            ("soon", judged([soon("soon", requests: 700)])),
            (
                "each when it is ready",
                judged(
                    [
                        safe("b", requests: 900), safe("a", requests: 800), soon("d", requests: 900),
                        soon("c", requests: 700), never, safe("off", requests: 900),
                    ], off, team)
            ),
            ("an old log", whole([a, on], clock: Sample.instant("2026-11-23T06:00:00Z"))),
        ]
    }

    /// What comes first, and when the rest follows; the plan is printed where somebody asks for it.
    @Test func everySituation() {
        var text = ""
        for (what, summary) in situations() {
            let sentences = [summary.lockouts, summary.headline, summary.progress].compactMap { $0?.text(ascii: true) }
            let gate = GateStatements(GateCheck(Gate(failOn: .unsure)), of: summary).all.joined.text(ascii: true)
            let ready = summary.ready.map { "  ready: \($0.name), \($0.who.text(ascii: true))" }
            let plan = summary.plan.map { "  plan: \($0.function.name), \($0.function.owner ?? "-")" }
            let lockouts = summary.functions.compactMap { function in
                function.assessment.reasons[.lockout]?.statement(of: function.assessment)
            }
            let lines = ["# \(what)"] + sentences + ["gate: \(gate)"] + lockouts.map { $0.sentence.text(ascii: true) }
            text += (lines + ready + plan).joined(separator: "\n") + "\n\n"
        }
        expectGolden(text, "plan.txt")
        var view = TableView()
        view.isVerbose = true
        let (all, none) = (Sample.summary([safe("a", requests: 800), refused("never")]), refused("never"))
        let format = Format.terminal(TerminalStyle(columns: 100))
        let page = Report.summary(Sample.judged(all), view).text(format)
        #expect(page.contains("\nPlan\nenforce ") && page.contains("1 function has no date yet."))
        #expect(!Report.summary(Sample.judged(all)).text(format).contains("Plan"))
        #expect(Sample.judged(Sample.summary([none])).planSection(view) == nil)
    }

    /// Ready functions wait for nobody, and the busiest of many comes last.
    @Test func busyFunctionsLast() {
        let functions = (0..<40).map { safe("f\($0)", requests: 5000 - 100 * (($0 * 7) % 40)) }
        let plan = Sample.judged(Sample.summary(functions)).plan.map(\.function)
        #expect(plan.count == 40 && plan.map(\.totals.total) == plan.map(\.totals.total).sorted())
    }

    /// A summary as a run makes it.
    private func whole(_ functions: [FunctionSummary], clock: Instant? = nil) -> Summary {
        var tally = Tally()
        for function in functions { tally.add(function.table, for: function.identity) }
        let newest = functions.compactMap(\.table.last).max()
        let evaluator = Evaluator(tally: tally, rules: PolicyRules(), asOf: newest, clock: clock)
        return Summary(evaluator: evaluator, input: InputSummary(), selection: Selection())
    }

    /// A window is offered only if a log can fill it, 40 days here and 30 in Cloud Logging; else a number a week, if
    /// few were refused.
    @Test(arguments: [
        (8, 0, 40, "longer window"), (8, 0, 30, "1 a week ok?"), (1, 0, 40, "1 a week ok?"),
        (8, 4, 30, "3 a week ok?"),
        (8, 5, 30, "too quiet"),
    ])
    func windowsThatNoLogHasAreNotOffered(requests: Int, refused: Int, days: Int, outlook: String) {
        let function = Sample.function("f", generation: .first, days: days) { day in
            [Requests(app: .valid, count: requests)]
                + ((10..<10 + refused).contains(day) ? [Requests(app: .missing, count: 1)] : [])
        }
        let summary = Sample.judged(Sample.summary([function]))
        #expect(summary.functions[0].next.text(ascii: true) == outlook)
        let page = Report.explanation(Sample.explanation("f", in: summary)).text(.markdown)
        // No log has it, but a store may.
        let isOffered = outlook.contains("window") || page.contains("`callcheck store add` keeps more. Then allow")
        #expect(page.contains("--set max-window=4") == isOffered)
        #expect(page.contains("--set max-per-week=\(outlook.prefix(1))") == outlook.contains("week"))
    }
}
