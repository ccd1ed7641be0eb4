internal import GRDB
internal import Readiness
public import Verifications

/// What was taken out of a store.
public struct PrunedDays: Sendable {
    /// Verifications that no longer count.
    public var verifications = 0
    /// Days that had any.
    public var days = 0
    /// Fingerprints that were given up.
    public var fingerprints = 0
    /// Inputs that are listed no more.
    public var inputs = 0
}

extension HistoryStore {
    /// Ends a run that has added inputs: gives up the fingerprints of old days, and makes sure that all is on disk.
    ///
    /// Done once a run, not once an input: the inputs of one run may come in any order.
    ///
    /// - Parameter retentionDays: How many days before the newest one keep their fingerprints from now on; nil for what
    ///   the store says.
    /// - Throws: ``HistoryFailure``.
    public func settle(retentionDays: Int?) throws(HistoryFailure) {
        let revision = try write { register in
            if register.settings.revision != self.revision { forget() }
            let isChanged = retentionDays.map { $0 != register.settings.retentionDays } ?? false
            if let retentionDays { register.settings.retentionDays = retentionDays }
            let floor = register.settings.newest?.day.advanced(by: -register.settings.retentionDays)
            let isSealed = try floor.map { try register.seal(before: $0) > 0 } ?? false
            if isChanged || isSealed { try register.close() }
            return register.settings.revision
        }
        self.revision = revision
        try attempt {
            // Without this, a power cut could undo the last transactions, though never a part of one.
            try queue.inDatabase { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                _ = try db.checkpoint(.passive)
            }
        }
    }

    /// Drops the days before a day, and the inputs that end before it; they are not counted again, whatever is
    /// ingested.
    public func prune(before day: Day, isDryRun: Bool) throws(HistoryFailure) -> PrunedDays {
        defer { forget() }
        func prune(_ register: Register) throws -> PrunedDays {
            var pruned = try register.removeDays(before: day)
            pruned.fingerprints = try register.seal(before: day)
            pruned.inputs = try register.removeInputs(before: day)
            return pruned
        }
        guard isDryRun else {
            let pruned = try write { register in
                let pruned = try prune(register)
                try register.close()
                return pruned
            }
            // Pruning is asked for to have the space back.
            try attempt { try queue.vacuum() }
            return pruned
        }
        return try attempt {
            try queue.writeWithoutTransaction { db in
                var pruned = PrunedDays()
                try db.inTransaction(.immediate) {
                    pruned = try prune(try Register(db))
                    return .rollback
                }
                return pruned
            }
        }
    }
}

extension Register {
    /// Gives up the fingerprints of days: nothing is added to those any more.
    ///
    /// - Returns: How many fingerprints there were.
    fileprivate func seal(before day: Day) throws -> Int {
        guard settings.sealedBefore.map({ $0 < day }) ?? true else { return 0 }
        settings.sealedBefore = day
        let segments = try rows(SegmentRow.self, where: "day < ?", [day.number.databaseValue])
        for segment in segments { try remove(segment) }
        // Sealed days of a damaged input stay as they are, even if an intact copy comes after all.
        for row in try rows(FunctionDayRow.self, where: "layer != 0 AND day < ?", [day.number.databaseValue]) {
            try remove(row)
            try add(FunctionDayRow(function: row.function, layer: 0, tally: row.tally))
        }
        for row in try rows(StreamDayRow.self, where: "layer != 0 AND day < ?", [day.number.databaseValue]) {
            try remove(row)
            try put(StreamDayRow(stream: row.stream, day: row.day, layer: 0))
        }
        return segments.reduce(0) { $0 + $1.count }
    }

    fileprivate func removeDays(before day: Day) throws -> PrunedDays {
        var pruned = PrunedDays()
        var days: Set<Day> = []
        var functions: Set<Int> = []
        for row in try rows(FunctionDayRow.self, where: "day < ?", [day.number.databaseValue]) {
            pruned.verifications += row.tally.counts.total
            days.insert(row.tally.day)
            functions.insert(row.function)
            try remove(row)
        }
        for row in try rows(StreamDayRow.self, where: "day < ?", [day.number.databaseValue]) { try remove(row) }
        // Days that have no row any more are earlier than all that have one.
        for row in try rows(DaylessRow.self, where: "kind = ?", [DaylessRow.Kind.pooled.rawValue.databaseValue])
        where functions.contains(row.function) {
            pruned.verifications += row.counts.total
            try remove(row)
        }
        pruned.days = days.count
        return pruned
    }

    /// Inputs whose counts are kept apart stay, and those that stand for one that stays.
    ///
    /// - Returns: How many were removed.
    fileprivate func removeInputs(before day: Day) throws -> Int {
        let all = try inputs()
        let standIns = Dictionary(all.map { ($0.id, $0.replacedBy) }) { first, _ in first }
        var kept: Set<Int> = []
        for row in all where day <= (row.newest ?? row.ingestedAt).day || row.hasLayer {
            var next: Int? = row.id
            while let number = next, kept.insert(number).inserted { next = standIns[number] ?? nil }
        }
        let removed = all.filter { !kept.contains($0.id) }
        try remove(inputs: removed)
        return removed.count
    }
}
