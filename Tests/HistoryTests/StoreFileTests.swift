import Entries
import Foundation
import GRDB
import History
import Platform
import TestSupport
import Testing
import Verifications

/// What may be a store, and what happens to a file that is not one.
@Suite struct StoreFileTests {
    private static let accesses = [Store.Access.reading, .adding, .trying, .rehearsing, .upkeep]

    private func message(of path: String, _ access: Store.Access) -> String? {
        do throws(StoreFailure) {
            _ = try Store(path: path, access: access)
            return nil
        } catch {
            return error.message
        }
    }

    private func names(in directory: TemporaryDirectory) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
    }

    @Test(arguments: [
        "a line of text\n", #"{"insertId":"1"}"#, String(repeating: "\0", count: 5000),
        "SQLite format 3\0 and then nothing of the kind",
    ])
    func whatIsNoStoreIsRefused(text: String) throws {
        let directory = try TemporaryDirectory()
        let bytes = Array(text.utf8)
        let path = try directory.write(bytes, to: "file")
        for access in StoreFileTests.accesses {
            let said = message(of: path, access) ?? "nothing"
            #expect(said.contains("not a callcheck store"), "\(access): \(said)")
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes))
        }
        #expect(try names(in: directory) == ["file"])
    }

    @Test func storesAreToldByTheirFirstBytes() throws {
        let test = try TestStore([])
        #expect(Store.isStore(SystemPath(test.path)))
        let text = try test.directory.write(Array("text".utf8), to: "text")
        #expect(!Store.isStore(SystemPath(text)))
        #expect(!Store.isStore(SystemPath(test.directory.path("missing"))))
    }

    @Test func anotherProgramsDatabaseIsLeftAlone() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("other.db")
        try DatabaseQueue(path: path).inDatabase { try $0.execute(sql: "CREATE TABLE parts (id INTEGER PRIMARY KEY)") }
        let bytes = try Data(contentsOf: URL(filePath: path))
        for access in StoreFileTests.accesses {
            #expect(message(of: path, access)?.contains("another program's") == true)
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }

    @Test(arguments: [(17, "an older callcheck"), (99, "a newer callcheck")])
    func aStoreOfAnotherVersionIsRefused(version: Int, words: String) throws {
        let test = try TestStore(MadeUpLog.several(1, seed: 1))
        try DatabaseQueue(path: test.path).inDatabase { try $0.execute(sql: "PRAGMA user_version = \(version)") }
        for access in StoreFileTests.accesses {
            let said = message(of: test.path, access) ?? "nothing"
            #expect(said.contains(words) && said.contains("callcheck store add NEW.db"), "\(said)")
        }
    }

    @Test func anEmptyFileBecomesAStore() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write([], to: "file")
        #expect(message(of: path, .reading)?.contains("empty") == true)
        #expect(message(of: path, .upkeep)?.contains("empty") == true)
        #expect(message(of: path, .trying) == nil)
        #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
        #expect(message(of: path, .adding) == nil)
        #expect(message(of: path, .reading) == nil)
    }

    @Test func aMissingStoreIsMadeByAddingAlone() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("store.db")
        for access in [Store.Access.reading, .upkeep, .rehearsing] {
            #expect(message(of: path, access)?.contains("no such store") == true)
        }
        #expect(message(of: path, .trying) == nil)
        #expect(try names(in: directory).isEmpty)
        #expect(message(of: path, .adding) == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(message(of: directory.path("no/store.db"), .adding)?.contains("folder does not exist") == true)
        #expect(message(of: path + "/store.db", .adding)?.contains("folder does not exist") == true)
        #expect(message(of: directory.url.path, .adding)?.contains("directory") == true)
    }

    /// Opening a pipe waits for somebody to write to it.
    @Test(.timeLimit(.minutes(5)))
    func pipesAndDevicesAreRefused() throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.path("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: directory.path("link"), withDestinationPath: pipe)
        for path in [pipe, directory.path("link"), "/dev/null", "/dev/zero"] {
            for access in StoreFileTests.accesses {
                #expect(message(of: path, access)?.contains("is a pipe or a device") == true, "\(path), \(access)")
            }
            #expect(!Store.isStore(SystemPath(path)))
        }
    }

    /// SQLite would take them for an address, or for no file at all.
    @Test(arguments: [":memory:", "file:a?mode=memory", "a%20b.db", "a?b#c.db", "ü.db", "a\nb.db", "-.db", " "])
    func oddNamesAreNames(name: String) throws {
        let test = try TestStore(name)
        _ = try test.open().add(MadeUpLog.several(1, seed: 1)[0])
        #expect(try names(in: test.directory) == [name])
        #expect(try test.open(.reading).contents().inputs.count == 1)
    }

    /// A relative name is of this folder, whatever it is.
    @Test func noNameIsInMemory() throws {
        for name in [":memory:", "file::memory:"] {
            let access: Store.Access = .reading
            #expect(message(of: name, access)?.contains("no such store") == true)
        }
        #expect(message(of: "", .adding) != nil)
    }

    @Test func namesThatAreNotUTF8() throws {
        let directory = try TemporaryDirectory()
        let bytes = Array(directory.path("caf").utf8) + [0xE9] + Array(".db".utf8)
        let path = SystemPath.argument(bytes)
        #expect(message(of: path, .adding) == nil)
        let found = FileSystem.entries(of: SystemPath(directory.url.path).characters) { $0.first != 46 }.names
        #expect(
            found.map { $0.dropLast().map { UInt8(bitPattern: $0) } } == [
                Array("caf".utf8) + [0xE9] + Array(".db".utf8)
            ])
        #expect(message(of: path, .reading) == nil)
    }

    /// Nothing is left of a store that could not be made.
    @Test func longNames() throws {
        let directory = try TemporaryDirectory()
        for length in [246, 247, 248, 255, 300] {
            let path = directory.path(String(repeating: "n", count: length))
            let said = message(of: path, .adding)
            #expect(
                length <= 247 ? said == nil : said?.contains("name is too long") == true, "\(length): \(said ?? "-")")
        }
        #expect(try names(in: directory).allSatisfy { $0.utf8.count <= 247 })
        let deep = String(repeating: String(repeating: "d", count: 100) + "/", count: 5)
        try FileManager.default.createDirectory(atPath: directory.path(deep), withIntermediateDirectories: true)
        #expect(message(of: directory.path(deep + "store.db"), .adding)?.contains("name is too long") == true)
        #expect(!FileManager.default.fileExists(atPath: directory.path(deep + "store.db")))
    }

    @Test func brokenLinks() throws {
        let directory = try TemporaryDirectory()
        let link = directory.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.path("nothing"))
        #expect(message(of: link, .adding)?.contains("leads nowhere") == true)
        #expect(try names(in: directory) == ["link"])
    }

    /// What cannot be made leaves nothing: here, no file next to it can be.
    @Test func aStoreThatCannotBeMadeLeavesNothing() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("store.db")
        for ending in ["-wal", "-journal"] {
            try FileManager.default.createDirectory(atPath: path + ending, withIntermediateDirectories: false)
        }
        #expect(message(of: path, .adding) != nil)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aStoreKeepsItsKey() throws {
        let test = try TestStore()
        let key = HashKey(low: 3, high: 4)
        #expect(try Store(path: test.path, access: .adding, newKey: key).key == key)
        #expect(try test.open().key == key)
        #expect(try test.open(.trying).key == key)
    }

    @Test func whatIsTriedIsNotWritten() throws {
        let test = try TestStore(MadeUpLog.several(2, seed: 1))
        let bytes = try Data(contentsOf: URL(filePath: test.path))
        let trial = try test.open(.trying)
        #expect(try trial.add(MadeUpLog.several(3, seed: 2)[2]).new > 0)
        _ = try trial.finishRun(retentionDays: 1, at: now)
        _ = try test.open(.rehearsing).prune(before: now.day, isDryRun: true)
        #expect(try Data(contentsOf: URL(filePath: test.path)) == bytes)
    }

    @Test func filesAreKnownByTheirState() throws {
        var log = MadeUpLog("a.json")
        log.add(1, day: 0)
        (log.record.file.size, log.record.file.modified, log.record.file.changed) = (7, now, now.adding(seconds: 5))
        let test = try TestStore()
        defer { withExtendedLifetime(test) {} }
        let store = try test.open()
        _ = try store.add(log.read)
        let first = SourceFile(name: "a.json", size: 7, modified: now, changed: now.adding(seconds: 5))
        #expect(try store.files()[first]?.contents == log.read.record.contents)
        log.record.file.name = "b.json"
        log.record.file.changed = now.adding(seconds: 9)
        _ = try store.add(log.read)
        let second = SourceFile(name: "b.json", size: 7, modified: now, changed: now.adding(seconds: 9))
        #expect(try Array(store.files().keys) == [second])
    }

    /// What could not be opened, or is no log, leaves no trace.
    @Test func whatIsNoLogIsNotAdded() throws {
        let test = try TestStore([])
        let bytes = try Data(contentsOf: URL(filePath: test.path))
        let store = try test.open()
        for place in 0..<2 {
            var set = EntrySet()
            set.input.sources = place
            set.input.faults = place == 0 ? .unopened : .unsupported
            var record = SourceRecord()
            record.file.name = "missing.json"
            let added = try store.add(ReadSource(set, record, horizon: now))
            #expect(!added.isKnown && added.new + added.known + added.tooOld == 0)
        }
        #expect(try store.contents().inputs.isEmpty)
        #expect(try Data(contentsOf: URL(filePath: test.path)) == bytes)
    }
}
