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
            for (generation, stream) in project.streams {
                let number = try names.number(of: name, generation, rank: ranks.projects[name], in: self)
                try add(stream, number: number, layer: layer)
            }
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

    private func add(_ stream: StreamTally, number: Int, layer: Int) throws {
        try add(
            StreamFactsRow(
                stream: number, layer: layer, undatedFailed: stream.undatedFailed,
                undatedErrorStream: stream.undatedErrorStream))
        for day in Set(stream.days.keys).union(stream.errorStreamDays) {
            let counts = stream.days[day] ?? (0, 0)
            try add(
                StreamDayRow(
                    stream: number, day: day, layer: layer, verifications: counts.verifications, failed: counts.failed,
                    errorStream: stream.errorStreamDays.contains(day)))
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
            tally.add(ProjectTally(streams: [row.generation: stream]), for: project)
        }
        tally.pool(beyond: limit, by: ranks)
        return tally
    }

    private func streamTallies() throws -> [Int: StreamTally] {
        var days: [Int: [Day: (verifications: Int, failed: Int)]] = [:]
        var errorStreamDays: [Int: Set<Day>] = [:]
        for row in try rows(StreamDayRow.self) {
            if row.verifications > 0 {
                days[row.stream, default: [:]][row.day, default: (0, 0)].verifications += row.verifications
                days[row.stream, default: [:]][row.day, default: (0, 0)].failed += row.failed
            }
            if row.errorStream { errorStreamDays[row.stream, default: []].insert(row.day) }
        }
        var tallies: [Int: StreamTally] = [:]
        for stream in Set(days.keys).union(errorStreamDays.keys) {
            tallies[stream] = StreamTally(
                days: days[stream] ?? [:], undatedFailed: 0, errorStreamDays: errorStreamDays[stream] ?? [],
                undatedErrorStream: false)
        }
        for row in try rows(StreamFactsRow.self) {
            tallies[row.stream, default: StreamTally()].merge(
                StreamTally(
                    days: [:], undatedFailed: row.undatedFailed, errorStreamDays: [],
                    undatedErrorStream: row.undatedErrorStream))
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
            pooledFirst: pooled.total > 0 ? facts?.pooledFirst : nil, passSeverities: facts?.passSeverities ?? [],
            label: facts?.label)
        if days.count > FunctionTally.dayLimit {
            tally.merge(
                FunctionTally(
                    days: days.dropLast(FunctionTally.dayLimit), undated: StatusMatrix(), pooledDays: StatusMatrix(),
                    pooledFirst: nil, passSeverities: [], label: nil))
        }
        return tally
    }
}
