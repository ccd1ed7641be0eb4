import Foundation
import GRDB
import Readiness
import Rollout
import TestSupport
import Testing
import Verifications

@testable import History

/// Stores that version 1 of the tables was written to: `Fixtures/make.py` made one.
@Suite struct MigrationTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    private static let inputs = ["nights.json", "console.log", "altered.json.gz", "message.json", "silent.json"]

    /// A copy of the old store.
    private func nights() throws -> Nights {
        let nights = try Nights()
        try MigrationTests.bytes("version-1.db").write(to: URL(filePath: nights.path))
        return nights
    }

    private static func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: fixtures.appending(path: name))
    }

    private func bytes(of nights: Nights) throws -> Data {
        try Data(contentsOf: URL(filePath: nights.path))
    }

    private func ingestAll(into nights: Nights, as name: (String) -> String) throws -> [IngestOutcome] {
        try MigrationTests.inputs.map { input in
            try nights.ingest(bytes: Array(MigrationTests.bytes(input)), as: name(input))
        }
    }

    /// What the tables of version 1 say: by function and day, and by function without a day.
    private func formerCounts(of nights: Nights) throws -> [String: Int] {
        let cells = TokenStatus.allCases.flatMap { app in
            TokenStatus.allCases.map { "\(app.name)_\($0.name)".lowercased() }
        }
        let sql = """
            SELECT name || ' ' || coalesce(day, '-') AS place, sum(\(cells.joined(separator: " + "))) AS count
            FROM (SELECT function, day, \(cells.joined(separator: ", ")) FROM function_days
                  UNION ALL SELECT function, NULL, \(cells.joined(separator: ", ")) FROM dayless_counts)
            JOIN functions ON functions.id = function GROUP BY place
            """
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: nights.path, configuration: configuration).read { db in
            try Row.fetchAll(db, sql: sql).reduce(into: [:]) { $0[$1["place"]] = $1["count"] }
        }
    }

    private func counts(of tally: Tally) -> [String: Int] {
        var counts: [String: Int] = [:]
        for (identity, function) in tally.functions {
            for day in function.days { counts["\(identity.name) \(day.day.number)", default: 0] += day.counts.total }
            let dayless = function.undated.total + function.pooledDays.total
            if dayless > 0 { counts["\(identity.name) -", default: 0] += dayless }
        }
        return counts
    }

    @Test func migratingLosesAndDoublesNothing() throws {
        let nights = try nights()
        let former = try formerCounts(of: nights)
        #expect(former.values.reduce(0, +) == 164)
        let read = try nights.load()
        #expect(counts(of: read.tally) == former)
        _ = try nights.store(.adding)
        let migrated = try nights.load()
        expectEqual(migrated.tally, read.tally)
        #expect(migrated.input == read.input)
        #expect(counts(of: migrated.tally) == former)
        #expect(migrated.tally.functions.values.allSatisfy { $0.provenance == .labelled })
        #expect(migrated.tally.projects.values.contains { !$0.errorStreamDays.isEmpty })
        #expect(migrated.input.verifications == 164)
        #expect(migrated.input.duplicates == 148)
    }

    /// Reports say so until they have left every window.
    @Test func oldCountsAreToldApart() throws {
        let nights = try nights()
        #expect(try nights.load().lastDayOfVersion1?.description == "2026-10-08")
        let late = EntryText.first("f1", id: "new", time: "2026-10-20T00:00:00Z").text
        #expect(try nights.ingest(late, as: "late.json").summary.verifications == 1)
        #expect(try nights.load().lastDayOfVersion1?.description == "2026-10-08")
        #expect(try Nights().ingest(late, as: "late.json").summary.verifications == 1)
    }

    @Test func whoReadsOrTriesChangesNothing() throws {
        let nights = try nights()
        let before = try bytes(of: nights)
        _ = try nights.load()
        #expect(try nights.store(.reading).contents().inputs.count == 7)
        let store = try nights.store(.trying)
        let input = try nights.input(Array(MigrationTests.bytes("nights.json")), "nights.json")
        #expect(try Nights.ingest(input, into: store).isKnown)
        #expect(try nights.store(.rehearsing).prune(before: now.day, isDryRun: true).verifications == 161)
        #expect(try bytes(of: nights) == before)
    }

    /// What version 1 counted it counted under other fingerprints, and in part on other days.
    @Test(arguments: [false, true])
    func theSameInputsOnceMoreAddNothing(isRenamed: Bool) throws {
        let nights = try nights()
        let before = try nights.load()
        for outcome in try ingestAll(into: nights, as: { isRenamed ? "new-\($0)" : $0 }) {
            #expect(outcome.summary.verifications == 0)
        }
        let after = try nights.load()
        #expect(counts(of: after.tally) == counts(of: before.tally))
        // In another order and without its copies it is another file.
        let lines = Set(try MigrationTests.bytes("nights.json").split(separator: UInt8(ascii: "\n"))).map(Array.init)
        let other = lines.map { String(decoding: $0, as: UTF8.self) }.sorted().joined(separator: "\n")
        let outcome = try nights.ingest(other, as: "other.json")
        #expect(outcome.summary.verifications == 0)
        #expect(counts(of: try nights.load().tally) == counts(of: before.tally))
    }

    @Test func newEntriesCount() throws {
        let nights = try nights()
        let before = try nights.load()
        let entries = (0..<5).map { EntryText.first("f1", id: "new-\($0)", time: "2026-10-03T00:00:0\($0)Z").text }
        #expect(try nights.ingest(entries.joined(separator: "\n"), as: "new.json").summary.verifications == 5)
        #expect(try nights.ingest(entries.joined(separator: "\n"), as: "again.json").isKnown)
        #expect(try nights.load().input.verifications == before.input.verifications + 5)
    }

    /// Whether a function's old counts carried labels nobody knows: they are of the kind that it writes since.
    @Test func oldCountsOfTextAreOfText() throws {
        let nights = try nights()
        let payload = EntryText.payload(app: "VALID", auth: "VALID")
        let console = (0..<3).map { "2026-10-09T12:00:0\($0).5Z D f1: \(payload)" }.joined(separator: "\n")
        #expect(try nights.ingest(console, as: "new.log").summary.verifications == 3)
        let function = try #require(try nights.load().tally.functions.first { $0.key.project == "-" }?.value)
        #expect(function.totals.total == 8)
        #expect(function.provenance == .unlabelled)
    }

    /// An intact copy takes the place of what an altered file had falsified before.
    @Test func anAlteredFileIsRepaired() throws {
        let nights = try nights()
        var intact = try Array(MigrationTests.bytes("altered.json.gz"))
        intact[intact.count - 8] ^= 1
        let repair = try nights.ingest(bytes: intact, as: "intact.json.gz")
        #expect(repair.replaced?.number == 3)
        #expect(repair.summary.verifications == 30)
        let stored = try nights.load()
        #expect(stored.input.verifications == 164)
        #expect(stored.input.problems.isEmpty)
    }

    /// A store of version 3, or of version 2, which has no table of rollouts; nothing of them is lost, and no day of
    /// them proves anything by evidence, of which they kept nothing.
    @Test(arguments: [2, 3])
    func laterVersions(version: Int) throws {
        let nights = try Nights()
        try MigrationTests.bytes("version-3.db").write(to: URL(filePath: nights.path))
        let queue = try DatabaseQueue(path: nights.path)
        if version == 2 {
            try queue.inDatabase { db in
                try db.execute(
                    sql: """
                        DROP TABLE rollout_days;
                        DELETE FROM grdb_migrations WHERE identifier LIKE '%rollout%';
                        PRAGMA user_version = 2
                        """)
            }
        }
        try queue.close()
        let former = try formerCounts(of: nights)
        #expect(former.values.reduce(0, +) == 161)
        let before = try bytes(of: nights)
        let read = try nights.load()
        #expect(counts(of: read.tally) == former && read.rollouts.isEmpty)
        #expect(read.evidence.callers.isEmpty && read.evidence.incompleteThrough?.description == "2026-10-08")
        #expect(try bytes(of: nights) == before)
        _ = try nights.store(.adding)
        #expect(try DatabaseQueue(path: nights.path).read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 5)
        let migrated = try nights.load()
        expectEqual(migrated.tally, read.tally)
        #expect(migrated.input == read.input && migrated.lastDayOfVersion1 == nil)
        #expect(migrated.evidence.incompleteThrough == read.evidence.incompleteThrough)
        for outcome in try ingestAll(into: nights, as: { "new-\($0)" }) { #expect(outcome.summary.verifications == 0) }
        #expect(counts(of: try nights.load().tally) == former)
    }

    @Test(arguments: ["UPDATE function_days SET valid_valid = valid_valid + 1", "DELETE FROM streams"])
    func aDamagedStoreOfVersion3IsRefused(sql: String) throws {
        let nights = try Nights()
        try MigrationTests.bytes("version-3.db").write(to: URL(filePath: nights.path))
        let queue = try DatabaseQueue(path: nights.path)
        try queue.inDatabase { try $0.execute(sql: "PRAGMA foreign_keys = OFF; \(sql)") }
        try queue.close()
        for access in [HistoryStore.Access.reading, .adding, .upkeep] {
            #expect(throws: HistoryFailure.self) { try nights.store(access) }
        }
    }

    @Test(arguments: [
        "UPDATE function_days SET valid_valid = valid_valid + 1", "UPDATE stream_days SET failed = failed + 1",
        "DELETE FROM function_facts", "UPDATE settings SET digest = digest + 1", "DELETE FROM settings",
    ])
    func aDamagedOldStoreIsRefused(sql: String) throws {
        let nights = try nights()
        let queue = try DatabaseQueue(path: nights.path)
        try queue.inDatabase { try $0.execute(sql: "PRAGMA foreign_keys = OFF; \(sql)") }
        try queue.close()
        for access in [HistoryStore.Access.reading, .adding, .trying, .rehearsing, .upkeep] {
            #expect {
                try nights.store(access)
            } throws: {
                ($0 as? HistoryFailure)?.message.contains("damaged") == true
            }
        }
        #expect(try DatabaseQueue(path: nights.path).read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 1)
    }

    /// Several find an old store at once: one migrates it, the others find it migrated.
    @Test func severalAtOnceMigrateOnce() async throws {
        let nights = try nights()
        await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { _ = try nights.store(.adding) } }
            while let result = await group.nextResult() {
                #expect(throws: Never.self) { try result.get() }
            }
        }
        #expect(try nights.load().input.verifications == 164)
    }

    /// From the second version on there is a table more, and nothing else changes.
    @Test func theThirdVersionAddsATable() throws {
        let nights = try nights()
        let queue = try DatabaseQueue(path: nights.path)
        func contents() throws -> (version: Int?, rows: [String: [[DatabaseValue]]]) {
            try queue.read { db in
                let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
                let rows = try tables.filter { $0 != "grdb_migrations" }.map { table in
                    (table, try Row.fetchAll(db, sql: "SELECT * FROM \"\(table)\"").map { Array($0.databaseValues) })
                }
                return (try Int.fetchOne(db, sql: "PRAGMA user_version"), Dictionary(uniqueKeysWithValues: rows))
            }
        }
        try Schema.migrator.migrate(queue, upTo: "provenance")
        let second = try contents()
        #expect(second.version == 2)
        #expect(second.rows["rollout_days"] == nil)
        try Schema.migrator.migrate(queue, upTo: "days of an App Attest rollout")
        let third = try contents()
        #expect(third.version == 3)
        #expect(third.rows == second.rows.merging(["rollout_days": []]) { $1 })
        try queue.close()
        #expect(try counts(of: nights.load().tally) == formerCounts(of: nights))
        #expect(try nights.load().rollouts.isEmpty)
        var day = RolloutDay(day: Day(number: 20_700))
        day.count = UserCount(users: 9, failedOnly: 1)
        let history = RolloutHistory(parameter: "p", entries: [RolloutHistory.Entry(day: day, percent: 10)])
        try nights.store(.adding).add(history)
        #expect(try nights.load().rollouts == [history])
    }

    @Test func compactingListsEachInputOnce() throws {
        let nights = try nights()
        let before = try nights.load()
        let compacted = try nights.store(.upkeep).compact()
        #expect(compacted.inputs == 2)
        #expect(try nights.store(.reading).contents().inputs.map(\.name) == MigrationTests.inputs)
        expectEqual(try nights.load().tally, before.tally)
        // Of a message that is not the SDK's version 2 knows nothing, and of a file without a verification version 1
        // knew its path alone.
        #expect(try ingestAll(into: nights, as: { $0 }).map(\.isKnown) == [true, true, true, false, false])
        #expect(try ingestAll(into: nights, as: { "again-\($0)" }).map(\.isKnown) == [true, true, true, true, true])
        #expect(try nights.store(.upkeep).compact().inputs == 0)
    }
}
