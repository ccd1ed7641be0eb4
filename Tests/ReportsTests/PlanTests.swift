import Readiness
import Testing
import Verifications

@testable import Reports

/// What the table says to do.
@Suite struct PlanTests {
    private func plan(_ functions: [FunctionSummary], rules: PolicyRules? = nil) -> String? {
        Sample.judged(Sample.summary(functions), rules: rules).plan?.text(ascii: true)
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
        #expect(
            plan([
                safe("a", requests: 900), safe("b", requests: 300), safe("c", requests: 500), safe("d", requests: 999),
            ])
                == """
                Ready: 4. Enforce next: b, c and a (fewest requests at stake). One at a time, a day apart; rolling \
                back needs a redeploy.
                """)
        #expect(
            plan([safe("a", requests: 900)])
                == "Ready: 1. Enforce next: a. Then watch it for a day; rolling back needs a redeploy.")
    }

    /// Whoever had trouble of late comes last, however few requests there are.
    @Test func recentTroubleLast() {
        #expect(
            plan([troubled("quiet"), safe("busy", requests: 5000)])
                == """
                Ready: 2. Enforce next: busy and quiet (fewest requests at stake). One at a time, a day apart; \
                rolling back needs a redeploy. Of late there was trouble with quiet: know why before you enforce there.
                """)
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
            plan([locked], rules: rules)
                == "Signed-in people are locked out of f: deploy it without enforcement again. Ready: none yet.")
    }

    @Test func oneNameInTwoRegions() throws {
        let text = try #require(
            plan([safe("a", region: "us-central1", requests: 900), safe("a", region: "europe-west1", requests: 300)]))
        #expect(text.hasPrefix("Ready: 2. Enforce next: a in europe-west1 and a in us-central1 (fewest"))
    }

    @Test func nothingToPlan() {
        #expect(plan([]) == nil)
    }
}
