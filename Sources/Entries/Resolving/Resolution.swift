internal import Platform
package import Readiness
package import Verifications

/// The counts of a set: of each function those of the provenance that is believed.
package struct ResolvedSet: Sendable {
    package var tally = Tally()
    package var input = InputSummary()
    private var open: [Day: Int] = [:]
    /// The newest day of which rows of functions were given up while it was not known that they are.
    private var givenUpThrough: Day?
    fileprivate var revisionNames: [UInt64: String] = [:]
    /// The names of functions that have rows and no entry.
    fileprivate var withoutEntries: Set<ExactName> = []
    /// The projects of functions that have an entry, and those of a standard-error log.
    package private(set) var projects: Set<ExactName> = []

    package init() {}

    /// The newest day of which rows are given up where more than the limit belong to no verification.
    ///
    /// The oldest days are given up until no more than `limit` remain; nil if all count.
    private func givenUpThrough(beyond limit: Int) -> Day? {
        var (excess, last) = (open.values.reduce(0, +) - limit, Day?.none)
        for (day, count) in open.sorted(by: { $0.key < $1.key }) where excess > 0 {
            last = day
            excess -= count
        }
        return [last, givenUpThrough].compactMap(\.self).max()
    }

    /// Finishes the counts: rows are given up beyond a limit, and earlier days and the names of their clients are
    /// folded.
    ///
    /// - Parameters:
    ///   - rowLimit: The most rows without a verification; nil where rows and lines were not to be read.
    ///   - daysWithNames: The number of days before `asOf` that verdicts look at by hour and client.
    ///   - asOf: The instant that is judged as of; nil for the newest verification.
    /// - Returns: True if some rows were given up.
    package mutating func finish(rowLimit: Int?, daysWithNames: Int, asOf: Instant?) -> Bool {
        let last = rowLimit.flatMap(givenUpThrough)
        if rowLimit != nil {
            tally.evidence = Tally.Evidence()
            tally.evidence?.givenUpThrough = last
            tally.evidence?.revisionNames = revisionNames
            tally.evidence?.withoutEntries = withoutEntries
        }
        let newest = (asOf ?? tally.newest)?.day
        tally.finish(givenUpThrough: last, namesFrom: newest?.advanced(by: -daysWithNames))
        return last != nil
    }

    fileprivate mutating func add(_ project: ProjectTally, for name: ExactName) {
        projects.insert(name)
        tally.add(project, for: name)
    }

    fileprivate mutating func add(_ counts: consuming FunctionCounts, of function: Belief) {
        var counts = counts
        open.merge(counts.open, uniquingKeysWith: +)
        givenUpThrough = [givenUpThrough, function.givenUpThrough].compactMap(\.self).max()
        input.merge(counts.input)
        projects.insert(ExactName(function.identity.project))
        guard counts.table.totals.total > 0 else { return }
        (counts.table.label, counts.table.urlName) = (function.name.label, function.name.urlName)
        if function.believed == .unlabelled { counts.table.markUnlabelled() }
        counts.table.discard(function.discarded(of: counts))
        tally.add(counts.table, for: function.identity)
        if let newest = counts.newest { tally.updateNewest(newest) }
    }

    fileprivate mutating func merge(_ other: ResolvedSet) {
        tally.merge(other.tally)
        input.merge(other.input)
        open.merge(other.open, uniquingKeysWith: +)
        givenUpThrough = [givenUpThrough, other.givenUpThrough].compactMap(\.self).max()
        projects.formUnion(other.projects)
    }
}

package struct Resolution: Sendable {
    package var range = TimeRange()
    /// Verifications after it do not decide what is judged as of.
    package var horizon: Instant
    /// The instant to judge as of, after which nothing is seen; if it is nil, that of the newest verification.
    package var asOf: Instant?
    var countsCopies = false
    /// False to count verifications alone, without the rows and lines that a store has of them.
    package var readsEvidence = true
    package var jobs = 1
    /// Instants from which on the requests of a day are wanted: when enforcement was switched on, by policy.
    var cuts: [Instant] = []
    /// The number of days before the day judged whose addresses are looked at.
    package var daysWithNames = PolicyRules().daysWithNames
    package init(horizon: Instant) { self.horizon = horizon }
}

/// The verifications of a function that are believed, because its SDK wrote them: decided before anything is counted.
struct Belief: Sendable {
    let name: ServiceName
    let identity: FunctionIdentity
    let believed: Provenance
    let givenUpThrough: Day?
    private let uncounted: UncountedRecords
    /// True if an entry with the label has a message somewhere in the project: the SDK's own entries have theirs, too.
    private let hasMessages: Bool

    static func all(_ services: [UInt64: ServiceEntries], _ ledger: Ledger) -> [UInt64: Belief] {
        func records(_ hash: UInt64) -> ProvenanceCounts {
            var records = services[hash]?.records ?? ProvenanceCounts()
            if let known = ledger.services[hash] { records += known.records }
            return records
        }
        func uncounted(_ hash: UInt64) -> UncountedRecords {
            var uncounted = services[hash]?.uncounted ?? UncountedRecords()
            if let known = ledger.services[hash] { uncounted.merge(known.uncounted) }
            return uncounted
        }
        var names = ledger.names
        for (hash, service) in services { names[hash, default: ServiceName()].merge(service.name) }
        let functions = names.filter { $0.value.identity != nil }
        let withMessages = functions.filter { hash, _ in
            records(hash)[.labelled] > 0 || uncounted(hash).otherMessage > 0
        }
        let projects = Set(withMessages.values.compactMap { $0.identity.map { ExactName($0.project) } })
        return functions.reduce(into: [:]) { beliefs, function in
            guard let identity = function.value.identity else { return }
            let (records, hasMessages) = (records(function.key), projects.contains(ExactName(identity.project)))
            let isLabelAlone = !hasMessages && records[.labelAlone] > 0
            beliefs[function.key] = Belief(
                name: function.value, identity: identity,
                believed: records[.labelled] > 0 ? .labelled : isLabelAlone ? .labelAlone : .unlabelled,
                givenUpThrough: services[function.key]?.givenUpThrough, uncounted: uncounted(function.key),
                hasMessages: hasMessages)
        }
    }

    /// Returns the numbers of entries that do not count, as the function's own code may have written them.
    func discarded(of counts: FunctionCounts) -> Discarded {
        var discarded = Discarded(otherMessage: uncounted.otherMessage, repeated: counts.repeated)
        discarded.mayBeBlocked = uncounted.blocked(believing: believed)
        discarded.twoShapes = counts.twoShapes
        if hasMessages { discarded.otherMessage += counts.records[.labelAlone] }
        guard believed != .unlabelled else {
            discarded.otherMessage += uncounted.contradictoryText
            return discarded
        }
        discarded.unlabelled = counts.records[.unlabelled] + uncounted.contradictoryText
        discarded.unlabelledDistinct = counts.distinct[.unlabelled]
        discarded.labelledOutside = counts.filtered
        return discarded
    }
}

extension EntrySet {
    /// Decides which entries are copies, which of an execution counts, and which row and which line belong to which
    /// verification, and counts what is left.
    ///
    /// The set is used up: each function goes as it is counted.
    package consuming func resolved(_ resolution: Resolution) -> ResolvedSet {
        versions.trim()
        mergeIntoPlaced(UnplacedNames(services.mapValues(\.name)))
        let resolution = resolution.judged(newest: newest(notAfter: resolution.horizon))
        var whole = start(resolution, services.mapValues(\.name))
        let beliefs = Belief.all(services, Ledger())
        var set = consume self
        // The largest come last and are taken first, so that all cores are busy to the end.
        var sizes = set.services.filter { beliefs[$0.key] != nil }.map { (hash: $0.key, count: $0.value.count) }
        sizes.sort { ($0.count, $0.hash) < ($1.count, $1.hash) }
        let all = sizes.reduce(0) { $0 + $1.count }
        var work: [(Belief, ServiceEntries)] = []
        for (hash, count) in sizes {
            guard let belief = beliefs[hash], let entries = set.services.removeValue(forKey: hash) else { continue }
            if resolution.jobs > 1, count >= EntrySet.hotFunction, count > all / resolution.jobs {
                whole.add(belief.counts(of: entries, resolution, set.versions, jobs: resolution.jobs), of: belief)
            } else {
                work.append((belief, entries))
            }
        }
        let (versions, jobs) = (set.versions, min(resolution.jobs, max(1, work.count)))
        let waiting = WaitingList(work)
        work = []
        var shares = concurrentMap(jobs) { _ in
            var share = ResolvedSet()
            while let (belief, service) = waiting.next() {
                share.add(belief.counts(of: service, resolution, versions, jobs: 1), of: belief)
            }
            return share
        }
        while let share = shares.popLast() { whole.merge(share) }
        return whole
    }

    /// Verifications from which on a function is work for all cores, if it has more than its share of all.
    private static let hotFunction = 1 << 16

    fileprivate func start(_ resolution: Resolution, _ names: [UInt64: ServiceName]) -> ResolvedSet {
        var whole = ResolvedSet()
        (whole.input, whole.revisionNames) = (input, versions.revisionNames)
        // Only rows of Cloud Functions have a name; what has an entry has an identity.
        whole.withoutEntries = Set(names.values.filter { $0.identity == nil }.compactMap(\.urlName))
        for (name, project) in projects {
            let part = project.part(of: resolution.range, until: resolution.asOf)
            if part != ProjectTally() { whole.add(part, for: name) }
        }
        return whole
    }

    /// Counts a set together with what stores hold, exactly as if all that they have taken were in the set.
    ///
    /// - Throws: Which store is not as it was written.
    package consuming func resolved(
        _ resolution: Resolution, with stores: [StoredEntries]
    ) throws(UnreadableStore) -> ResolvedSet {
        guard !stores.isEmpty else { return resolved(resolution) }
        var set = self
        let stored = StoredUnion(stores)
        var ledger = stored.ledger
        let unplaced = UnplacedNames(
            ledger.names.merging(set.services.mapValues(\.name)) { known, new in
                var known = known
                known.merge(new)
                return known
            })
        ledger.mergeIntoPlaced(unplaced)
        set.mergeIntoPlaced(unplaced)
        for source in stored.sources {
            set.input.merge(source.stored)
            for (name, project) in source.projects {
                set.projects[name, default: ProjectTally()].merge(project)
            }
        }
        set.versions.merge(stored.versions)
        set.versions.trim()
        let newest = stored.sources.compactMap(\.newest).filter { $0 <= resolution.horizon }.max()
        let last = [newest, set.newest(notAfter: resolution.horizon)].compactMap(\.self).max()
        let resolution = resolution.judged(newest: last)
        var whole = set.start(
            resolution,
            ledger.names.merging(set.services.mapValues(\.name)) { known, new in
                var known = known
                known.merge(new)
                return known
            })
        let beliefs = Belief.all(set.services, ledger)
        var resolvers = beliefs.mapValues { FunctionResolver(resolution, set.versions, believed: $0.believed) }
        let logDays = set.services.filter { beliefs[$0.key] != nil }.reduce(into: [DayIndex: [UInt64]]()) {
            days, service in
            for day in service.value.days { days[day.day, default: []].append(service.key) }
        }
        var waiting = Set(stored.days).union(logDays.keys).sorted()[...]
        while !waiting.isEmpty {
            let days = Array(waiting.prefix(resolution.jobs))
            waiting = waiting.dropFirst(resolution.jobs)
            var work: [StoredDay] = []
            for day in days {
                var logs: [UInt64: DayEntries] = [:]
                for hash in logDays[day] ?? [] { logs[hash] = set.services[hash]?.take(day) }
                let parts = try stored.parts(of: day)
                work.append(
                    StoredDay(
                        day: day, parts: parts, logs: logs, records: ledger.records(of: day), unplaced: unplaced,
                        readsEvidence: resolution.readsEvidence))
            }
            let prepared = concurrentMap(work) { [resolvers] day in
                Result { () throws(UnreadableStore) in try day.prepared(resolvers) }
            }
            work = []
            var byFunction: [UInt64: [ResolvedDay]] = [:]
            for day in prepared {
                for (hash, entries) in try day.get() { byFunction[hash, default: []].append(entries) }
            }
            var functions: [(UInt64, FunctionResolver, [ResolvedDay])] = []
            for (hash, days) in byFunction {
                if let resolver = resolvers.removeValue(forKey: hash) { functions.append((hash, resolver, days)) }
            }
            byFunction = [:]
            let list = WaitingList(functions)
            functions = []
            let done = concurrentMap(resolution.jobs) { _ in
                var done: [(UInt64, FunctionResolver)] = []
                while let (hash, waiting, days) = list.next() {
                    var resolver = waiting
                    for day in days { resolver.add(day) }
                    done.append((hash, resolver))
                }
                return done
            }
            for (hash, resolver) in done.joined() { resolvers[hash] = resolver }
        }
        for (hash, belief) in beliefs {
            if var resolver = resolvers.removeValue(forKey: hash) { whole.add(resolver.finish(), of: belief) }
        }
        return whole
    }

    fileprivate func newest(notAfter horizon: Instant) -> Instant? {
        services.values.compactMap { $0.newestDated(notAfter: horizon) }.max()
    }
}

private struct StoredDay: Sendable {
    let day: DayIndex
    let parts: [(store: Int, part: PackedPart)]
    let logs: [UInt64: DayEntries]
    let records: [UInt64: (ProvenanceCounts, [ShapedRun])]
    let unplaced: UnplacedNames
    let readsEvidence: Bool

    func prepared(_ resolvers: [UInt64: FunctionResolver]) throws(UnreadableStore) -> [(UInt64, ResolvedDay)] {
        var entries: [UInt64: DayEntries] = [:]
        for (store, part) in parts {
            do throws(MalformedBytes) {
                try part.read(into: &entries) { resolvers[$0] != nil || unplaced.contains($0) }
            } catch {
                throw UnreadableStore(place: store, error: error)
            }
        }
        if !readsEvidence { for hash in entries.keys { entries[hash]?.giveUpEvidence() } }
        unplaced.mergeIntoPlaced(&entries) { home, entries in
            var entries = entries
            entries.shape(nil)
            home = home ?? DayEntries()
            home?.merge(entries)
        }
        for (hash, logs) in logs { entries[hash, default: DayEntries()].merge(logs) }
        for (hash, (records, runs)) in records where resolvers[hash] != nil {
            entries[hash, default: DayEntries()].runs += runs
            entries[hash, default: DayEntries()].records += records
        }
        return entries.compactMap { hash, entries in resolvers[hash].map { (hash, $0.prepare(entries, of: day)) } }
    }
}

extension Belief {
    fileprivate func counts(
        of service: consuming ServiceEntries, _ resolution: Resolution, _ versions: ClientVersions, jobs: Int
    ) -> FunctionCounts {
        var (service, resolver) = (service, FunctionResolver(resolution, versions, believed: believed))
        // Each day goes as it is counted.
        var days = Array(service.takeDays().reversed())
        while let (day, entries) = days.popLast() {
            guard jobs > 1 else {
                resolver.add(resolver.prepare(entries, of: day))
                continue
            }
            let batch = [(day: day, entries: entries)] + days.suffix(jobs - 1).reversed()
            days.removeLast(batch.count - 1)
            for day in concurrentMap(batch, { [resolver] in resolver.prepare($0.entries, of: $0.day) }) {
                resolver.add(day)
            }
        }
        return resolver.finish()
    }
}

extension Resolution {
    fileprivate func judged(newest: Instant?) -> Resolution {
        var resolution = self
        // Where everything is later than the clock allows, nothing is seen. What goes on behind the range may have an
        // entry at its very end.
        let end = asOf ?? [newest ?? horizon, range.until?.adding(nanoseconds: -1)].compactMap(\.self).min() ?? horizon
        resolution.asOf = end
        // What was answered in the last hour is told.
        resolution.cuts.append(end.adding(seconds: -3600).adding(nanoseconds: 1))
        return resolution
    }

    /// False for what is not seen, as it is later than what is judged as of.
    func sees(_ instant: Instant?) -> Bool { instant.map { $0 <= asOf ?? $0 } ?? true }
}

extension ServiceEntries {
    func newestDated(notAfter horizon: Instant) -> Instant? {
        for (day, entries) in days.sorted(by: { $0.day > $1.day }) where day != .none {
            var newest: TimeOfDay?
            for part in entries.parts {
                part.forEach { traced in
                    let time = traced.entry.time
                    guard time.isDated, newest.map({ $0 < time }) ?? true else { return }
                    if let instant = time.instant(on: day), instant <= horizon { newest = time }
                }
            }
            if let instant = newest?.instant(on: day) { return instant }
        }
        return nil
    }
}
