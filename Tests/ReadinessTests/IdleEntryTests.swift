import Readiness
import Testing
import Verifications

/// Entries of a policy that speak of nothing.
@Suite struct IdleEntryTests {
    private func idle(
        _ entries: [PolicyEntry], inventory: [InventoryEntry] = [], isEmpty: Bool = false
    ) -> [IdleEntry] {
        var log = Scenario()
        if !isEmpty {
            log.add("addMessage", days: -6...0, .valid(1))
            log.add("scan-receipt", generation: .second, region: "eu", days: -6...0, .valid(1))
        }
        log.rules = PolicyRules(entries: entries)
        return Evaluator(tally: log.tally, rules: log.rules, asOf: log.asOf, inventory: inventory).idleEntries()
    }

    private func entry(_ pattern: String, region: String? = nil, until: String? = nil) -> PolicyEntry {
        var entry = PolicyEntry(match: Glob(pattern), line: 7)
        entry.settings.region = region.map { [Glob($0)] }
        entry.settings.until = until.map { day($0) }
        return entry
    }

    @Test(arguments: ["addMessage", "ADD*", "scan_receipt", "*"])
    func entriesThatCoverSomethingAreNotIdle(pattern: String) {
        #expect(idle([entry(pattern)]) == [])
    }

    @Test func theNameThatWasMeant() {
        let entries = [entry("addMesage"), entry("*"), entry("scanReceipt"), entry("other")]
        let idle = idle(entries)
        #expect(idle.map(\.entry) == [entries[0], entries[2], entries[3]])
        #expect(idle.map(\.suggestion) == ["addMessage", "scan-receipt", nil])
    }

    /// The name is right: it would be no help to offer it.
    @Test func anotherRegion() {
        #expect(idle([entry("scan-receipt", region: "eu")]) == [])
        let idle = idle([entry("scan-receipt", region: "us")])
        #expect(idle.map(\.suggestion) == [nil])
    }

    @Test func deployedFunctionsCount() {
        let brandNew = InventoryEntry(
            project: "demo", region: "us", generation: .second, id: "brandNew", trigger: .callable)
        #expect(idle([entry("brandNew")]).count == 1)
        #expect(idle([entry("brandNew")], inventory: [brandNew]) == [])
        #expect(idle([entry("brand-new")], inventory: [brandNew]).map(\.suggestion) == ["brandNew"])
    }

    /// An expired entry is reported as such, and an empty log says nothing about names.
    @Test func whatIsNotTold() {
        #expect(idle([entry("other", until: "2026-10-13")]) == [])
        #expect(idle([entry("other", until: "2026-10-14")]).count == 1)
        #expect(idle([entry("other")], isEmpty: true) == [])
    }
}
