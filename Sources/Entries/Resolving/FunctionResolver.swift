internal import Readiness
internal import Verifications

/// Counts the days of one function, which come in ascending order: three of them are in hand at a time.
///
/// No relation reaches further than the neighbouring UTC day: not from one entry of an execution to the next, not from
/// a row or a line to its verification.
struct FunctionResolver: Sendable {
    var resolution: Resolution
    var versions: ClientVersions
    let believed: Provenance
    var counts = FunctionCounts()
    var timeline = RevisionTimeline()
    var previous: DayInHand?
    var current: DayInHand?
    var next: DayInHand?
    /// True where the days in hand have a row or a line; asked for each entry.
    private(set) var hasEvidence = false
    private(set) var hasAnswers = false

    init(_ resolution: Resolution, _ versions: ClientVersions, believed: Provenance) {
        (self.resolution, self.versions, self.believed) = (resolution, versions, believed)
    }

    /// Brings a day into the order in which it is counted; days do not depend on each other here.
    func prepare(_ entries: consuming DayEntries, of day: DayIndex) -> DayInHand {
        DayInHand(entries, of: day, believed: believed, resolution)
    }

    mutating func add(_ day: consuming DayInHand) {
        var day = day
        countRecords(of: day)
        if let last = current, last.day.next == day.day {
            day.markRepeated(after: last)
            next = day
            resolve()
            (previous, current, next) = (current, next, nil)
        } else {
            finishDay()
            day.markRepeated(after: nil)
            current = day
        }
    }

    mutating func finish() -> FunctionCounts {
        finishDay()
        return counts
    }

    private mutating func finishDay() {
        if current != nil { resolve() }
        if let last = current { countRows(of: last) }
        (previous, current, next) = (nil, nil, nil)
    }

    private mutating func countRecords(of day: DayInHand) {
        if day.hasTwoShapes, let date = day.day.day { counts.twoShapes.insert(date) }
        counts.input.filtered += day.filtered
        counts.filtered += day.filtered
        for provenance in Provenance.allCases {
            // What is later than T enters nothing.
            let later = day.later[provenance]
            counts.input.later += later
            let (records, distinct) = (day.records[provenance] - later, day.distinct[provenance] - later)
            counts.records[provenance] += records
            counts.distinct[provenance] += distinct
            if provenance != believed {
                counts.input.ignored += records
            } else if !resolution.countsCopies {
                counts.input.duplicates += records - distinct
            }
        }
    }

    private mutating func resolve() {
        guard let day = current else { return }
        hasEvidence = day.hasEvidence || previous?.hasEvidence == true || next?.hasEvidence == true
        hasAnswers = day.hasAnswers || previous?.hasAnswers == true || next?.hasAnswers == true
        let undated = day.undatedRepeated(previous, next)
        for place in undated { current?.repeated.insert(place) }
        let found = join()
        countEntries(found)
        countUnlogged()
        if let previous { countRows(of: previous) }
    }

    /// Counts the rows of a day, of which no more will belong to a verification.
    private mutating func countRows(of day: DayInHand) {
        guard let date = day.day.day else { return }
        for (place, row) in day.rows.enumerated() {
            let (isTaken, instant) = (day.takenRows.contains(place), row.time.instant(on: day.day))
            if !isTaken { counts.open[date, default: 0] += 1 }
            guard resolution.range.contains(instant), resolution.sees(instant) else { continue }
            counts.callers.update(date) { callers in
                callers.rows += 1
                if row.answer == .success, !isTaken { callers.unlogged += 1 }
                if row.answer == .serverError { callers.serverErrors += 1 }
            }
        }
    }

    /// Counts executions of generation 1 on the current day that were answered and wrote no verification.
    private mutating func countUnlogged() {
        guard let day = current, let date = day.day.day, day.hasAnswers else { return }
        var cursors = hands.map(\.executions)
        for line in day.lines where line.link == .execution && line.answer == .success {
            let instant = line.time.instant(on: day.day)
            guard resolution.range.contains(instant), resolution.sees(instant) else { continue }
            var isLogged = false
            for index in cursors.indices { isLogged = cursors[index].isThere(line.key.first) || isLogged }
            if !isLogged { counts.callers.update(date) { $0.unlogged += 1 } }
        }
    }

    private mutating func countEntries(_ found: [FoundRow]) {
        guard let day = current else { return }
        var counter = DayCounter()
        let (hasEvidence, isDivided) = (hasEvidence, isDivided(day))
        var kept: [JoinedEntry] = []
        var whole = RevisionPart(day.revisions[Int(day.entries.first?.revision ?? 0)], beginning: 0)
        for (place, entry) in day.entries.enumerated() {
            let number = Int(entry.number)
            guard !day.repeated.contains(place) else {
                counts.input.ignored += number
                counts.repeated += number
                continue
            }
            let instant = entry.entry.time.instant(on: day.day)
            let isCounted = resolution.range.contains(instant)
            if isCounted {
                counts.input.verifications += number
                if instant == nil { counts.input.undated += number }
                let (app, auth, severity) = (entry.entry.app, entry.entry.auth, entry.entry.severity)
                for _ in 0..<number { counts.tally.add(app: app, auth: auth, severity: severity, at: instant) }
                if let instant, instant <= resolution.horizon {
                    counts.newest = max(counts.newest ?? instant, instant)
                }
            } else {
                counts.input.filtered += number
                counts.filtered += number
            }
            // That it is not counted hides nobody who is refused.
            guard let instant, isCounted || resolution.range.since.map({ instant < $0 }) ?? false else { continue }
            let foundRow = found.isEmpty ? .none : found[place]
            let joined = JoinedEntry(entry, at: instant, foundRow, day.revisions)
            let (row, sign) = (row(foundRow), hasEvidence ? sign(of: joined) : nil)
            count(joined, sign, row)
            if isCounted { counter.count(joined, row) }
            if isDivided || !isCounted { kept.append(joined) } else { count(joined, sign, &whole) }
        }
        counts.tally.recent.trim()
        if counter.hasCallers, let date = day.day.day { counts.callers.add(counter.whole(versions), on: date) }
        countLines()
        if hasEvidence { explain(found) }
        if isDivided { divide(kept) } else { keep(whole) }
    }

    private mutating func count(_ found: JoinedEntry, _ sign: EnforcementSign?, _ row: EntryRow?) {
        guard found.entry.auth != .invalid, let end = resolution.asOf else { return }
        counts.tally.recent.add(
            .init(found.instant, app: found.entry.app, isServed: sign?.isServed ?? false),
            .init(isSignedIn: found.entry.auth == .valid, client: row?.client.kind, revision: found.revision),
            count: found.number, before: end)
    }

    private mutating func countLines() {
        guard let day = current else { return }
        let isAllowing = day.lines.contains {
            let instant = $0.time.instant(on: day.day)
            // Whether enforcement is on does not depend on `--since`.
            let isEarly = instant.map { time in resolution.range.since.map { time < $0 } ?? false } ?? false
            return $0.isAllowing && (isEarly || resolution.range.contains(instant)) && resolution.sees(instant)
        }
        if isAllowing { updateCallers { $0.hasAllowing = true } }
    }

    var hands: [DayInHand] { [previous, current, next].compactMap(\.self) }

    /// The row that was found, where no other could be it.
    func row(_ found: FoundRow) -> EntryRow? {
        guard let (day, place) = found.certain else { return nil }
        return switch day {
        case -1: previous?.rows[place]
        case 0: current?.rows[place]
        default: next?.rows[place]
        }
    }

    mutating func updateCallers(_ change: (inout CallerDay) -> Void) {
        if let day = current?.day.day { counts.callers.update(day, change) }
    }
}

struct FunctionCounts: Sendable {
    var tally = FunctionTally()
    var callers = FunctionCallers()
    var input = InputSummary()
    var records = ProvenanceCounts()
    var distinct = ProvenanceCounts()
    /// Entries of an execution that has an earlier one.
    var repeated = 0
    var twoShapes: Set<Day> = []
    /// Outside the time that counts.
    var filtered = 0
    /// The newest one that may decide what a run is judged as of.
    var newest: Instant?
    var open: [Day: Int] = [:]
}

/// Counts the callers of one day's verifications.
private struct DayCounter {
    private var callers = CallerDay()
    private(set) var hasCallers = false
    private var clients: [UInt64: AdmittedCallers.Counts] = [:]

    mutating func count(_ found: JoinedEntry, _ row: EntryRow?) {
        let isSignedIn = found.entry.auth == .valid
        if row == nil { callers.update(auth: found.entry.auth, found.addBlocked) }
        guard found.row != .none else { return }
        hasCallers = true
        callers.withRow += found.number
        guard let row, found.entry.auth != .invalid else { return }
        let key = row.client.word << 1 | (isSignedIn ? 1 : 0)
        clients[key, default: AdmittedCallers.Counts()].merge(found.counts(row.answer))
        callers.update(signedIn: isSignedIn) { found.addAddress(of: row, to: &$0) }
    }

    func whole(_ versions: ClientVersions) -> CallerDay {
        var callers = callers
        for (key, found) in clients {
            let client = AdmittedCallers.Client(ClientCode(word: key >> 1), in: versions)
            callers.update(signedIn: key & 1 == 1) { $0.add(found, of: client) }
        }
        callers.trim()
        return callers
    }
}

extension AdmittedCallers.Client {
    init(_ code: ClientCode, in versions: ClientVersions) {
        let version = code.nameHash == 0 ? nil : versions[code.nameHash]
        guard code.kind != .android, !code.kind.hasSite || version?.isDomain != false else {
            // Platforms are neither builds nor hosts that are no domains.
            self.init(code.named(0))
            return
        }
        let client = Self(code, version: version)
        self = client.version == nil && code.nameHash != 0 ? client.pooled : client
    }
}

/// A verification that counts, with what is known of its row.
struct JoinedEntry: Sendable {
    let traced: TracedEntry
    let instant: Instant
    let row: FoundRow
    let number: Int
    let revision: Revision

    init(_ found: FoundEntry, at instant: Instant, _ row: FoundRow, _ revisions: [Revision]) {
        (traced, self.instant, self.row) = (found.traced, instant, row)
        (number, revision) = (Int(found.number), revisions[Int(found.revision)])
    }

    var entry: PackedVerification { traced.entry }

    func counts(_ answer: RequestRow.ResponseClass) -> AdmittedCallers.Counts {
        AdmittedCallers.Counts(number, app: entry.app, answer: answer, nanosecond: instant.nanosecondOfDay)
    }

    func addAddress(of row: EntryRow, to callers: inout AdmittedCallers) {
        callers.add(address: row.address, of: row.client.kind, isBlocked: entry.app != .valid)
    }

    func addBlocked(to callers: inout AdmittedCallers) {
        if entry.app != .valid { callers.blockedUnknown.add(nanosecond: instant.nanosecondOfDay) }
    }
}
