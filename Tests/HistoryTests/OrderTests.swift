import Entries
import History
import TestSupport
import Testing
import Verifications

/// A store is a set: what it holds depends neither on the order in which things came, nor on how often.
@Suite struct OrderTests {
    @Test(arguments: 0..<6 as Range<UInt64>)
    func anyOrderGivesTheSame(seed: UInt64) throws {
        let sources = MadeUpLog.several(12, seed: seed)
        let expected = try TestStore(sources).holdings()
        #expect(expected.verifications > 200 && expected.days.count == 6)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3 {
            let shuffled = sources.shuffled(using: &random)
            #expect(try TestStore(shuffled).holdings() == expected)
            #expect(try TestStore(shuffled + shuffled.reversed()).holdings() == expected)
        }
    }

    @Test func eachEntryIsAddedOnce() throws {
        var (first, second) = (MadeUpLog("a.json"), MadeUpLog("b.json"))
        for id in 0..<100 { first.add(id, day: 0) }
        for id in 50..<130 { second.add(id, day: 0) }
        second.add(129, day: 0)
        let test = try TestStore()
        defer { withExtendedLifetime(test) {} }
        let store = try test.open()
        let added = try [first, second, first].map { try store.add($0.read) }
        #expect(added.map(\.new) == [100, 30, 0])
        #expect(added.map(\.known) == [0, 51, 100])
        #expect(added[2].isKnown)
        #expect(try store.contents().days.map(\.verifications) == [130])
    }

    /// Many small files of a day become few parts.
    @Test func smallPartsAreMerged() throws {
        let sources = (0..<100).map { number in
            var log = MadeUpLog("\(number)")
            log.add(number, day: 0)
            return log.read
        }
        let test = try TestStore(sources)
        let parts = try test.open(.reading).read { try $0.load($0.days[0]).count }
        #expect(parts <= 9)
        let store = try test.open(.upkeep)
        _ = try store.compact()
        #expect(try store.read { try $0.load($0.days[0]).count } == 1)
        #expect(try store.contents().days.map(\.verifications) == [100])
    }

    /// The union is associative, commutative and idempotent.
    @Test(arguments: 0..<4 as Range<UInt64>)
    func storesMergeAsTheirSources(seed: UInt64) throws {
        let sources = MadeUpLog.several(9, seed: seed)
        let whole = try TestStore(sources).holdings()
        let parts = try [0, 1, 2].map { number in
            try TestStore(sources.enumerated().filter { $0.offset % 3 == number || $0.offset == 4 }.map(\.element))
        }
        let pair = try TestStore.union([parts[2], parts[0]])
        for union in [parts, parts.reversed(), [parts[1], pair], [pair, parts[1], pair, parts[0]]] {
            #expect(try TestStore.union(union).holdings() == whole)
        }
    }

    /// What cannot share an entry is copied as it is.
    @Test func partsAreCopied() throws {
        let tests = try [0, 1].map { day in
            var log = MadeUpLog("\(day)")
            for id in 0..<50 { log.add(id, day: day) }
            return try TestStore([log.read])
        }
        func checks(_ test: TestStore) throws -> Set<UInt64> {
            try test.open(.reading).read { stored in Set(try stored.days.flatMap(stored.load).map(\.check)) }
        }
        let union = try TestStore.union(tests)
        #expect(try checks(union) == checks(tests[0]).union(checks(tests[1])))
        let again = try union.open().add(tests[0].open(.reading))
        #expect(again.new == 0 && again.known == 50 && again.isKnown)
    }
}
