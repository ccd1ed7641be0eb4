package import Entries
internal import Readiness
package import Verifications

extension AddedInput {
    /// An input that the store has.
    package init(known source: SourceRecord) {
        self.init(source, source.stored, known: source.ledger.verifications)
        isKnown = true
    }

    fileprivate init(refused source: SourceRecord) { self.init(source, source.input, known: 0) }

    fileprivate init(_ source: SourceRecord, _ summary: InputSummary, known: Int) {
        self.init(name: source.file.name, summary: summary, days: source.ledger.days.count)
        count(new: 0, known: known, tooOld: 0)
    }

    fileprivate mutating func count(new: Int, known: Int, tooOld: Int) {
        (summary.verifications, summary.duplicates, summary.filtered) = (new, known, tooOld)
    }
}

extension Store {
    /// Adds sources: one transaction, which waits for others before it looks at anything.
    ///
    /// - Throws: ``StoreFailure``; nothing of the sources is in the store then.
    package func add(_ sources: [ReadSource]) throws(StoreFailure) -> [AddedInput] {
        guard sources.contains(where: \.isWanted) else { return sources.map { AddedInput(refused: $0.record) } }
        return try write { store in try sources.map(store.add) }
    }

    /// Returns the sources by their files as the file system had them: an unchanged file need not be read again.
    package func files() throws(StoreFailure) -> [SourceFile: SourceRecord] {
        try read { store in
            let sources = try store.catalogue.sortedSources.filter { $0.file.changed != nil }
            return Dictionary(sources.map { ($0.file, $0) }) { _, last in last }
        }
    }
}

extension StoreTransaction {
    fileprivate func add(_ source: ReadSource) throws -> AddedInput {
        guard source.isWanted else { return AddedInput(refused: source.record) }
        let all = source.record.ledger.verifications
        var (source, added) = (source, AddedInput(source.record, source.record.stored, known: all))
        let catalogue = try catalogue
        var names = catalogue.names
        for (hash, name) in source.names { names[hash, default: ServiceName()].merge(name) }
        let floors = FunctionFloors(root.floors, names)
        let firstDay = source.names.keys.map { floors[$0] }.max()?.day
        let former = catalogue.sources[source.record.contents]
        if let former { source.record.addedAt = min(former.addedAt, source.record.addedAt) }
        source.forget(before: floors)
        var record = source.record
        let known = record.ledger.verifications
        added.count(new: 0, known: known, tooOld: all - known)
        if known < all { added.firstDay = firstDay }
        try catalogue.merge(source.names, source.versions, self)
        if var former {
            guard !former.covers(record) else {
                added.isKnown = true
                former.remember(record)
                try catalogue.put(former, self)
                return added
            }
            former.merge(record)
            record = former
        }
        try catalogue.put(record, self)
        var new = 0
        for (day, entries) in source.days.sorted(by: { $0.key < $1.key }) where !entries.isEmpty {
            new += try DayParts(day, self).add(entries, of: day == .none ? record.contents : 0)
        }
        added.count(new: new, known: known - new, tooOld: all - known)
        return added
    }
}

extension ReadSource {
    fileprivate var isWanted: Bool {
        record.input.sources > 0 && record.input.faults.isDisjoint(with: [.unsupported, .tooManyFunctions])
    }
}

extension Ledger {
    var verifications: Int {
        services.values.reduce(0) { sum, service in service.days.values.reduce(sum) { $0 + $1.total } }
    }
}

extension Store {
    /// Adds what another store has and this one does not: one transaction.
    ///
    /// Parts are copied as they are; only what may share entries with another part is unpacked. This store's retention
    /// and first days stay as they are.
    ///
    /// - Throws: ``StoreFailure``; nothing of the other store is in this one then.
    package func add(_ other: Store, name: String) throws(StoreFailure) -> AddedInput {
        try write { mine in try other.read { theirs in try mine.add(theirs, name) } }
    }
}

extension StoreTransaction {
    fileprivate func add(_ other: StoreTransaction, _ name: String) throws -> AddedInput {
        var (added, addedDays) = (AddedInput(name: name), Set<Day>())
        let (catalogue, theirs) = (try catalogue, try other.catalogue)
        try catalogue.merge(theirs.names, theirs.versions, self)
        let floors = FunctionFloors(root.floors, catalogue.names)
        var (own, gone) = (Set<UInt64>(), Set<UInt64>())
        for var source in theirs.sortedSources where !source.isGone {
            let (contents, input, ledger) = (source.contents, source.stored, source.ledger)
            let known = catalogue.sources[contents]
            if let known { source.addedAt = min(known.addedAt, source.addedAt) }
            // What the other store no longer has of the file may be added yet.
            if other.root.floors != root.floors { source.file.changed = nil }
            source.forget(before: floors)
            if source.isGone { gone.insert(contents) }
            if var known, known.covers(source) {
                known.remember(source)
                try catalogue.put(known, self)
                continue
            }
            added.summary.merge(input)
            addedDays.formUnion(ledger.days.compactMap(\.day))
            if var known {
                known.merge(source)
                source = known
            }
            try catalogue.put(source, self)
            if !source.isGone { own.insert(contents) }
        }
        if added.summary == InputSummary() { added.isKnown = true }
        added.days = addedDays.count
        var (new, known, tooOld) = (0, 0, 0)
        for day in other.root.days.keys.sorted() {
            let all = Array(try DayParts.read(day, other.db, other.root).values)
            let parts = all.filter { !gone.contains($0.source) }
            let isKept = floors.keepsAll(of: day) ? nil : { floors[$0] <= day }
            let kept = try PackedPart.distinct(in: parts, where: isKept)
            known += kept
            tooOld += try PackedPart.distinct(in: all) - kept
            let wanted = parts.filter { $0.source == 0 ? !own.isEmpty : own.contains($0.source) }
            if !wanted.isEmpty { new += try DayParts(day, self).add(copiesOf: wanted, where: isKept) }
        }
        if tooOld > 0 || !gone.isEmpty { try dropUnusedNames() }
        added.count(new: new, known: known - new, tooOld: tooOld)
        return added
    }
}
