import Entries
import History
import TestSupport
import Testing
import Verifications

/// Entries of a damaged source count once like all others; what it says of its damage stays while the store has it.
@Suite struct DamagedInputsTests {
    private func log(_ name: String, _ ids: Range<Int>, damage: Int = 0) -> ReadSource {
        var log = MadeUpLog(name, damage: damage)
        for id in ids { log.add(id, day: id % 2) }
        return log.read
    }

    @Test func entriesCountOnce() throws {
        let sources = [
            log("a", 0..<20, damage: 9), log("b", 0..<30, damage: 3), log("c", 0..<50), log("d", 40..<60),
        ]
        let expected = try TestStore(sources).holdings()
        #expect(expected.verifications == 60)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<4 {
            let order = sources.shuffled(using: &random)
            let (test, parts) = (try TestStore(order), try [order[..<2], order[1...]].map { try TestStore(Array($0)) })
            #expect(try test.holdings() == expected)
            #expect(try TestStore(order + order).holdings() == expected)
            #expect(try TestStore.union(parts).holdings() == expected)
            #expect(try TestStore.union(parts.reversed() + parts).holdings() == expected)
            #expect(try test.open().contents().days.map(\.verifications) == [30, 30])
            #expect(try TestStore.resolved(parts).input.malformed == 12)
        }
    }

    @Test func damageStays() throws {
        var bad = MadeUpLog("bad", damage: 3)
        bad.addProblem("it is cut off")
        let test = try TestStore([bad.read, log("whole", 0..<50)])
        let found = try TestStore.resolved([test]).input
        #expect(found.malformed == 3 && found.unread.total == 3)
        let problems = try found.problems.entries + test.open().contents().inputs.flatMap(\.summary.problems.entries)
        #expect(problems.map(\.detail) == Array(repeating: "it is cut off. \(wayOut)", count: 2))
    }

    private var wayOut: String { "A store keeps it as it was read: make a new one from the whole logs" }

    /// What shows no time of its own is of the day on which it was added first.
    @Test func aStrayFileEndsByItself() throws {
        func stray(addedOn day: Int, newest: Int? = nil) -> ReadSource {
            var stray = MadeUpLog("stray")
            stray.addUnread(newest: newest)
            stray.record.addedAt = MadeUpLog.time(day, 0)
            return stray.read
        }
        func unread(_ tests: [TestStore], from day: Int) throws -> Int? {
            try TestStore.resolved(tests).input.unread.total { firstDay.advanced(by: day) <= $0.day }
        }
        let logs = (0..<10).map { day in
            var log = MadeUpLog("\(day)")
            for id in 0..<10 { log.add(day * 10 + id, day: day) }
            return log.read
        }
        let test = try TestStore([stray(addedOn: 3), stray(addedOn: 8)] + logs)
        #expect(try unread([test], from: 3) == nil && unread([test], from: 4) == 0)
        let union = try TestStore.union([test])
        #expect(try unread([union], from: 3) == nil && unread([union, test], from: 4) == 0)
        let dated = try TestStore([stray(addedOn: 8, newest: 3)] + logs)
        #expect(try unread([dated], from: 3) == nil && unread([dated], from: 4) == 0)
        _ = try test.open().finishRun(retentionDays: 5, at: now)
        _ = try dated.open(.upkeep).prune(before: firstDay.advanced(by: 4), isDryRun: false)
        for test in [test, dated] {
            #expect(try unread([test], from: 0) == 0)
            #expect(try test.open().contents().inputs.first { $0.file.name == "stray" }?.isGone == true)
            _ = try test.open().add(stray(addedOn: 9, newest: 3))
            #expect(try unread([test], from: 0) == 0)
        }
    }
}
