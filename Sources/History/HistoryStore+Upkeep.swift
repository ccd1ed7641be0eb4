internal import GRDB
internal import Readiness
package import Verifications

/// What was taken out of a store.
package struct PrunedDays: Sendable {
    /// Verifications that no longer count.
    package var verifications = 0
    /// Days that had any.
    package var days = 0
    /// Fingerprints that were given up.
    package var fingerprints = 0
    /// Inputs that are listed no more.
    package var inputs = 0
}

/// What was unneeded and taken out of a store.
package struct CompactedStore: Sendable {
    /// Inputs that were in the list more than once.
    package var inputs = 0
    package var bytesBefore = 0
    package var bytesAfter = 0
}

extension HistoryStore {
    /// Ends a run that has added inputs: gives up the fingerprints of old days, and makes sure that all is on disk.
    ///
    /// Done once a run, not once an input: the inputs of one run may come in any order.
    ///
    /// - Parameter retentionDays: How many days before the newest one keep their fingerprints from now on; nil for what
    ///   the store says.
    /// - Throws: ``HistoryFailure``.
    package func settle(retentionDays: Int?) throws(HistoryFailure) {
        try write { store in
            if let retentionDays { store.settings.retentionDays = retentionDays }
            let floor = store.settings.newest?.day.advanced(by: -store.settings.retentionDays)
            if let floor, try !SegmentRow.filter(Column("day") < floor.number).isEmpty(store.db) {
                _ = try store.seal(before: floor)
            }
        }
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
    package func prune(before day: Day, isDryRun: Bool) throws(HistoryFailure) -> PrunedDays {
        let pruned = try write(isDryRun: isDryRun) { store in
            var pruned = try store.removeDays(before: day)
            pruned.fingerprints = try store.seal(before: day)
            pruned.inputs = try store.removeInputs(before: day)
            return pruned
        }
        forget()
        // Who prunes wants the space back.
        if !isDryRun { try attempt { try queue.vacuum() } }
        return pruned
    }

    /// Lists each input once, as it is since version 2 of the tables, and gives back space that is not used.
    package func compact() throws(HistoryFailure) -> CompactedStore {
        var compacted = CompactedStore()
        compacted.bytesBefore = try attempt { try queue.read(HistoryStore.bytes) }
        compacted.inputs = try write { try $0.mergeInputs() }
        forget()
        try attempt { try queue.vacuum() }
        compacted.bytesAfter = try attempt { try queue.read(HistoryStore.bytes) }
        return compacted
    }
}

extension StoreTransaction {
    /// Gives up the fingerprints of days: nothing is added to those any more.
    ///
    /// - Returns: How many fingerprints there were.
    fileprivate func seal(before day: Day) throws -> Int {
        guard settings.firstOpenDay.map({ $0 < day }) ?? true else { return 0 }
        settings.firstOpenDay = day
        let isSealed = Column("day") < day.number
        let count = try SegmentRow.filter(isSealed).fetchAll(db).reduce(0) { $0 + $1.hashCount }
        try SegmentRow.filter(isSealed).deleteAll(db)
        // Sealed days of a damaged input stay as they are, even if an intact copy comes after all.
        let isApart = isSealed && Column("layer") != 0
        let apart = try FunctionDayRow.filter(isApart).fetchAll(db)
        try FunctionDayRow.filter(isApart).deleteAll(db)
        for row in apart {
            try add(FunctionDayRow(function: row.function, layer: 0, tally: row.tally))
        }
        for row in try StreamDayRow.filter(isApart).fetchAll(db) {
            try row.delete(db)
            try StreamDayRow(stream: row.stream, day: row.day, layer: 0).insert(db, onConflict: .ignore)
        }
        return count
    }

    fileprivate func removeDays(before day: Day) throws -> PrunedDays {
        var pruned = PrunedDays()
        let isOld = Column("day") < day.number
        let rows = try FunctionDayRow.filter(isOld).fetchAll(db)
        pruned.days = Set(rows.map(\.tally.day)).count
        pruned.verifications = rows.reduce(0) { $0 + $1.tally.counts.total }
        try FunctionDayRow.filter(isOld).deleteAll(db)
        try StreamDayRow.filter(isOld).deleteAll(db)
        try RolloutDayRow.filter(isOld).deleteAll(db)
        try CallerDayRow.filter(isOld).deleteAll(db)
        try AdmittedDayRow.filter(isOld).deleteAll(db)
        try AdmittedClientRow.filter(isOld).deleteAll(db)
        try EvidenceGapRow.filter(Column("through") < day.number).deleteAll(db)
        // Days that have no row any more are earlier than all that have one.
        let functions = Set(rows.map(\.function))
        let isPooled = Column("kind") == DaylessRow.Kind.pooled
        for row in try DaylessRow.filter(isPooled).fetchAll(db) where functions.contains(row.function) {
            pruned.verifications += row.counts.total
            try DaylessRow.filter(isPooled && Column("function") == row.function).deleteAll(db)
        }
        return pruned
    }

    /// Inputs whose counts are kept apart stay, and those that replace one that stays.
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
        let removed = all.map(\.id).filter { !kept.contains($0) }
        try remove(inputs: removed)
        return removed.count
    }

    /// - Returns: How many inputs were in the list already.
    fileprivate func mergeInputs() throws -> Int {
        let all = try inputs()
        var first: [InputIdentity: Int] = [:]
        var merged: [Int: Int] = [:]
        for row in all {
            let identity = InputIdentity(of: row)
            // One that added anything was no copy then.
            if let number = first[identity], row.summary.verifications == 0 {
                merged[row.id] = number
            } else if first[identity] == nil {
                first[identity] = row.id
            }
        }
        for row in all where merged[row.id] == nil {
            guard let number = row.replacedBy.flatMap({ merged[$0] }), var row = try InputRow.fetchOne(db, key: row.id)
            else { continue }
            row.replacedBy = number == row.id ? nil : number
            try row.update(db)
        }
        try remove(inputs: Array(merged.keys))
        return merged.count
    }
}
