internal import Foundation
internal import GRDB
internal import Readiness
internal import Verifications

/// One input that was ingested.
struct InputRow: StoreRow {
    static let databaseTableName = "inputs"

    let id: Int
    /// As it was given the first time; `-` for standard input.
    let name: String
    let ingestedAt: Instant
    /// As stored, in bytes; nil when it was not known beforehand.
    let size: Int?
    /// See ``InputContent/sum``; of an input without a verification ``FileSample/hash``, or 0 where there is none.
    var content: UInt64
    /// How many verifications it held, whatever became of them.
    let held: Int
    /// Its newest dated verification, as far as it is not later than ``ingestedAt``, or ``ingestedAt`` where version 1
    /// of the tables did not keep it; nil without one.
    let newest: Instant?
    /// What was read; ``InputSummary/filtered`` counts what was too old, and problems are in a table of their own.
    var summary: InputSummary
    /// Problems that were counted and not kept.
    let furtherProblems: Int
    /// The input whose counts replace this one's; nil for nearly all.
    var replacedBy: Int?

    private static let counts: [(column: String, path: any WritableKeyPath<InputSummary, Int> & Sendable)] = [
        ("sources", \.sources), ("bytes_read", \.bytesRead), ("bytes_decompressed", \.bytesDecompressed),
        ("records", \.records), ("verifications", \.verifications), ("duplicates", \.duplicates),
        ("too_old", \.filtered), ("ignored", \.ignored), ("malformed", \.malformed), ("oversized", \.oversized),
        ("undated", \.undated), ("unexpected", \.unexpected),
    ]

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = StoredText(name)
        container["ingested_second"] = ingestedAt.seconds
        container["ingested_nanosecond"] = ingestedAt.nanoseconds
        container["size"] = size
        container["content"] = Int64(bitPattern: content)
        container["held"] = held
        container["newest_second"] = newest?.seconds
        container["newest_nanosecond"] = newest?.nanoseconds
        for (column, path) in InputRow.counts { container[column] = summary[keyPath: path] }
        container["faults"] = summary.faults.rawValue
        container["further_problems"] = furtherProblems
        container["replaced_by"] = replacedBy
    }
}

extension InputRow {
    init(id: Int, name: String, ingestedAt: Instant, size: Int?, content: InputContent, summary: InputSummary) {
        self.id = id
        self.name = name
        self.ingestedAt = ingestedAt
        self.size = size
        self.content = content.sum
        held = content.held
        // One that claims to be of the future was forged.
        newest = content.newest.map { min($0, ingestedAt) }
        self.summary = summary
        furtherProblems = summary.problems.dropped
    }

    init(row: Row) throws {
        id = try row.decode(forColumn: "id")
        name = try row.decode(StoredText.self, forColumn: "name").text
        ingestedAt = Instant(
            seconds: try row.decode(forColumn: "ingested_second"),
            nanoseconds: try row.decode(forColumn: "ingested_nanosecond"))
        size = try row.decode(forColumn: "size")
        content = UInt64(bitPattern: try row.decode(forColumn: "content"))
        held = try row.decode(forColumn: "held")
        newest = Instant(
            second: try row.decode(forColumn: "newest_second"),
            nanosecond: try row.decode(forColumn: "newest_nanosecond"))
        summary = InputSummary()
        for (column, path) in InputRow.counts { summary[keyPath: path] = try row.decode(forColumn: column) }
        summary.faults = InputFaults(rawValue: try row.decode(forColumn: "faults"))
        furtherProblems = try row.decode(forColumn: "further_problems")
        replacedBy = try row.decode(forColumn: "replaced_by")
    }
}

/// Something in an input that could not be read.
struct ProblemRow: StoreRow, Codable {
    static let databaseTableName = "problems"

    let input: Int
    let number: Int
    let kind: String
    let byteOffset: Int?
    let record: Int?
    let detail: String

    fileprivate init(input: Int, number: Int, _ problem: Problem) {
        self.input = input
        self.number = number
        kind = problem.kind.rawValue
        byteOffset = problem.byteOffset
        record = problem.record
        detail = problem.detail
    }

    fileprivate func problem(in source: String) throws -> Problem {
        guard let kind = Problem.Kind(rawValue: kind) else { throw DamagedRow(table: ProblemRow.databaseTableName) }
        return Problem(source: source, kind: kind, byteOffset: byteOffset, record: record, detail: detail)
    }
}

/// The list of inputs: what was read, what was wrong with it, and which of them replaces which.
extension StoreTransaction {
    /// All inputs with their problems, in the order in which they were added.
    func inputs() throws -> [InputRow] {
        let problems = Dictionary(grouping: try rows(ProblemRow.self), by: \.input)
        return try rows(InputRow.self).map { row in
            var row = row
            for problem in problems[row.id] ?? [] { row.summary.problems.append(try problem.problem(in: row.name)) }
            row.summary.problems.drop(row.furtherProblems)
            return row
        }
    }

    /// Removes inputs with their problems; none that stays may point to one of them.
    func remove(inputs removed: [Int]) throws {
        // They may point to one another.
        try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
        for number in removed {
            try ProblemRow.filter(Column("input") == number).deleteAll(db)
            try InputRow.deleteOne(db, key: number)
        }
    }

    func nextInput() throws -> Int {
        try (InputRow.select(max(Column("id")), as: Int.self).fetchOne(db) ?? 0) + 1
    }

    /// Writes down an input with its problems.
    func insert(_ row: InputRow, problems: ProblemLog) throws {
        try row.insert(db)
        for (place, problem) in problems.entries.enumerated() where problem.kind != .more {
            try ProblemRow(input: row.id, number: place + 1, problem).insert(db)
        }
    }

    /// The input that replaces another one in the end: an intact copy may have been replaced by a longer one.
    func standIn(for number: Int) throws -> Int {
        var number = number
        while let next = try InputRow.fetchOne(db, key: number)?.replacedBy { number = next }
        return number
    }

    /// Says of a damaged input that another one replaces it from now on.
    ///
    /// - Parameters:
    ///   - damaged: The input.
    ///   - number: The other one.
    ///   - isFalsified: True when its counts are to go, as those of the other one take their place.
    /// - Returns: What to report.
    /// - Throws: What SQLite says, or ``DamagedRow``.
    func replace(_ damaged: InputRow, by number: Int, isFalsified: Bool) throws -> ReplacedInput {
        guard var row = try InputRow.fetchOne(db, key: damaged.id) else {
            throw DamagedRow(table: InputRow.databaseTableName)
        }
        row.replacedBy = number
        if isFalsified {
            try removeLayer(damaged.id)
            row.summary.duplicates += row.summary.verifications
            row.summary.verifications = 0
            row.summary.undated = 0
        }
        try row.update(db)
        let taken = isFalsified ? damaged.summary.verifications : 0
        return ReplacedInput(number: damaged.id, verifications: taken)
    }
}
