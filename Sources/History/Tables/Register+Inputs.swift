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

    /// The inputs that have one of some numbers, without their problems.
    func inputs(numbered numbers: [Int]) throws -> [InputRow] {
        try numbers.flatMap { try rows(InputRow.self, where: "id = ?", [$0.databaseValue]) }
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
        while let next = try inputs(numbered: [number]).first?.replacedBy { number = next }
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
        guard var row = try inputs(numbered: [damaged.id]).first else { throw DamagedRow(table: InputRow.table.name) }
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
