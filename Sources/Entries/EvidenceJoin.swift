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
    let versions: ClientVersions
    /// Nothing later is among the newest.
    fileprivate let horizon: Instant
    /// The days of which single verifications are looked at again.
    let days: OrderedDays
    /// True with lines of generation 1's platform about answers.
    let hasAnswers: Bool

    /// True where verifications are all that counts.
    var isEmpty: Bool { rows.isEmpty && lines.isEmpty && days.isEmpty }

    init(_ service: inout EntrySet.Service, _ versions: ClientVersions, _ resolution: Resolution) {
        var rows = service.rows.takeArray()
        rows.sortByHash()
        rows.removeCopies { $0.isCopy(of: $1) }
        var lines = service.lines.takeArray()
        lines.sort(by: EntryLine.precedes)
        lines.removeCopies { $0.isCopy(of: $1) }
        (self.rows, self.lines, self.versions, range) = (rows, lines, versions, resolution.range)
        minutes = resolution.minutes
        horizon = resolution.asOf ?? resolution.horizon
        hasAnswers = lines.contains { $0.isRefused || $0.isServed }
        days = OrderedDays(rows, lines, resolution)
    }

    /// Takes a verification that counts `number` times, whether or not it lies in the time that counts.
    ///
    /// One that was counted before has its row and its line, and counts no more. One without any time has no row.
    func take(_ traced: TracedEntry, _ number: Int, _ joined: inout JoinedEntries) {
        joined.isEmpty = false
        if traced.entry.app == .invalid, !lines.isEmpty { joined.refused.append((traced, number)) }
        guard traced.request != .none, let day = traced.entry.day, let place = firstRow(of: traced.request.trace) else {
            return count(traced, number, .none, &joined)
        }
        let isOnly = isOnlyRow(place)
        guard let row = row(of: traced.request, day, from: place, isOnly: isOnly) else {
            joined.open.append(OpenEntry(traced: traced, place: Int32(place), number: Int32(clamping: number)))
            return
        }
        joined.taken.insert(row)
        if !isOnly { joined.others.append(OtherEntry(traced, place, row: row)) }
        count(traced, number, FoundRow(row), &joined)
    }

    /// Notes a verification that repeats one of a neighbouring day, the one before (-1) or after (1).
    func add(_ traced: TracedEntry, repeating side: Int, _ joined: inout JoinedEntries) {
        guard side != 0, traced.request != .none, let day = traced.entry.day else { return }
        guard let place = firstRow(of: traced.request.trace) else { return }
        let row = row(of: traced.request, day, from: place, isOnly: isOnlyRow(place))
        joined.others.append(OtherEntry(traced, place, row: row, repeating: side))
    }

    /// Where the rows of a trace begin.
    ///
    /// Traces are hashes: the place of one among them is about its part of the largest, and from there on it is looked
    /// for in steps that double.
    private func firstRow(of trace: UInt64) -> Int? {
        let guess = Int((trace << (64 - PackedRequestID.traceBits)).multipliedFullWidth(by: UInt64(rows.count)).high)
        var (low, high, step) = (guess, guess, 64)
        while low > 0, rows[low].request.trace >= trace { (low, step) = (max(0, low - step), step * 2) }
        while high < rows.count, rows[high].request.trace < trace {
            (high, step) = (min(rows.count, high + step), step * 2)
        }
        let place = rows[low..<high].partitioningIndex { $0.request.trace < trace }
        return place < rows.count && rows[place].request.trace == trace ? place : nil
    }

    /// Most traces have one row.
    func isOnlyRow(_ first: Int) -> Bool {
        first + 1 == rows.count || rows[first + 1].request.trace != rows[first].request.trace
    }

    /// The first row of a request, on the day or a neighbouring one; its trace has rows from `first` on.
    private func row(of request: PackedRequestID, _ day: Day, from first: Int, isOnly: Bool) -> Int? {
        guard request.hasSpan else { return nil }
        let earliest = day.advanced(by: -1)
        let place =
            isOnly ? first : rows[first...].partitioningIndex { ($0.request, $0.day) < (request, earliest) }
        guard place < rows.count, rows[place].request == request, (-1...1).contains(day.distance(to: rows[place].day))
        else { return nil }
        return place
    }

    /// Counts a verification with what is known of its row.
    func count(_ traced: TracedEntry, _ number: Int, _ row: FoundRow, _ joined: inout JoinedEntries) {
        let entry = traced.entry
        let certain = row.certain.map { rows[$0] }
        joined.addNewest(entry, number, certain?.client, self)
        guard let instant = entry.instant, range.contains(instant), !entry.wasCounted else { return }
        let found = JoinedEntry(traced: traced, row: row, number: Int32(clamping: number))
        if entry.app == .invalid, certain?.client.isIOSApp == true { joined.refusedOfIOS.insert(entry) }
        let days = self.days.uses(entry.dayNumber)
        if days.isKept { joined.kept.append(found) }
        let sign = days.isOrdered ? nil : sign(of: found)
        guard row != .none || sign != nil || hasAnswers else { return }
        joined.callers.update(instant.day) { day in
            add(found, to: &day)
            if let sign { day.signs.add(served: sign) }
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
        for provenance in Provenance.allCases where !counted.joined[Int(provenance.rawValue)].isEmpty {
            var joined = counted.joined[Int(provenance.rawValue)]
            joinOpen(&joined)
            counted.joined[Int(provenance.rawValue)].taken = joined.taken
            for (index, row) in rows.enumerated() where row.counts && row.answer == .success {
                if joined.taken.contains(index) { joined.callers.update(row.day) { $0.unlogged -= 1 } }
            }
            explain(&joined)
            let parts = order(&joined)
            counted.raw.update(provenance) { part in
                part.callers = joined.callers
                part.tally.newest.merge(joined.newest)
                for (day, parts) in parts { part.tally.keep(parts, of: day) }
            }
        }
        for (index, row) in rows.enumerated() where !counted.joined.contains(where: { $0.taken.contains(index) }) {
            counted.open[row.day, default: 0] += 1
        }
    }
}

/// What joining has found of verifications of one provenance.
struct JoinedEntries: Sendable {
    var callers = FunctionCallers()
    /// The rows that have a verification.
    var taken = BitSet()
    /// Verifications of which no row has the span.
    var open: [OpenEntry] = []
    /// Other verifications of traces with several rows, and repeated ones.
    var others: [OtherEntry] = []
    /// Those whose App Check token was refused, with how often they count.
    var refused: [(traced: TracedEntry, number: Int)] = []
    /// Those of days of which single verifications are looked at again.
    var kept: [JoinedEntry] = []
    /// Those of iOS apps among the refused.
    var refusedOfIOS: Set<PackedVerification> = []
    var newest = NewestRequests()
    /// True while no verification was taken.
    var isEmpty = true

    /// Notes a verification of which it is known what its row shows of the client.
    mutating func addNewest(_ entry: PackedVerification, _ number: Int, _ client: ClientKind?, _ join: EvidenceJoin) {
        guard !entry.wasCounted, join.range.contains(entry.instant) else { return }
        newest.add(entry, number, client, horizon: join.horizon)
    }

    mutating func merge(_ other: JoinedEntries) {
        isEmpty = isEmpty && other.isEmpty
        callers.merge(other.callers)
        newest.merge(other.newest)
        taken.formUnion(other.taken)
        open += other.open
        others += other.others
        refused += other.refused
        kept += other.kept
        refusedOfIOS.formUnion(other.refusedOfIOS)
    }
}

extension NewestRequests {
    mutating func add(_ entry: PackedVerification, _ number: Int, _ client: ClientKind?, horizon: Instant) {
        guard entry.auth != .invalid, let instant = entry.instant, instant <= horizon else { return }
        for _ in 0..<min(number, NewestRequests.limit) {
            add(instant, app: entry.app, isSignedIn: entry.auth == .valid, client: client, order: entry.first)
        }
    }
}

/// Small numbers, a bit each.
struct BitSet: Sendable {
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

    mutating func formUnion(_ other: BitSet) {
        if words.count < other.words.count {
            words += Array(repeating: 0, count: other.words.count - words.count)
        }
        for index in other.words.indices { words[index] |= other.words[index] }
    }
}

extension RandomAccessCollection where Index == Int {
    /// Hands out the runs of elements of which neighbours belong together.
    func forEachRun(of belongTogether: (Element, Element) -> Bool, _ body: (SubSequence) -> Void) {
        var start = startIndex
        for index in indices where index + 1 == endIndex || !belongTogether(self[index], self[index + 1]) {
            body(self[start...index])
            start = index + 1
        }
    }
}

extension Array {
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
