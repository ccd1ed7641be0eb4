internal import LogStream
internal import Readiness
internal import Verifications

/// Puts what one scanner finds into a set.
struct EntrySink: RecordSink {
    private let range: TimeRange
    /// Verifications after it do not decide what a run is judged as of.
    private let horizon: Instant
    /// The instant after which nothing is seen; nil if the newest verification decides.
    private let asOf: Instant?
    private let foldsCopies: Bool
    /// The number of entries since copies were last looked for, and at which they are looked for again.
    private var added = 0
    private var foldAt = EntrySink.firstFold
    private var functions: [ServiceEntries] = []
    private var projects: [ProjectTally] = []
    private var set = EntrySet()
    /// The most rows to keep of services that may not be functions.
    private let rowLimit: Int
    private var rows = 0
    /// Functions, whose rows stay.
    private var expected: Set<UInt64> = []
    /// At this number of rows, those that may go are looked for.
    private var nextCheck: Int
    /// How often each record that has no `insertId` or no time was read of this source.
    private var occurrences: [UInt64: UInt64] = [:]
    /// Entries of this source without an `insertId`, by the scanner's indices, and the unit in which all its times are
    /// whole, in nanoseconds.
    private var unnamed: [Int32: ServiceEntries] = [:]
    private var unit: UInt32 = 1_000_000_000
    private var newest: Instant?
    private(set) var counted = CountedSources()

    init(range: TimeRange, horizon: Instant, asOf: Instant? = nil, foldsCopies: Bool = false, rowLimit: Int = .max) {
        (self.range, self.horizon, self.asOf) = (range, horizon, asOf)
        (self.foldsCopies, self.rowLimit) = (foldsCopies, rowLimit)
        nextCheck = max(rowLimit, EntrySink.fewRows)
    }

    /// Fewer rows take hardly any memory.
    private static let fewRows = 1 << 12
    private static let firstFold = 1 << 17

    /// Counts an entry, and gives up copies now and then: a log that is read again and again takes no memory.
    private mutating func fold() {
        added += 1
        guard foldsCopies, added >= foldAt else { return }
        for index in functions.indices { functions[index].removeCopies() }
        set.removeCopies()
        added = 0
        foldAt = max(EntrySink.firstFold, 3 * functions.reduce(set.entryCount) { $0 + $1.entryCount })
    }

    mutating func endSource(_ hour: Instant?) -> Instant? {
        if !occurrences.isEmpty { occurrences.removeAll() }
        defer { newest = nil }
        let last = newest ?? hour
        endFunctions(on: last?.day)
        return last
    }

    private mutating func endFunctions(on day: Day?) {
        for (function, var entries) in unnamed {
            entries.shape(Shape(nanoseconds: unit))
            functions[Int(function)].merge(entries)
        }
        (unnamed, unit) = ([:], 1_000_000_000)
        for index in functions.indices { functions[index].uncounted.endSource(on: day) }
    }

    mutating func register(_ function: FunctionIdentity, as index: Int32) {
        while functions.count <= Int(index) { functions.append(ServiceEntries()) }
    }

    mutating func count(_ verification: Verification) {
        see(verification.instant)
        guard var fingerprint = verification.fingerprint else { return }
        functions[Int(verification.function)].uncounted.add(verification)
        if fingerprint.isOfRecord {
            fingerprint = numbered(fingerprint)
            if verification.instant != nil {
                unnamed[verification.function, default: ServiceEntries()].add(verification, fingerprint)
                return fold()
            }
        }
        functions[Int(verification.function)].add(verification, fingerprint)
        fold()
    }

    private mutating func see(_ instant: Instant?) {
        guard let instant else { return }
        while !instant.nanoseconds.isMultiple(of: unit) { unit /= 1_000 }
        if instant <= horizon, newest.map({ $0 < instant }) ?? true { newest = instant }
    }

    mutating func count(_ row: CountedRow) { counted.add(row, range: range, horizon: horizon, last: asOf ?? horizon) }
    mutating func endCounts(isSound: Bool) { counted.endSource(isSound: isSound) }
    mutating func add(_ services: ServiceCounts) { counted.services.merge(services) }

    mutating func discardForeign(_ provenance: Provenance, function: Int32, blocked: TokenStatus?) {
        functions[Int(function)].uncounted.addForeign(provenance, blocked: blocked)
        set.input.ignored += 1
    }

    mutating func addBare(function: Int32, _ auth: TokenStatus, at instant: Instant?) {
        see(instant)
        functions[Int(function)].uncounted.addBare(auth)
    }

    /// Returns a fingerprint that tells equal records of a source apart: the second one of a source is a copy of the
    /// second one of another.
    private mutating func numbered(_ fingerprint: Fingerprint) -> Fingerprint {
        let number = occurrences[fingerprint.value, default: 0]
        occurrences[fingerprint.value] = number + 1
        guard number > 0 else { return fingerprint }
        let value = mixed(fingerprint.value &+ mixed(number))
        return Fingerprint(value: value)
    }

    mutating func addErrorStream(project: Int32, at instant: Instant?) {
        see(instant)
        while projects.count <= Int(project) { projects.append(ProjectTally()) }
        projects[Int(project)].addErrorStream(day: instant?.day, at: instant?.nanosecondOfDay)
    }

    mutating func keep(urlName: String, of service: UInt64) {
        set[service].name.merge(ServiceName(urlName: ExactName(urlName)))
    }

    mutating func expectRows(of function: UInt64) { expected.insert(function) }

    mutating func add(_ row: RequestRow) {
        see(row.instant)
        set[row.service].add(row)
        fold()
        rows += 1
        guard rows >= nextCheck else { return }
        set.giveUpRows(beyond: rowLimit, sparing: expected)
        rows = set.rowCount
        nextCheck = rows + max(rowLimit / 2, EntrySink.fewRows)
    }

    mutating func add(_ line: SDKLine) {
        var line = line
        see(line.instant)
        if line.isOfRecord { line.fingerprint = numbered(Fingerprint(value: line.fingerprint)).value }
        set[line.service].add(line)
        fold()
    }

    consuming func entries(of scanner: borrowing RecordReader<EntrySink>, read input: InputSummary) -> EntrySet {
        // Here, because the source grows.
        endFunctions(on: newest?.day)
        var set = set
        set.input.merge(input)
        for (function, var entries) in zip(scanner.functions, functions) {
            guard let function else { continue }
            entries.name = ServiceName(identity: function.identity, label: function.label)
            set[function.hash].merge(entries)
        }
        for (name, project) in zip(scanner.projects, projects) where project != ProjectTally() {
            set.projects[ExactName(name)] = project
        }
        set.versions = scanner.clientVersions
        return set
    }
}
