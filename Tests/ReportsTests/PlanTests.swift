import Readiness
import Testing
import Verifications

@testable import Reports

/// What the table says to do.
@Suite struct PlanTests {
    private func plan(_ functions: [FunctionSummary], rules: PolicyRules? = nil) -> [String] {
        let summary = Sample.judged(Sample.summary(functions), rules: rules)
        return [summary.lockouts, summary.headline].compactMap { $0?.text(ascii: true) }
    }

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

    @Test func fewestRequestsFirst() {
        let functions = [
            safe("a", requests: 900), safe("b", requests: 300), safe("c", requests: 500), safe("d", requests: 999),
        ]
        #expect(
            plan(functions) == ["As of 14 Oct 2026, 4 of 4 functions are ready: enforce b first."])
        #expect(Sample.judged(Sample.summary(functions)).ready.map(\.name) == ["b", "c", "a", "d"])
    }

    /// Whatever failed recently comes last, however few requests there are.
    @Test func whatFailedLast() throws {
        let summary = Sample.judged(Sample.summary([troubled("quiet"), safe("busy", requests: 5000)]))
        #expect(summary.ready.map(\.name) == ["busy", "quiet"])
        let why = try #require(summary.ready.last).who.text(ascii: true)
        #expect(why == "failed 4 Oct to 5 Oct")
    }

    @Test func lockoutsBeforeAnythingElse() {
        var rules = PolicyRules()
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.settings.enforced = .date(Sample.day("2026-10-02"))
        rules.entries = [entry]
        let locked = Sample.function("f", generation: .first) { _ in
            [Requests(app: .valid, count: 900), Requests(app: .missing, count: 90)]
        }
        #expect(
            plan([locked], rules: rules) == [
                "f refuses signed-in users: 630 of 6,930 in the last 7 days. To undo: remove enforceAppCheck, then "
                    + "firebase deploy --only functions:f --project demo-prod. Use the name as in your source: this log does not show its "
                    + "capitals.",
                "As of 14 Oct 2026, 0 of 1 function is ready. Refusing users: 1.",
            ])
    }

    /// Since the day of the switch only where all days since then were looked at.
    @Test(arguments: [("2026-10-08", " since the end of 8 Oct 2026"), ("2026-10-05", " in the last 7 days")])
    func lockoutsSince(date: String, span: String) throws {
        var rules = PolicyRules()
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.settings.enforced = .date(Sample.day(date))
        rules.entries = [entry]
        // The last request comes two days before the log ends.
        let locked = Sample.function("f", generation: .first) { day in
            day < 12 ? [Requests(app: .valid, count: 900), Requests(app: .missing, count: 90)] : []
        }
        let summary = Sample.judged(Sample.summary([locked, safe("a", requests: 900)]), rules: rules)
        let lockouts = try #require(summary.lockouts).text(ascii: true)
        #expect(lockouts.contains("\(span). To undo"), "\(lockouts)")
    }

    /// Guests alone are refused, since the day before: the signed-in users' *0 of 6,300* says nothing of it.
    @Test func whatHoldsIsTold() throws {
        var rules = PolicyRules()
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.settings.enforced = .date(Sample.day("2026-10-02"))
        rules.entries = [entry]
        let locked = Sample.function("f", generation: .first, days: 28) { day in
            [
                Requests(app: .valid, count: 900),
                Requests(app: day < 26 ? .valid : .missing, auth: .missing, count: 400),
            ]
        }
        let summary = Sample.judged(Sample.summary([locked]), rules: rules)
        let lockout = try #require(summary.functions[0].assessment.lockout)
        #expect(lockout.refused == 0 && lockout.failing != nil)
        let told = "f refuses users: 800 of 2,600 since 27 Oct 08:00 UTC."
        #expect(try #require(summary.lockouts).text(ascii: true).hasPrefix(told))
        #expect(summary.failing == nil)
        let finding = try #require(summary.functions[0].assessment.reasons[.lockout])
        let sentence = finding.statement(of: summary.functions[0].assessment).sentence.text(ascii: true)
        let why = "Enforcement refuses users: 800 of 2,600 requests (31%) had no valid App Check token since 27 Oct"
        #expect(sentence.hasPrefix(why))
    }

    /// What an inventory names and may not be callable counts in neither line.
    @Test func onlyCallableFunctionsCount() {
        var rules = PolicyRules()
        var entry = PolicyEntry(match: Glob("on"), line: 1)
        entry.settings.enforced = .date(Sample.day("2026-10-02"))
        rules.entries = [entry]
        let functions = [safe("on", requests: 900), safe("a", requests: 900), safe("webhook", requests: 900)]
        var summary = Sample.judged(Sample.summary(functions), rules: rules)
        summary.functions[2] = summary.functions[2].changed {
            ($0.listing, $0.table) = (.deployed(.unknown), CellTable())
            $0.assessment = Story.judged("exportAll").functions[0].assessment
        }
        #expect(summary.headline.text(ascii: true).hasPrefix("As of 14 Oct 2026, 1 of 2 functions is ready: "))
        #expect(summary.progress?.text(ascii: true) == "1 of 2 enforced.")
    }

    /// How many are enforced, ready, and when the rest follows.
    @Test func progressOfAll() {
        var rules = PolicyRules()
        let dates: [(String, String?)] = [("on", "2026-10-02"), ("off", nil)]
        for (name, date) in dates {
            var entry = PolicyEntry(match: Glob(name), line: 1)
            entry.settings.enforced = date.map { .date(Sample.day($0)) }
            if date == nil { entry.settings.exempt = "never" }
            rules.entries.append(entry)
        }
        // The last of them are refused on 9 Oct.
        let soon = Sample.function("soon", generation: .first) { day in
            [Requests(app: .valid, count: 900), Requests(app: .missing, count: day < 9 ? 90 : 0)]
        }
        let never = Sample.function("never", generation: .first) { _ in
            [Requests(app: .valid, count: 900), Requests(app: .missing, count: 90)]
        }
        func progress(_ functions: FunctionSummary...) -> String? {
            Sample.judged(Sample.summary(functions), rules: rules).progress?.text(ascii: true)
        }
        let (on, a) = (safe("on", requests: 900), safe("a", requests: 900))
        #expect(progress(on, a, soon) == "1 of 3 enforced, the rest ready by 22 Oct.")
        #expect(
            progress(on, a, soon, never, safe("off", requests: 900))
                == "1 of 5 enforced, 1 exempt or replaced, 1 more ready by 22 Oct, 1 without a date.")
        #expect(progress(on, never) == "1 of 2 enforced, 1 without a date.")
        // Nothing that the first line does not say.
        #expect(progress(a, never) == nil)
        #expect(progress(soon) == nil)
        let page = Report.summary(Sample.judged(Sample.summary([on, a, soon]), rules: rules))
        let formats: [Format] = [.markdown, .html]
        #expect(formats.allSatisfy { page.text($0).contains("the rest ready by 22 Oct") })
    }

    /// Each when it is ready, and of those that are the one with the fewest requests.
    @Test func orderOfThePlan() {
        var rules = PolicyRules()
        rules.entries = [
            PolicyEntry(match: Glob("off"), SettingValues(\.exempt, "never"), line: 1),
            PolicyEntry(match: Glob("*"), SettingValues(\.owner, "team"), line: 1),
        ]
        // The last of them are refused on 9 Oct.
        func soon(_ name: String, requests: Int) -> FunctionSummary {
            Sample.function(name, generation: .first) { day in
                [Requests(app: .valid, count: requests), Requests(app: .missing, count: day < 9 ? requests / 10 : 0)]
            }
        }
        let never = Sample.function("never", generation: .first) { _ in
            [Requests(app: .valid, count: 900), Requests(app: .missing, count: 90)]
        }
        let summary = Sample.judged(
            Sample.summary([
                safe("b", requests: 900), safe("a", requests: 800), soon("d", requests: 900),
                soon("c", requests: 700), never, safe("off", requests: 900),
            ]), rules: rules)
        #expect(summary.plan.map(\.function.name) == ["a", "b", "c", "d"])
        #expect(summary.plan.allSatisfy { $0.function.owner == "team" })
        var view = TableView()
        view.isVerbose = true
        let format = Format.terminal(TerminalStyle(columns: 100))
        let page = Report.summary(summary, view).text(format)
        #expect(page.contains("\nPlan\nenforce ") && page.contains("1 function has no date yet."))
        #expect(!Report.summary(summary).text(format).contains("Plan"))
        #expect(Sample.judged(Sample.summary([never])).planSection(view) == nil)
    }

    /// Ready functions wait for nobody, and the busiest of many comes last.
    @Test func busyFunctionsLast() {
        let functions = (0..<40).map { safe("f\($0)", requests: 5000 - 100 * (($0 * 7) % 40)) }
        let plan = Sample.judged(Sample.summary(functions)).plan.map(\.function)
        #expect(plan.count == 40 && plan.map(\.totals.total) == plan.map(\.totals.total).sorted())
    }

    @Test func theFirstOfOne() {
        let summary = Sample.judged(Sample.summary([safe("a", requests: 900)]))
        #expect(summary.headline.text(ascii: true) == "As of 14 Oct 2026, 1 of 1 function is ready: enforce a.")
    }

    /// A log that is too old to judge by says so, and how to look back.
    @Test func anOldLog() {
        let summary = whole(
            ["a", "b"].map { safe($0, requests: 900) }, clock: Sample.instant("2026-11-23T06:00:00Z"))
        let old = """
            The log ended 39 days ago, so it says nothing about today. Export it again, or judge it as of its end with \
            --as-of 2026-10-14.
            """
        #expect(summary.headline.text(ascii: true) == "As of 14 Oct 2026, 0 of 2 functions are ready. \(old)")
        let gate = Report.check(GateCheck(Gate(failOn: .unsure)), on: summary)
        for format in [Format.terminal(TerminalStyle(columns: 200)), .markdown] {
            let text = gate.text(format)
            #expect(text.contains("No answer yet, as of 14 Oct 2026: the log ended 39 days ago, so it says nothing"))
            #expect(text.contains("--as-of 2026-10-14") && !text.contains("not enough data on"))
        }
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

    @Test func oneNameInTwoRegions() throws {
        let lines = plan([
            safe("a", region: "us-central1", requests: 900), safe("a", region: "europe-west1", requests: 300),
        ])
        #expect(lines[0].contains("enforce a in europe-west1 first."))
    }
}
