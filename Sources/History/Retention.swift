internal import Entries
package import Verifications

package struct PrunedDays: Sendable {
    package var verifications = 0
    package var days = 0
    package var sources = 0
}

extension Store {
    /// The default number of days to keep, and the largest one.
    static let defaultRetentionDays = 90
    static let longestRetention = 10_000_000

    /// Ends a run that has added sources: deletes the days that are older than the store keeps them.
    ///
    /// Done once a run, not once an input: the inputs of one run may come in any order. A run that is killed before
    /// leaves this to the next one.
    ///
    /// From now on `retentionDays` before the newest one of a project are kept, or else as many as the store says. A
    /// day that is more than 24 hours ahead of the present is not taken for the newest.
    package func finishRun(retentionDays: Int?, at now: Instant) throws(StoreFailure) -> PrunedDays {
        try write { store in
            store.root.retentionDays = retentionDays ?? store.root.retentionDays
            let kept = store.root.retentionDays ?? Store.defaultRetentionDays
            let last = DayIndex(now.adding(seconds: 86_400).day)
            for (project, days) in try store.daysByProject() {
                guard let newest = days.filter({ $0 <= last }).max() else { continue }
                let floor = DayIndex(number: newest.number - kept)
                // Where nothing is older, nothing is refused.
                if days.contains(where: { $0 < floor }) { store.root.floors.raise(project, to: floor) }
            }
            return try store.deleteOldDays()
        }
    }

    /// Deletes the days before a day, of all projects; entries of such days are too old from then on.
    package func prune(before day: Day, isDryRun: Bool) throws(StoreFailure) -> PrunedDays {
        try write(isDryRun: isDryRun) { store in
            store.root.floors.raiseAll(to: DayIndex(day))
            let pruned = try store.deleteOldDays()
            // Who prunes wants the space back.
            try store.giveBackSpace()
            return pruned
        }
    }

    /// Makes one of the small parts of each day, drops names that nothing refers to, and gives back space that is not
    /// used.
    ///
    /// - Returns: The size of the store in bytes.
    package func compact() throws(StoreFailure) -> (before: Int, after: Int) {
        let before = try read { try $0.bytes }
        try write { store in
            for day in store.root.days.keys.sorted() { try DayParts(day, store).mergeSmallParts(allowed: 1) }
            try store.dropUnusedNames()
            try store.giveBackSpace()
        }
        return (before, try read { try $0.bytes })
    }
}

extension StoreTransaction {
    fileprivate func daysByProject() throws -> [ExactName: Set<DayIndex>] {
        let names = try catalogue.names
        var days: [ExactName: Set<DayIndex>] = [:]
        for (function, records) in try catalogue.sources.values.flatMap(\.ledger.services) {
            guard let project = names[function]?.project else { continue }
            days[project, default: []].formUnion(records.verifiedDays)
        }
        return days
    }

    /// Deletes what the floors have come to leave out within this transaction, and names to which nothing refers.
    fileprivate func deleteOldDays() throws -> PrunedDays {
        var pruned = PrunedDays()
        guard root.floors != former.floors else { return pruned }
        let catalogue = try catalogue
        let before = FunctionFloors(former.floors, catalogue.names)
        let now = FunctionFloors(root.floors, catalogue.names)
        var gone: Set<UInt64> = []
        for source in catalogue.sources.values {
            var kept = source
            kept.forget(before: now)
            try catalogue.put(kept, self)
            if kept.isGone, !source.isGone { gone.insert(source.contents) }
        }
        pruned.sources = gone.count
        for day in root.days.keys.sorted() {
            let isUndated = day == .none
            guard isUndated ? !gone.isEmpty : now.leavesOut(day, before) else { continue }
            let parts = try DayParts(day, self)
            let verifications = try parts.verifications
            if isUndated {
                // They go with their source.
                try parts.remove { gone.contains($0.source) }
            } else if day < now.lowest {
                try parts.remove { _ in true }
            } else {
                try parts.forget { day < now[$0] }
            }
            let deleted = try verifications - parts.verifications
            pruned.verifications += deleted
            if !isUndated, deleted > 0 { pruned.days += 1 }
        }
        try dropUnusedNames()
        return pruned
    }

    /// Drops names of functions and clients to which no source and no part refers.
    func dropUnusedNames() throws {
        let catalogue = try catalogue
        let functions = Set(catalogue.sources.values.flatMap(\.ledger.services.keys))
        var unused = Set(catalogue.versions.all.map(\.hash))
        // The newest days have nearly all.
        for day in root.days.keys.sorted(by: >) where !unused.isEmpty {
            for part in try DayParts.read(day, db, root).values { unused.subtract(try part.versions()) }
        }
        try catalogue.keep(where: functions.contains, where: { !unused.contains($0) }, self)
    }
}
