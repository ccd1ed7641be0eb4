package import Entries
internal import Readiness
package import Verifications

package struct AddedSource: Sendable {
    package enum Place: Sendable {
        case new
        /// It could not be opened, or is not a log: nothing of it is added.
        case refused
        /// The store has the same already, under any name.
        case known
    }

    package let name: String
    package var place = Place.new
    package var input: InputSummary
    package var days: Int
    package var new = 0
    /// Verifications of days that are not kept any more.
    package var tooOld = 0
    /// Verifications that the store has, or of which it has copies.
    package var known = 0
    package var firstDay: Day?

    package init(known source: SourceRecord) {
        self.init(source)
        place = .known
    }

    fileprivate init(refused source: SourceRecord) {
        self.init(source)
        (place, known, input) = (.refused, 0, source.input)
    }

    fileprivate init(_ source: SourceRecord) {
        (name, input, days) = (source.name, source.stored, source.ledger.days.count)
        known = source.ledger.verifications
    }
}

extension Store {
    /// Adds sources: one transaction, which waits for others before it looks at anything.
    ///
    /// - Throws: ``StoreFailure``; nothing of the sources is in the store then.
    package func add(_ sources: [ReadSource]) throws(StoreFailure) -> [AddedSource] {
        guard sources.contains(where: \.isWanted) else { return sources.map { AddedSource(refused: $0.record) } }
        return try write { store in try sources.map(store.add) }
    }

    /// Returns the sources by their files as the file system had them: an unchanged file need not be read again.
    package func files() throws(StoreFailure) -> [SourceFile: SourceRecord] {
        try read { store in
            var files: [SourceFile: SourceRecord] = [:]
            try store.forEachSource { if $0.changed != nil { files[$0.file] = $0 } }
            return files
        }
    }
}

extension StoreTransaction {
    fileprivate func add(_ source: ReadSource) throws -> AddedSource {
        guard source.isWanted else { return AddedSource(refused: source.record) }
        var (source, added) = (source, AddedSource(source.record))
        var names = try catalogue.names
        for (hash, name) in source.names { names[hash, default: ServiceName()].merge(name) }
        let floors = FunctionFloors(root.floors, names)
        let firstDay = source.names.keys.map { floors[$0] }.max()?.day
        let known = try self.source(source.record.contents)
        if let known { source.record.addedAt = min(known.addedAt, source.record.addedAt) }
        source.forget(before: floors)
        var record = source.record
        (added.tooOld, added.known) = (added.known - record.ledger.verifications, record.ledger.verifications)
        if added.tooOld > 0 { added.firstDay = firstDay }
        try update { try $0.merge(source.names, source.versions, self) }
        if var known {
            guard !known.covers(record) else {
                added.place = .known
                known.remember(record)
                try update { try $0.put(known, self) }
                return added
            }
            known.merge(record)
            record = known
        }
        try update { try $0.put(record, self) }
        for (day, entries) in source.days.sorted(by: { $0.key < $1.key }) where !entries.isEmpty {
            added.new += try DayParts(day, self).add(entries, of: day == .none ? record.contents : 0)
        }
        added.known -= added.new
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

package struct AddedStore: Sendable {
    package var input = InputSummary()
    package var knownSources = 0
    package var days: Set<Day> = []
    /// Verifications, each once: those that were added, that this store had, and those of days that are not kept.
    package var new = 0
    package var known = 0
    package var tooOld = 0
}

extension Store {
    /// Adds what another store has and this one does not: one transaction.
    ///
    /// Parts are copied as they are; only what may share entries with another part is unpacked. This store's retention
    /// and first days stay as they are.
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
        let floors = FunctionFloors(root.floors, try catalogue.names)
        var (own, gone) = (Set<UInt64>(), Set<UInt64>())
        try other.forEachSource { source in
            guard !source.isGone else { return added.knownSources += 1 }
            var source = source
            let (contents, input, ledger) = (source.contents, source.stored, source.ledger)
            let known = try self.source(contents)
            if let known { source.addedAt = min(known.addedAt, source.addedAt) }
            // What the other store no longer has of the file may be added yet.
            if other.root.floors != root.floors { source.changed = nil }
            source.forget(before: floors)
            if source.isGone { gone.insert(contents) }
            if var known, known.covers(source) {
                added.knownSources += 1
                known.remember(source)
                return try update { try $0.put(known, self) }
            }
            added.input.merge(input)
            added.days.formUnion(ledger.days.compactMap(\.day))
            if var known {
                known.merge(source)
                source = known
            }
            try update { try $0.put(source, self) }
            if !source.isGone { own.insert(contents) }
        }
        for day in other.root.days.keys.sorted() {
            let all = Array(try DayParts.read(day, other.db, other.root).values)
            let parts = all.filter { !gone.contains($0.source) }
            let isKept = floors.keepsAll(of: day) ? nil : { floors[$0] <= day }
            let kept = try PackedPart.distinct(in: parts, where: isKept)
            added.known += kept
            added.tooOld += try PackedPart.distinct(in: all) - kept
            let wanted = parts.filter { $0.source == 0 ? !own.isEmpty : own.contains($0.source) }
            if !wanted.isEmpty { added.new += try DayParts(day, self).add(copiesOf: wanted, where: isKept) }
        }
        if added.tooOld > 0 || !gone.isEmpty { try dropUnusedNames() }
        added.known -= added.new
        return added
    }
}
