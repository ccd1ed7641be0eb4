internal import Platform
package import Readiness
package import Verifications

/// The counts of a set, before it is known which provenance is believed.
package struct ResolvedSet: Sendable {
    package var tally = RawTally()
    package var input = InputSummary()
    /// Rows of functions that no verification belongs to, by day.
    package var open: [Day: Int] = [:]
    /// The newest day of which rows of functions were given up while it was not known that they are.
    var givenUpThrough: Day?
    /// The rows of services of which no function is known, by the keyed hash of the name.
    package var services: [UInt64: FunctionCallers] = [:]
    /// The names of revisions that somebody chose, by their hashes.
    package var revisionNames: [UInt64: String] = [:]
    /// The newest day of which rows may be in a damaged input that a store keeps; nil when there is none.
    package var incompleteThrough: Day?

    package init() {}
}

extension ResolvedSet {
    package mutating func merge(_ other: ResolvedSet) {
        tally.merge(other.tally)
        input.merge(other.input)
        open.merge(other.open, uniquingKeysWith: +)
        revisionNames.merge(other.revisionNames) { first, _ in first }
        givenUpThrough = [givenUpThrough, other.givenUpThrough].compactMap(\.self).max()
        for (hash, callers) in other.services { services[hash, default: FunctionCallers()].merge(callers) }
    }

    /// Notes that there are more functions, or projects, than the limit.
    package mutating func bound(_ limit: Int) {
        let projects = tally.projects.keys.count { $0.text != FunctionIdentity.unknown }
        if max(tally.functions.count, projects) > limit { input.faults.insert(.tooManyFunctions) }
    }

    /// The newest day of which rows are given up where more than the limit belong to no verification.
    ///
    /// The oldest days are given up until no more than `limit` remain; nil if all count.
    package func givenUpThrough(beyond limit: Int) -> Day? {
        var (excess, last) = (open.values.reduce(0, +) - limit, Day?.none)
        for (day, count) in open.sorted(by: { $0.key < $1.key }) where excess > 0 {
            last = day
            excess -= count
        }
        return [last, givenUpThrough].compactMap(\.self).max()
    }
}

/// What to make of a set.
package struct Resolution: Sendable {
    /// What counts, by the time of verifications.
    package var range = TimeRange()
    /// Verifications after it do not decide what is judged as of.
    package var horizon: Instant
    /// What is judged as of, where that is known; verifications after it are not among the newest.
    package var asOf: Instant?
    /// True to count copies of an entry as well.
    package var countsCopies = false
    /// True to keep the rows of services of which no function is known.
    package var keepsServices = false
    package var jobs = 1
    /// Instants from which on the requests of a day are wanted: when enforcement was switched on, by policy.
    package var cuts: [Instant] = []
    /// True to tell the last hour's requests from its day's, where a request may have been refused in it.
    package var showsLastHour = false
    /// Where that hour begins.
    var hour: Instant?
    /// The minutes to count one by one, whether or not they lie in the range.
    var minutes: MinuteRange?

    package init(horizon: Instant) { self.horizon = horizon }
}

extension EntrySet {
    /// Decides which entries are copies, which of an execution counts, and which row and which line belong to which
    /// verification.
    ///
    /// No relation reaches further than the neighbouring UTC day. The set is used up: each function goes as it is
    /// counted.
    package consuming func resolved(_ resolution: Resolution) -> ResolvedSet {
        versions.trim()
        var resolution = resolution
        if resolution.showsLastHour {
            let now = resolution.asOf ?? newest(notAfter: resolution.horizon)
            resolution.hour = now?.adding(seconds: -3600)
        }
        var whole = ResolvedSet()
        (whole.input, whole.revisionNames) = (input, versions.revisionNames)
        for (name, project) in projects { whole.tally.add(project, for: name) }
        let large = functions.filter { $0.value.count >= EntrySet.hotFunction && resolution.jobs > 1 }.map(\.key)
        for hash in large { whole.add(take(hash, resolution).counted(jobs: resolution.jobs), of: names[hash], hash) }
        var set = consume self
        let wanted = resolution
        let work = Set(set.functions.keys).union(set.services.keys).map { hash in
            (work: set.take(hash, wanted), name: set.names[hash], hash: wanted.keepsServices ? hash : nil)
        }
        let jobs = min(resolution.jobs, max(1, work.count))
        let waiting = WaitingList(work)
        var shares = concurrentMap(jobs) { _ in
            var share = ResolvedSet()
            while let (work, name, hash) = waiting.next() { share.add((consume work).counted(jobs: 1), of: name, hash) }
            return share
        }
        while let share = shares.popLast() { whole.merge(share) }
        return whole
    }

    /// Verifications from which on one function is work for all cores.
    private static let hotFunction = 1 << 16

    private mutating func take(_ hash: UInt64, _ resolution: Resolution) -> FunctionResolution {
        FunctionResolution(
            function: functions.removeValue(forKey: hash) ?? FunctionEntries(), urlName: urlNames[hash],
            service: services.removeValue(forKey: hash) ?? Service(), versions: versions, resolution: resolution)
    }
}

extension ResolvedSet {
    /// Adds what was counted of a function, or of a service where no function is known.
    fileprivate mutating func add(_ counted: consuming Counted, of name: FunctionIdentity?, _ service: UInt64?) {
        if let name {
            tally.add(counted.raw, for: name)
            open.merge(counted.open, uniquingKeysWith: +)
            givenUpThrough = [givenUpThrough, counted.givenUpThrough].compactMap(\.self).max()
        } else if let service {
            services[service, default: FunctionCallers()].merge(counted.raw.rows)
        }
        input.merge(counted.input)
    }
}

/// One function of a set on its way to its counts.
struct FunctionResolution: Sendable {
    var function: FunctionEntries
    let urlName: ExactName?
    var service: EntrySet.Service
    let versions: ClientVersions
    let resolution: Resolution

    consuming func counted(jobs: Int) -> Counted {
        var counted = Counted()
        (counted.raw.label, counted.raw.urlName) = (function.label, urlName)
        counted.raw.otherMessage = function.otherMessage
        counted.raw.contradictoryText = function.contradictoryText
        for provenance in Provenance.allCases where function.copies[Int(provenance.rawValue)] > 0 {
            counted.count(copies: function.copies[Int(provenance.rawValue)], of: provenance)
        }
        if function.namesExecutions, function.hasUnnamed, !resolution.countsCopies {
            counted.unnamedCopies = UnnamedCopies(function)
        }
        counted.givenUpThrough = service.givenUpThrough
        let join = EvidenceJoin(&service, versions, resolution)
        var buckets = function.takeBuckets()
        if jobs > 1 {
            let waiting = WaitingList(buckets)
            buckets = []
            let (resolution, unnamedCopies) = (resolution, counted.unnamedCopies)
            let parts = concurrentMap(jobs) { [join] _ in
                var part = Counted()
                part.unnamedCopies = unnamedCopies
                while var bucket = waiting.next() { part.count(&bucket, join, resolution) }
                return part
            }
            for part in parts { counted.merge(part) }
        } else {
            while var bucket = buckets.popLast() { counted.count(&bucket, join, resolution) }
        }
        join.finish(&counted)
        for provenance in Provenance.allCases where !counted.raw[provenance].isEmpty {
            counted.raw.update(provenance) { [revisions = function.revisions] in
                $0.tally.nameRevisions { revisions[$0, $1] }
            }
        }
        counted.joined = []
        return counted
    }
}

/// Copies of entries that name no execution: some transports lose it, and the copy that has it counts.
struct UnnamedCopies: Sendable {
    /// What unnamed entries have in common with their copies that name the execution; those that have one, sorted.
    private var found: [PackedVerification] = []

    init(_ function: FunctionEntries) {
        var unnamed: [PackedVerification] = []
        function.forEach { if !$0.namesExecution { unnamed.append($0.withoutExecution) } }
        unnamed.sort(by: PackedVerification.precedes)
        var isFound = Array(repeating: false, count: unnamed.count)
        function.forEach { entry in
            guard entry.namesExecution else { return }
            let wanted = entry.withoutExecution
            let place = unnamed.partitioningIndex { PackedVerification.precedes($0, wanted) }
            if place < unnamed.count, unnamed[place] == wanted { isFound[place] = true }
        }
        for (entry, isFound) in zip(unnamed, isFound) where isFound && found.last != entry { found.append(entry) }
    }

    func contains(_ entry: PackedVerification) -> Bool {
        guard !entry.namesExecution else { return false }
        let wanted = entry.withoutExecution
        let place = found.partitioningIndex { PackedVerification.precedes($0, wanted) }
        return place < found.count && found[place] == wanted
    }
}
