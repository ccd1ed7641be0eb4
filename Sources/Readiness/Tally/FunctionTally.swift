package import Verifications

/// All that is known of one function: its days, and what has no day.
///
/// Tallies form a commutative monoid under ``merge(_:)``; a new tally is its identity.
package struct FunctionTally: Hashable, Sendable {
    /// Days with at least one verification, ascending.
    package private(set) var days: [DayTally] = []
    /// Verifications without a time: in totals, never in days.
    package private(set) var undated: StatusMatrix {
        get { undatedAndPooled.first ?? StatusMatrix() }
        set { setSeldom(0, newValue) }
    }
    /// Verifications of days beyond ``dayLimit``: in totals, never in days.
    package private(set) var pooledDays: StatusMatrix {
        get { undatedAndPooled.last ?? StatusMatrix() }
        set { setSeldom(1, newValue) }
    }
    /// The first and the last dated verification.
    package private(set) var first: Instant?
    package private(set) var last: Instant?
    /// The severities of passed verifications without a day.
    package private(set) var otherSeverities: PassSeverity = []
    /// The basis of the counts: labels, or text alone if any part of them is.
    package private(set) var provenance = Provenance.labelled
    /// Verifications that were not counted, as the function's own code may have written them.
    package private(set) var discarded = Discarded()
    /// The smallest `goog-drz-cloudfunctions-id` seen; nil when no entry carried one.
    package var label: ExactName?
    /// The name in the URLs of rows, with its capitals; no part of what is equal.
    package var urlName: ExactName?
    /// By day and revision, in the order of time; no part of what is equal.
    ///
    /// Requests before `--since` are among them: that hides nobody who is refused. Counts of queries have none.
    package private(set) var revisions: [(day: Day, parts: [RevisionPart])] = []
    /// The newest requests: no part of what is equal.
    package var recent = RecentRequests()
    /// Nil for a function; no part of what is equal.
    package var service: ServiceFacts?
    /// The revisions of the newest requests, at most ``newest`` of them, the newest last: no part of what is equal.
    package private(set) var newestRevisions: [Revision] = []
    package static let newest = 10

    /// ``undated`` and ``pooledDays``; empty while both are zero, as they nearly always are: a log may have very many
    /// functions.
    private var undatedAndPooled: [StatusMatrix] = []

    /// The most days that one function keeps.
    ///
    /// Logs live for weeks or months; only forged timestamps have more days, and the latest stay.
    package static let dayLimit = 4000

    /// The index of the last verification's day: entries come nearly in order, so the next one is most often there.
    private var lastIndex = 0

    package init() {}

    /// A function as it was kept somewhere; its days come in any order, each once.
    package init(
        days: [DayTally], undated: StatusMatrix, pooledDays: StatusMatrix, pooledFirst: Instant?,
        otherSeverities: PassSeverity, label: ExactName?, provenance: Provenance = .labelled,
        discarded: Discarded = Discarded()
    ) {
        self.days = days.sorted { $0.day < $1.day }
        self.undated = undated
        self.pooledDays = pooledDays
        self.otherSeverities = otherSeverities
        self.label = label
        self.provenance = provenance
        self.discarded = discarded
        let firstKept = self.days.first.map { Instant(day: $0.day, nanosecondOfDay: $0.firstNanosecond) }
        first = [pooledFirst, firstKept].compactMap { $0 }.min()
        last = self.days.last.map { Instant(day: $0.day, nanosecondOfDay: $0.lastNanosecond) }
    }

    /// The severities at which passed verifications were seen.
    package var passSeverities: PassSeverity {
        days.reduce(otherSeverities) { $0.union($1.passSeverities) }
    }

    /// Counts of the whole input.
    package var totals: StatusMatrix {
        var totals = undated
        totals.merge(pooledDays)
        return days.reduce(into: totals) { $0.merge($1.counts) }
    }

    package mutating func add(
        app: TokenStatus, auth: TokenStatus, severity: PassSeverity, at instant: Instant?
    ) {
        let passed: PassSeverity = app == .invalid || auth == .invalid ? [] : severity
        guard let instant else {
            undated[app, auth] += 1
            return otherSeverities.formUnion(passed)
        }
        if first.map({ instant < $0 }) ?? true { first = instant }
        if last.map({ instant > $0 }) ?? true { last = instant }
        guard let index = index(of: instant.day) else {
            pooledDays[app, auth] += 1
            return otherSeverities.formUnion(passed)
        }
        days[index].add(app: app, auth: auth, severity: severity, at: instant)
    }

    /// Keeps which revisions a day's requests are of; days come in order.
    package mutating func keep(_ parts: [RevisionPart], of day: Day) { revisions.append((day, parts)) }

    /// Adds later requests of one revision.
    package mutating func addNewest(_ count: Int, of revision: Revision) {
        newestRevisions += repeatElement(revision, count: min(count, FunctionTally.newest))
        newestRevisions.removeFirst(max(0, newestRevisions.count - FunctionTally.newest))
    }

    package mutating func add(_ counted: CountedVerifications) {
        guard let instants = counted.instants else {
            undated[counted.app, counted.auth] += counted.count
            if counted.app != .invalid, counted.auth != .invalid { otherSeverities.formUnion(counted.severity) }
            return
        }
        first = min(first ?? instants.lowerBound, instants.lowerBound)
        last = max(last ?? instants.upperBound, instants.upperBound)
        var day = DayTally(day: instants.lowerBound.day)
        day.add(counted, at: instants)
        add(day) { $0.merge($1) }
    }

    /// Notes that the counts are based on text alone.
    package mutating func markUnlabelled() {
        provenance = .unlabelled
    }

    /// The provenance of the verifications that count, if it is that one or text alone.
    package func provenance(of believed: Provenance) -> Provenance {
        provenance == .unlabelled ? .unlabelled : believed
    }

    /// Notes what was not counted.
    package mutating func discard(_ discarded: Discarded) {
        self.discarded.merge(discarded)
    }

    /// Adds the counts of another part of the input.
    package mutating func merge(_ other: FunctionTally) {
        undated.merge(other.undated)
        pooledDays.merge(other.pooledDays)
        mergeRest(other) { $0.merge($1) }
    }

    /// Keeps the larger counts of each day, and of what has none: the same verifications, counted twice.
    package mutating func mergeLarger(_ other: FunctionTally) {
        undated.mergeLarger(other.undated)
        pooledDays.mergeLarger(other.pooledDays)
        mergeRest(other) { $0.mergeLarger($1) }
    }

    private mutating func mergeRest(_ other: FunctionTally, _ mergeDay: (inout DayTally, DayTally) -> Void) {
        otherSeverities.formUnion(other.otherSeverities)
        if other.provenance == .unlabelled { markUnlabelled() }
        discard(other.discarded)
        if let theirs = other.first { first = min(first ?? theirs, theirs) }
        if let theirs = other.last { last = max(last ?? theirs, theirs) }
        if let theirs = other.label { label = min(label ?? theirs, theirs) }
        if let theirs = other.urlName { urlName = min(urlName ?? theirs, theirs) }
        recent.merge(other.recent)
        service = service ?? other.service
        if revisions.isEmpty { revisions = other.revisions }
        if newestRevisions.isEmpty { newestRevisions = other.newestRevisions }
        // Most often there was nothing: the days are shared then, not copied.
        if days.isEmpty { return days = other.days }
        for day in other.days { add(day, mergeDay) }
    }

    private mutating func add(_ day: DayTally, _ merge: (inout DayTally, DayTally) -> Void) {
        if let index = index(of: day.day) {
            merge(&days[index], day)
        } else {
            pool(day)
        }
    }

    /// The part of some days; what has no day is left out, except discarded entries.
    func days(_ range: ClosedRange<Day>) -> FunctionTally {
        var part = FunctionTally(
            days: days.filter { range.contains($0.day) }, undated: StatusMatrix(), pooledDays: StatusMatrix(),
            pooledFirst: nil, otherSeverities: [], label: label, provenance: provenance, discarded: discarded)
        part.revisions = revisions.filter { $0.day <= range.upperBound }
        return part
    }

    private mutating func pool(_ day: DayTally) {
        pooledDays.merge(day.counts)
        otherSeverities.formUnion(day.passSeverities)
    }

    private mutating func setSeldom(_ index: Int, _ matrix: StatusMatrix) {
        if undatedAndPooled.isEmpty {
            if matrix == StatusMatrix() { return }
            undatedAndPooled = [StatusMatrix(), StatusMatrix()]
        }
        undatedAndPooled[index] = matrix
    }

    /// The place of a day, made when it is new; nil when it is earlier than the days that are kept.
    private mutating func index(of day: Day) -> Int? {
        if lastIndex < days.count {
            // Nearly always there is no gap between the two.
            let place = lastIndex + days[lastIndex].day.distance(to: day)
            if days.indices.contains(place), days[place].day == day {
                lastIndex = place
                return place
            }
        }
        var low = days.partitioningIndex { $0.day < day }
        if low == days.count || days[low].day != day {
            if days.count == FunctionTally.dayLimit {
                guard low > 0 else { return nil }
                pool(days.removeFirst())
                low -= 1
            }
            days.insert(DayTally(day: day), at: low)
        }
        lastIndex = low
        return low
    }

    package static func == (left: FunctionTally, right: FunctionTally) -> Bool {
        left.days == right.days && left.undated == right.undated && left.pooledDays == right.pooledDays
            && left.first == right.first && left.last == right.last
            && left.otherSeverities == right.otherSeverities && left.label == right.label
            && left.provenance == right.provenance && left.discarded == right.discarded
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(days)
        hasher.combine(undated)
        hasher.combine(provenance)
        hasher.combine(label)
    }
}

/// Verifications of one function that were not counted, because its own code may have written them: functions commonly
/// log what clients send.
package struct Discarded: Hashable, Sendable {
    /// Without a label, in a function whose SDK writes labels.
    package var unlabelled: Int
    /// The unlabelled verifications that are not duplicates of each other.
    package var unlabelledDistinct: Int
    /// Labelled verifications outside the time that counts, which argue against these.
    package var labelledOutside: Int
    /// Labelled, but the message is not the SDK's or contradicts the statuses.
    package var otherMessage: Int
    /// A second one of the same execution; the SDK logs one.
    package var repeated: Int
    /// Verifications that would be blocked, and others like them, of sources of which nothing else counts.
    package var mayBeBlocked: [Kind: Int] = [:]
    /// Days on which one log may be there in two shapes, and count twice.
    package var twoShapes: Set<Day> = []

    package struct Kind: Hashable, Sendable {
        /// The day of the source's newest entry.
        package var day: Day?
        package var isSignedIn = false

        package init(day: Day? = nil, isSignedIn: Bool = false) { (self.day, self.isSignedIn) = (day, isSignedIn) }
    }

    package init(
        unlabelled: Int = 0, unlabelledDistinct: Int = 0, labelledOutside: Int = 0, otherMessage: Int = 0,
        repeated: Int = 0
    ) {
        self.unlabelled = unlabelled
        self.unlabelledDistinct = unlabelledDistinct
        self.labelledOutside = labelledOutside
        self.otherMessage = otherMessage
        self.repeated = repeated
    }

    package var total: Int { unlabelled + otherMessage + repeated }

    package mutating func merge(_ other: Discarded) {
        unlabelled += other.unlabelled
        unlabelledDistinct += other.unlabelledDistinct
        labelledOutside += other.labelledOutside
        otherMessage += other.otherMessage
        repeated += other.repeated
        mayBeBlocked.merge(other.mayBeBlocked, uniquingKeysWith: +)
        twoShapes.formUnion(other.twoShapes)
    }
}
