import Entries
import Foundation
import GRDB
import History
import Platform
import TestSupport
import Testing
import Verifications

/// Several processes at once, and processes that end in the middle.
@Suite struct ConcurrencyTests {
    @Test func severalAtOnceMakeOneStore() throws {
        let test = try TestStore()
        let results = concurrentMap(4) { _ in Result { _ = try test.open() } }
        for result in results { #expect(throws: Never.self) { try result.get() } }
        #expect(try test.open().contents().inputs.isEmpty)
    }

    /// What a reader sees is what was there at one moment: the sources and their entries.
    @Test func threeWritersAndAReader() throws {
        let sources = MadeUpLog.several(24, seed: 9)
        let test = try TestStore()
        _ = try test.open()
        let results = concurrentMap(4) { number in
            Result {
                if number == 3 {
                    var counts: [Int] = []
                    for _ in 0..<10 {
                        counts.append(
                            try test.open(.reading).read { stored in
                                let kept = try stored.days.flatMap(stored.load).reduce(0) { $0 + $1.verifications }
                                #expect(stored.sources.isEmpty == (kept == 0))
                                return stored.sources.count
                            })
                    }
                    #expect(counts == counts.sorted())
                    return
                }
                let store = try test.open()
                for (place, source) in sources.enumerated() where place % 3 == number { _ = try store.add(source) }
                _ = try store.finishRun(retentionDays: nil, at: now)
            }
        }
        for result in results { #expect(throws: Never.self) { try result.get() } }
        #expect(try test.holdings() == TestStore(sources).holdings())
    }

    /// A copy of the files at any moment, and a write-ahead log that ends anywhere, is the store after some input.
    @Test func aStoreIsWholeAtEveryStep() throws {
        let sources = MadeUpLog.several(8, seed: 10)
        let (test, copies) = (try TestStore(), try TemporaryDirectory())
        let store = try test.open()
        var steps = [try Holdings(store)]
        for source in sources {
            _ = try store.add(source)
            steps.append(try Holdings(store))
            #expect(try copied(test, to: copies).holdings() == steps.last)
        }
        let log = try Data(contentsOf: URL(filePath: test.path + "-wal"))
        #expect(log.count > 10_000)
        var (random, seen) = (SeededGenerator(seed: 11), Set<Int>())
        for _ in 0..<40 {
            let copy = try copied(test, to: copies)
            let length = Int.random(in: 0...log.count, using: &random)
            try log.prefix(length).write(to: URL(filePath: copy.path + "-wal"))
            do {
                let found = try copy.holdings()
                let step = try #require(steps.firstIndex(of: found), "a log of \(length) bytes gives what never was")
                seen.insert(step)
            } catch is StoreFailure {}
        }
        #expect(seen.count > 4)
        _ = try store.finishRun(retentionDays: nil, at: now)
        #expect(try test.holdings() == steps.last)
    }

    private func copied(_ test: TestStore, to directory: TemporaryDirectory) throws -> (
        path: String, holdings: () throws -> Holdings
    ) {
        let path = directory.path("\(UUID().uuidString).db")
        for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: test.path + ending) {
            try FileManager.default.copyItem(atPath: test.path + ending, toPath: path + ending)
        }
        return (path, { try Holdings(Store(path: path, access: .reading)) })
    }

    /// The log of another store, or of an earlier state of this one, gives neither a mixture of both.
    @Test func logsThatBelongToOthers() throws {
        let sources = MadeUpLog.several(8, seed: 12)
        let tests = [try TestStore(), try TestStore()]
        let stores = try tests.map { try $0.open() }
        for source in sources[..<4] { _ = try stores[0].add(source) }
        for source in sources[4...] { _ = try stores[1].add(source) }
        let known = try stores.map { try Holdings($0) }
        let directory = try TemporaryDirectory()
        let path = directory.path("store.db")
        // A store that is closed has no log any more, and optimised code closes it after its last use.
        try withExtendedLifetime(stores) {
            try FileManager.default.copyItem(atPath: tests[0].path, toPath: path)
            try FileManager.default.copyItem(atPath: tests[1].path + "-wal", toPath: path + "-wal")
        }
        do {
            let found = try Holdings(Store(path: path, access: .reading))
            #expect(known.contains(found) || found.verifications == 0)
        } catch is StoreFailure {}
    }

    /// A journal that a killed process has left is undone, also by whoever only reads.
    @Test func aHotJournalIsUndone() throws {
        let test = try TestStore(MadeUpLog.several(6, entries: 400, seed: 13))
        let expected = try test.holdings()
        let directory = try TemporaryDirectory()
        let path = directory.path("store.db")
        let queue = try DatabaseQueue(path: test.path)
        try queue.inDatabase { db in
            try db.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; PRAGMA cache_spill = 1")
            try db.inTransaction {
                try db.execute(sql: "UPDATE parts SET bytes = zeroblob(length(bytes))")
                for ending in ["", "-journal"] {
                    try FileManager.default.copyItem(atPath: test.path + ending, toPath: path + ending)
                }
                return .rollback
            }
        }
        let changed = try Data(contentsOf: URL(filePath: path))
        #expect(try Holdings(Store(path: path, access: .reading)) == expected)
        #expect(try Data(contentsOf: URL(filePath: path)) != changed)
    }

    /// A day is read on any thread, within the one moment.
    @Test func readingGoesOnWhileOthersWrite() throws {
        let test = try TestStore(MadeUpLog.several(4, seed: 14))
        let expected = try test.holdings()
        let (reader, writer) = (try test.open(.reading), try test.open())
        let found = try reader.read { stored in
            _ = try writer.add(MadeUpLog.several(5, seed: 15)[4])
            return try stored.days.flatMap(stored.load).reduce(0) { $0 + $1.verifications }
        }
        #expect(found >= expected.verifications)
        #expect(try test.holdings() != expected)
    }
}
