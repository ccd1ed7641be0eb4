internal import Readiness
internal import Verifications

/// The rows and lines of one service, for the verifications of its function to be joined with.
///
/// Lists are sorted and searched: a client chooses its traces, and no choice makes that slow.
struct EvidenceJoin: Sendable {
    let rows: [EntryRow]
    let lines: [EntryLine]
    let range: TimeRange
    private let minutes: MinuteRange?
    private let versions: ClientVersions
    /// Nothing later is among the newest.
    fileprivate let horizon: Instant

    var isEmpty: Bool { rows.isEmpty && lines.isEmpty }

    init(_ service: inout EntrySet.Service, _ versions: ClientVersions, _ resolution: Resolution) {
        var rows = service.rows.takeArray()
        rows.sort(by: EntryRow.precedes)
        rows.removeCopies { $0.isCopy(of: $1) }
        var lines = service.lines.takeArray()
        lines.sort(by: EntryLine.precedes)
        lines.removeCopies { $0.isCopy(of: $1) }
        (self.rows, self.lines, self.versions, range) = (rows, lines, versions, resolution.range)
        minutes = resolution.minutes
        horizon = resolution.asOf ?? resolution.horizon
    }

    /// Takes a verification that counts `number` times, whether or not it lies in the time that counts.
    ///
    /// One that was counted before has its row and its line, and counts no more. One without any time has no row.
    func take(_ traced: TracedEntry, _ number: Int, _ joined: inout JoinedEntries) {
        joined.note()
        if traced.entry.app == .invalid, !lines.isEmpty { joined.refused.append((traced, number)) }
        guard traced.request != .none, let day = traced.entry.day else {
            return joined.note(traced.entry, number, nil, self)
        }
        let trace = traced.request.trace
        let place = rows.firstPlace { $0.request.trace < trace }
        guard place < rows.count, rows[place].request.trace == trace else {
            return joined.note(traced.entry, number, nil, self)
        }
        if let row = row(of: traced.request, day, from: place) {
            joined.taken.insert(row)
            count(traced.entry, number, rows[row], isCertain: true, &joined)
        } else {
            joined.open.append(OpenEntry(traced: traced, place: Int32(place), number: Int32(clamping: number)))
        }
    }

    /// The first row of a request, on the day or a neighbouring one; its trace has rows from `first` on.
    private func row(of request: RequestWord, _ day: Day, from first: Int) -> Int? {
        guard request.hasSpan else { return nil }
        // Most traces have one row.
        let isOnly = first + 1 == rows.count || rows[first + 1].request.trace != request.trace
        let earliest = day.advanced(by: -1)
        let place =
            isOnly ? first : rows[first...].firstPlace { ($0.request, $0.day) < (request, earliest) }
        guard place < rows.count, rows[place].request == request, (-1...1).contains(day.distance(to: rows[place].day))
        else { return nil }
        return place
    }

    /// Counts a verification with its row, or, where others share their trace, that it has one.
    private func count(
        _ entry: Entry, _ number: Int, _ row: EntryRow, isCertain: Bool, _ joined: inout JoinedEntries
    ) {
        joined.note(entry, number, isCertain ? row.client : nil, self)
        guard let instant = entry.instant, range.contains(instant), !entry.wasCounted else { return }
        guard isCertain else {
            return joined.callers.update(instant.day) { day in
                day.withRow += number
                if entry.app != .valid { day.update(auth: entry.auth) { $0.blockedUnclear += number } }
            }
        }
        let client = AdmittedCallers.Client(kind: row.client, row.version, in: versions)
        if entry.app == .invalid, row.client.isIOSApp { joined.refusedOfIOS.insert(entry) }
        joined.callers.update(instant.day) { day in
            day.withRow += number
            day.enforcement.add(
                number, app: entry.app, auth: entry.auth, answer: row.answer, at: instant.nanosecondOfDay)
            if entry.slot > 0, entry.app != .valid, entry.auth != .invalid,
                row.answer == .unauthenticated || row.answer == .success
            {
                let isRefused = row.answer == .unauthenticated
                day.revisions.add(
                    RevisionAnswers(
                        slot: entry.slot, refused: isRefused ? number : 0, accepted: isRefused ? 0 : number))
            }
            day.update(auth: entry.auth) {
                $0.add(number, app: entry.app, client: client, answer: row.answer, address: row.address)
            }
        }
    }

    /// Joins what needs all verifications of the function.
    ///
    /// Which provenance is believed is not known yet, so that each is joined as if it were alone.
    func finish(_ counted: inout Counted) {
        guard !isEmpty else { return }
        for row in rows where row.answer == .unauthenticated {
            guard let minute = minutes?.place(of: row.instant) else { continue }
            counted.raw.minutes.update(minute) { $0.unauthenticated += 1 }
        }
        for row in rows where row.counts {
            let success = row.answer == .success ? 1 : 0
            counted.raw.rows.update(row.day) { day in
                day.rows += 1
                day.successes += success
                day.unlogged += success
            }
        }
        for line in lines where line.cause == nil && line.counts {
            counted.raw.rows.update(line.day) { $0.enforcement.allowed.add(1, at: line.instant.nanosecondOfDay) }
        }
        for provenance in Provenance.allCases where !counted.joined[Int(provenance.rawValue)].isEmpty {
            var joined = counted.joined[Int(provenance.rawValue)]
            joinOpen(&joined)
            counted.joined[Int(provenance.rawValue)].taken = joined.taken
            for (index, row) in rows.enumerated() where row.counts && row.answer == .success {
                if joined.taken.contains(index) { joined.callers.update(row.day) { $0.unlogged -= 1 } }
            }
            explain(&joined)
            counted.raw.update(provenance) { part in
                part.callers = joined.callers
                part.tally.newest.merge(joined.newest)
            }
        }
        for (index, row) in rows.enumerated() where !counted.joined.contains(where: { $0.taken.contains(index) }) {
            counted.open[row.day, default: 0] += 1
        }
    }

    // MARK: Traces without spans

    /// Joins verifications of which no row has the span, trace by trace.
    private func joinOpen(_ joined: inout JoinedEntries) {
        let open = joined.open.sorted {
            $0.place == $1.place ? Entry.precedes($0.traced.entry, $1.traced.entry) : $0.place < $1.place
        }
        open.forEachRun(of: { $0.place == $1.place }) { join($0, &joined) }
    }

    /// Joins the verifications and the rows of one trace that no span tells apart.
    ///
    /// The only two of neighbouring days belong together; of several, as many rows as verifications, those that
    /// succeeded first.
    private func join(_ group: ArraySlice<OpenEntry>, _ joined: inout JoinedEntries) {
        guard let first = group.first else { return }
        let trace = rows[Int(first.place)].request.trace
        let places = (Int(first.place)..<rows.count).prefix { rows[$0].request.trace == trace }
        func day(_ open: OpenEntry) -> Day { open.traced.entry.day ?? Day.earliest }
        func take(_ place: Int, _ open: OpenEntry, isCertain: Bool = true) {
            guard !joined.taken.contains(place) else { return }
            joined.taken.insert(place)
            count(open.traced.entry, Int(open.number), rows[place], isCertain: isCertain, &joined)
        }
        if places.count == 1, group.count == 1 {
            let place = Int(first.place)
            if (-1...1).contains(rows[place].day.distance(to: day(first))) {
                take(place, first)
            } else {
                joined.note(first.traced.entry, Int(first.number), nil, self)
            }
            return
        }
        let rowsOfDays = Dictionary(grouping: places) { rows[$0].day }
        let openOfDays = Dictionary(grouping: group, by: day)
        var waiting: [[Day: [OpenEntry]]] = [[:], [:]]
        for open in group {
            if let place = rowsOfDays.only(near: day(open)), openOfDays.only(near: rows[place].day) != nil {
                take(place, open)
            } else {
                waiting[open.traced.request.hasSpan ? 1 : 0][day(open), default: []].append(open)
            }
        }
        func key(_ place: Int) -> (Int, Int, Day, Int) {
            let row = rows[place]
            return (row.answer == .success ? 0 : 1, row.request.hasSpan ? 1 : 0, row.day, place)
        }
        for place in places.sorted(by: { key($0) < key($1) }) where !joined.taken.contains(place) {
            // Two spans that differ are of two requests.
            search: for kind in rows[place].request.hasSpan ? [0] : [1, 0] {
                for distance in -1...1 {
                    let day = rows[place].day.advanced(by: distance)
                    guard let open = waiting[kind][day]?.popLast() else { continue }
                    take(place, open, isCertain: false)
                    break search
                }
            }
        }
        for open in waiting.flatMap(\.values).joined() { joined.note(open.traced.entry, Int(open.number), nil, self) }
    }
}

/// What joining has found of verifications of one provenance.
struct JoinedEntries: Sendable {
    var callers = FunctionCallers()
    /// The rows that have a verification.
    var taken = NumberSet()
    /// Verifications of which no row has the span.
    var open: [OpenEntry] = []
    /// Those whose App Check token was refused, with how often they count.
    var refused: [(traced: TracedEntry, number: Int)] = []
    /// Those of iOS apps among them.
    var refusedOfIOS: Set<Entry> = []
    var newest = NewestRequests()
    /// True while no verification was taken.
    private(set) var isEmpty = true

    mutating func note() { isEmpty = false }

    /// Notes a verification of which it is known what its row shows of the client.
    mutating func note(_ entry: Entry, _ number: Int, _ client: ClientKind?, _ join: EvidenceJoin) {
        guard !entry.wasCounted, join.range.contains(entry.instant) else { return }
        newest.add(entry, number, client, horizon: join.horizon)
    }

    mutating func merge(_ other: JoinedEntries) {
        isEmpty = isEmpty && other.isEmpty
        callers.merge(other.callers)
        newest.merge(other.newest)
        taken.formUnion(other.taken)
        open += other.open
        refused += other.refused
        refusedOfIOS.formUnion(other.refusedOfIOS)
    }
}

extension NewestRequests {
    mutating func add(_ entry: Entry, _ number: Int, _ client: ClientKind?, horizon: Instant) {
        guard entry.auth != .invalid, let instant = entry.instant, instant <= horizon else { return }
        for _ in 0..<min(number, NewestRequests.limit) {
            add(instant, app: entry.app, isSignedIn: entry.auth == .valid, client: client, order: entry.first)
        }
    }
}

/// A verification of which no row has the span.
struct OpenEntry: Sendable {
    let traced: TracedEntry
    /// Of the first row of its trace.
    let place: Int32
    let number: Int32
}

/// Small numbers, a bit each.
struct NumberSet: Sendable {
    private var words: [UInt64] = []

    func contains(_ number: Int) -> Bool {
        number >> 6 < words.count && words[number >> 6] >> UInt64(number & 63) & 1 == 1
    }

    mutating func insert(_ number: Int) {
        if number >> 6 >= words.count {
            words += Array(repeating: 0, count: max(number >> 6 + 1, words.count * 2) - words.count)
        }
        words[number >> 6] |= 1 << UInt64(number & 63)
    }

    mutating func formUnion(_ other: NumberSet) {
        if words.count < other.words.count {
            words += Array(repeating: 0, count: other.words.count - words.count)
        }
        for index in other.words.indices { words[index] |= other.words[index] }
    }
}

extension Dictionary where Key == Day, Value: RandomAccessCollection {
    /// The only element on a day and its neighbours; nil for none and for several.
    fileprivate func only(near day: Day) -> Value.Element? {
        let near = (-1...1).compactMap { self[day.advanced(by: $0)] }
        return near.reduce(0) { $0 + $1.count } == 1 ? near.lazy.compactMap(\.first).first : nil
    }
}

extension Array {
    /// Hands out the runs of elements of which neighbours belong together.
    func forEachRun(of belongTogether: (Element, Element) -> Bool, _ body: (ArraySlice<Element>) -> Void) {
        var start = startIndex
        for index in indices where index + 1 == endIndex || !belongTogether(self[index], self[index + 1]) {
            body(self[start...index])
            start = index + 1
        }
    }

    /// Leaves one of each run of copies, the first.
    mutating func removeCopies(_ isCopy: (Element, Element) -> Bool) {
        var count = 0
        for index in indices where count == 0 || !isCopy(self[count - 1], self[index]) {
            self[count] = self[index]
            count += 1
        }
        removeLast(self.count - count)
    }
}
