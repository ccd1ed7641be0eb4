internal import Verifications

/// A verification of which no row has the span.
struct OpenEntry: Sendable {
    let traced: TracedEntry
    /// Place of the first row of its trace.
    let place: Int32
    let number: Int32

    var day: Int { traced.entry.dayNumber }
    /// 1 with a span, 0 without.
    var kind: Int { traced.request.hasSpan ? 1 : 0 }

    /// An order in which those of a trace that are alike are adjacent.
    static func precedes(_ left: OpenEntry, _ right: OpenEntry) -> Bool {
        let (first, second) = ((left.place, left.day, left.kind), (right.place, right.day, right.kind))
        return first == second ? PackedVerification.precedes(left.traced.entry, right.traced.entry) : first < second
    }
}

/// A verification that is not open: its row has its span, or it repeats another one and counts nothing.
struct OtherEntry: Sendable {
    /// Place of the first row of its trace.
    let place: Int32
    /// The row with its span, if any.
    let row: Int32?
    let day: Int32
    let hasSpan: Bool
    /// Where the entry lies that it repeats: on the day before (-1) or after (1); 0 for one that counts.
    let side: Int8

    init(_ traced: TracedEntry, _ place: Int, row: Int?, repeating side: Int = 0) {
        (self.place, self.row) = (Int32(place), row.map { Int32($0) })
        (day, hasSpan, self.side) = (Int32(traced.entry.dayNumber), traced.request.hasSpan, Int8(side))
    }
}

/// Verifications and rows of one trace that no span tells apart.
///
/// What becomes of those of a day is decided by the entries of that day and of the two days before and after it, by
/// nothing else: a store knows no more when it counts one day, and both must say the same.
extension EvidenceJoin {
    func joinOpen(_ joined: inout JoinedEntries) {
        var shared = takeOnlyOnes(&joined)
        shared.sort(by: OpenEntry.precedes)
        let others = joined.others.sorted { $0.place < $1.place }
        shared.forEachRun(of: { $0.place == $1.place }) { group in
            guard let place = group.first?.place else { return }
            let first = others.partitioningIndex { $0.place < place }
            join(group, others[first...].prefix { $0.place == place }, &joined)
        }
    }

    /// Joins the verifications that are alone with one row in their trace: nearly all of a log without spans.
    ///
    /// - Returns: The others.
    private func takeOnlyOnes(_ joined: inout JoinedEntries) -> [OpenEntry] {
        let open = joined.open
        var (seen, several) = (BitSet(), BitSet())
        for other in joined.others { several.insert(Int(other.place)) }
        for entry in open {
            let place = Int(entry.place)
            if seen.contains(place) || !isOnlyRow(place) { several.insert(place) } else { seen.insert(place) }
        }
        return open.filter { entry in
            let place = Int(entry.place)
            guard !several.contains(place) else { return true }
            let distance = DayIndex(rows[place].day).number - entry.traced.entry.dayNumber
            let isFree = (-1...1).contains(distance) && !joined.taken.contains(place)
            if isFree { joined.taken.insert(place) }
            count(entry.traced, Int(entry.number), isFree ? FoundRow(place) : .none, &joined)
            return false
        }
    }

    private func join(
        _ group: ArraySlice<OpenEntry>, _ others: ArraySlice<OtherEntry>, _ joined: inout JoinedEntries
    ) {
        let first = Int(group[group.startIndex].place)
        let hash = rows[first].request.trace
        let places = (first..<rows.count).prefix { rows[$0].request.trace == hash }
        var found = places.map { SharedTrace.Row(rows[$0], place: $0) }
        // The other rows know their takers only in traces with several rows.
        if places.count == 1, joined.taken.contains(first) { found[0].takers = .max }
        let trace = SharedTrace(found, group, others)
        trace.rows.forEachRun(of: { $0.day == $1.day && $0.kind == $1.kind }) { alike in
            let number = trace[alike[alike.startIndex].day].matched.rows[alike[alike.startIndex].kind]
            for row in alike.lazy.filter({ !$0.isTaken(SharedTrace.reach) }).prefix(number) {
                joined.taken.insert(row.place)
            }
        }
        group.forEachRun(of: { $0.day == $1.day && $0.kind == $1.kind }) { alike in
            let day = trace[alike[alike.startIndex].day]
            let (row, number) = (day.only ?? .unclear, day.matched.waiting[alike[alike.startIndex].kind])
            for open in alike.prefix(number) { count(open.traced, Int(open.number), row, &joined) }
            for open in alike.dropFirst(number) { count(open.traced, Int(open.number), .none, &joined) }
        }
    }
}

/// The rows and verifications of one trace in numbers: nothing tells which is whose, and nobody needs to know.
///
/// As many belong together as there are of both, first rows that succeeded: on one day, then with verifications of the
/// next day, then with those of the day before. Two spans that differ are of two requests. But the only two of
/// neighbouring days belong together.
private struct SharedTrace {
    struct Row {
        let place: Int
        /// Since 2016.
        let day: Int
        /// 2 with a span, and 1 more for a success.
        let kind: Int
        /// A bit for each day around it from which a verification is seen that has it by its span.
        var takers: UInt8 = 0

        init(_ row: EntryRow, place: Int) {
            (self.place, day) = (place, DayIndex(row.day).number)
            kind = (row.request.hasSpan ? 2 : 0) + (row.answer == .success ? 1 : 0)
        }

        func isTaken(_ slot: Int) -> Bool { takers >> UInt8(slot) & 1 == 1 }
    }

    /// What a day has, as one of the days around it sees it.
    struct Numbers {
        var all = 0
        /// Rows that no verification has by its span, by kind.
        var rows: [4 of Int] = .init(repeating: 0)
        /// Verifications without a span, and with one.
        var waiting: [2 of Int] = .init(repeating: 0)

        var allWaiting: Int { waiting[0] + waiting[1] }
    }

    struct Day {
        let number: Int
        /// By the days around it, the last first.
        fileprivate var seen: [5 of Numbers] = .init(repeating: Numbers())
        fileprivate(set) var matched = Numbers()
        /// The row of its only verification, where that can have no other.
        fileprivate(set) var only: FoundRow?
    }

    /// By day and kind.
    private(set) var rows: [Row]
    private var days: [Day]

    /// A store that counts a day knows those two days before and after it, and nothing else.
    static let reach = 2

    init(_ found: [Row], _ group: ArraySlice<OpenEntry>, _ others: ArraySlice<OtherEntry>) {
        let reach = SharedTrace.reach
        rows = found
        days = Set(found.map(\.day) + group.map(\.day) + others.map { Int($0.day) }).sorted().map { Day(number: $0) }
        for other in others {
            let (day, row) = (Int(other.day), other.row.map { found[Int($0) - found[0].place] })
            for center in day - reach...day + reach where other.side == 0 || center == day - reach * Int(other.side) {
                if let row, abs(row.day - center) <= reach {
                    rows[row.place - found[0].place].takers |= 1 << UInt8(row.day - center + reach)
                } else {
                    days[place(of: day)].seen[day - center + reach].waiting[other.hasSpan ? 1 : 0] += 1
                }
            }
        }
        rows.sort { ($0.day, $0.kind, $0.place) < ($1.day, $1.kind, $1.place) }
        rows.forEachRun(of: { $0.day == $1.day }) { rows in
            let place = place(of: rows[rows.startIndex].day)
            for slot in 0...2 * reach {
                days[place].seen[slot].all = rows.count
                for row in rows where !row.isTaken(slot) { days[place].seen[slot].rows[row.kind] += 1 }
            }
        }
        group.forEachRun(of: { $0.day == $1.day && $0.kind == $1.kind }) { alike in
            let open = alike[alike.startIndex]
            let place = place(of: open.day)
            for slot in 0...2 * reach { days[place].seen[slot].waiting[open.kind] += alike.count }
        }
        for place in days.indices { match(place) }
    }

    private func place(of day: Int) -> Int { days.partitioningIndex { $0.number < day } }

    subscript(day: Int) -> Day { days[place(of: day)] }

    /// Matches what one day has.
    private mutating func match(_ place: Int) {
        let (day, reach) = (days[place].number, SharedTrace.reach)
        var left: [5 of Numbers] = .init(repeating: Numbers())
        for near in days[max(0, place - reach)..<min(days.count, place + reach + 1)]
        where abs(near.number - day) <= reach {
            left[near.number - day + reach] = near.seen[near.number - day + reach]
        }
        let before = left
        for slot in before.indices where before[slot].allWaiting == 1 {
            guard let row = SharedTrace.only(near: slot, { before[$0].all }),
                SharedTrace.only(near: row, { before[$0].allWaiting }) != nil,
                let kind = (0..<4).first(where: { before[row].rows[$0] == 1 })
            else { continue }
            left[row].rows[kind] = 0
            left[slot].waiting = .init(repeating: 0)
            if slot == reach {
                days[place].only = FoundRow(rows[rows.partitioningIndex { $0.day < day + row - reach }].place)
            }
        }
        // Those that are alike, in their order.
        for success in [1, 0] {
            for distance in [0, 1, -1] {
                for (rowSpan, span) in [(0, 1), (1, 0), (0, 0)] {
                    for slot in left.indices where left.indices.contains(slot + distance) {
                        let kind = 2 * rowSpan + success
                        let number = min(left[slot].rows[kind], left[slot + distance].waiting[span])
                        left[slot].rows[kind] -= number
                        left[slot + distance].waiting[span] -= number
                    }
                }
            }
        }
        var matched = before[reach]
        for kind in 0..<4 { matched.rows[kind] -= left[reach].rows[kind] }
        for kind in 0..<2 { matched.waiting[kind] -= left[reach].waiting[kind] }
        days[place].matched = matched
    }

    /// Where the only one is, on a day and its neighbours; nil for none and for several.
    private static func only(near slot: Int, _ number: (Int) -> Int) -> Int? {
        let near = max(0, slot - 1)...min(2 * reach, slot + 1)
        return near.reduce(0) { $0 + number($1) } == 1 ? near.first { number($0) == 1 } : nil
    }
}
