package import Readiness
package import Verifications

/// Numbers of records in sources by function, day and provenance, with copies; none on days of rows and lines alone.
///
/// It shows before anything is counted which verifications are believed, and how many copies there were.
package struct Ledger: Hashable, Codable, Sendable {
    package struct Service: Hashable, Codable, Sendable {
        var uncounted = UncountedRecords()
        package var days: [DayIndex: ProvenanceCounts] = [:]
        var runs: [DayIndex: [ShapedRun]] = [:]

        package var verifiedDays: [DayIndex] { days.filter { $0.value.total > 0 }.map(\.key) }
        var records: ProvenanceCounts { days.values.reduce(into: ProvenanceCounts()) { $0 += $1 } }

        mutating func merge(_ other: Service) {
            uncounted.merge(other.uncounted)
            runs.merge(other.runs, uniquingKeysWith: +)
            for (day, records) in other.days { days[day, default: ProvenanceCounts()] += records }
        }
    }

    package var services: [UInt64: Service] = [:]
    /// The names in stores; a source at rest has none.
    package var names: [UInt64: ServiceName] = [:]

    package init() {}
    package init(from decoder: any Decoder) throws { services = try [UInt64: Service](from: decoder) }
    package func encode(to encoder: any Encoder) throws { try services.encode(to: encoder) }
    package var days: Set<DayIndex> { Set(services.values.flatMap(\.days.keys)) }

    /// True if it has all days of each function that another one has.
    package func covers(_ other: Ledger) -> Bool {
        other.services.allSatisfy { hash, service in
            service.days.keys.allSatisfy { services[hash]?.days[$0] != nil }
        }
    }

    /// Takes over the days that another ledger of the same source has besides.
    fileprivate mutating func fill(with other: Ledger) {
        for (hash, service) in other.services {
            var known = services[hash] ?? service
            known.days.merge(service.days) { known, _ in known }
            known.runs.merge(service.runs) { known, _ in known }
            services[hash] = known
        }
    }

    package mutating func merge(_ other: Ledger) {
        for (hash, service) in other.services { services[hash, default: Service()].merge(service) }
        for (hash, name) in other.names { names[hash, default: ServiceName()].merge(name) }
    }

    func records(of day: DayIndex) -> [UInt64: (ProvenanceCounts, [ShapedRun])] {
        services.compactMapValues { service in service.days[day].map { ($0, service.runs[day] ?? []) } }
    }
}

package struct SourceRecord: Hashable, Codable, Sendable {
    package var file = SourceFile(name: "")
    package var addedAt = Instant(seconds: 0)
    package var isStrict = false
    package var maxRecordBytes = 0
    package var hasEvidence = false
    /// The summary of the source; an answer decides how many of its verifications count.
    package var input = InputSummary()
    /// CRC-32 of its bytes, after decompression.
    package var checksum: UInt32 = 0
    /// The hash that identifies the source, regardless of its name and its compression.
    package var contents: UInt64 = 0
    package var ledger = Ledger()
    package var projects: [ExactName: ProjectTally] = [:]
    /// The newest dated verification of a time that was not in the future when it was read; nil without one.
    package var newest: Instant?
    var hasUndated = false
    /// True when all its days are gone: it is known, and counts nothing.
    package var isGone = false

    package init() {}

    /// True if it has all that another store keeps of the same source.
    package func covers(_ other: SourceRecord) -> Bool {
        other.isGone || !isGone && ledger.covers(other.ledger)
    }

    /// Takes over what another store keeps of the same source, and its file.
    package mutating func merge(_ other: SourceRecord) {
        remember(other)
        guard !other.isGone else { return }
        if isGone {
            (input, projects, newest) = (other.input, other.projects, other.newest)
            (hasUndated, isGone) = (other.hasUndated, false)
        }
        ledger.fill(with: other.ledger)
    }

    /// Takes note that the same was found once more: it has been there since the first time, and its file is the one
    /// that was changed last, so that it is known without being read.
    package mutating func remember(_ other: SourceRecord) {
        addedAt = min(addedAt, other.addedAt)
        file = max(file, other.file)
    }

    /// Its summary in a run that reads it.
    var summary: InputSummary { dated(input, nil) }

    /// Its summary while a store has it: what is damaged stays as it is, and what shows no time is of the day on which
    /// it was added.
    package var stored: InputSummary {
        var stored = dated(input, addedAt)
        stored.problems = input.problems.map { problem in
            var problem = problem
            problem.source = file.name
            // What is not a log is not kept.
            if ![.unreadable, .unsupportedFormat].contains(problem.kind) {
                problem.detail += ". A store keeps it as it was read: make a new one from the whole logs"
            }
            return problem
        }
        return stored
    }

    private func dated(_ input: InputSummary, _ addedAt: Instant?) -> InputSummary {
        var input = input
        if hasUndated { input.unread.addUndated() }
        input.unread.date(newest: input.newestEntry ?? addedAt)
        return input
    }

    fileprivate var storedLedger: Ledger {
        guard input.newestEntry == nil else { return ledger }
        var ledger = ledger
        for hash in ledger.services.keys { ledger.services[hash]?.uncounted.date(addedAt.day) }
        return ledger
    }
}

package struct StoredEntries {
    package var name: String
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

/// The sources of several stores in one run, each once, with all that any of them keeps of it.
struct StoredUnion {
    private(set) var sources: [SourceRecord] = []
    private(set) var versions = ClientVersions()
    private(set) var ledger = Ledger()
    /// The days with parts, ascending.
    let days: [DayIndex]
    private let stores: [StoredEntries]

    init(_ stores: [StoredEntries]) {
        self.stores = stores
        var (names, places) = ([UInt64: ServiceName](), [UInt64: Int]())
        for store in stores {
            for (hash, name) in store.names { names[hash, default: ServiceName()].merge(name) }
            versions.merge(store.versions)
            for source in store.sources {
                if let place = places[source.contents] {
                    sources[place].merge(source)
                } else {
                    places[source.contents] = sources.count
                    sources.append(source)
                }
            }
        }
        for source in sources { ledger.merge(source.storedLedger) }
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
        for (hash, service) in record.ledger.services { set[hash].uncounted = service.uncounted }
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
            known.uncounted = service.uncounted
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
