package import Entries
internal import GRDB
internal import Readiness
package import Verifications

/// What became of an input.
package struct IngestOutcome: Sendable {
    /// What was read; ``InputSummary/verifications`` were added, whether or not they will be believed.
    package var summary: InputSummary
    /// The input's number in the store; nil when there was nothing to write down.
    ///
    /// Inputs with the same contents have one number, regardless of their names.
    package var number: Int?
    /// The number of the damaged input that this copy of it replaces.
    package var replaced: Int?
    /// The number of the input that this damaged one is a copy of.
    package var original: Int?
    /// True when the same was added before.
    package var isKnown = false
    /// The day before which nothing is added any more, when all verifications are of earlier ones and the input is new.
    package var tooOldFor: Day?

    package init(summary: InputSummary) { self.summary = summary }
}

extension Store {
    /// Adds a source: one transaction, which waits for other writers before it looks at anything.
    ///
    /// - Parameters:
    ///   - source: What was read.
    ///   - name: The input's path as given, or `-`.
    ///   - size: Its size as stored, in bytes; nil when it is not known beforehand, or the input can be read only once.
    ///   - bytesRead: How many bytes were read of it.
    ///   - now: The present.
    ///   - sealed: What is sealed where the source comes from: its entries of those days are there to be joined with,
    ///     and count nothing.
    ///   - jobs: How many threads may work at once.
    /// - Returns: What was added.
    /// - Throws: ``StoreFailure``; the store is as it was then.
    package func ingest(
        _ source: PackedSource, named name: String, size: Int?, bytesRead: Int, at now: Instant,
        beside sealed: SealedDays = SealedDays(), jobs: Int = 1
    ) throws(StoreFailure) -> IngestOutcome {
        try write { store in
            let horizon = now.adding(seconds: 86_400)
            let head = try SourceHead(source.head, named: name, horizon: horizon, hash: hash)
            var outcome = IngestOutcome(summary: head.source.set.input)
            outcome.summary.bytesRead = bytesRead
            if head.source.counted != nil {
                outcome.summary.faults.insert(.unsupported)
                outcome.summary.problems.append(.counts(name))
            }
            guard outcome.summary.sources > 0,
                outcome.summary.faults.isDisjoint(with: [.unsupported, .tooManyFunctions])
            else { return outcome }
            guard source.parts.allSatisfy({ $0.bytes.count <= longestPart }) else {
                outcome.summary.faults.insert(.unsupported)
                outcome.summary.problems.append(.tooLarge(name))
                return outcome
            }
            let sum = Int64(bitPattern: source.head.checkSum)
            let known = try SourceRow.filter(Column("head_check") == sum).fetchAll(store.db).first { $0.isOf(source) }
            var repaired: [SourceRow] = []
            if known == nil {
                outcome.original = try store.original(of: head.source, named: name, self)
                repaired = try store.repaired(by: head.source, named: name, self)
            }
            let last = try SourceRow.select(max(Column("id")), as: Int.self).fetchOne(store.db) ?? 0
            guard RowLimits.numbers.contains(last) else { throw DamagedRow(table: SourceRow.databaseTableName) }
            outcome.number = known?.id ?? last + 1
            outcome.replaced = repaired.first?.id
            let contents = try store.count(
                source, head, sealedBefore: sealed.end, into: &outcome.summary, self, horizon: horizon, jobs: jobs)
            if known != nil || outcome.original != nil {
                outcome.summary.duplicates += outcome.summary.verifications
                (outcome.summary.verifications, outcome.summary.undated) = (0, 0)
            }
            if let known {
                (outcome.isKnown, outcome.original) = (true, known.replacedBy)
                return outcome
            }
            var row = SourceRow(
                id: outcome.number ?? 1, name: name, ingestedAt: now, size: size, source: source,
                counted: outcome.summary, contents: contents.total)
            row.replacedBy = outcome.original
            try row.insert(store.db)
            for var row in repaired {
                try store.db.execute(sql: "DELETE FROM parts WHERE source = ?", arguments: [row.id])
                recent.forget()
                row.replacedBy = outcome.number
                try row.update(store.db)
            }
            if outcome.original == nil {
                for (part, contents) in zip(source.parts, contents.parts) where store.keeps(part.day, sealed.end) {
                    try PartRow(part, verifications: contents.verifications, of: row.id).insert(store.db)
                    try recent.add(part, of: head)
                }
            }
            let held = contents.total.verifications
            if held > 0, held == outcome.summary.filtered { outcome.tooOldFor = store.settings.firstOpenDay }
            return outcome
        }
    }

    /// Takes sums of days that were sealed elsewhere: they win over entries of these days.
    package func add(_ sealed: SealedDays) throws(StoreFailure) {
        guard let end = sealed.end, !sealed.sums.isEmpty else { return }
        try write { store in
            if store.isOpen(end), let day = end.day {
                let first = store.settings.firstOpenDay.map { DayIndex($0).number } ?? Int(Int32.min)
                try store.db.execute(
                    sql: "DELETE FROM days WHERE day >= ? AND day < ?", arguments: [first, end.number])
                try store.endSealing(at: end)
                store.settings.firstOpenDay = day
            }
            for (day, theirs) in sealed.sums {
                var sums = try DayRow.fetchOne(store.db, key: day.number)?.sums() ?? DaySums()
                sums.mergeSealed(theirs)
                try DayRow(sums, of: day, basis: 0).upsert(store.db)
            }
        }
    }
}

/// The verifications of the days around the last source: the next one of a run most often has the same days.
struct RecentDays {
    private(set) var days: [DayIndex: EntrySet] = [:]
    /// The revision of the store that they are of.
    var revision = -1

    mutating func forget() { days = [:] }

    /// Reads days that are not there yet, and gives up all others.
    mutating func load(_ wanted: Set<DayIndex>, _ transaction: StoreTransaction, _ store: Store) throws {
        if revision != transaction.settings.revision { forget() }
        revision = transaction.settings.revision
        days = days.filter { wanted.contains($0.key) }
        var heads: [Int: SourceHead] = [:]
        for day in wanted where days[day] == nil {
            var set = EntrySet()
            try PartRow.forEach("day", day.number, transaction.db) { row in
                if heads[row.source] == nil {
                    heads[row.source] = try SourceRow.fetchOne(transaction.db, key: row.source)?.head(hash: store.hash)
                }
                guard let head = heads[row.source] else { throw DamagedRow(table: "parts") }
                _ = try row.part().read(head, for: .finding, into: &set)
            }
            days[day] = set
        }
    }

    mutating func add(_ part: PackedSource.Part, of head: SourceHead) throws {
        guard days[part.day] != nil else { return }
        _ = try part.read(head, for: .finding, into: &days[part.day, default: EntrySet()])
    }
}

extension StoreTransaction {
    func isOpen(_ day: DayIndex) -> Bool { settings.firstOpenDay.map { DayIndex($0) <= day } ?? true }

    /// True for a day of which entries are kept: an open one, or one with whose entries those of open ones are joined.
    fileprivate func keeps(_ day: DayIndex, _ end: DayIndex?) -> Bool {
        guard let first = settings.firstOpenDay.map({ DayIndex($0) }), day < first else { return true }
        return day.number >= first.number - 2 && end.map { day < $0 } ?? false
    }

    /// Counts what of a source is new, known, repeated or too old.
    fileprivate func count(
        _ source: PackedSource, _ head: SourceHead, sealedBefore end: DayIndex?, into summary: inout InputSummary,
        _ store: Store, horizon: Instant, jobs: Int
    ) throws -> (total: PartContents, parts: [PartContents]) {
        var (total, parts, days) = (PartContents(), [PartContents](), [DayIndex: EntrySet]())
        var resolution = Resolution(horizon: horizon)
        resolution.jobs = jobs
        // Day by day: no relation that is asked for reaches further than the neighbouring one.
        for (place, part) in source.parts.enumerated() {
            let near = part.day.neighbours
            while parts.count < source.parts.count, parts.count <= place || near.contains(source.parts[parts.count].day)
            {
                let next = source.parts[parts.count]
                parts.append(
                    try next.read(
                        head, for: .counting(TimeRange()), into: &days[next.day, default: EntrySet()], horizon: horizon)
                )
            }
            days = days.filter { near.contains($0.key) }
            total.merge(parts[place])
            guard isOpen(part.day) else {
                if end.map({ part.day >= $0 }) ?? true { summary.filtered += parts[place].verifications }
                continue
            }
            try store.recent.load(Set(near), self, store)
            var set = days[part.day] ?? EntrySet()
            set.names = head.source.set.names
            set.add(known: days.filter { $0.key != part.day }.map(\.value) + store.recent.days.values)
            summary.merge(set.resolved(resolution).input)
        }
        return (total, parts)
    }

    /// The source that has all that a damaged one has, and is less so.
    fileprivate func original(of copy: Source, named name: String, _ store: Store) throws -> Int? {
        let input = copy.set.input
        guard input.unreadable > 0 else { return nil }
        let isFuller = Column("unreadable") < input.unreadable && Column("records") >= input.records
        return try SourceRow.filter(isFuller && Column("replaced_by") == nil).fetchAll(db).first { row in
            try row.source(store).isWhole(of: copy, isSameName: row.name.text == name)
        }?.id
    }

    /// The damaged sources of which all is in one that is less so.
    fileprivate func repaired(by whole: Source, named name: String, _ store: Store) throws -> [SourceRow] {
        let input = whole.set.input
        let isPoorer = Column("unreadable") > input.unreadable && Column("records") <= input.records
        return try SourceRow.filter(isPoorer && Column("replaced_by") == nil).order(Column("id")).fetchAll(db).filter {
            try whole.isWhole(of: $0.source(store), isSameName: $0.name.text == name)
        }
    }
}

extension SourceRow {
    fileprivate func source(_ store: Store) throws -> Source {
        try head(TimeRange(), horizon: Instant(seconds: 0), hash: store.hash).source
    }
}

extension Source {
    /// True when it can be the whole of a damaged copy: it is not broken, and begins alike as far as 64 KiB.
    ///
    /// A copy that could not be read at all is only known by its name.
    fileprivate func isWhole(of copy: Source, isSameName: Bool) -> Bool {
        guard !set.input.isBroken else { return false }
        let (hashes, others) = (identity.beginnings, copy.identity.beginnings)
        guard let last = others.last else { return isSameName && copy.set.input.records == 0 }
        return hashes.count >= others.count && hashes[others.count - 1] == last
    }
}

extension Problem {
    fileprivate static func tooLarge(_ name: String) -> Problem {
        Problem(
            source: name, kind: .unsupportedFormat,
            detail:
                "a day of it has more entries than a store takes of one input; nothing is added. Split the file into parts, "
                + "and add them all")
    }

    fileprivate static func counts(_ name: String) -> Problem {
        Problem(
            source: name, kind: .unsupportedFormat,
            detail:
                "counts of a query, which are no entries; nothing is added. Keep the files, and pass all of them to "
                + "check, explain or report")
    }
}
