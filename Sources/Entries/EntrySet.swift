package import Readiness
package import Verifications

/// What was read: verifications, rows and lines, each as often as it was read, and what is not an entry.
///
/// A union of sets is all that merging is. Which entries are copies, which of an execution counts, and which row
/// belongs to which verification is decided when an answer is made: ``resolved(_:)``.
package struct EntrySet: Sendable {
    /// What accompanies the verifications of one service.
    struct Service: Sendable {
        var rows = ChunkedArray<EntryRow>()
        var lines = ChunkedArray<EntryLine>()
        var sign = RequestRow.ServiceSign.otherService
        /// The newest day of which rows were given up.
        var givenUpThrough: Day?

        /// What is known of the service, without rows and lines.
        var emptied: Service { Service(sign: sign, givenUpThrough: givenUpThrough) }
    }

    /// By the keyed hash of their identity.
    var functions: [UInt64: FunctionEntries] = [:]
    package var names: [UInt64: FunctionIdentity] = [:]
    /// The names of functions in the URLs of rows, with their capitals: of each service the smallest.
    private(set) var urlNames: [UInt64: ExactName] = [:]
    var services: [UInt64: Service] = [:]
    package var projects: [ExactName: ProjectTally] = [:]
    package var versions = ClientVersions()
    package var input = InputSummary()

    package init() {}

    /// Takes what was read of a function, which has this keyed hash.
    package mutating func add(_ function: consuming FunctionEntries, of identity: FunctionIdentity, hash: UInt64) {
        names[hash] = identity
        functions[hash, default: FunctionEntries()].merge(function)
    }

    /// Takes a row as files keep it, without what its labels said.
    mutating func add(_ row: EntryRow, to service: UInt64) {
        services[service, default: Service()].add(row, .unknown)
    }

    mutating func add(_ line: EntryLine, to service: UInt64) {
        services[service, default: Service()].lines.append(line)
    }

    package mutating func keep(urlName: ExactName, of service: UInt64) {
        urlNames[service] = min(urlNames[service] ?? urlName, urlName)
    }

    package mutating func add(_ row: RequestRow, counts: Bool) {
        guard let packed = EntryRow(row, counts: counts) else { return }
        services[row.service, default: Service()].add(packed, row.sign)
    }

    package mutating func add(_ line: SDKLine, counts: Bool) {
        if let packed = EntryLine(line, counts: counts) {
            add(packed, to: line.service)
        }
    }

    /// How many verifications it has.
    package var count: Int { functions.values.reduce(0) { $0 + $1.count } }

    /// Takes away what is from an instant up to the horizon, and undated verifications that were received then.
    ///
    /// - Returns: That, with copies of the rest around the instant that count no more: they show what is a copy of
    ///   them, or repeats them, and take the rows and lines that are theirs. The rest has such copies, too.
    package mutating func split(at instant: Instant, horizon: Instant) -> EntrySet {
        var later = EntrySet()
        (later.names, later.urlNames, later.versions) = (names, urlNames, versions)
        let firstDay = instant.day.advanced(by: -1)
        let before = instant.adding(seconds: -EntrySet.longestRequest)
        let after = instant.adding(seconds: EntrySet.longestRequest)
        for (hash, function) in functions {
            let (old, new) = function.split { entry in
                guard let time = entry.instant else {
                    return entry.day.map { $0 >= firstDay } ?? false ? .later : .earlier
                }
                if time > horizon { return .earlier }
                if time >= instant { return time < after ? .laterAndBefore : .later }
                return entry.day.map { $0 >= firstDay } ?? false ? .earlierAndAfter : .earlier
            }
            functions[hash] = old
            later.functions[hash] = new
        }
        for (hash, var service) in services {
            var (old, new) = (service.emptied, service.emptied)
            func isOld(_ time: Instant) -> Bool { time < instant || time > horizon }
            service.rows.drain { row in
                let (time, isOld) = (row.instant, isOld(row.instant))
                if isOld || time < after { old.rows.append(row.counting(row.counts && isOld)) }
                if !isOld || (before..<instant).contains(time) { new.rows.append(row.counting(row.counts && !isOld)) }
            }
            service.lines.drain { line in
                let (time, isOld) = (line.instant, isOld(line.instant))
                if isOld || time < after { old.lines.append(line.counting(line.counts && isOld)) }
                if !isOld || (before..<instant).contains(time) {
                    new.lines.append(line.counting(line.counts && !isOld))
                }
            }
            services[hash] = old
            later.services[hash] = new
        }
        return later
    }

    /// In seconds: a function generation 2 may take as long.
    private static let longestRequest: Int64 = 3600

    /// The earliest instant after which at most `limit` verifications, and as many rows and lines, lie up to the
    /// horizon; one before any entry when there are not more.
    package func instant(ofNewest limit: Int, notAfter horizon: Instant) -> Instant {
        var (verifications, others): ([Int64], [Int64]) = ([], [])
        func add(_ time: Instant?, to seconds: inout [Int64]) {
            if let time, time <= horizon { seconds.append(time.seconds) }
        }
        for function in functions.values { function.forEach { add($0.instant, to: &verifications) } }
        for service in services.values {
            service.rows.forEach { add($0.instant, to: &others) }
            service.lines.forEach { add($0.instant, to: &others) }
        }
        let first = [verifications, others].map { seconds in
            seconds.count <= limit ? 0 : seconds.sorted()[seconds.count - limit - 1] + 1
        }
        return Instant(seconds: first.max() ?? 0)
    }

    /// The newest dated verification up to the horizon.
    package func newest(notAfter horizon: Instant) -> Instant? {
        var newest: Instant?
        for function in functions.values {
            function.forEach { entry in
                if let time = entry.instant, time <= horizon, newest.map({ $0 < time }) ?? true { newest = time }
            }
        }
        return newest
    }

    /// The days of entries, rows and lines.
    package var days: Set<DayIndex> {
        var days: Set<DayIndex> = []
        for function in functions.values { function.forEach { days.insert($0.dayIndex) } }
        for service in services.values {
            service.rows.forEach { days.insert(DayIndex($0.day)) }
            service.lines.forEach { days.insert(DayIndex($0.day)) }
        }
        return days
    }

    /// Gives up what is of days before one; of the last two of them it stays there to be joined with, and counts
    /// nothing.
    ///
    /// - Returns: How many verifications count no more.
    mutating func seal(before end: DayIndex) -> Int {
        var tooOld = 0
        let first = DayIndex(number: end.number - 2)
        for (hash, function) in functions {
            functions[hash] = function.changed { entry in
                let day = entry.dayIndex
                guard day < end else { return entry }
                if !entry.wasCounted { tooOld += 1 }
                return day < first ? nil : entry.counted
            }
        }
        for (hash, var service) in services {
            var kept = service.emptied
            service.rows.drain { row in
                let day = DayIndex(row.day)
                if day >= first { kept.rows.append(row.counting(row.counts && day >= end)) }
            }
            service.lines.drain { line in
                let day = DayIndex(line.day)
                if day >= first { kept.lines.append(line.counting(line.counts && day >= end)) }
            }
            services[hash] = kept
        }
        return tooOld
    }

    package mutating func merge(_ other: consuming EntrySet) {
        for (hash, function) in other.functions {
            functions[hash, default: FunctionEntries()].merge(function)
        }
        names.merge(other.names) { first, _ in first }
        urlNames.merge(other.urlNames, uniquingKeysWith: min)
        for (hash, service) in other.services {
            services[hash, default: Service()].merge(service)
        }
        for (name, project) in other.projects { projects[name, default: ProjectTally()].merge(project) }
        versions.merge(other.versions)
        input.merge(other.input)
    }
}

/// What one source holds.
package struct Source: Sendable {
    package var set = EntrySet()
    /// What a query has counted; nil for a log.
    package var counted: RawTally?
    /// True where rows and lines were looked for.
    package var hasEvidence = false
    package var identity = SourceIdentity()

    package init(
        set: EntrySet = EntrySet(), counted: RawTally? = nil, hasEvidence: Bool = false,
        identity: SourceIdentity = SourceIdentity()
    ) {
        (self.set, self.counted, self.hasEvidence, self.identity) = (set, counted, hasEvidence, identity)
    }
}
