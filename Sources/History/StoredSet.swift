package import Entries
internal import GRDB
internal import Platform
internal import Readiness
package import Verifications

/// What a store has added to an answer.
package struct StoredAnswer: Sendable {
    package var resolved: ResolvedSet
    /// True when rows and lines were looked for in any of its sources.
    package var hasEvidence: Bool
    /// The first day that takes entries; nil while all do.
    package var sealedBefore: Day?
}

extension Store {
    /// Counts a set together with what the store holds, as it is at one moment.
    ///
    /// - Parameters:
    ///   - set: What was read beside the store.
    ///   - sealed: Sums that were read beside it.
    ///   - resolution: What counts.
    /// - Returns: The counts, and what else the store knows.
    /// - Throws: ``StoreFailure`` when anything read is not what was written.
    package func answer(
        _ set: consuming EntrySet, sealed: SealedDays, _ resolution: Resolution
    ) throws(StoreFailure) -> StoredAnswer {
        try read { [set] store in
            // Opening the store has verified it; somebody may have written to it since.
            var stored = try StoredSet(
                store, self, resolution.range, horizon: resolution.horizon, jobs: resolution.jobs)
            // What is sealed there wins over entries here.
            stored.days.sealed.merge(sealed)
            var resolved = try set.resolved(resolution, with: stored.days, load: stored.load)
            resolved.incompleteThrough = stored.incompleteThrough
            return StoredAnswer(
                resolved: resolved, hasEvidence: stored.hasEvidence,
                sealedBefore: stored.days.sealed.end?.day)
        }
    }

    /// All that the store holds, as a snapshot keeps it, and how many records were read for it.
    package func packed() throws(StoreFailure) -> (
        sources: [(name: String, source: PackedSource)], sealed: SealedDays, records: Int
    ) {
        try read { store in
            let rows = try store.rows(SourceRow.self).filter { $0.replacedBy == nil }
            let sources = try rows.map { row in
                var source = PackedSource(head: try row.checkedHead, parts: [])
                try PartRow.forEach("source", row.id, store.db) { source.parts.append(try $0.part()) }
                return (row.name.text, source)
            }
            let sealed = try StoredSet(store, self, jobs: 1).days.sealed
            return (sources, sealed, rows.reduce(0) { $0 + $1.records })
        }
    }

    /// The checksums of the heads of all sources: what has one of them is known.
    package func heads() throws(StoreFailure) -> Set<UInt64> {
        try read { Set(try Int64.fetchAll($0.db, sql: "SELECT head_check FROM sources").map(UInt64.init(bitPattern:))) }
    }
}

/// All that a store holds, as it counts in a range.
struct StoredSet {
    fileprivate(set) var days = StoredDays()
    /// True when rows and lines were looked for in any of the sources.
    private(set) var hasEvidence = false
    /// The newest day of which rows may be in what a damaged source has lost; nil when there is none.
    private(set) var incompleteThrough: Day?
    let parts: PartList
    /// By the numbers of the sources.
    private var heads: [Int: SourceHead] = [:]
    private let horizon: Instant
    private let jobs: Int
    private let db: Database

    init(
        _ transaction: StoreTransaction, _ store: Store, _ range: TimeRange = TimeRange(),
        horizon: Instant = Instant(seconds: .max), jobs: Int
    ) throws {
        (db, self.horizon, self.jobs) = (transaction.db, horizon, jobs)
        for row in try transaction.rows(SourceRow.self) where row.replacedBy == nil {
            var head = try row.head(range, horizon: horizon, hash: store.hash)
            hasEvidence = hasEvidence || head.source.hasEvidence
            if transaction.settings.firstOpenDay.map({ row.ingestedAt.day < $0 }) ?? false {
                head.source.set.input.forgetTrouble(isDated: row.newest != nil)
            }
            if !head.source.set.input.faults.isEmpty {
                let last = (row.newest ?? row.ingestedAt).day
                incompleteThrough = max(incompleteThrough ?? last, last)
            }
            head.source.set.input.faults = []
            days.heads.merge(head.source.set)
            heads[row.id] = head
        }
        days.heads.versions.trim()
        parts = try PartList(transaction.db)
        days.days = parts.days
        days.sealed.end = transaction.settings.firstOpenDay.map { DayIndex($0) }
        for row in try transaction.rows(DayRow.self) {
            let day = DayIndex(number: row.day)
            let isSealed = !transaction.isOpen(day)
            guard isSealed || UInt64(bitPattern: row.basis) == parts.basis(of: day) else { continue }
            let sums = try row.sums(range, horizon: horizon, versions: days.heads.versions)
            if isSealed { days.sealed.sums[day] = sums } else { days.sums[day] = sums }
        }
    }

    /// Adds the entries of days to a set; as many days at once as there are cores to read them.
    func load(_ uses: [DayIndex: PartUse], into set: inout EntrySet) throws {
        var waiting = uses.sorted { $0.key < $1.key }[...]
        while !waiting.isEmpty {
            var parts: [(PackedSource.Part, SourceHead, PartUse)] = []
            var starts: [Int] = []
            for (day, use) in waiting.prefix(jobs) {
                starts.append(parts.count)
                try PartRow.forEach("day", day.number, db) { row in
                    guard let head = heads[row.source] else { throw DamagedRow(table: "parts") }
                    parts.append((try row.part(), head, use))
                }
            }
            waiting = waiting.dropFirst(jobs)
            let ends = starts.dropFirst() + [parts.count]
            let read = concurrentMap(starts.count) { [parts, starts, horizon] index in
                Result {
                    var set = EntrySet()
                    for (part, head, use) in parts[starts[index]..<ends[ends.startIndex + index]] {
                        _ = try part.read(head, for: use, into: &set, horizon: horizon)
                    }
                    return set
                }
            }
            for day in read { set.merge(try day.get()) }
        }
    }

    /// What a day counts, from its sums where they are there.
    func sums(of day: DayIndex) throws -> DaySums {
        try days.sealed.sums[day] ?? days.sums[day] ?? days.sums(of: day, jobs: jobs, load: load)
    }
}

extension InputSummary {
    /// What is wrong with an input that nothing can be added to any more no longer matters.
    ///
    /// A window may reach back beyond the open days: what was not read of a dated input counts there.
    fileprivate mutating func forgetTrouble(isDated: Bool) {
        (problems, malformed, oversized, unexpected) = (ProblemLog(), 0, 0, 0)
        if !isDated { unread = UnreadRecords() }
    }
}
