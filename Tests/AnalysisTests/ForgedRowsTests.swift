@_spi(Checks) import Entries
import LogStream
import TestSupport
import Testing
import Verifications

/// What somebody made up in a store, with a root that fits: refused, or entries like any others.
@Suite struct ForgedRowsTests {
    @Test(arguments: [1, 4, 7] as [UInt64])
    func parts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let log = try MemoryFile(Array(StoredEntriesTests.lines(seed: seed, entries: 60).joined(separator: "\n").utf8))
        let (day, services) = try #require(
            MadeStore.source(.file(log.path)).days.max { $0.value.count < $1.value.count })
        var accepted = 0
        for part in PackedPart.pack(services, of: day, source: 0) {
            for place in part.bytes.indices {
                var changed = part.bytes
                changed[place] = changed[place] &+ UInt8.random(in: 1...255, using: &random)
                for bytes in [changed, Array(changed[..<place])] {
                    #expect(RowChecks.isStable(part: bytes, day: day.number))
                    guard let forged = try? PackedPart(bytes, of: day),
                        let found = try? entries(of: forged)
                    else { continue }
                    accepted += 1
                    var set = EntrySet()
                    for (hash, entries) in found {
                        set[hash].name.identity = FunctionIdentity(
                            project: "p", region: "r", name: "\(hash)", generation: .second)
                        set[hash].add(entries, on: day)
                    }
                    let input = EntrySetTests.resolved(set).input
                    #expect(
                        input.verifications + input.filtered <= found.values.reduce(0) { $0 + $1.verifications })
                }
            }
        }
        #expect(accepted > 100)
    }

    private func entries(of part: PackedPart) throws -> [UInt64: DayEntries] {
        var entries: [UInt64: DayEntries] = [:]
        try part.read(into: &entries) { _ in true }
        return entries
    }
}
