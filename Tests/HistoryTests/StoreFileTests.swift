import Foundation
import GRDB
import History
import Readiness
import TestSupport
import Testing
import Verifications

/// What may be a store, and what happens to a file that is not one.
@Suite struct StoreFileTests {
    private func message(of path: String, _ access: HistoryStore.Access) -> String? {
        do throws(HistoryFailure) {
            _ = try HistoryStore(path: path, access: access)
            return nil
        } catch {
            return error.message
        }
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
        for access in [HistoryStore.Access.reading, .adding, .trying, .upkeep] {
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

    /// Found by killing: the list of migrations is there before the first of them has run.
    @Test func aStoreThatWasKilledWhileItWasMadeIsMade() throws {
        let nights = try Nights()
        let queue = try DatabaseQueue(path: nights.path)
        try queue.inDatabase {
            try $0.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        }
        try queue.close()
        #expect(message(of: nights.path, .reading)?.contains("empty") == true)
        #expect(try nights.ingest(EntryText.first().text, as: "a.json").summary.verifications == 1)
    }

    @Test func aNewerStoreIsRefused() throws {
        let nights = try Nights()
        try nights.ingest(EntryText.first().text, as: "a.json")
        let queue = try DatabaseQueue(path: nights.path)
        try queue.inDatabase { try $0.execute(sql: "PRAGMA user_version = 6") }
        try queue.close()
        for access in [HistoryStore.Access.reading, .adding, .trying, .upkeep] {
            #expect(message(of: nights.path, access)?.contains("newer callcheck (version 6") == true)
        }
    }

    /// SQLite finds nothing wrong with these; the digest does.
    @Test(arguments: [
        "UPDATE function_days SET valid_valid = valid_valid + 1", "DELETE FROM function_days",
        "UPDATE settings SET key_low = key_low + 1", "UPDATE inputs SET name = 'other'", "DELETE FROM ledger",
        "UPDATE functions SET region = 'elsewhere'", "INSERT INTO streams VALUES (9, 'p', NULL)",
        "UPDATE settings SET sealed_before = 30000", "DELETE FROM settings",
        "INSERT INTO function_facts VALUES (1, 7, NULL, 9999, NULL, NULL, 0, 0, 0, 0, 0)",
        "UPDATE functions SET provenance = 9",
        "UPDATE function_days SET first_nanosecond = -1", "UPDATE function_days SET blocked_hours = 99999999",
    ])
    func aChangedRowIsDamage(sql: String) throws {
        let nights = try Nights()
        try nights.ingest(EntryText.first().text, as: "a.json")
        let queue = try DatabaseQueue(path: nights.path)
        try queue.inDatabase { try $0.execute(sql: "PRAGMA foreign_keys = OFF; \(sql)") }
        try queue.close()
        for access in [HistoryStore.Access.reading, .adding, .trying, .upkeep] {
            #expect(message(of: nights.path, access)?.contains("damaged") == true, "\(access)")
        }
    }

    /// A night's ledger is read only when an input has that night: its damage is found then.
    @Test func changedFingerprintsAreDamage() throws {
        let nights = try Nights()
        try nights.ingest(EntryText.first().text, as: "a.json")
        let queue = try DatabaseQueue(path: nights.path)
        try queue.inDatabase { try $0.execute(sql: "UPDATE ledger SET fingerprints = x'0102030405060708'") }
        try queue.close()
        let other = EntryText.first(id: "b", time: "2026-10-15T00:00:00Z").text
        #expect(try nights.ingest(other, as: "b.json").summary.verifications == 1)
        #expect(throws: HistoryFailure.self) { try nights.ingest(EntryText.first().text, as: "a.json") }
        #expect(try nights.load().input.verifications == 2)
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
