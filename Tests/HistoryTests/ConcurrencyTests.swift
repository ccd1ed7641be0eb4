import Entries
import Foundation
import GRDB
import History
import Platform
import Synchronization
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

    /// All of a store is in its one file, after each input.
    @Test func aStoreIsWholeAtEveryStep() throws {
        let (test, copies) = (try TestStore(), try TemporaryDirectory())
        let store = try test.open()
        for (step, source) in MadeUpLog.several(8, seed: 10).enumerated() {
            _ = try store.add(source)
            #expect(try FileManager.default.contentsOfDirectory(atPath: test.directory.url.path) == ["store.db"])
            let copy = copies.path("\(step).db")
            try FileManager.default.copyItem(atPath: test.path, toPath: copy)
            #expect(try Holdings(Store(path: copy, access: .reading)) == Holdings(store))
        }
    }

    /// Whatever is in a write-ahead log next to a store is not from callcheck: it is said, and not read.
    @Test func foreignLogsAreNotRead() throws {
        let test = try TestStore(MadeUpLog.several(3, seed: 12))
        let known = try (bytes: Data(contentsOf: URL(filePath: test.path)), holdings: test.holdings())
        let other = test.directory.path("other.db")
        try FileManager.default.copyItem(atPath: test.path, toPath: other)
        let queue = try DatabaseQueue(path: other)
        try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL; DELETE FROM sources") }
        let log = try withExtendedLifetime(queue) { try Data(contentsOf: URL(filePath: other + "-wal")) }
        for bytes in [log, log.prefix(4152), Data("text".utf8), Data()] {
            try bytes.write(to: URL(filePath: test.path + "-wal"))
            for access in [Store.Access.reading, .adding, .trying, .upkeep, .rehearsing] {
                #expect(throws: StoreFailure.hasForeignLog) { try test.open(access) }
            }
            #expect(try Data(contentsOf: URL(filePath: test.path)) == known.bytes)
        }
        try FileManager.default.removeItem(atPath: test.path + "-wal")
        #expect(try test.holdings() == known.holdings)
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

    /// A day is read on any thread, within the one moment: a writer waits until it is over.
    @Test func writersWaitForReaders() throws {
        let test = try TestStore(MadeUpLog.several(4, seed: 14))
        let expected = try test.holdings()
        let results = concurrentMap(2) { number in
            Result {
                if number == 1 { return try test.open().add(MadeUpLog.several(5, seed: 15)[4]).new }
                return try test.open(.reading).read { stored in
                    usleep(300_000)
                    return try stored.days.flatMap(stored.load).reduce(0) { $0 + $1.verifications }
                }
            }
        }
        let counts = try results.map { try $0.get() }
        #expect(counts[0] >= expected.verifications && counts[1] > 0)
        #expect(try test.holdings() != expected)
    }

    /// Another program that has the store is waited for, which is said once, and in the end it is given up.
    @Test(arguments: [Store.Access.reading, .adding, .trying, .upkeep])
    func aStoreThatIsHeld(access: Store.Access) throws {
        let test = try TestStore(MadeUpLog.several(1, seed: 16))
        let holder = try DatabaseQueue(path: test.path)
        let told = Mutex(0)
        var patience = Patience()
        patience.limit = .milliseconds(2_500)
        patience.isWaiting = { told.withLock { $0 += 1 } }
        try holder.inDatabase { db in
            try db.execute(sql: "BEGIN EXCLUSIVE")
            let start = ContinuousClock.now
            #expect(throws: StoreFailure.isBusy) {
                try Store(path: test.path, access: access, patience: patience)
            }
            #expect(ContinuousClock.now - start < .seconds(20))
            try db.execute(sql: "ROLLBACK")
        }
        #expect(told.withLock { $0 } == 1)
        #expect(try Store(path: test.path, access: access, patience: patience).contents().inputs.count == 1)
    }

    /// Links and mounts give a file several names; whoever comes by another one takes turns as by the same.
    @Test func oneStoreByTwoNames() throws {
        let sources = MadeUpLog.several(24, seed: 17)
        let test = try TestStore()
        _ = try test.open()
        let links = try TemporaryDirectory()
        let other = links.path("other.db")
        try FileManager.default.linkItem(atPath: test.path, toPath: other)
        let results = concurrentMap(4) { number in
            Result {
                let store = try Store(path: number.isMultiple(of: 2) ? test.path : other, access: .adding)
                for (place, source) in sources.enumerated() where place % 4 == number { _ = try store.add(source) }
            }
        }
        for result in results { #expect(throws: Never.self) { try result.get() } }
        #expect(try test.holdings() == TestStore(sources).holdings())
        #expect(try Holdings(Store(path: other, access: .reading)) == test.holdings())
    }
}
