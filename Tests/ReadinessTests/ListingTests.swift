import TestSupport
import Testing
import Verifications

@testable import Readiness

/// Rows of functions that were not seen: what is deployed, and what was asked for in vain.
@Suite struct ListingTests {
    @Test func deployedFunctionsWithoutTrafficAreRows() {
        let summary = summary(
            inventory: [
                entry("addMessage", .callable), entry("brandNew", .callable), entry("perhaps", .unknown),
                entry("onUpload", .other), entry("legacyCall", .callable, .first),
            ])
        #expect(rows(summary) == ["addMessage", "brandNew", "legacyCall", "perhaps", "submitScore"])
        #expect(
            summary.functions.map(\.listing) == [
                .seen, .deployed(.callable), .deployed(.callable), .deployed(.unknown), .seen,
            ])
        for row in summary.functions where row.listing != .seen {
            #expect(row.assessment.verdict == .insufficient)
            #expect(row.assessment.reasons == [Finding(code: .noTraffic)])
            #expect(row.table == CellTable())
            #expect(row.identity.project == "demo-prod")
        }
        #expect(summary.functions.map(\.identity.name).contains("brandnew"))
        #expect(summary.functions.map(\.identity.name).contains("legacyCall"))
    }

    @Test func trueNamesComeFromTheInventory() {
        #expect(rows(summary()) == ["addmessage", "submitScore"])
        let other = InventoryEntry(
            project: "demo-prod", region: "europe-west1", generation: .second, id: "AddMessage", trigger: .other)
        #expect(rows(summary(inventory: [other])) == ["addmessage", "submitScore"])
        // A function with traffic stays, regardless of its trigger in the list.
        #expect(rows(summary(inventory: [entry("addMessage", .other)])) == ["addMessage", "submitScore"])
        // A first generation name is true already, and another one is another function.
        #expect(
            rows(summary(inventory: [entry("SubmitScore", .callable, .first)]))
                == ["SubmitScore", "addmessage", "submitScore"])
    }

    @Test func theNameOfALabelGivesWayToTheInventory() {
        var tally = tally()
        var labelled = CellTable()
        labelled.label = "add_message"
        tally.add(labelled, for: identity("add-message", .second))
        #expect(rows(summary(of: tally)).contains("add_message"))
        #expect(rows(summary(of: tally, inventory: [entry("add_Message", .callable)])).contains("add_Message"))
    }

    @Test func ofTwoListsTheOneThatKnowsTheTriggerCounts() {
        let twice = [entry("brandNew", .unknown), entry("brandNew", .callable), entry("brandNew", .other)]
        for inventory in [twice, twice.reversed()] {
            #expect(summary(inventory: inventory).functions.map(\.listing) == [.seen, .deployed(.callable), .seen])
        }
    }

    @Test func theSelectionSelectsAmongThemToo() {
        let inventory = [entry("brandNew", .callable), entry("adminDelete", .callable)]
        let selection = Selection(functions: [Glob("admin*")])
        #expect(rows(summary(selecting: selection, inventory: inventory)) == ["adminDelete"])
        #expect(rows(summary(selecting: Selection(regions: [Glob("asia*")]), inventory: inventory)) == [])
    }

    @Test func policyEntriesSpeakOfThemByTheirTrueNames() {
        var exempt = PolicyEntry(match: Glob("brandNew"), line: 1)
        exempt.settings.exempt = "because"
        let summary = summary(rules: PolicyRules(entries: [exempt]), inventory: [entry("brandNew", .callable)])
        #expect(summary.functions.map(\.assessment.verdict).contains(.exempt))
    }

    @Test func aPatternWithoutAMatchIsARow() throws {
        let selection = Selection(functions: [Glob("addMesage"), Glob("submit*"), Glob("zebra"), Glob("addMesage")])
        let summary = summary(selecting: selection, inventory: [entry("addMessage", .callable)])
        #expect(rows(summary) == ["addMesage", "zebra", "submitScore"])
        #expect(
            summary.functions.map(\.listing) == [
                .unmatched(suggestion: "addMessage"), .unmatched(suggestion: nil), .seen,
            ])
        let row = try #require(summary.functions.first)
        #expect(row.assessment.verdict == .insufficient)
        #expect(row.assessment.reasons == [Finding(code: .noTraffic)])
        #expect(row.assessment.signedIn.verdict == .insufficient)
        #expect(row.identity == FunctionIdentity(project: "-", region: "-", name: "addMesage", generation: nil))
    }

    @Test func noPolicyExcusesAPatternWithoutAMatch() {
        var everything = PolicyEntry(match: Glob("*"), line: 1)
        everything.settings.exempt = "because"
        let summary = summary(
            selecting: Selection(functions: [Glob("zebra")]), rules: PolicyRules(entries: [everything]))
        #expect(summary.functions.map(\.assessment.verdict) == [.insufficient])
    }

    @Test func whatOtherPatternsLeaveOutDoesNotMatch() {
        let elsewhere = Selection(regions: [Glob("europe-west1")], functions: [Glob("addMessage")])
        #expect(summary(selecting: elsewhere).functions.map(\.listing) == [.unmatched(suggestion: nil)])
        let here = Selection(projects: [Glob("demo-*")], functions: [Glob("addmesage")])
        #expect(summary(selecting: here).functions.map(\.listing) == [.unmatched(suggestion: "addmessage")])
    }

    @Test func anEmptyInputStillAnswers() {
        let summary = summary(
            of: Tally(), selecting: Selection(functions: [Glob("brand*"), Glob("zebra")]),
            inventory: [entry("brandNew", .callable)])
        #expect(summary.asOf == nil)
        #expect(rows(summary) == ["zebra", "brandNew"])
        #expect(summary.functions.allSatisfy { $0.assessment.reasons == [Finding(code: .noTraffic)] })
    }

    private func identity(_ name: String, _ generation: Generation) -> FunctionIdentity {
        FunctionIdentity(project: "demo-prod", region: "us-central1", name: name, generation: generation)
    }

    private func entry(
        _ id: String, _ trigger: InventoryEntry.Trigger, _ generation: Generation = .second
    ) -> InventoryEntry {
        InventoryEntry(project: "demo-prod", region: "us-central1", generation: generation, id: id, trigger: trigger)
    }

    /// A function of each generation, called once.
    private func tally() -> Tally {
        let instant = Instant(day: Day(number: 20_000), nanosecondOfDay: 0)
        var tally = Tally()
        for identity in [identity("addmessage", .second), identity("submitScore", .first)] {
            var writer = CellWriter()
            writer.add(at: instant)
            tally.add(writer.finish(), for: identity)
        }
        tally.updateNewest(instant)
        return tally
    }

    private func summary(
        of tally: Tally? = nil, selecting selection: Selection = Selection(), rules: PolicyRules = PolicyRules(),
        inventory: [InventoryEntry] = []
    ) -> Summary {
        let evaluator = Evaluator(tally: tally ?? self.tally(), rules: rules, asOf: nil, inventory: inventory)
        return Summary(evaluator: evaluator, input: InputSummary(), selection: selection, inventory: inventory)
    }

    private func rows(_ summary: Summary) -> [String] {
        summary.functions.map(\.name)
    }
}
