internal import GRDB
internal import Readiness
internal import Verifications

extension Register {
    /// Adds the counts of an input.
    ///
    /// - Parameters:
    ///   - tally: What is new.
    ///   - ranks: Of its names.
    ///   - layer: 0, or the input's number when its counts are to be kept apart.
    ///   - names: The numbers of functions and streams.
    /// - Throws: What SQLite says, or ``DamagedRow``.
    func add(_ tally: Tally, ranks: NameRanks, layer: Int, names: inout NameCache) throws {
        for (identity, function) in tally.functions {
            let number = try names.number(of: identity, rank: ranks.functions[identity], in: self)
            try add(function, number: number, layer: layer)
        }
        for (name, project) in tally.projects {
            let number = try names.number(of: name, .second, rank: ranks.projects[name], in: self)
            try add(project, number: number, layer: layer)
        }
    }

    private func add(_ function: FunctionTally, number: Int, layer: Int) throws {
        let hasPooled = function.pooledDays.total > 0
        try add(
            FunctionFactsRow(
                function: number, layer: layer, label: function.label, passSeverities: function.passSeverities,
                pooledFirst: hasPooled ? function.first : nil))
        for day in function.days { try add(FunctionDayRow(function: number, layer: layer, tally: day)) }
        if function.undated.total > 0 {
            try add(DaylessRow(function: number, kind: .undated, layer: layer, counts: function.undated))
        }
        if hasPooled {
            try add(DaylessRow(function: number, kind: .pooled, layer: layer, counts: function.pooledDays))
        }
    }

    private func add(_ project: ProjectTally, number: Int, layer: Int) throws {
        try add(
            StreamFactsRow(
                stream: number, layer: layer, undatedFailed: 0, undatedErrorStream: project.undatedErrorStream))
        for day in project.errorStreamDays {
            try add(
                StreamDayRow(stream: number, day: day, layer: layer, verifications: 0, failed: 0, errorStream: true))
        }
    }

    /// Takes away the counts and the fingerprints of a layer.
    func removeLayer(_ layer: Int) throws {
        func remove<R: StoredRow>(_ type: R.Type) throws {
            for row in try rows(type, where: "layer = ?", [layer.databaseValue]) { try self.remove(row) }
        }
        try remove(FunctionFactsRow.self)
        try remove(FunctionDayRow.self)
        try remove(DaylessRow.self)
        try remove(StreamFactsRow.self)
        try remove(StreamDayRow.self)
        try remove(SegmentRow.self)
    }

    /// The tally of all layers together.
    ///
    /// - Parameter limit: How many functions, and how many projects, keep a name.
    /// - Returns: All counts; its newest verification is not noted.
    /// - Throws: What SQLite says, or ``DamagedRow``.
    func tally(limit: Int) throws -> Tally {
        var tally = Tally()
        var ranks = NameRanks()
        let parts = try FunctionParts(self)
        for row in try rows(FunctionRow.self) {
            ranks.functions[row.identity] = row.rank
            if let function = parts.tally(of: row.id) { tally.add(function, for: row.identity) }
        }
        let streams = try streamTallies()
        for row in try rows(StreamRow.self) {
            let project = ExactName(row.project)
            ranks.projects[project] = row.rank
            guard let stream = streams[row.id] else { continue }
            tally.add(stream, for: project)
        }
        tally.pool(beyond: limit, by: ranks)
        return tally
    }

    private func streamTallies() throws -> [Int: ProjectTally] {
        var tallies: [Int: ProjectTally] = [:]
        for row in try rows(StreamDayRow.self) where row.errorStream {
            tallies[row.stream, default: ProjectTally()].addErrorStream(day: row.day)
        }
        for row in try rows(StreamFactsRow.self) where row.undatedErrorStream {
            tallies[row.stream, default: ProjectTally()].addErrorStream(day: nil)
        }
        return tallies
    }
}

/// The rows of all functions, by function, layers put together.
private struct FunctionParts {
    private var days: [Int: [DayTally]] = [:]
    private var facts: [Int: FunctionFactsRow] = [:]
    private var undated: [Int: StatusMatrix] = [:]
    private var pooled: [Int: StatusMatrix] = [:]

    init(_ register: Register) throws {
        // In the order of the primary key: layers of a day stand one behind the other.
        for row in try register.rows(FunctionDayRow.self) {
            var known = days[row.function] ?? []
            days[row.function] = nil
            if let last = known.indices.last, known[last].day == row.tally.day {
                known[last].merge(row.tally)
            } else {
                known.append(row.tally)
            }
            days[row.function] = known
        }
        for row in try register.rows(FunctionFactsRow.self) {
            var sum = facts[row.function] ?? row
            sum.merge(row)
            facts[row.function] = sum
        }
        for row in try register.rows(DaylessRow.self) {
            switch row.kind {
            case .undated: undated[row.function, default: StatusMatrix()].merge(row.counts)
            case .pooled: pooled[row.function, default: StatusMatrix()].merge(row.counts)
            }
        }
    }

    /// The counts of a function; nil when it has none.
    func tally(of number: Int) -> FunctionTally? {
        let days = days[number] ?? []
        let undated = undated[number] ?? StatusMatrix()
        let pooled = pooled[number] ?? StatusMatrix()
        guard !days.isEmpty || undated.total > 0 || pooled.total > 0 else { return nil }
        let facts = facts[number]
        var tally = FunctionTally(
            days: Array(days.suffix(FunctionTally.dayLimit)), undated: undated, pooledDays: pooled,
            pooledFirst: pooled.total > 0 ? facts?.pooledFirst : nil, otherSeverities: facts?.passSeverities ?? [],
            label: facts?.label)
        if days.count > FunctionTally.dayLimit {
            tally.merge(
                FunctionTally(
                    days: days.dropLast(FunctionTally.dayLimit), undated: StatusMatrix(), pooledDays: StatusMatrix(),
                    pooledFirst: nil, otherSeverities: [], label: nil))
        }
        return tally
    }
}
