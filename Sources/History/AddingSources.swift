package import Entries
internal import Readiness
package import Verifications

/// What became of a source.
package struct AddedSource: Sendable {
    package enum Place: Sendable {
        /// It is one more.
        case new
        /// The store has the same already, under whatever name.
        case known
        /// It is a damaged copy of what the store has, under this name.
        case copy(of: String)
        /// It has all that damaged ones have, of which this is the first; they count no more.
        case repairs(String)
    }

    package let name: String
    package var place = Place.new
    /// What was read of it.
    package var input: InputSummary
    /// Its days.
    package var days: Int
    /// Verifications that were added.
    package var new = 0
    /// Verifications of days that are not kept any more.
    package var tooOld = 0
    /// Verifications that the store has, or of which it has copies.
    package var known = 0

    fileprivate init(_ source: SourceRecord) {
        (name, input, days) = (source.name, source.input, source.ledger.days.count)
        known = source.ledger.verifications
    }
}

/// A file that a source was read from, as the file system had it.
package struct SourceFile: Hashable, Comparable, Sendable {
    package let name: String
    /// As stored, in bytes; nil where it was not known beforehand.
    package let size: Int?
    /// When its contents were changed, and when anything about it was; nil for what is no file.
    package let modified: Instant?
    package let changed: Instant?

    package static func < (left: SourceFile, right: SourceFile) -> Bool {
        func key(_ file: SourceFile) -> (Instant, Instant, Int, ExactName) {
            let none = Instant(seconds: .min)
            return (file.changed ?? none, file.modified ?? none, file.size ?? -1, ExactName(file.name))
        }
        return key(left) < key(right)
    }
}

extension Store {
    /// Adds a source: one transaction, which waits for other writers before it looks at anything.
    ///
    /// - Throws: ``StoreFailure``; nothing of the source is in the store then.
    package func add(_ source: ReadSource) throws(StoreFailure) -> AddedSource {
        try write { try $0.add(source) }
    }

    /// True when the store has a source, so that nothing of it needs to be added.
    package func knows(contents: UInt64) throws(StoreFailure) -> Bool {
        try read { try $0.catalogue.sources[contents] != nil }
    }

    /// The files of all sources, as the file system had them.
    package func files() throws(StoreFailure) -> [SourceFile] {
        try read { store in
            var files: [SourceFile] = []
            try store.forEachSource { files.append($0.file) }
            return files
        }
    }
}

extension StoreTransaction {
    fileprivate func add(_ source: ReadSource) throws -> AddedSource {
        var (record, added) = (source.record, AddedSource(source.record))
        // What has no readable format says nothing of any day.
        guard record.input.sources > 0, record.input.faults.isDisjoint(with: [.unsupported, .tooManyFunctions])
        else { return added }
        if var known = try self.source(record.contents) {
            added.place = .known
            known.remember(record)
            try update { try $0.put(known, self) }
            return added
        }
        try update { try $0.merge(source.names, source.versions, self) }
        added.place = try place(&record)
        let floors = FunctionFloors(root.floors, try catalogue.names)
        record.forget(before: floors)
        added.tooOld = added.known - record.ledger.verifications
        try update { try $0.put(record, self) }
        for (day, entries) in source.days.sorted(by: { $0.key < $1.key }) where record.replacedBy == nil {
            let kept = record.isGone ? [:] : entries.filter { floors[$0.key] <= day }
            guard !kept.isEmpty else { continue }
            if record.isDamaged || day == .none {
                for part in PackedPart.pack(kept, of: day, source: record.contents) {
                    try DayParts.insert(part, self)
                    added.new += part.verifications
                }
            } else {
                var parts = try DayParts(day, self)
                added.new += try parts.add(kept)
            }
        }
        added.known -= added.new + added.tooOld
        return added
    }

    /// Finds out whether a new source is a damaged copy of another one, and takes out such copies of it.
    ///
    /// Which one replaces a copy does not depend on their order: of several, it is the one with the smallest number.
    func place(_ source: inout SourceRecord) throws -> AddedSource.Place {
        var place = AddedSource.Place.new
        let catalogue = try catalogue
        for (_, var copy) in catalogue.damaged.sorted(by: { $0.key < $1.key }) where source.isWhole(of: copy) {
            if copy.replacedBy == nil {
                if case .new = place { place = .repairs(copy.name) }
                for day in copy.ledger.days {
                    var parts = try DayParts(day, self)
                    try parts.remove { $0.source == copy.contents }
                }
            }
            copy.replacedBy = min(copy.replacedBy ?? source.contents, source.contents)
            try update { try $0.put(copy, self) }
        }
        guard source.isDamaged else { return place }
        let beginning = source.identity.beginnings.first
        let alike = catalogue.sources.filter { beginning == nil || $0.value == beginning }
        for contents in alike.keys.sorted() {
            guard let whole = try self.source(contents), whole.isWhole(of: source) else { continue }
            source.replacedBy = contents
            return .copy(of: whole.name)
        }
        return place
    }
}

extension SourceRecord {
    /// What the file system said of the file.
    var file: SourceFile { SourceFile(name: name, size: size, modified: modified, changed: changed) }

    /// Takes note that the same was found once more: it has been there since the first time, and its file is the one
    /// that was changed last, so that it is known without being read.
    mutating func remember(_ other: SourceRecord) {
        addedAt = min(addedAt, other.addedAt)
        guard file < other.file else { return }
        (name, size, modified, changed) = (other.name, other.size, other.modified, other.changed)
    }
}

extension Ledger {
    /// Records, copies among them.
    var verifications: Int {
        services.values.reduce(0) { sum, service in service.days.values.reduce(sum) { $0 + $1[0] + $1[1] + $1[2] } }
    }
}
