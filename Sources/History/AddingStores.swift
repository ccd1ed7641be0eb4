internal import Entries
internal import Readiness
package import Verifications

/// What became of another store.
package struct AddedStore: Sendable {
    /// What was read of its sources that are new.
    package var input = InputSummary()
    /// How many of its sources this store had already.
    package var knownSources = 0
    package var days: Set<Day> = []
    /// Verifications that were added, that this store had, or copies of which it had, and those of days that are not
    /// kept.
    package var new = 0
    package var known = 0
    package var tooOld = 0
    /// What this store has given up of days that the other one does not keep.
    package var pruned = PrunedDays()
}

extension Store {
    /// Adds what another store has and this one does not: one transaction.
    ///
    /// Parts are copied as they are; only what may share entries with another part is unpacked. Nothing stays of days
    /// that only one of the two keeps: some of their entries would be missing. The longer retention holds from then on,
    /// where somebody has chosen one.
    ///
    /// - Throws: ``StoreFailure``; nothing of the other store is in this one then.
    package func add(_ other: Store) throws(StoreFailure) -> AddedStore {
        try write { mine in try other.read { theirs in try mine.add(theirs) } }
    }
}

extension StoreTransaction {
    fileprivate func add(_ other: StoreTransaction) throws -> AddedStore {
        var added = AddedStore()
        try update { try $0.merge(other.catalogue.names, other.catalogue.versions, self) }
        root.floors.merge(other.root.floors, of: Set(try other.catalogue.names.values.compactMap(\.project)))
        root.retentionDays = [root.retentionDays, other.root.retentionDays].compactMap(\.self).max()
        added.pruned = try deleteOldDays()
        let floors = FunctionFloors(root.floors, try catalogue.names)
        var own: Set<UInt64> = []
        var addsShared = false
        try other.forEachSource { source in
            var source = source
            if var known = try self.source(source.contents) {
                added.knownSources += 1
                added.known += source.replacedBy == nil ? source.ledger.verifications : 0
                known.remember(source)
                return try update { try $0.put(known, self) }
            }
            added.input.merge(source.input)
            added.days.formUnion(source.ledger.days.compactMap(\.day))
            let verifications = source.ledger.verifications
            source.forget(before: floors)
            added.tooOld += verifications - source.ledger.verifications
            source.replacedBy = nil
            _ = try place(&source)
            try update { try $0.put(source, self) }
            guard source.replacedBy == nil, !source.isGone else { return }
            added.known += source.ledger.verifications
            own.insert(source.contents)
            if !source.isDamaged { addsShared = true }
        }
        for day in other.root.days.keys.sorted() {
            let parts = try DayParts.read(day, other.db, other.root).values.filter {
                $0.source == 0 ? addsShared : own.contains($0.source)
            }
            guard !parts.isEmpty else { continue }
            added.new += try DayParts(day, self)
                .add(copiesOf: parts, where: floors.keepsAll(of: day) ? nil : { floors[$0] <= day })
        }
        if root.floors != former.floors || root.floors != other.root.floors { try dropUnusedNames() }
        added.known -= added.new
        return added
    }
}
