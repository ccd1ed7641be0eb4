import Entries
import Foundation
import GRDB
import Readiness
import TestSupport
import Testing
import Verifications

@testable import History

/// Whatever happens to the bytes of a store: it is refused, or says what it said before.
@Suite struct FlipTests {
    /// A store in which every table has several rows, and what it says.
    private struct Sample {
        let bytes: [UInt8]
        let said: Said
        let more = MadeUpLog.several(3, seed: 77)[2]
        let known: [ReadSource]

        init() throws {
            var sources = MadeUpLog.several(6, entries: 120, seed: 5)
            known = sources
            var damaged = MadeUpLog("damaged", damage: 2)
            for id in 0..<40 { damaged.add(id, day: id % 3) }
            for problem in 0..<3 { damaged.addProblem("it is cut off at \(problem)") }
            for day in [nil, 1, 2] { damaged.addErrorStream(day: day) }
            for function in 0..<3 { damaged.addUncounted(function: function) }
            sources.append(damaged.read)
            let test = try TestStore(sources)
            for requests in [10, 20] { try test.open().keep(Sample.answers(requests)) }
            bytes = Array(try Data(contentsOf: URL(filePath: test.path)))
            said = try Said(test.path)
            #expect(!FileManager.default.fileExists(atPath: test.path + "-wal"))
        }

        static func answers(_ requests: Int) -> Store.Answers {
            [
                FunctionIdentity(project: "p", region: "r", name: "f", generation: .first): PastAnswer(
                    asOf: now, verdict: .wait, ready: nil, isLockout: false, aftermath: nil, requests: requests,
                    blocked: 1)
            ]
        }
    }

    /// All that commands get from a store.
    private struct Said: Equatable {
        let holdings: Holdings
        let answers: [Store.Answers]

        init(_ path: String) throws {
            let store = try Store(path: path, access: .reading)
            holdings = try Holdings(store)
            answers = try [20, 30].map { try store.answers(before: Sample.answers($0)) }
        }
    }

    private let sample: Sample
    private let directory: TemporaryDirectory

    init() throws {
        sample = try Sample()
        directory = try TemporaryDirectory()
    }

    private func clear() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.url.path) {
            try FileManager.default.removeItem(atPath: directory.path(name))
        }
    }

    /// What a changed store does.
    ///
    /// - Returns: True when it was refused.
    @discardableResult
    private func expectHarmless(_ bytes: [UInt8], _ what: String) throws -> Bool {
        try clear()
        let path = try directory.write(bytes, to: "store.db")
        return try expectHarmless(path, what)
    }

    private func expectHarmless(_ path: String, _ what: String) throws -> Bool {
        do {
            #expect(try Said(path) == sample.said, "\(what)")
            return false
        } catch is StoreFailure {
            return true
        }
    }

    @Test func randomFlips() throws {
        var random = SeededGenerator(seed: 1)
        for _ in Tier.some(of: 0..<250, every: 5) {
            var bytes = sample.bytes
            let (place, bit) = (
                Int.random(in: 0..<bytes.count, using: &random), UInt8.random(in: 0..<8, using: &random)
            )
            bytes[place] ^= 1 << bit
            try expectHarmless(bytes, "bit \(bit) of byte \(place)")
        }
    }

    /// The header of the file, and of each page: what SQLite finds its way with.
    @Test func aimedFlips() throws {
        var random = SeededGenerator(seed: 2)
        let pageSize = 4096
        for page in 0..<sample.bytes.count / pageSize {
            for _ in Tier.some(of: 0..<(page == 0 ? 80 : 12), every: 6) {
                let place = page * pageSize + Int.random(in: 0..<(page == 0 ? 200 : 24), using: &random)
                var bytes = sample.bytes
                bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                try expectHarmless(bytes, "byte \(place)")
            }
        }
    }

    @Test func cutsAndZeros() throws {
        var random = SeededGenerator(seed: 3)
        for _ in Tier.some(of: 0..<40, every: 5) {
            let length = Int.random(in: 1..<sample.bytes.count, using: &random)
            try expectHarmless(Array(sample.bytes.prefix(length)), "cut at \(length)")
            var bytes = sample.bytes
            let start = Int.random(in: 0..<bytes.count - 600, using: &random)
            for place in start..<start + 512 { bytes[place] = 0 }
            try expectHarmless(bytes, "zeros from \(start)")
        }
    }

    /// A page in the place of another one, as it was at another time or of another store.
    @Test func swappedPages() throws {
        var random = SeededGenerator(seed: 4)
        let other = try TestStore(MadeUpLog.several(6, entries: 120, seed: 6))
        let foreign = Array(try Data(contentsOf: URL(filePath: other.path)))
        let pages = min(sample.bytes.count, foreign.count) / 4096
        for number in Tier.some(of: 0..<60, every: 5) {
            let (one, two) = (Int.random(in: 1..<pages, using: &random), Int.random(in: 1..<pages, using: &random))
            var bytes = sample.bytes
            let donor = number.isMultiple(of: 2) ? sample.bytes : foreign
            bytes.replaceSubrange(one * 4096..<(one + 1) * 4096, with: donor[two * 4096..<(two + 1) * 4096])
            try expectHarmless(bytes, "page \(one) is page \(two)")
        }
    }

    private static let tables = ["root", "sources", "names", "clients", "parts", "answers"]

    /// Rows as SQLite gives them, each changed in one way.
    @Test(arguments: FlipTests.tables)
    func changedRows(table: String) throws {
        let ids = try edit { try Int64.fetchAll($0, sql: "SELECT id FROM \(table)") }
        try #require(!ids.isEmpty)
        var random = SeededGenerator(seed: 5)
        var changes: [String] = []
        for id in [ids[0], ids[ids.count / 2], ids[ids.count - 1]] {
            changes.append("DELETE FROM \(table) WHERE id = \(id)")
            changes.append("INSERT INTO \(table) SELECT id + 1000000, bytes FROM \(table) WHERE id = \(id)")
            changes.append("INSERT OR IGNORE INTO \(table) SELECT id + 1, bytes FROM \(table) WHERE id = \(id)")
            changes.append("UPDATE \(table) SET bytes = zeroblob(length(bytes)) WHERE id = \(id)")
            changes.append("UPDATE \(table) SET bytes = x'' WHERE id = \(id)")
            changes.append("UPDATE \(table) SET bytes = substr(bytes, 1, length(bytes) - 1) WHERE id = \(id)")
            for shift in [0, 3, 19, 20, 33, 60] {
                changes.append(
                    "UPDATE OR IGNORE \(table) SET id = (id | (1 << \(shift))) - (id & (1 << \(shift))) WHERE id = \(id)"
                )
            }
            let length = try edit {
                try Int.fetchOne($0, sql: "SELECT length(bytes) FROM \(table) WHERE id = \(id)") ?? 1
            }
            for _ in 0..<8 {
                let place = Int.random(in: 1...length, using: &random)
                changes.append(
                    """
                    UPDATE \(table) SET bytes = CAST(substr(bytes, 1, \(place - 1)) || x'A5' || substr(bytes, \(place + 1))
                    AS BLOB) WHERE id = \(id)
                    """)
            }
        }
        changes.append(
            "UPDATE \(table) SET bytes = (SELECT bytes FROM \(table) ORDER BY id LIMIT 1)")
        changes.append("DELETE FROM \(table)")
        changes.append("DROP TABLE \(table)")
        changes.append("ALTER TABLE \(table) RENAME TO others")
        changes.append("CREATE INDEX found ON \(table) (bytes)")
        for other in FlipTests.tables where other != table {
            changes.append("INSERT OR REPLACE INTO \(table) SELECT * FROM \(other) LIMIT 1")
            changes.append(
                """
                ALTER TABLE \(table) RENAME TO t; ALTER TABLE \(other) RENAME TO \(table); ALTER TABLE t RENAME TO \(other)
                """)
        }
        let tried = Tier.some(of: changes, every: 4)
        var refused = 0
        for change in tried {
            try edit { try $0.execute(sql: change) }
            refused += try expectHarmless(directory.path("store.db"), "\(table): \(change)") ? 1 : 0
        }
        #expect(2 * refused > tried.count)
    }

    /// What somebody made up, with sums that fit: refused, or a store like any other.
    @Test(arguments: [StoreTable.root, .sources, .names, .clients, .answers])
    func forgedRows(table: StoreTable) throws {
        var random = SeededGenerator(seed: 8)
        var accepted = 0
        for _ in Tier.some(of: 0..<120, every: 2) {
            try edit { db in
                var root = try StoreRoot(db)
                var rows = try StoredRow.fetchAll(db, sql: "SELECT id, bytes FROM \(table.name)")
                let place = Int.random(in: rows.indices, using: &random)
                rows[place] = StoredRow(id: rows[place].id, bytes: FlipTests.forged(rows[place].bytes, using: &random))
                root.tables[table] = rows.reduce(into: StoreRoot.Sum()) { $0.add($1.check(in: table)) }
                if table != .root { try root.write(to: db) }
                let id = table == .root ? StoreRoot.check(rows[place].bytes) : rows[place].id
                try db.execute(
                    sql: "UPDATE \(table.name) SET id = ?, bytes = ? WHERE id = ?",
                    arguments: [id, rows[place].bytes, rows[place].id])
            }
            do {
                let store = try Store(path: directory.path("store.db"), access: .adding)
                _ = try Holdings(store)
                _ = try store.read { try EntrySet().resolved(Resolution(horizon: now), with: [$0]) }
                for source in sample.known + [sample.more] { _ = try store.add(source) }
                _ = try store.finishRun(retentionDays: 2, at: now)
                try store.keep(Sample.answers(7))
                accepted += 1
            } catch is StoreFailure {} catch is UnreadableStore {}
        }
        #expect(accepted > 0)
    }

    /// JSON with another number, or another text, in the place of one.
    private static func forged(_ json: Data, using random: inout SeededGenerator) -> Data {
        let text = String(decoding: json, as: UTF8.self)
        let leaves = text.matches(of: /-?[0-9]+|"[^"]*"|true|false|null/)
        guard let leaf = leaves.randomElement(using: &random) else { return json }
        let values = [
            "0", "-1", "7", "\(Int64.min)", "\(Int64.max)", "\(UInt64.max)", "4194305", "1e300", "\"\"", "\"\u{202E}\"",
            "null",
        ]
        return Data(text.replacingCharacters(in: leaf.range, with: values.randomElement(using: &random) ?? "").utf8)
    }

    /// Changes a new copy of the sample with SQL.
    private func edit<Value>(_ change: (Database) throws -> Value) throws -> Value {
        try clear()
        let queue = try DatabaseQueue(path: directory.write(sample.bytes, to: "store.db"))
        return try queue.inDatabase(change)
    }

    /// Adding once more what a changed store has says the same, or the store is refused: also where rows are found in
    /// their turn, and not by their numbers.
    @Test func addingWhatIsKnown() throws {
        func added(_ bytes: [UInt8]) throws -> [String] {
            try clear()
            let path = try directory.write(bytes, to: "store.db")
            let store = try Store(path: path, access: .adding)
            let added = try sample.known.map { source in
                let added = try store.add(source)
                return "\(added.isKnown) \(added.new) \(added.known) \(added.tooOld)"
            }
            _ = try store.finishRun(retentionDays: nil, at: now)
            return added
        }
        let expected = try added(sample.bytes)
        #expect(expected.allSatisfy { $0.hasPrefix("true 0 ") })
        var random = SeededGenerator(seed: 7)
        for page in stride(from: 4096, to: sample.bytes.count, by: 4096) {
            // Pages that lead to others are few, and each of their bytes counts.
            let isInterior = sample.bytes[page] == 5
            for _ in Tier.some(of: 0..<(isInterior ? 60 : 3), every: 3) {
                let places = (page..<page + 4096).filter { !isInterior || sample.bytes[$0] != 0 }
                let place = places.randomElement(using: &random) ?? page
                var bytes = sample.bytes
                bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                do { #expect(try added(bytes) == expected, "byte \(place)") } catch is StoreFailure {}
            }
        }
    }

    /// What adds to a changed store notices it, or adds to what it was.
    @Test func addingToAChangedStore() throws {
        func grown(_ bytes: [UInt8]) throws -> Said {
            try clear()
            let path = try directory.write(bytes, to: "store.db")
            let store = try Store(path: path, access: .adding)
            _ = try store.add(sample.more)
            _ = try store.finishRun(retentionDays: nil, at: now)
            return try Said(path)
        }
        let expected = try grown(sample.bytes)
        #expect(expected != sample.said)
        var random = SeededGenerator(seed: 6)
        for _ in Tier.some(of: 0..<150, every: 5) {
            var bytes = sample.bytes
            let place = Int.random(in: 0..<bytes.count, using: &random)
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            do {
                #expect(try grown(bytes) == expected, "byte \(place)")
            } catch is StoreFailure {}
        }
    }
}
