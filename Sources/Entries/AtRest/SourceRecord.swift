package import Readiness
package import Verifications

/// Numbers of records in sources by function, day and provenance, with copies; none on days of rows and lines alone.
///
/// It shows before anything is counted which verifications are believed, and how many copies there were.
package struct Ledger: Hashable, Sendable {
    package struct Service: Hashable, Sendable {
        var doubtful = Doubtful()
        package var days: [DayIndex: ProvenanceCounts] = [:]
        var runs: [DayIndex: [ShapedRun]] = [:]

        package var verifiedDays: [DayIndex] { days.filter { $0.value.total > 0 }.map(\.key) }
        var records: ProvenanceCounts { days.values.reduce(into: ProvenanceCounts()) { $0 += $1 } }

        mutating func merge(_ other: Service) {
            doubtful.merge(other.doubtful)
            runs.merge(other.runs, uniquingKeysWith: +)
            for (day, records) in other.days { days[day, default: ProvenanceCounts()] += records }
        }
    }

    package var services: [UInt64: Service] = [:]
    /// The names in stores; a source at rest has none.
    package var names: [UInt64: ServiceName] = [:]

    package init() {}
    package var days: Set<DayIndex> { Set(services.values.flatMap(\.days.keys)) }

    /// True if it has all days of each function that another one has.
    package func covers(_ other: Ledger) -> Bool {
        other.services.allSatisfy { hash, service in
            service.days.keys.allSatisfy { services[hash]?.days[$0] != nil }
        }
    }

    /// The number of days that its functions have together.
    fileprivate var size: Int { services.values.reduce(0) { $0 + $1.days.count } }

    package mutating func merge(_ other: Ledger) {
        for (hash, service) in other.services { services[hash, default: Service()].merge(service) }
        for (hash, name) in other.names { names[hash, default: ServiceName()].merge(name) }
    }

    func records(of day: DayIndex) -> [UInt64: (ProvenanceCounts, [ShapedRun])] {
        services.compactMapValues { service in service.days[day].map { ($0, service.runs[day] ?? []) } }
    }
}

package struct SourceRecord: Hashable, Sendable {
    /// As it was given the first time; `-` for standard input.
    package var name = ""
    /// As the file system had them: the size as stored, in bytes, and when contents and file were changed.
    package var size: Int?
    package var modified: Instant?
    package var changed: Instant?
    package var addedAt = Instant(seconds: 0)
    package var isStrict = false
    package var maxRecordBytes = 0
    package var hasEvidence = false
    /// The summary of the source; an answer decides how many of its verifications count.
    package var input = InputSummary()
    package var identity = SourceIdentity()
    /// The hash that identifies the source, regardless of its name and its compression.
    package var contents: UInt64 = 0
    /// The intact source that replaces this damaged one, by its contents.
    package var replacedBy: UInt64?
    package var ledger = Ledger()
    package var projects: [ExactName: ProjectTally] = [:]
    /// The newest dated verification of a time that was not in the future when it was read; nil without one.
    package var newest: Instant?
    package var hasUndated = false
    /// True when all its days are gone: it is known, and counts nothing.
    package var isGone = false

    package init() {}
    package var isDamaged: Bool { input.unreadable > 0 }

    /// True when it can be the whole of a damaged copy: it has as much, lacks less, and begins alike as far as 64 KiB.
    ///
    /// A copy that could not be read at all is only known by its name.
    package func isWhole(of copy: SourceRecord) -> Bool {
        guard input.unreadable < copy.input.unreadable, input.records >= copy.input.records, !input.isBroken
        else { return false }
        let (hashes, others) = (identity.beginnings, copy.identity.beginnings)
        guard let last = others.last else { return name == copy.name && copy.input.records == 0 }
        return hashes.count >= others.count && hashes[others.count - 1] == last
    }

    var summary: InputSummary {
        var summary = input
        if hasUndated { summary.unread.addUndated() }
        summary.unread.date(newest: summary.newestEntry)
        return summary
    }
}

extension InputSummary {
    /// How much could not be read: 0 for nearly all inputs; data whose compression is damaged come last.
    var unreadable: Int {
        let broken = faults.isDisjoint(with: [.damaged, .readError]) ? 0 : 1 << 48
        return broken + malformed + oversized + unexpected + (unread.total ?? 1 << 44) + problems.entries.count
    }

    var isBroken: Bool { unreadable >= 1 << 48 }
}

package struct StoredEntries {
    package var name: String
    /// The sources that count, with replacements instead of the damaged ones.
    package var sources: [SourceRecord]
    package var names: [UInt64: ServiceName]
    package var versions: ClientVersions
    /// The days with parts, ascending.
    package var days: [DayIndex]
    /// The parts of a day; for one thread at a time.
    package var load: (DayIndex) throws -> [PackedPart]

    package init(
        name: String = "", sources: [SourceRecord], names: [UInt64: ServiceName], versions: ClientVersions,
        days: [DayIndex], load: @escaping (DayIndex) throws -> [PackedPart]
    ) {
        (self.name, self.sources, self.names, self.versions) = (name, sources, names, versions)
        (self.days, self.load) = (days, load)
    }
}

/// Part of a store is not what was written.
package struct UnreadableStore: Error {
    package let place: Int
    package let error: any Error
}

/// The sources of several stores in one run, each once, from the store that keeps most of it.
struct StoredUnion {
    private(set) var sources: [SourceRecord] = []
    private(set) var versions = ClientVersions()
    private(set) var ledger = Ledger()
    /// The days with parts, ascending.
    let days: [DayIndex]
    private let stores: [StoredEntries]

    init(_ stores: [StoredEntries]) {
        self.stores = stores
        var (names, fullest) = ([UInt64: ServiceName](), [UInt64: SourceRecord]())
        for store in stores {
            for (hash, name) in store.names { names[hash, default: ServiceName()].merge(name) }
            versions.merge(store.versions)
            for source in store.sources {
                let size = fullest[source.contents]?.ledger.size ?? -1
                if source.ledger.size > size { fullest[source.contents] = source }
            }
        }
        for contents in stores.flatMap({ $0.sources.map(\.contents) }) {
            guard let source = fullest.removeValue(forKey: contents) else { continue }
            sources.append(source)
            ledger.merge(source.ledger)
        }
        ledger.names = names.filter { [ledger] in ledger.services[$0.key] != nil }
        days = Set(stores.flatMap(\.days)).sorted()
    }

    /// The parts of a day, with the places of their stores; those without any time go with their source.
    func parts(of day: DayIndex) throws(UnreadableStore) -> [(store: Int, part: PackedPart)] {
        var parts: [(Int, PackedPart)] = []
        for (place, store) in stores.enumerated() where store.days.contains(day) {
            do { parts += try store.load(day).map { (place, $0) } } catch {
                throw UnreadableStore(place: place, error: error)
            }
        }
        guard day == .none else { return parts }
        let gone = Set(sources.lazy.filter(\.isGone).map(\.contents))
        return parts.filter { !gone.contains($0.1.source) }
    }
}

package struct ReadSource: Sendable {
    package var record: SourceRecord
    package var names: [UInt64: ServiceName]
    package var versions: ClientVersions
    package var days: [DayIndex: [UInt64: DayEntries]]

    /// The entries as a set, as they enter a run.
    package var set: EntrySet {
        var set = EntrySet()
        set.input = record.summary
        (set.projects, set.versions) = (record.projects, versions)
        for (hash, name) in names { set[hash].name = name }
        for (hash, service) in record.ledger.services { set[hash].doubtful = service.doubtful }
        for (day, services) in days { for (hash, entries) in services { set[hash].add(entries, on: day) } }
        return set
    }

    /// Puts together what was read of one source, and what else is known of it.
    package init(_ set: consuming EntrySet, _ record: SourceRecord, horizon: Instant) {
        var record = record
        (record.input, record.projects) = (set.input, set.projects)
        (names, versions, days) = ([:], set.versions, [:])
        for hash in Array(set.services.keys) {
            guard var service = set.services.removeValue(forKey: hash) else { continue }
            names[hash] = service.name
            record.newest = [record.newest, service.newestDated(notAfter: horizon)].compactMap(\.self).max()
            var known = Ledger.Service()
            known.doubtful = service.doubtful
            for (day, var entries) in service.takeDays() {
                known.days[day] = entries.records
                if !entries.runs.isEmpty { known.runs[day] = entries.runs }
                record.hasUndated = record.hasUndated || entries.hasUndated
                entries.removeCopies()
                days[day, default: [:]][hash] = entries
            }
            if known != Ledger.Service() { record.ledger.services[hash] = known }
        }
        record.contents = record.contentsHash(days)
        self.record = record
    }
}
