import Analysis
import History
import Readiness
import TestSupport
import Testing
import Verifications

/// Old days give up their fingerprints, and take no entries from then on.
@Suite struct RetentionTests {
    private func night(_ day: Int, ids: Range<Int> = 0..<5) -> String {
        let date = Day(number: 20_700 + Int32(day))
        return ids.map { EntryText.first(id: "\(day)-\($0)", time: "\(date)T12:00:0\($0 % 10)Z").text }
            .joined(separator: "\n")
    }

    @Test func sealedDaysKeepTheirCounts() throws {
        let nights = try Nights()
        let days = (0..<20).map { night($0) }
        let store = try nights.store()
        for (number, text) in days.enumerated() {
            _ = try Nights.ingest(try nights.input(Array(text.utf8), "\(number).json"), into: store)
            try store.settle(retentionDays: number == 0 ? 7 : nil)
        }
        expectEqual(try nights.load().tally, try nights.analysis(days).tally)
        let contents = try nights.store(.reading).contents()
        #expect(contents.retentionDays == 7)
        #expect(contents.sealedBefore == Day(number: 20_712))
        #expect(contents.days.map(\.fingerprints) == Array(repeating: 0, count: 12) + Array(repeating: 5, count: 8))

        let late = try nights.ingest(night(3, ids: 0..<9), as: "late.json")
        #expect(late.summary.filtered == 9)
        #expect(late.summary.verifications == 0)
        let inTime = try nights.ingest(night(12, ids: 0..<9), as: "in time.json")
        #expect(inTime.summary.filtered == 0)
        #expect(inTime.summary.verifications == 4)
        #expect(try nights.load().input.verifications == 104)
    }

    /// A year of exports can be put into a new store in any order: one run seals at its end.
    @Test func aRunMayComeInAnyOrder() throws {
        let nights = try Nights()
        let store = try nights.store()
        for day in [300, 0, 150] {
            let outcome = try Nights.ingest(try nights.input(Array(night(day).utf8), "\(day).json"), into: store)
            #expect(outcome.summary.verifications == 5)
        }
        try store.settle(retentionDays: nil)
        #expect(try nights.load().input.verifications == 15)
        #expect(try nights.ingest(night(0), as: "again.json").summary.filtered == 5)
    }

    @Test func prunedDaysAreGoneForGood() throws {
        let nights = try Nights()
        let log = MixedLog(seed: 8)
        for (number, text) in log.whole.enumerated() { try nights.ingest(text, as: "\(number).json") }
        let before = try nights.load()
        let day = Day(number: 20_735)
        let trial = try nights.store(.upkeep).prune(before: day, isDryRun: true)
        expectEqual(try nights.load().tally, before.tally)
        let pruned = try nights.store(.upkeep).prune(before: day, isDryRun: false)
        #expect(pruned.verifications == trial.verifications && pruned.verifications > 50)
        #expect(pruned.days == 6)
        let after = try nights.load()
        #expect(after.input.verifications == before.input.verifications - pruned.verifications)
        #expect(after.input.filtered == pruned.verifications)
        #expect(after.tally.functions.values.allSatisfy { $0.days.allSatisfy { day <= $0.day } })
        #expect(after.tally.functions.values.allSatisfy { $0.first.map { day <= $0.day } ?? true })
        for (number, text) in log.whole.enumerated() {
            #expect(try nights.ingest(text, as: "\(number).json").summary.verifications == 0)
        }
        expectEqual(try nights.load().tally, after.tally)
    }

    @Test func aStoreKeepsItsKey() throws {
        let nights = try Nights()
        let key = try nights.store().key
        #expect(try nights.store().key == key)
        #expect(try Nights().store().key != key)
    }
}
