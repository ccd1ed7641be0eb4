internal import GRDB
internal import Verifications

/// The list of inputs: what was read, what was wrong with it, and which of them stands for which.
extension Register {
    /// All inputs with their problems, in the order in which they were added.
    func inputs() throws -> [InputRow] {
        let problems = Dictionary(grouping: try rows(ProblemRow.self), by: \.input)
        return try rows(InputRow.self).map { row in
            var row = row
            for problem in problems[row.id] ?? [] { row.summary.problems.append(problem.problem(in: row.name)) }
            row.summary.problems.drop(row.furtherProblems)
            return row
        }
    }

    /// The input that has a number, without its problems.
    func input(_ number: Int) throws -> InputRow? {
        try rows(InputRow.self, where: "id = ?", [number.databaseValue]).first
    }

    /// Removes inputs with their problems; none that stays may point to one of them.
    func remove(inputs removed: [InputRow]) throws {
        // They may point to one another.
        try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
        for row in removed {
            for problem in try rows(ProblemRow.self, where: "input = ?", [row.id.databaseValue]) { try remove(problem) }
            try remove(row)
        }
    }

    func nextInput() throws -> Int {
        try (Int.fetchOne(db, sql: "SELECT max(id) FROM inputs") ?? 0) + 1
    }

    /// Writes down an input with its problems.
    func put(_ row: InputRow, problems: ProblemLog) throws {
        try put(row)
        for (place, problem) in problems.entries.enumerated() where problem.kind != .more {
            try put(ProblemRow(input: row.id, number: place + 1, problem))
        }
    }

    /// The input that stands for another one in the end: an intact copy may have been repaired by a longer one.
    func standIn(for number: Int) throws -> Int {
        var number = number
        while let next = try input(number)?.replacedBy { number = next }
        return number
    }

    /// Says of a damaged input that another one stands for it from now on.
    ///
    /// - Parameters:
    ///   - damaged: The input.
    ///   - number: The other one.
    ///   - isFalsified: True when its counts are to go: those of the other one stand in their place.
    /// - Returns: What to tell of it.
    /// - Throws: What SQLite says, or ``DamagedRow``.
    func replace(_ damaged: InputRow, by number: Int, isFalsified: Bool) throws -> ReplacedInput {
        guard var row = try input(damaged.id) else { throw DamagedRow(table: InputRow.table.name) }
        row.replacedBy = number
        if isFalsified {
            try removeLayer(damaged.id)
            row.summary.duplicates += row.summary.verifications
            row.summary.verifications = 0
            row.summary.undated = 0
        }
        try put(row)
        let taken = isFalsified ? damaged.summary.verifications : 0
        return ReplacedInput(number: damaged.id, name: damaged.name, verifications: taken)
    }
}

extension ProblemRow {
    fileprivate func problem(in source: String) -> Problem {
        Problem(source: source, kind: kind, byteOffset: byteOffset, record: record, detail: detail)
    }
}
