import Entries
import History
import TestSupport
import Testing
import Verifications

/// Old days are deleted whole, and their entries are refused from then on.
@Suite struct RetentionTests {
    private func log(_ day: Int, ids: Range<Int> = 0..<10, project: String = "p", function: Int = 1) -> ReadSource {
        var log = MadeUpLog("\(project)-\(day)-\(ids)")
        for id in ids { log.add(day * 1000 + id, function: function, day: day, second: id, project: project) }
        return log.read
    }

    private func days(_ store: Store) throws -> [Int] {
        try store.contents().days.map { firstDay.distance(to: $0.day) }
    }

    @Test func daysBeforeTheNewestAreKept() throws {
        let test = try TestStore((0..<10).map { log($0) }, retentionDays: 4)
        let store = try test.open()
        #expect(try days(store) == [5, 6, 7, 8, 9])
        let contents = try store.contents()
        #expect(contents.retentionDays == 4 && contents.firstDays.map(\.day) == [firstDay.advanced(by: 5)])
        #expect(contents.inputs.filter(\.isGone).count == 5 && contents.inputs.count == 10)
        // What is gone is known, and what is new of such days is too old.
        let again = try store.add(log(2))
        #expect(again.isKnown)
        let late = try store.add(log(2, ids: 5..<30))
        #expect(late.new == 0 && late.tooOld == 25)
        #expect(try store.add(log(5, ids: 5..<30)).new == 20)
        #expect(
            try test.holdings()
                == TestStore([log(2, ids: 5..<30), log(5, ids: 5..<30)] + (0..<10).map { log($0) }, retentionDays: 4)
                .holdings())
    }

    /// A year of logs may come in any order: one run deletes at its end.
    @Test func aRunMayComeInAnyOrder() throws {
        let sources = (0..<10).map { log($0) }
        let (up, down) = (try TestStore(sources, retentionDays: 4), try TestStore(sources.reversed(), retentionDays: 4))
        #expect(try up.holdings() == down.holdings())
        let nightly = try TestStore()
        for source in sources {
            let store = try nightly.open()
            _ = try store.add(source)
            _ = try store.finishRun(retentionDays: 4, at: now)
        }
        #expect(try nightly.holdings() == up.holdings())
    }

    /// A project whose log has stopped keeps its days; those of another one go from the same day.
    @Test func eachProjectHasItsOwnDays() throws {
        var sources = (0..<10).map { log($0) }
        sources += (0..<3).map { log($0, project: "stopped", function: 2) }
        let test = try TestStore(sources, retentionDays: 4)
        defer { withExtendedLifetime(test) {} }
        let store = try test.open()
        #expect(try days(store) == [0, 1, 2, 5, 6, 7, 8, 9])
        #expect(try store.contents().days.map(\.functions) == Array(repeating: 1, count: 8))
        #expect(try store.contents().firstDays.map(\.project) == ["p"])
        #expect(try store.add(log(1, ids: 3..<50, project: "stopped", function: 2)).new == 40)
        #expect(try store.add(log(1, ids: 3..<50)).tooOld == 47)
    }

    /// A clock in the future of one machine does not delete everything.
    @Test func daysInTheFutureAreNotTheNewest() throws {
        let ahead = firstDay.distance(to: now.day) + 300
        let test = try TestStore([log(0), log(ahead)], retentionDays: 4)
        defer { withExtendedLifetime(test) {} }
        let store = try test.open()
        #expect(try days(store) == [0, ahead])
    }

    @Test func undatedEntriesGoWithTheirSource() throws {
        var undated = MadeUpLog("undated")
        undated.add(1, day: nil)
        undated.add(2, day: 1)
        var alone = MadeUpLog("alone")
        alone.add(3, day: nil)
        let test = try TestStore([undated.read, alone.read] + (0..<10).map { log($0) }, retentionDays: 8)
        defer { withExtendedLifetime(test) {} }
        let store = try test.open()
        #expect(try store.contents().dayless == 2)
        _ = try store.finishRun(retentionDays: 7, at: now)
        #expect(try store.contents().dayless == 1)
        let pruned = try store.prune(before: now.day.advanced(by: 1), isDryRun: false)
        #expect(try store.contents().dayless == 0)
        #expect(pruned.days == 8 && pruned.verifications == 81)
    }

    @Test func pruningIsForGood() throws {
        let sources = (0..<10).map { log($0) }
        let test = try TestStore(sources)
        let (before, day) = (try test.holdings(), firstDay.advanced(by: 3))
        let trial = try test.open(.upkeep).prune(before: day, isDryRun: true)
        #expect(try test.holdings() == before)
        let pruned = try test.open(.upkeep).prune(before: day, isDryRun: false)
        #expect(pruned.verifications == 30 && pruned.days == 3 && pruned.sources == 3)
        #expect(trial.verifications == 30 && trial.days == 3 && trial.sources == 3)
        let store = try test.open()
        #expect(try sources.map { try store.add($0).new } == Array(repeating: 0, count: 10))
        #expect(try store.add(log(1, ids: 0..<1, project: "new", function: 3)).tooOld == 1)
        #expect(try days(store) == Array(3..<10))
    }

    /// What is added decides neither how long the store keeps days nor which it takes: a day that another store has
    /// given up stays, and comes.
    @Test func theReceiversRetentionIsItsOwn() throws {
        let sources = (0..<10).map { log($0) } + (0..<4).map { log($0, project: "other", function: 2) }
        let short = try TestStore(Array(sources[5..<10]), retentionDays: 2)
        let pruned = try TestStore(sources)
        _ = try pruned.open(.upkeep).prune(before: firstDay.advanced(by: 9), isDryRun: false)
        let expected = try TestStore(sources).holdings()
        for others in [[short, pruned], [pruned, short]] {
            let before = try TestStore(sources)
            for other in others { #expect(try before.open().add(other.open(.reading)).tooOld == 0) }
            _ = try before.open().finishRun(retentionDays: nil, at: now)
            #expect(try before.holdings() == expected)
            let after = try TestStore.union(others)
            for source in sources { _ = try after.open().add(source) }
            #expect(try after.holdings() == expected)
            #expect(try TestStore.union(others + [before]).holdings() == expected)
            #expect(try after.open().contents().retentionDays == 90)
        }
        let receiver = try TestStore(Array(sources[..<7]), retentionDays: 4)
        let added = try receiver.open().add(TestStore(sources, retentionDays: 300).open(.reading))
        #expect(added.new == 70)
        let contents = try receiver.open().contents()
        #expect(contents.retentionDays == 4 && contents.firstDays.count == 1)
    }

    /// A store that is added knows files of which it has given up days: they are read again.
    @Test func whatAnotherStoreGaveUpCanBeAdded() throws {
        var source = log(0)
        (source.record.file.modified, source.record.file.changed) = (now, now)
        let test = try TestStore([source, log(9)], retentionDays: 2)
        let union = try TestStore.union([test])
        #expect(try test.open().files().count == 1 && union.open().files().isEmpty)
        #expect(try union.open().add(source).new == 10)
    }

    /// Several stores in one run count what a store of all of them does, and what logs from those days on do.
    @Test(arguments: 0..<6 as Range<UInt64>)
    func aRunAndAUnionCountAlike(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let sources = MadeUpLog.several(8, days: 9, seed: seed)
        let stores = try (0..<3).map { number in
            let own = sources.filter { _ in Bool.random(using: &random) }
            let store = try TestStore(own, retentionDays: number == 0 ? nil : Int.random(in: 1..<9, using: &random))
            let first = firstDay.advanced(by: Int.random(in: 0..<8, using: &random))
            if number == 2 { _ = try store.open(.upkeep).prune(before: first, isDryRun: false) }
            return store
        }
        let union = try TestStore.union(stores)
        for order in [stores, stores.reversed(), [union], [union] + stores] {
            let (found, expected) = (try TestStore.resolved(order), try TestStore.resolved(stores))
            #expect(found.tally == expected.tally && found.input.verifications == expected.input.verifications)
            #expect(found.input.duplicates == expected.input.duplicates)
        }
        #expect(try TestStore.union(stores.reversed()).holdings() == union.holdings())
        #expect(try TestStore.union(stores + [union]).holdings() == union.holdings())
        for source in sources { _ = try union.open().add(source) }
        #expect(try union.holdings() == TestStore(sources).holdings())
    }

    /// Several stores in one run count whatever any of them has, and so does a store of all of them.
    @Test func aRunCountsWhatAnyStoreKeeps() throws {
        var sources = (0..<10).map { log($0) } + (0..<3).map { log($0, project: "stopped", function: 2) }
        var undated = MadeUpLog("undated")
        undated.add(1, day: nil)
        undated.add(2, day: 1)
        sources.append(undated.read)
        let long = try TestStore(sources)
        let short = try TestStore(Array(sources[5...]), retentionDays: 2)
        func logs(_ sources: some Sequence<ReadSource>) -> ResolvedSet {
            var logs = EntrySet()
            for source in sources { logs.merge(source.set) }
            return logs.resolved(Resolution(horizon: now))
        }
        let all = logs(sources)
        let union = try TestStore.union([short, long])
        for order in [[long, short], [short, long], [short, long, short], [union]] {
            let found = try TestStore.resolved(order)
            #expect(found.tally == all.tally)
            #expect(found.input.verifications == all.input.verifications && found.input.duplicates == 0)
            #expect(found.input.sources == 14)
        }
    }

    @Test func rowsAloneAreGoneWithTheirDays() throws {
        var rows = MadeUpLog("rows")
        for id in 0..<10 { rows.addRow(id, day: id % 2 * 2) }
        let test = try TestStore([rows.read] + (0..<10).map { log($0) })
        var isGone: Bool? { try? test.open().contents().inputs.first { $0.file.name == "rows" }?.isGone }
        _ = try test.open(.upkeep).prune(before: firstDay.advanced(by: 2), isDryRun: false)
        #expect(isGone == false)
        _ = try test.open(.upkeep).prune(before: firstDay.advanced(by: 3), isDryRun: false)
        #expect(isGone == true)
        let again = try test.open().add(rows.read)
        #expect(again.isKnown)
    }

    /// Functions and clients leave with the last entry that names them, and do not come with one that is too old.
    @Test func namesLeaveWithTheirEntries() throws {
        func log(_ day: Int) -> ReadSource {
            var log = MadeUpLog("\(day)")
            log.add(day, function: day, day: day, revision: Revision(nameHash: UInt64(day)))
            log.nameRevision("green\(day)", UInt64(day))
            log.addRow(day, function: day, day: day)
            return log.read
        }
        let sources = (0..<6).map { log($0) }
        let expected = try TestStore(Array(sources[4...])).names()
        let test = try TestStore(sources)
        #expect(try test.names().count == 18 && expected.count == 6)
        let trial = try test.open(.upkeep).prune(before: firstDay.advanced(by: 4), isDryRun: true)
        #expect(try trial.sources == 4 && test.names().count == 18)
        _ = try test.open(.upkeep).prune(before: firstDay.advanced(by: 4), isDryRun: false)
        #expect(try test.names() == expected)
        let nightly = try TestStore(sources, retentionDays: 1)
        #expect(try nightly.names() == expected)
        #expect(try nightly.open().add(log(3)).new == 0 && nightly.names() == expected)
        let all = try TestStore(sources)
        #expect(try TestStore.union([test, all]).names() == all.names())
        #expect(try test.open().add(all.open(.reading)).new == 0 && test.names() == expected)
        var late = MadeUpLog("late")
        late.add(100, function: 8, day: 0)
        late.addRow(101, function: 8, day: 0)
        let added = try test.open().add(late.read)
        #expect(try added.tooOld == 1 && test.names() == expected)
    }
}
