internal import GRDB
internal import Readiness
internal import Verifications

extension StoreTransaction {
    /// Adds the counts of an input.
    ///
    /// - Parameters:
    ///   - tally: What is new.
    ///   - ranks: Of its names.
    ///   - layer: 0, or the input's number when its counts are to be kept apart.
    ///   - names: The numbers of functions and streams.
    /// - Throws: What SQLite says, or ``DamagedRow``.
    func add(_ tally: RawTally, ranks: NameRanks, layer: Int, names: inout NameNumbers) throws {
        for (identity, function) in tally.functions {
            let repeated: [Provenance: Int] = [.labelled: function.repeated, .labelAlone: function.repeatedAlone]
            let found = Provenance.allCases.filter { !function[$0].isEmpty || repeated[$0, default: 0] > 0 }
            guard !found.isEmpty || function.otherMessage + function.contradictoryText > 0 else { continue }
            for (place, provenance) in (found.isEmpty ? [.labelled] : found).enumerated() {
                let number = try names.number(of: identity, provenance, rank: ranks.functions[identity], in: self)
                var facts = FunctionFactsRow(function: number, layer: layer)
                if place == 0 {
                    facts.shownLabel = function.label
                    facts.otherMessage = function.otherMessage
                    facts.contradictoryText = function.contradictoryText
                }
                facts.repeated = repeated[provenance, default: 0]
                try add(function[provenance], facts)
            }
        }
        for (name, project) in tally.projects {
            let number = try names.number(of: name, rank: ranks.projects[name], in: self)
            if project.undatedErrorStream {
                try StreamFactsRow(stream: number, layer: layer).insert(db, onConflict: .ignore)
            }
            for day in project.errorStreamDays {
                try StreamDayRow(stream: number, day: day.number, layer: layer).insert(db, onConflict: .ignore)
            }
        }
    }

    private func add(_ part: RawFunction.Part, _ known: FunctionFactsRow) throws {
        let (tally, number, layer) = (part.tally, known.function, known.layer)
        var facts = known
        facts.severities = tally.otherSeverities
        facts.copies = part.copies
        facts.tooOld = part.filtered
        for day in tally.days { try add(FunctionDayRow(function: number, layer: layer, tally: day)) }
        if tally.undated.total > 0 {
            try add(DaylessRow(function: number, kind: .undated, layer: layer, counts: tally.undated))
        }
        if tally.pooledDays.total > 0 {
            facts.pooledFirst = tally.first
            try add(DaylessRow(function: number, kind: .pooled, layer: layer, counts: tally.pooledDays))
        }
        if facts != FunctionFactsRow(function: number, layer: layer) { try add(facts) }
    }

    /// Takes away a verification of which the input has an earlier one of the same execution.
    ///
    /// The input replaces it, so it adds one verification fewer and ignores one more.
    func withdraw(_ entry: ReplacedEntry, names: inout NameNumbers, from input: inout CountedInput) throws {
        let (counted, provenance) = (entry.counted, entry.counted.entry.provenance)
        let rank = input.ranks.functions[entry.function]
        let number = try names.number(of: entry.function, provenance, rank: rank, in: self)
        let (app, auth) = (counted.entry.app, counted.entry.auth)
        guard
            let day = counted.day,
            var row = try FunctionDayRow.fetchOne(
                db, key: ["function": number, "day": day.number, "layer": counted.layer]),
            row.tally.withdraw(app: app, auth: auth)
        else { return }
        try FunctionDayRow.deleteOne(db, key: ["function": number, "day": day.number, "layer": counted.layer])
        if row.tally.counts.total > 0 { try add(row) }
        input.summary.verifications -= 1
        input.summary.ignored += 1
        input.tally.update(entry.function) { $0.countRepeated(1, of: provenance) }
    }

    /// Takes away the counts and the fingerprints of a layer.
    func removeLayer(_ layer: Int) throws {
        let tables = [
            "function_facts", "function_days", "dayless_counts", "stream_facts", "stream_days", "ledger",
        ]
        for table in tables { try db.execute(sql: "DELETE FROM \(table) WHERE layer = ?", arguments: [layer]) }
    }

    /// The counts of all layers together, before it is known which of them are believed.
    func tally() throws -> StoredTally {
        var stored = StoredTally()
        let parts = try FunctionParts(self)
        var former: [(FunctionIdentity, FunctionTally)] = []
        for row in try rows(FunctionRow.self) {
            stored.ranks.functions[row.identity] = row.rank
            var function = RawFunction()
            let facts = parts.facts[row.id] ?? FunctionFactsRow(function: row.id, layer: 0)
            function.label = facts.shownLabel
            function.otherMessage = facts.otherMessage
            function.contradictoryText = facts.contradictoryText
            if row.provenance == .labelAlone {
                function.repeatedAlone = facts.repeated
            } else {
                function.repeated = facts.repeated
            }
            let counts = parts.tally(of: row.id)
            if let provenance = row.provenance {
                function.update(provenance) { part in
                    part.tally = counts
                    part.copies = facts.copies
                    part.filtered = facts.tooOld
                }
            } else {
                former.append((row.identity, counts))
            }
            if function != RawFunction() { stored.tally.add(function, for: row.identity) }
        }
        for (identity, counts) in former { stored.add(former: counts, for: identity) }
        let streams = try streamTallies()
        for row in try rows(StreamRow.self) {
            let project = ExactName(row.project.text)
            stored.ranks.projects[project] = row.rank
            if let stream = streams[row.id] { stored.tally.add(stream, for: project) }
        }
        return stored
    }

    /// True when it holds counts of version 1 of the tables.
    var hasCountsOfVersion1: Bool {
        get throws {
            try !FunctionRow.filter(Column("provenance") == FunctionRow.unknownProvenance).isEmpty(db)
        }
    }

    private func streamTallies() throws -> [Int: ProjectTally] {
        var tallies: [Int: ProjectTally] = [:]
        for row in try rows(StreamDayRow.self) {
            tallies[row.stream, default: ProjectTally()].addErrorStream(day: Day(number: row.day))
        }
        for row in try rows(StreamFactsRow.self) {
            tallies[row.stream, default: ProjectTally()].addErrorStream(day: nil)
        }
        return tallies
    }
}

/// What a store has counted, before it is known which of it is believed.
struct StoredTally {
    var tally = RawTally()
    var ranks = NameRanks()
    /// The newest day with counts of which the provenance was not kept.
    var lastDayOfVersion1: Day?

    /// Adds counts of which nobody knows whether they carried labels: they pass for what the function has written
    /// since, and for labelled until then.
    fileprivate mutating func add(former counts: FunctionTally, for identity: FunctionIdentity) {
        if let last = counts.days.last { lastDayOfVersion1 = max(lastDayOfVersion1 ?? last.day, last.day) }
        guard counts != FunctionTally() else { return }
        let since = tally.functions[identity] ?? RawFunction()
        let provenance = [Provenance.labelled, .labelAlone, .unlabelled].first { !since[$0].isEmpty }
        var function = RawFunction()
        function.update(provenance ?? .labelled) { $0.tally = counts }
        tally.add(function, for: identity)
    }
}

/// The rows of all functions, by function, layers put together.
private struct FunctionParts {
    private var days: [Int: [DayTally]] = [:]
    private(set) var facts: [Int: FunctionFactsRow] = [:]
    private var undated: [Int: StatusMatrix] = [:]
    private var pooled: [Int: StatusMatrix] = [:]

    init(_ store: StoreTransaction) throws {
        // In the order of the primary key: the layers of a day follow one another.
        for row in try store.rows(FunctionDayRow.self) {
            var known = days[row.function] ?? []
            days[row.function] = nil
            if let last = known.indices.last, known[last].day == row.tally.day {
                known[last].merge(row.tally)
            } else {
                known.append(row.tally)
            }
            days[row.function] = known
        }
        for row in try store.rows(FunctionFactsRow.self) {
            facts[row.function, default: FunctionFactsRow(function: row.function, layer: 0)].merge(row)
        }
        for row in try store.rows(DaylessRow.self) {
            switch row.kind {
            case .undated: undated[row.function, default: StatusMatrix()].merge(row.counts)
            case .pooled: pooled[row.function, default: StatusMatrix()].merge(row.counts)
            }
        }
    }

    /// The counts of a row of the functions; empty when it has none.
    func tally(of number: Int) -> FunctionTally {
        let days = days[number] ?? []
        let pooled = pooled[number] ?? StatusMatrix()
        let facts = facts[number]
        var tally = FunctionTally(
            days: Array(days.suffix(FunctionTally.dayLimit)), undated: undated[number] ?? StatusMatrix(),
            pooledDays: pooled, pooledFirst: pooled.total > 0 ? facts?.pooledFirst : nil,
            otherSeverities: facts?.severities ?? [], label: nil)
        if days.count > FunctionTally.dayLimit {
            tally.merge(
                FunctionTally(
                    days: days.dropLast(FunctionTally.dayLimit), undated: StatusMatrix(), pooledDays: StatusMatrix(),
                    pooledFirst: nil, otherSeverities: [], label: nil))
        }
        return tally
    }
}
