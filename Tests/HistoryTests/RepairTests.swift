import Entries
import History
import TestSupport
import Testing
import Verifications

/// A damaged source keeps to itself, until one comes that has all of it.
@Suite struct RepairTests {
    private func log(_ name: String, _ ids: Range<Int>, damage: Int, days: Int = 2) -> ReadSource {
        var log = MadeUpLog(name, damage: damage)
        for id in ids { log.add(id, day: id % days) }
        log.record.identity.beginnings = [11, 22]
        return log.read
    }

    @Test func anIntactCopyReplacesDamagedOnes() throws {
        let (worst, bad, whole) = (
            log("a", 0..<20, damage: 9), log("b", 0..<30, damage: 3), log("c", 0..<50, damage: 0)
        )
        let other = log("d", 40..<60, damage: 0)
        let expected = try TestStore([whole, other, worst, bad]).holdings()
        #expect(expected.verifications == 60)
        for order in [[worst, bad, whole, other], [bad, other, whole, worst], [other, worst, bad, whole]] {
            #expect(try TestStore(order).holdings() == expected)
        }
        let test = try TestStore()
        defer { withExtendedLifetime(test) {} }
        let store = try test.open()
        #expect(try store.add(worst).new == 20)
        let repaired = try store.add(whole)
        guard case .repairs("a") = repaired.place else { return #expect(Bool(false)) }
        #expect(repaired.new == 50)
        let copy = try store.add(bad)
        guard case .copy(of: "c") = copy.place else { return #expect(Bool(false)) }
        #expect(copy.new == 0 && copy.known == 30)
    }

    @Test func theUnionOfStoresRepairs() throws {
        let (bad, whole) = (log("b", 0..<30, damage: 3), log("c", 0..<50, damage: 0))
        let expected = try TestStore([whole, bad]).holdings()
        let (left, right) = (try TestStore([bad]), try TestStore([whole]))
        #expect(try TestStore.union([left, right]).holdings() == expected)
        #expect(try TestStore.union([right, left]).holdings() == expected)
        #expect(try TestStore.union([left, right, left]).holdings() == expected)
    }

    /// What only a damaged source has counts as long as nothing replaces it.
    @Test func damagedOnesCount() throws {
        let sources = [log("a", 0..<20, damage: 9), log("z", 10..<40, damage: 0, days: 3)]
        #expect(try TestStore(sources).holdings() == TestStore(sources.reversed()).holdings())
    }
}
