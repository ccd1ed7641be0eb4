package import Readiness
package import Verifications

/// Days of which sums are left, and no entries: nothing is added to them any more.
package struct SealedDays: Sendable {
    /// The first day that takes entries; nil while all do.
    package var end: DayIndex?
    package var sums: [DayIndex: DaySums] = [:]

    package init() {}

    /// The same days, as they count in a range.
    package func counted(_ range: TimeRange, horizon: Instant, versions: ClientVersions) -> SealedDays {
        var counted = self
        for (day, known) in sums {
            counted.sums[day] = try? DaySums(
                known.bytes[...], of: day, range: range, horizon: horizon, versions: versions)
        }
        return counted
    }

    /// Takes what is sealed elsewhere.
    package mutating func merge(_ other: SealedDays) {
        end = [end, other.end].compactMap(\.self).max()
        for (day, theirs) in other.sums {
            sums[day, default: DaySums()].mergeSealed(theirs)
        }
    }
}

/// What a store holds, to be counted with what was read beside it.
package struct StoredDays: Sendable {
    /// Adds the entries of days to a set.
    package typealias Load<Failure: Error> = ([DayIndex: PartUse], inout EntrySet) throws(Failure) -> Void

    /// Names, projects, versions and input summaries of all sources; no entries.
    package var heads = EntrySet()
    package var sealed = SealedDays()
    /// The sums of days that have entries, as far as they are of all there are.
    package var sums: [DayIndex: DaySums] = [:]
    /// The days that have entries.
    package var days: Set<DayIndex> = []
    package init() {}
}

extension EntrySet {
    /// Counts a set together with sums of days that are sealed.
    package consuming func resolved(_ resolution: Resolution, with sealed: SealedDays) -> ResolvedSet {
        guard sealed.end != nil else { return self.resolved(resolution) }
        var stored = StoredDays()
        stored.sealed = sealed
        return resolved(resolution, with: stored) { (_, _) throws(Never) in }
    }

    /// Counts a set together with what a store holds, exactly as if all that the store has taken were in the set.
    ///
    /// Only days for which there are no sums are counted again, and those next to what is in the set; so are days in
    /// which a bound in time or the horizon lies.
    ///
    /// - Parameters:
    ///   - resolution: What counts.
    ///   - stored: What the store holds.
    ///   - load: Adds the entries of days to a set.
    /// - Returns: The counts of both.
    /// - Throws: What `load` throws.
    package consuming func resolved<Failure>(
        _ resolution: Resolution, with stored: StoredDays, load: StoredDays.Load<Failure>
    ) throws(Failure) -> ResolvedSet {
        var set = consume self
        var touched = set.days
        var tooOld = 0
        if let end = stored.sealed.end, touched.contains(where: { $0 < end }) {
            tooOld = set.seal(before: end)
            touched = touched.filter { $0 >= end }
        }
        set.merge(stored.heads)
        let cut = ([resolution.range.since, resolution.range.until, resolution.horizon] + resolution.cuts)
            .compactMap { $0?.day }.map { DayIndex($0) }
        // The newest requests are known of entries alone.
        let last = stored.days.union(touched).compactMap(\.day).filter { $0 <= resolution.horizon.day }.max()
        let today = (resolution.asOf?.day ?? last).map { [$0, $0.advanced(by: -1)].map { DayIndex($0) } } ?? []
        let near = Set(touched.flatMap(\.around)).union(cut).union(today)
        let open = stored.days.filter { day in stored.sealed.end.map { $0 <= day } ?? true }
        let anew = open.filter { near.contains($0) || stored.sums[$0] == nil }
        try stored.load(anew, resolution.range, into: &set, load)
        let names = set.names
        var resolved = (consume set).resolved(resolution)
        // Rows of the days around them are open, or not, where those days are counted.
        let counted = anew.union(touched)
        resolved.open = resolved.open.filter { counted.contains(DayIndex($0.key)) }
        for (day, sums) in stored.sealed.sums { resolved.add(sums, of: day, names: names) }
        for (day, sums) in stored.sums where open.contains(day) && !anew.contains(day) {
            resolved.add(sums, of: day, names: names)
        }
        resolved.input.filtered += tooOld
        return resolved
    }

    /// Another number where other code counts entries in another way: sums of stores are made anew then.
    package static let countingVersion: UInt64 = 5

    /// Adds entries of other sets that may have the keys of this one, as ones that were counted.
    package mutating func add(known others: [EntrySet]) {
        let keys = KeyFilter(self)
        for (hash, function) in others.flatMap(\.functions) {
            var found = functions.removeValue(forKey: hash) ?? FunctionEntries()
            function.forEach { if keys.contains($0.key) { found.add($0.counted, .none) } }
            functions[hash] = found
        }
    }
}

extension StoredDays {
    /// Adds what is needed to count days.
    fileprivate func load<Failure>(
        _ counted: Set<DayIndex>, _ range: TimeRange, into set: inout EntrySet, _ load: Load<Failure>
    ) throws(Failure) {
        try load(Dictionary(uniqueKeysWithValues: counted.map { ($0, .counting(range)) }), &set)
        let others = Set(counted.flatMap(\.around)).intersection(days).subtracting(counted)
        guard !others.isEmpty else { return }
        let keys = KeyFilter(set)
        try load(Dictionary(uniqueKeysWithValues: others.map { ($0, .context(keys)) }), &set)
        // Where there are rows, verifications around them compete for these, and all that decides about them is needed.
        guard !set.services.isEmpty else { return }
        try load(Dictionary(uniqueKeysWithValues: others.map { ($0, .context(.all)) }), &set)
    }

    /// Counts one day.
    package func sums<Failure>(
        of day: DayIndex, jobs: Int, load: Load<Failure>
    ) throws(Failure) -> DaySums {
        var set = EntrySet()
        (set.names, set.versions) = (heads.names, heads.versions)
        try self.load([day], TimeRange(), into: &set, load)
        var resolution = Resolution(horizon: Instant(seconds: .max))
        (resolution.jobs, resolution.keepsServices) = (jobs, true)
        return DaySums(set.resolved(resolution), of: day, names: heads.names)
    }
}
