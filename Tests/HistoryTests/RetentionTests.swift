import Analysis
import History
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

/// Old days give up their entries, and take no entries from then on.
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
            try store.finishRun(retentionDays: number == 0 ? 7 : nil, at: now)
        }
        expectEqual(try nights.load().tally, try nights.analysis(days).tally)
        let contents = try nights.store(.reading).contents()
        #expect(contents.retentionDays == 7)
        #expect(contents.sealedBefore == Day(number: 20_712))
        // With those of the last two sealed days the entries of open ones are joined.
        #expect(contents.days.map(\.entries) == Array(repeating: 0, count: 10) + Array(repeating: 5, count: 10))

        let late = try nights.ingest(night(3, ids: 0..<9), as: "late.json")
        #expect(late.summary.filtered == 9)
        #expect(late.summary.verifications == 0)
        let inTime = try nights.ingest(night(12, ids: 0..<9), as: "in time.json")
        #expect(inTime.summary.filtered == 0)
        #expect(inTime.summary.verifications == 4)
        #expect(try nights.load().input.verifications == 104)
    }

    /// A window may be longer than the retention: what was not read of its days still weighs.
    @Test func whatWasNotReadOfSealedDaysCounts() throws {
        let nights = try Nights()
        let store = try nights.store()
        let broken = EntryText.first(id: "broken").text.dropLast()
        let early = try nights.input(Array("\(night(0))\n\(broken)\n\(night(0, ids: 5..<6))\n".utf8), "early.json")
        let ingestedAt = Instant(day: Day(number: 20_701), nanosecondOfDay: 0)
        _ = try Nights.ingest(early, into: store, at: ingestedAt)
        #expect(try nights.load().input.unread.total == 1)
        _ = try Nights.ingest(try nights.input(Array(night(20).utf8), "late.json"), into: store)
        try store.finishRun(retentionDays: 7, at: now)
        #expect(try nights.store(.reading).contents().sealedBefore == Day(number: 20_713))
        let unread = try nights.load().input.unread
        #expect(unread.total { $0.day == Day(number: 20_700) } == 1)
        #expect(unread.total { $0.day == Day(number: 20_720) } == 0)
    }

    /// A year of exports can be put into a new store in any order: one run seals at its end.
    @Test func aRunMayComeInAnyOrder() throws {
        let nights = try Nights()
        let store = try nights.store()
        for day in [300, 0, 150] {
            let outcome = try Nights.ingest(try nights.input(Array(night(day).utf8), "\(day).json"), into: store)
            #expect(outcome.summary.verifications == 5)
        }
        try store.finishRun(retentionDays: nil, at: laterThanAll)
        #expect(try nights.load().input.verifications == 15)
        #expect(try nights.ingest(night(0), as: "again.json").summary.filtered == 5)
    }

    private func sealed(_ days: [String], retentionDays: Int) throws -> Nights {
        let nights = try Nights()
        let store = try nights.store()
        for (number, text) in days.enumerated() {
            _ = try Nights.ingest(try nights.input(Array(text.utf8), "\(number).json"), into: store)
            try store.finishRun(retentionDays: retentionDays, at: now)
        }
        return nights
    }

    /// What is sealed goes into snapshots and other stores, and counts there as it does here.
    @Test func sealedDaysTravel() throws {
        let nights = try sealed((0..<12).map { night($0) }, retentionDays: 4)
        let whole = try nights.load()
        #expect(whole.input.verifications == 60)
        let snapshot = try nights.snapshot()
        let other = try Nights()
        try other.run([(snapshot, "store.snapshot")])
        let ofSnapshot = LogAnalysis(inputs: [try other.input(snapshot, "s")], horizon: laterThanAll).run()
        for found in [ofSnapshot, try other.load()] {
            expectEqual(found.tally, whole.tally)
            #expect(found.input.verifications == 60 && found.input.filtered == 0 && found.input.duplicates == 0)
        }
        let beside = try nights.load([night(3, ids: 0..<9)])
        expectEqual(beside.tally, whole.tally)
        #expect(beside.input.filtered == 9)
        // What its days to come have sealed is damage.
        var early = LogAnalysis(inputs: [try other.input(snapshot, "s")], horizon: Instant(seconds: 1_700_000_000))
        early.jobs = 1
        #expect(early.run().input.faults == .unsupported)
    }

    /// If two stores have sealed a day, each function keeps the larger number.
    ///
    /// Sealed days take precedence over the other store's entries, whichever comes first.
    @Test(arguments: [false, true])
    func sealedTwice(isSmallerFirst: Bool) throws {
        let larger = try sealed((0..<12).map { night($0) }, retentionDays: 4)
        let smaller = try sealed((0..<12).map { night($0, ids: 0..<3) } + [night(12)], retentionDays: 3)
        let order = isSmallerFirst ? [smaller, larger] : [larger, smaller]
        let union = try Nights()
        for (number, nights) in order.enumerated() { try union.run([(try nights.snapshot(), "\(number)")]) }
        let days = try #require(try union.load().tally.functions.values.first).days
        let counts = [5, 5, 5, 5, 5, 5, 5, 3, 3, 5, 5, 5, 5]
        #expect(days.map(\.counts.total) == counts)
        let snapshots = try order.enumerated().map { try union.input($1.snapshot(), "snapshot-\($0)") }
        let run = LogAnalysis(inputs: snapshots, horizon: laterThanAll).run()
        #expect(run.tally.functions.values.first?.days.map(\.counts.total) == counts)
    }

    /// An execution that was counted on a sealed day is known on the next one.
    @Test func anExecutionAcrossTheSeal() throws {
        func entry(_ id: String, _ time: String) -> String {
            EntryText.first(id: id, time: time).with(
                "labels", #"{"execution_id":"run","firebase-log-type":"callable-request-verification"}"#
            ).text
        }
        let nights = try Nights()
        let store = try nights.store()
        let first = [entry("a", "2026-10-14T23:59:59Z"), EntryText.first(id: "b", time: "2026-10-20T12:00:00Z").text]
        for (number, text) in first.enumerated() {
            _ = try Nights.ingest(try nights.input(Array(text.utf8), "\(number).json"), into: store)
        }
        try store.finishRun(retentionDays: 5, at: now)
        #expect(try nights.store(.reading).contents().sealedBefore == Day(iso8601: "2026-10-15"))
        let late = try nights.ingest(entry("c", "2026-10-15T00:00:01Z"), as: "late.json")
        #expect(late.summary.verifications == 0 && late.summary.ignored == 1)
        #expect(try nights.load().input.verifications == 2)
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
        #expect(after.input.filtered == 0)
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
        #expect(try Nights().store().key == key, "the same input, the same store")
    }
}
