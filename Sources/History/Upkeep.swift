internal import Entries
internal import GRDB
internal import Readiness
package import Verifications

/// What was taken out of a store.
package struct PrunedDays: Sendable {
    /// Verifications that no longer count.
    package var verifications = 0
    /// Days that had any.
    package var days = 0
    /// Entries that were given up.
    package var entries = 0
    /// Inputs that are listed no more.
    package var inputs = 0
}

extension Store {
    /// Sums of this many newest days are only made when they are needed: the next entries would undo them.
    private static let busyDays = 3

    /// Ends a run that has added inputs: counts days that have changed, gives up the entries of old ones, and makes
    /// sure that all is on disk.
    ///
    /// Done once a run, not once an input: the inputs of one run may come in any order. A run that is killed before
    /// leaves this to the next one.
    ///
    /// - Parameters:
    ///   - retentionDays: How many days before the newest one keep their entries from now on; nil for what the store
    ///     says.
    ///   - now: The present.
    ///   - jobs: How many threads may work at once.
    /// - Throws: ``StoreFailure``.
    package func finishRun(retentionDays: Int?, at now: Instant, jobs: Int = 1) throws(StoreFailure) {
        recent.forget()
        try write { store in
            if let retentionDays { store.settings.retentionDays = retentionDays }
            let parts = try PartList(store.db)
            guard let newest = parts.newest(at: now)?.number else { return }
            let floor = DayIndex(number: newest - store.settings.retentionDays)
            try store.refresh(self, jobs: jobs) { $0 == .none || $0.number <= newest - Store.busyDays }
            if parts.days.contains(where: { $0 < floor }) { try store.seal(before: floor, self, jobs: jobs) }
        }
        try attempt {
            // Without this, a power cut could undo the last transactions, though never a part of one.
            try queue.inDatabase { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                do {
                    _ = try db.checkpoint(.passive)
                } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                    // Somebody else is doing it.
                }
            }
        }
    }

    /// Drops the days before a day, and the inputs that end before it; they are not counted again,
    /// regardless of later inputs.
    package func prune(before day: Day, isDryRun: Bool) throws(StoreFailure) -> PrunedDays {
        let pruned = try write(isDryRun: isDryRun) { try $0.prune(before: DayIndex(day), self) }
        // Who prunes wants the space back.
        if !isDryRun { try attempt { try queue.vacuum() } }
        return pruned
    }

    /// Gives back space that is not used.
    ///
    /// - Returns: The size of the store in bytes, before and after.
    package func compact() throws(StoreFailure) -> (before: Int, after: Int) {
        let before = try read { try Store.bytes($0.db) }
        try attempt { try queue.vacuum() }
        return (before, try read { try Store.bytes($0.db) })
    }
}

extension StoreTransaction {
    /// Makes the sums of days that have none, or other ones than their entries give.
    func refresh(_ store: Store, jobs: Int, where isWanted: (DayIndex) -> Bool) throws {
        let parts = try PartList(db)
        let known = Dictionary(uniqueKeysWithValues: try rows(DayRow.self).map { ($0.day, $0.basis) })
        let stale = parts.days.filter { day in
            isWanted(day) && isOpen(day) && known[day.number] != Int64(bitPattern: parts.basis(of: day))
        }
        guard !stale.isEmpty else { return }
        let stored = try StoredSet(self, store, jobs: jobs)
        for day in stale.sorted() {
            try DayRow(stored.sums(of: day), of: day, basis: parts.basis(of: day)).upsert(db)
        }
    }

    /// Gives up the entries of days, of which the sums stay: nothing is added to those any more.
    func seal(before end: DayIndex, _ store: Store, jobs: Int) throws {
        guard let day = end.day, settings.firstOpenDay.map({ $0 < day }) ?? true else { return }
        try refresh(store, jobs: jobs) { $0 < end }
        settings.firstOpenDay = day
        try endSealing(at: end)
    }

    /// Gives up the entries of sealed days, except for the last two: with them those of open days are joined.
    func endSealing(at end: DayIndex) throws {
        try db.execute(sql: "DELETE FROM parts WHERE day < ?", arguments: [end.number - 2])
    }

    fileprivate func prune(before end: DayIndex, _ store: Store) throws -> PrunedDays {
        var pruned = PrunedDays()
        try refresh(store, jobs: 1) { $0 < end }
        for row in try rows(DayRow.self) where row.day < end.number {
            let sums = try row.sums()
            pruned.days += sums.verifications > 0 ? 1 : 0
            pruned.verifications += sums.verifications
        }
        pruned.entries = try PartList(db).verifications.reduce(0) { $1.key < end ? $0 + $1.value : $0 }
        for table in ["days", "parts"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE day < ?", arguments: [end.number])
        }
        guard let day = end.day else { return pruned }
        settings.firstOpenDay = max(settings.firstOpenDay ?? day, day)
        // Those that replace one that stays do so, too.
        let all = try rows(SourceRow.self)
        var kept = Set(all.filter { ($0.newest ?? $0.ingestedAt).day >= day }.map(\.id))
        kept.formUnion(try Int.fetchAll(db, sql: "SELECT DISTINCT source FROM parts"))
        for row in all.reversed() where kept.contains(row.id) { if let other = row.replacedBy { kept.insert(other) } }
        try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
        for row in all where !kept.contains(row.id) { try row.delete(db) }
        pruned.inputs = all.count - kept.count
        return pruned
    }
}
