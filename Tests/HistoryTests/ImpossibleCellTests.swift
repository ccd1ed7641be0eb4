import Analysis
import Foundation
import GRDB
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

@testable import History

/// A store whose cells hold anything is read as it is or reported as damaged.
@Suite struct ImpossibleCellTests {
    private static let values: [DatabaseValue] = [
        (-5).databaseValue, Int64.min.databaseValue, Int64.max.databaseValue, .null, "text".databaseValue,
        Double.infinity.databaseValue, Data([1, 2, 3]).databaseValue,
    ]

    @Test(arguments: ["settings", "sources", "parts", "days", "answers"])
    func anyValueInAnyColumn(table: String) throws {
        let nights = try ImpossibleCellTests.filledStore()
        let whole = try Data(contentsOf: URL(filePath: nights.path))
        let columns = try DatabaseQueue(path: nights.path).read { try $0.columns(in: table).map(\.name) }
        #expect(columns.count > 3)
        for column in columns {
            for value in ImpossibleCellTests.values {
                let path = nights.directory.path("changed.db")
                try whole.write(to: URL(filePath: path))
                guard try ImpossibleCellTests.write(value, to: column, of: table, at: path) else { continue }
                for use in ImpossibleCellTests.uses {
                    do {
                        try use(path)
                    } catch let failure as StoreFailure {
                        #expect(failure.message.contains("damaged"), "\(column) \(value): \(failure.message)")
                    }
                }
            }
        }
    }

    /// The number of a day that no entry has.
    @Test func aDayBefore2016IsDamage() throws {
        let nights = try ImpossibleCellTests.filledStore()
        #expect(
            try ImpossibleCellTests.write((-5).databaseValue, to: "day", of: "parts", at: nights.path))
        #expect(throws: StoreFailure.self) { try nights.load() }
    }

    private static func filledStore() throws -> Nights {
        let nights = try Nights()
        let lines = (0..<3).flatMap { CalledRequest($0, second: $0 * 86_400).lines }.joined(separator: "\n")
        try nights.ingest(lines, as: "a.json")
        try nights.ingest(bytes: Array(Gzip.member(Array(lines.utf8)).dropLast(20)), as: "b.json.gz")
        let store = try nights.store()
        try store.keep(answers)
        try store.finishRun(retentionDays: 1, at: now)
        // What is in the write-ahead log goes into the file.
        try DatabaseQueue(path: nights.path).vacuum()
        return nights
    }

    private static let answers = [
        FunctionIdentity(project: "p", region: "r", name: "f", generation: .second): PastAnswer(
            asOf: now, verdict: .wait, ready: now.day, isLockout: false, aftermath: .more, requests: 9, blocked: 1)
    ]

    /// All that commands do with a store.
    private static let uses: [@Sendable (String) throws -> Void] = [
        { path in
            let store = try open(path, .reading)
            var analysis = LogAnalysis(inputs: [], horizon: laterThanAll)
            analysis.asOf = now
            let answers = [
                Result { _ = try store.contents() }, Result { _ = try store.packed() },
                Result { _ = try store.answers(before: ImpossibleCellTests.answers) },
                Result {
                    _ = try analysis.run { set, sealed, resolution throws(StoreFailure) in
                        try store.answer(set, sealed: sealed, resolution).resolved
                    }
                },
            ]
            for answer in answers { try answer.get() }
        },
        { _ = try open($0, .rehearsing).prune(before: now.day, isDryRun: true) },
        { path in
            let store = try open(path, .trying)
            let input = try MemoryFile(Array(CalledRequest(7).verification.utf8))
            _ = try Nights.ingest(.file(input.path), into: store)
            try store.finishRun(retentionDays: nil, at: now)
        },
    ]

    private static func open(_ path: String, _ access: Store.Access) throws(StoreFailure) -> Store {
        try Store(path: path, access: access) { $0.hash($1) }
    }

    /// Changes a column of all rows, regardless of its type.
    ///
    /// - Returns: False if SQLite has no room for the value.
    private static func write(_ value: DatabaseValue, to column: String, of table: String, at path: String) throws
        -> Bool
    {
        func replaceSchema(_ change: (String) -> String) throws {
            let queue = try DatabaseQueue(path: path)
            try queue.inDatabase { db in
                let sql = try String.fetchOne(
                    db, sql: "SELECT sql FROM sqlite_master WHERE name = ?", arguments: [table])
                try db.execute(
                    sql: """
                        PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = ? WHERE name = ?
                        """, arguments: [change(sql ?? ""), table])
            }
            try queue.close()
        }
        var made = ""
        try replaceSchema { sql in
            made = sql
            return sql.replacing(" STRICT, WITHOUT ROWID", with: " WITHOUT ROWID").replacing(" STRICT", with: "")
                .replacing(" NOT NULL", with: "").replacing(" CHECK (id = 1)", with: "")
        }
        defer { try? replaceSchema { _ in made } }
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.inDatabase { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            do {
                try db.execute(sql: "UPDATE OR IGNORE \(table) SET \(column) = ?", arguments: [value])
            } catch is DatabaseError {
                return false
            }
            return true
        }
    }
}
