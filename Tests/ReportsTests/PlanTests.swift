import Readiness
import Testing
import Verifications

@testable import Reports

/// What the table says to do.
@Suite struct PlanTests {
    private func plan(_ functions: [FunctionSummary], rules: PolicyRules? = nil) -> [String] {
        let summary = Sample.judged(Sample.summary(functions), rules: rules)
        return ([summary.headline] + summary.advice).map { $0.text(ascii: true) }
    }

    private func safe(_ name: String, region: String = "us-central1", requests: Int) -> FunctionSummary {
        Sample.function(name, region: region, generation: .first) { _ in [Requests(app: .valid, count: requests)] }
    }

    /// Busier than it seems, and with a bad day not long ago.
    private func troubled(_ name: String) -> FunctionSummary {
        Sample.function(name, generation: .first) { day in
            day == 0
                ? [Requests(app: .valid, count: 40), Requests(app: .missing, count: 20)]
                : [Requests(app: .valid, count: 220)]
        }
    }

    @Test func fewestRequestsFirst() {
        let functions = [
            safe("a", requests: 900), safe("b", requests: 300), safe("c", requests: 500), safe("d", requests: 999),
        ]
        #expect(
            plan(functions) == [
                """
                4 of 4 functions can be enforced today. Next: b (none of 300 requests a day would be refused).
                """
            ])
        #expect(Sample.judged(Sample.summary(functions)).ready.map(\.name) == ["b", "c", "a", "d"])
    }

    /// Whoever had a bad day recently comes last, however few requests there are.
    @Test func recentTroubleLast() throws {
        let summary = Sample.judged(Sample.summary([troubled("quiet"), safe("busy", requests: 5000)]))
        #expect(summary.ready.map(\.name) == ["busy", "quiet"])
        #expect(try #require(summary.ready.last).outlookBrief.text(ascii: true) == "bad day on 1 Oct")
    }

    @Test func lockoutsBeforeAnythingElse() {
        var rules = PolicyRules()
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.enforced = Sample.day("2026-10-02")
        rules.entries = [entry]
        let locked = Sample.function("f", generation: .first) { _ in
            [Requests(app: .valid, count: 900), Requests(app: .missing, count: 90)]
        }
        #expect(
            plan([locked], rules: rules) == [
                "0 of 1 functions can be enforced today.",
                "f refuses signed-in users: redeploy it without enforcement.",
            ])
    }

    @Test func oneNameInTwoRegions() throws {
        let lines = plan([
            safe("a", region: "us-central1", requests: 900), safe("a", region: "europe-west1", requests: 300),
        ])
        #expect(lines[0].contains("Next: a in europe-west1 (none of 300"))
    }
}
