internal import Readiness
internal import Verifications

/// Counts the days of one function, which come in ascending order: three of them are in hand at a time.
///
/// No relation reaches further than the neighbouring UTC day: not from one entry of an execution to the next, not from
/// a row or a line to its verification.
struct FunctionResolver: Sendable {
    let resolution: Resolution
    let believed: Provenance
    var counts = FunctionCounts()
    var writer: CellWriter
    var timeline = RevisionTimeline()
    var previous: ResolvedDay?
    var current: ResolvedDay?
    var next: ResolvedDay?
    /// True where the days in hand have a row or a line; asked for each entry.
    private(set) var hasEvidence = false
    private(set) var hasAnswers = false

    init(_ resolution: Resolution, _ versions: ClientVersions, believed: Provenance) {
        (self.resolution, self.believed, writer) = (resolution, believed, CellWriter(versions))
    }

    /// Brings a day into the order in which it is counted; days do not depend on each other here.
    func prepare(_ entries: consuming DayEntries, of day: DayIndex) -> ResolvedDay {
        ResolvedDay(entries, of: day, believed: believed, resolution)
    }

    mutating func add(_ day: consuming ResolvedDay) {
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
        counts.table = writer.finish()
        counts.table.departures = timeline.departures
        return counts
    }

    private mutating func finishDay() {
        if current != nil { resolve() }
        if let last = current { countRows(of: last) }
        (previous, current, next) = (nil, nil, nil)
    }

    private mutating func countRecords(of day: ResolvedDay) {
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
        countEntries(found, hasEvidence ? causes() : [:])
        countUnlogged()
        if let previous { countRows(of: previous) }
        if let date = day.day.day {
            // What is judged as of is no earlier than the newest one that counts; later days are not seen.
            let last = [date, counts.newest?.day, resolution.asOf?.day].compactMap(\.self).min() ?? date
            writer.endDay(date, hoursFrom: last.advanced(by: -resolution.daysWithNames))
        }
    }

    /// Counts the rows of a day, of which no more will belong to a verification.
    private mutating func countRows(of day: ResolvedDay) {
        guard let date = day.day.day else { return }
        // A row goes with its verification, which may be later than T.
        let later = day.laterRequests.union(current?.laterRequests ?? [])
        for (place, row) in day.rows.enumerated() {
            guard later.isEmpty || !later.contains(PackedRequestID(bits: row.trace, span: row.span)) else { continue }
            let (isTaken, instant) = (day.takenRows.contains(place), row.time.instant(on: day.day))
            if !isTaken { counts.open[date, default: 0] += 1 }
            guard !isTaken, let instant, resolution.range.contains(instant), resolution.sees(instant) else { continue }
            var properties = Cell.Properties()
            (properties.isVerification, properties.answer, properties.row) = (false, row.answer, .certain)
            let client = writer.number(of: row.client)
            writer.add(properties, client: client, day: date, at: instant.nanosecondOfDay...instant.nanosecondOfDay)
        }
    }

    /// Counts executions of generation 1 on the current day that were answered and wrote no verification.
    private mutating func countUnlogged() {
        guard let day = current, let date = day.day.day, day.hasAnswers else { return }
        var cursors = neighbours.map(\.executions)
        for line in day.lines where line.link == .execution && line.answer == .success {
            let instant = line.time.instant(on: day.day)
            guard let instant, resolution.range.contains(instant), resolution.sees(instant) else { continue }
            var isLogged = false
            for index in cursors.indices { isLogged = cursors[index].isThere(line.key.first) || isLogged }
            guard !isLogged else { continue }
            var properties = Cell.Properties()
            (properties.isVerification, properties.answer) = (false, .success)
            writer.add(properties, day: date, at: instant.nanosecondOfDay...instant.nanosecondOfDay)
        }
    }

    private mutating func countEntries(_ found: [FoundRow], _ causes: [Int: RefusalCause]) {
        guard let day = current else { return }
        let open = timeline.namesRevisions || day.revisions.count > 1 ? openRows(of: day) : []
        let isDivided = isDivided(day, open)
        var kept: [JoinedEntry] = []
        var (stint, requests) = (CellTable.Stint?.none, 0)
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
                if let instant, instant <= resolution.horizon {
                    counts.newest = max(counts.newest ?? instant, instant)
                }
            } else {
                counts.input.filtered += number
                counts.filtered += number
            }
            guard let instant, let date = day.day.day else {
                guard isCounted else { continue }
                counts.input.undated += number
                writer.table.addUndated(Cell.Properties(entry.entry), count: number)
                continue
            }
            // That it is not counted hides nobody who is refused.
            guard isCounted || resolution.range.since.map({ instant < $0 }) ?? false else { continue }
            let joined = JoinedEntry(
                entry, at: instant, found.isEmpty ? .none : found[place], day.revisions, cause: causes[place],
                isCounted: isCounted)
            if isDivided {
                kept.append(joined)
            } else {
                stint = stint ?? CellTable.Stint(joined.revision, beginning: timeline.add(joined.revision, 0, on: date))
                requests += number
                write(joined, in: stint)
            }
        }
        if let date = day.day.day {
            if isDivided {
                divide(kept, open, on: date)
            } else if let revision = stint?.revision ?? open.first?.revision {
                noteOpen(open, of: timeline.add(revision, requests + open.count, on: date))
            }
        }
        countLines()
    }

    /// Writes a request into its cell.
    mutating func write(_ found: JoinedEntry, in stint: CellTable.Stint?) {
        guard let date = current?.day.day else { return }
        let row = row(found.row)
        var properties = Cell.Properties(found.entry)
        (properties.isEarly, properties.cause) = (!found.isCounted, found.cause)
        properties.row = found.row == .none ? .none : row == nil ? .unclear : .certain
        if hasEvidence {
            properties.answer = answer(of: found)
            properties.line = line(of: found)
        }
        let client = row.map { writer.number(of: $0.client) } ?? 0
        let address = row.map { $0.address } ?? 0
        properties.hasAddress = address != 0 && properties.auth != .invalid
        let nanosecond = found.instant.nanosecondOfDay
        writer.add(
            properties, client: client, stint: stint, day: date, at: nanosecond...nanosecond, count: found.number)
        guard properties.hasAddress else { return }
        let sign = EnforcementSign(
            answer: properties.answer, line: properties.line, app: properties.app, auth: properties.auth)
        // The function itself may refuse what the SDK allows.
        let isServed = sign?.isServed ?? false && !(properties.answer?.isRefused ?? false)
        writer.add(
            address: address, properties, isServed: isServed, client: client, stint: stint,
            at: found.instant, count: found.number)
    }

    private mutating func countLines() {
        guard let day = current else { return }
        let isAllowing = day.lines.contains {
            let instant = $0.time.instant(on: day.day)
            // Whether enforcement is on does not depend on `--since`.
            let isEarly = instant.map { time in resolution.range.since.map { time < $0 } ?? false } ?? false
            return $0.isAllowing && (isEarly || resolution.range.contains(instant)) && resolution.sees(instant)
        }
        if isAllowing, let date = day.day.day { writer.noteAllowing(on: date) }
    }

    var neighbours: [ResolvedDay] { [previous, current, next].compactMap(\.self) }

    /// The row that was found, where no other could be it.
    func row(_ found: FoundRow) -> EntryRow? {
        guard let (day, place) = found.certain else { return nil }
        return switch day {
        case -1: previous?.rows[place]
        case 0: current?.rows[place]
        default: next?.rows[place]
        }
    }
}

struct FunctionCounts: Sendable {
    var table = CellTable()
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

/// A verification that counts, with what is known of its row.
struct JoinedEntry: Sendable {
    let traced: TracedEntry
    let instant: Instant
    let row: FoundRow
    let number: Int
    let revision: Revision
    let cause: RefusalCause?
    /// False for what is earlier than `--since`.
    let isCounted: Bool

    init(
        _ found: FoundEntry, at instant: Instant, _ row: FoundRow, _ revisions: [Revision], cause: RefusalCause?,
        isCounted: Bool
    ) {
        (traced, self.instant, self.row) = (found.traced, instant, row)
        (number, revision) = (Int(found.number), revisions[Int(found.revision)])
        (self.cause, self.isCounted) = (cause, isCounted)
    }

    var entry: PackedVerification { traced.entry }
}

extension Cell.Properties {
    init(_ entry: PackedVerification) { self.init(app: entry.app, auth: entry.auth, severity: entry.severity) }
}
