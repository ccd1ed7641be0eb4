import Analysis
import Foundation
import GRDB
import History
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

/// What may be a store, and what happens to a file that is not one.
@Suite struct StoreFileTests {
    private func message(of path: String, _ access: Store.Access) -> String? {
        do throws(StoreFailure) {
            _ = try Store(path: path, access: access) { $0.hash($1) }
            return nil
        } catch {
            return error.message
        }
    }

    private func queueVersion(of path: String) throws -> Int? {
        try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    }

    @Test(arguments: [
        ("a line of text\n", "not a callcheck store"),
        (#"{"insertId":"1"}"#, "not a callcheck store"),
        (String(repeating: "\0", count: 5000), "not a callcheck store"),
        ("SQLite format 3\0 and then nothing of the kind", "not a callcheck store"),
    ])
    func whatIsNoStoreIsRefused(text: String, words: String) throws {
        let directory = try TemporaryDirectory()
        let bytes = Array(text.utf8)
        let path = try directory.write(bytes, to: "file")
        for access in [Store.Access.reading, .adding, .trying, .upkeep] {
            let said = message(of: path, access) ?? "nothing"
            #expect(said.contains(words), "\(access): \(said)")
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes))
        }
    }

    @Test func anEmptyFileBecomesAStore() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write([], to: "file")
        #expect(message(of: path, .reading)?.contains("empty") == true)
        #expect(message(of: path, .trying) == nil)
        #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
        #expect(message(of: path, .adding) == nil)
        #expect(message(of: path, .reading) == nil)
    }

    @Test func aMissingStoreIsMadeByAddingAlone() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("store.db")
        #expect(message(of: path, .reading)?.contains("no such store") == true)
        #expect(message(of: path, .upkeep)?.contains("no such store") == true)
        #expect(message(of: path, .trying) == nil)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(message(of: path, .adding) == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(message(of: directory.path("no/store.db"), .adding)?.contains("folder does not exist") == true)
        #expect(message(of: directory.url.path, .adding)?.contains("directory") == true)
    }

    @Test(arguments: [(7, "made before callcheck 0.3"), (99, "newer callcheck (version 99")])
    func aStoreOfAnotherVersionIsRefused(version: Int, words: String) throws {
        let nights = try Nights()
        try nights.ingest(EntryText.first().text, as: "a.json")
        let queue = try DatabaseQueue(path: nights.path)
        try queue.inDatabase { try $0.execute(sql: "PRAGMA user_version = \(version)") }
        try queue.close()
        for access in [Store.Access.reading, .adding, .trying, .rehearsing, .upkeep] {
            #expect(message(of: nights.path, access)?.contains(words) == true)
        }
        #expect(try queueVersion(of: nights.path) == version)
    }

    /// Several find no store at once: one makes the tables, the others find them made.
    @Test func severalAtOnceMakeOneStore() async throws {
        let nights = try Nights()
        await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { _ = try nights.store(.adding) } }
            while let result = await group.nextResult() {
                #expect(throws: Never.self) { try result.get() }
            }
        }
        #expect(try nights.ingest(EntryText.first().text, as: "a.json").summary.verifications == 1)
    }

    /// Where no lock can be taken, a store is read, and what was read of it while somebody wrote is not believed.
    @Test func whatChangesWithoutLocksIsNotBelieved() throws {
        let stores = try ["a", "b"].map { id in
            let nights = try Nights()
            try nights.ingest(EntryText.first(id: id).text, as: "log.json")
            return try Data(contentsOf: URL(filePath: nights.path))
        }
        let directory = try TemporaryDirectory()
        let path = directory.path("store.db")
        try stores[0].write(to: URL(filePath: path))
        // SQLite cannot make the file in which it keeps its locks, and follows no link.
        try FileManager.default.createSymbolicLink(atPath: path + "-shm", withDestinationPath: path + "-shm")
        let store = try Store(path: path, access: .reading) { $0.hash($1) }
        #expect(try store.contents().inputs.count == 1)
        try stores[1].write(to: URL(filePath: path))
        do throws(StoreFailure) {
            _ = try store.contents()
            Issue.record("what was read is believed")
        } catch {
            #expect(error.message.contains("another callcheck has written to the store while it was read"))
        }
    }

    /// The entries of a day are read only where something is beside them: their damage is found then.
    @Test func changedEntriesAreDamage() throws {
        let nights = try Nights()
        try nights.ingest(EntryText.first().text, as: "a.json")
        try nights.ingest(EntryText.first(id: "late", time: "2026-10-24T00:00:00Z").text, as: "late.json")
        let queue = try DatabaseQueue(path: nights.path)
        try queue.inDatabase { try $0.execute(sql: "UPDATE parts SET bytes = x'0102030405060708' WHERE source = 1") }
        try queue.close()
        #expect(try nights.load().input.verifications == 2)
        let other = EntryText.first(id: "b", time: "2026-10-24T00:00:00Z").text
        #expect(try nights.ingest(other, as: "b.json").summary.verifications == 1)
        #expect(throws: StoreFailure.self) { try nights.ingest(EntryText.first(id: "c").text, as: "c.json") }
        #expect(try nights.load().input.verifications == 3)
    }

    @Test func nothingOfTheLogIsKeptButNames() throws {
        let nights = try Nights()
        let secret = "secret-7Yq"
        let entry = EntryText.first(id: secret).adding("trace", EntryText.quoted(secret))
            .adding("httpRequest", "{\"remoteIp\":\"\(secret)\"}")
        try nights.ingest(entry.text, as: "a.json")
        try nights.ingest(
            "2026-10-14T12:00:00.5Z D addMessage: {\"\(secret)\":1,\(entry.text.dropFirst())", as: "b.log")
        #expect(try nights.load().input.verifications == 2)
        for name in ["store.db", "store.db-wal"] {
            let bytes = (try? Data(contentsOf: nights.directory.url.appending(path: name))) ?? Data()
            #expect(bytes.range(of: Data(secret.utf8)) == nil)
        }
    }
}
