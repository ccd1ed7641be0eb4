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
    private(set) var counts = FunctionCounts()
    /// The day before the current one, the current one, and the one after it.
    var previous: DayInHand?
    var current: DayInHand?
    var next: DayInHand?

    init(_ resolution: Resolution, _ versions: ClientVersions, believed: Provenance) {
        (self.resolution, self.versions, self.believed) = (resolution, versions, believed)
    }

    /// Brings a day into the order in which it is counted; days do not depend on each other here.
    func prepare(_ entries: consuming DayEntries, of day: DayIndex) -> DayInHand {
        DayInHand(entries, of: day, believed: believed, countsCopies: resolution.countsCopies)
    }

    /// Takes the next day, and counts the one before it.
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

    /// Counts the last day.
    mutating func finish() -> FunctionCounts {
        finishDay()
        return counts
    }

    /// What no day after it can change.
    private mutating func finishDay() {
        if current != nil { resolve() }
        if let last = current { countRows(of: last) }
        (previous, current, next) = (nil, nil, nil)
    }

    private mutating func countRecords(of day: DayInHand) {
        for provenance in Provenance.allCases {
            let (index, records) = (Int(provenance.rawValue), day.records[Int(provenance.rawValue)])
            counts.records[index] += records
            counts.distinct[index] += day.distinct[index]
            if provenance != believed {
                counts.input.ignored += records
            } else if !resolution.countsCopies {
                counts.input.duplicates += records - day.distinct[index]
            }
        }
    }

    /// Counts the current day, with the neighbours in hand.
    private mutating func resolve() {
        guard let day = current else { return }
        let undated = day.undatedRepeated(previous, next)
        for place in undated { current?.repeated.insert(place) }
        let found = join()
        countEntries(found)
        if let previous { countRows(of: previous) }
    }

    /// Counts the rows of a day, of which no more will belong to a verification.
    private mutating func countRows(of day: DayInHand) {
        guard let date = day.day.day else { return }
        for (place, row) in day.rows.enumerated() {
            let isTaken = day.takenRows.contains(place)
            if !isTaken { counts.open[date, default: 0] += 1 }
            guard resolution.range.contains(row.time.instant(on: day.day)) else { continue }
            counts.callers.update(date) { callers in
                callers.rows += 1
                guard row.answer == .success else { return }
                callers.successes += 1
                if !isTaken { callers.unlogged += 1 }
            }
        }
    }

    private mutating func countEntries(_ found: [FoundRow]) {
        guard let day = current else { return }
        var (counter, kept) = (DayCounter(self, day), [JoinedEntry]())
        let (isOrdered, cuts) = (isOrdered, cuts(of: day.day))
        let (hasEvidence, hasAnswers) = (hands.contains(where: \.hasEvidence), self.hasAnswers)
        for (place, entry) in day.entries.enumerated() {
            let number = Int(entry.number)
            guard !day.repeated.contains(place) else {
                counts.input.ignored += number
                counts.repeated += number
                continue
            }
            let instant = entry.entry.time.instant(on: day.day)
            guard resolution.range.contains(instant) else {
                counts.input.filtered += number
                counts.filtered += number
                continue
            }
            counts.input.verifications += number
            if instant == nil { counts.input.undated += number }
            let foundRow = found.isEmpty ? .none : found[place]
            let row = row(foundRow)
            counter.count(entry, at: instant, row, &counts)
            guard let instant, hasEvidence || !cuts.isEmpty else { continue }
            let joined = JoinedEntry(
                traced: entry.traced, instant: instant, row: foundRow, number: number, slot: counter.slot(of: entry))
            if isOrdered || !cuts.isEmpty { kept.append(joined) }
            let sign = isOrdered ? nil : sign(of: joined)
            guard foundRow != .none || sign != nil || hasAnswers else { continue }
            counter.count(joined, answer: answer(of: joined), sign, row: row, &counts)
        }
        counter.finish(&counts)
        if hasEvidence { explain(found) }
        order(kept, isOrdered: isOrdered, cuts: cuts)
        counts.name(day.revisions, on: day.day)
    }

    /// The days in hand.
    var hands: [DayInHand] { [previous, current, next].compactMap(\.self) }

    /// True with lines of generation 1's platform about answers.
    var hasAnswers: Bool { hands.contains(where: \.hasAnswers) }

    /// True where a request of the current day may have been refused by enforcement; its row may be of another day.
    private var isOrdered: Bool { hands.contains(where: \.mayRefuse) }

    /// The row that was found, where no other could be it.
    func row(_ found: FoundRow) -> EntryRow? {
        guard let (day, place) = found.certain else { return nil }
        return switch day {
        case -1: previous?.rows[place]
        case 0: current?.rows[place]
        default: next?.rows[place]
        }
    }

    /// Changes the callers of the current day.
    mutating func updateCallers(_ change: (inout CallerDay) -> Void) {
        if let day = current?.day.day { counts.callers.update(day, change) }
    }

    mutating func keep(_ parts: [DayPart]) {
        if let day = current?.day.day, !parts.isEmpty { counts.tally.keep(parts, of: day) }
    }
}

/// What was counted of a function.
struct FunctionCounts: Sendable {
    var tally = FunctionTally()
    /// What rows and lines show of it.
    var callers = FunctionCallers()
    var input = InputSummary()
    /// By the number of the provenance: all records, and those that are no copies.
    var records: [3 of Int] = [0, 0, 0]
    var distinct: [3 of Int] = [0, 0, 0]
    /// Entries of an execution that has an earlier one.
    var repeated = 0
    /// Outside the time that counts.
    var filtered = 0
    /// The newest one that may decide what a run is judged as of.
    var newest: Instant?
    /// By day: rows that no verification belongs to.
    var open: [Day: Int] = [:]
    private var revisions: [Day: [UInt8: Revision]] = [:]

    /// Keeps which revisions the slots of a day mean: of those that share one, the smallest.
    mutating func name(_ found: [Revision], on day: DayIndex) {
        guard let day = day.day, found.count > 1 else { return }
        for revision in found.dropFirst() {
            let known = revisions[day]?[revision.slot] ?? revision
            revisions[day, default: [:]][revision.slot] = min(known, revision)
        }
    }

    /// Gives the revisions of days their names.
    mutating func nameRevisions() {
        tally.nameRevisions { [revisions] day, slot in revisions[day]?[slot] ?? .none }
    }
}

/// Counts the verifications of one day.
private struct DayCounter {
    private let range: TimeRange
    private let horizon: Instant
    private let lastNewest: Instant
    private let day: DayIndex
    private let versions: ClientVersions
    private let slots: [UInt8]
    private var callers = CallerDay()
    private var hasCallers = false
    /// By client, and whether it is signed in.
    private var clients: [UInt64: AdmittedCallers.Counts] = [:]

    init(_ resolver: FunctionResolver, _ day: DayInHand) {
        (range, horizon) = (resolver.resolution.range, resolver.resolution.horizon)
        lastNewest = resolver.resolution.asOf ?? resolver.resolution.horizon
        (self.day, versions) = (day.day, resolver.versions)
        slots = day.revisions.map(\.slot)
    }

    func slot(of entry: FoundEntry) -> UInt8 { slots[Int(entry.revision)] }

    mutating func count(_ found: FoundEntry, at instant: Instant?, _ row: EntryRow?, _ counts: inout FunctionCounts) {
        let entry = found.entry
        for _ in 0..<found.number {
            counts.tally.add(
                app: entry.app, auth: entry.auth, severity: entry.severity, at: instant, slot: slot(of: found))
        }
        guard let instant else { return }
        if instant <= horizon { counts.newest = max(counts.newest ?? instant, instant) }
        guard entry.auth != .invalid, instant <= lastNewest else { return }
        for _ in 0..<min(Int(found.number), NewestRequests.limit) {
            counts.tally.newest.add(
                instant, app: entry.app, isSignedIn: entry.auth == .valid, client: row?.client, order: entry.first)
        }
    }

    /// Counts what the row of a verification shows, or generation 1's line about its execution.
    mutating func count(
        _ found: JoinedEntry, answer: RequestRow.ResponseClass?, _ sign: EnforcementSign?, row: EntryRow?,
        _ counts: inout FunctionCounts
    ) {
        hasCallers = true
        if let sign { callers.signs.add(served: sign) }
        callers.count(found, answer: answer, row: row)
        guard let row, found.entry.auth != .invalid else { return }
        let isSignedIn = found.entry.auth == .valid
        let key = row.clientCode << 1 | (isSignedIn ? 1 : 0)
        clients[key, default: AdmittedCallers.Counts()].merge(found.counts(row.answer))
        if found.entry.app != .valid, row.address != 0 {
            callers.update(signedIn: isSignedIn) { $0.add(address: row.address) }
        }
    }

    func finish(_ counts: inout FunctionCounts) {
        guard hasCallers, let day = day.day else { return }
        var callers = callers
        for (key, found) in clients {
            let code = key >> 1
            guard let kind = ClientKind(rawValue: UInt8(code & 0xFF)) else { continue }
            callers.update(signedIn: key & 1 == 1) { $0.add(found, of: .init(kind: kind, code >> 8, in: versions)) }
        }
        counts.callers.update(day) { $0.merge(callers) }
    }
}

extension CallerDay {
    /// Counts what the answer to a verification shows, without the client.
    mutating func count(_ found: JoinedEntry, answer: RequestRow.ResponseClass?, row: EntryRow?) {
        let (entry, number) = (found.entry, found.number)
        if found.row != .none { withRow += number }
        if let answer {
            let isRefused = answer == .unauthenticated
            switch (entry.app, entry.auth) {
            case (_, .invalid): if isRefused { authRefused += number }
            case (.valid, .valid): if isRefused { verifiedRefused += number } else { verifiedServed += number }
            case (.valid, _): break
            default: if isRefused, row != nil { refusedByRow += number }
            }
        }
        if row == nil, found.row != .none, entry.app != .valid {
            update(auth: entry.auth) { $0.blockedUnclear += number }
        }
    }
}

extension AdmittedCallers.Client {
    /// A client by what a row keeps of it: the hash of its version, or of its site with the number of its browser.
    init(kind: ClientKind, _ rank: UInt64, in versions: ClientVersions) {
        let hash = ClientVersions.hash(of: kind, rank)
        let client = Self(kind: kind, version: hash == 0 ? nil : versions[hash], rank: rank)
        self = client.version == nil ? client.withoutVersion : client
    }
}

/// A verification that counts, with what is known of its row.
struct JoinedEntry: Sendable {
    let traced: TracedEntry
    let instant: Instant
    let row: FoundRow
    /// How often it counts.
    let number: Int
    /// See ``Revision/slot``.
    let slot: UInt8

    var entry: PackedVerification { traced.entry }

    func counts(_ answer: RequestRow.ResponseClass) -> AdmittedCallers.Counts {
        AdmittedCallers.Counts(number, app: entry.app, answer: answer, hour: instant.hour)
    }
}
