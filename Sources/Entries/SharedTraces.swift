internal import Verifications

/// A verification of which no row has the span.
struct OpenEntry: Sendable {
    let traced: TracedEntry
    /// Of the first row of its trace.
    let place: Int32
    let number: Int32
}

/// A verification that is not open: its row has its span, or it repeats another one and counts nothing.
struct OtherEntry: Sendable {
    /// Of the first row of its trace.
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
        shared.sort { $0.place == $1.place ? Entry.precedes($0.traced.entry, $1.traced.entry) : $0.place < $1.place }
        let others = joined.others.sorted { $0.place < $1.place }
        shared.forEachRun(of: { $0.place == $1.place }) { group in
            guard let place = group.first?.place else { return }
            let first = others.firstPlace { $0.place < place }
            join(group, others[first...].prefix { $0.place == place }, &joined)
        }
    }

    /// Joins the verifications that are alone with one row in their trace: nearly all of a log without spans.
    ///
    /// - Returns: The others.
    private func takeOnlyOnes(_ joined: inout JoinedEntries) -> [OpenEntry] {
        let open = joined.open
        var (seen, several) = (NumberSet(), NumberSet())
        for other in joined.others { several.insert(Int(other.place)) }
        for entry in open {
            let place = Int(entry.place)
            if seen.contains(place) || !isOnlyRow(place) { several.insert(place) } else { seen.insert(place) }
        }
        return open.filter { entry in
            let place = Int(entry.place)
            guard !several.contains(place) else { return true }
            let distance = StoredDay(rows[place].day).number - entry.traced.entry.dayNumber
            let isFree = (-1...1).contains(distance) && !joined.taken.contains(place)
            if isFree { joined.taken.insert(place) }
            count(entry.traced, Int(entry.number), isFree ? FoundRow(place, isCertain: true) : .none, &joined)
            return false
        }
    }

    private func join(
        _ group: ArraySlice<OpenEntry>, _ others: ArraySlice<OtherEntry>, _ joined: inout JoinedEntries
    ) {
        let first = Int(group[group.startIndex].place)
        let hash = rows[first].request.trace
        let places = (first..<rows.count).prefix { rows[$0].request.trace == hash }
        let trace = SharedTrace(
            rows: places.map { place in
                let row = rows[place]
                return SharedTrace.Row(
                    place: place, day: StoredDay(row.day).number, hasSpan: row.request.hasSpan,
                    isSuccess: row.answer == .success)
            },
            open: group.enumerated().map { ($1.traced.entry.dayNumber, $1.traced.request.hasSpan, $0) }, others: others,
            // Of the others, only those of traces with several rows say which they take.
            taken: places.count == 1 ? Set(places.filter(joined.taken.contains)) : [])
        var found: [Int: (place: Int, isCertain: Bool)] = [:]
        for day in trace.days {
            for match in trace.matches(of: day) {
                if match.isRowOfDay { joined.taken.insert(match.place) }
                if let entry = match.entry { found[entry] = (match.place, match.isCertain) }
            }
        }
        for (index, open) in group.enumerated() {
            let row = found[index].map { FoundRow($0.place, isCertain: $0.isCertain) } ?? .none
            count(open.traced, Int(open.number), row, &joined)
        }
    }
}

/// One trace, in days since 2016.
private struct SharedTrace {
    struct Row {
        let place: Int
        let day: Int
        let hasSpan: Bool
        let isSuccess: Bool
    }

    /// A row with its verification.
    struct Match {
        let place: Int
        let isRowOfDay: Bool
        /// Of the open ones, one of the day.
        let entry: Int?
        /// True where there is no other row or verification that it could be.
        let isCertain: Bool
    }

    /// A verification without a row of its span; one of which only a part of the trace shows none has no index.
    typealias Open = (day: Int, hasSpan: Bool, index: Int?)

    /// In the order of their places, which have no gap.
    private let rows: [Row]
    private let rowsOfDays: [Int: [Row]]
    private let openOfDays: [Int: [Open]]
    private let othersOfDays: [Int: [OtherEntry]]
    /// Places of rows that are known to be taken.
    private let taken: Set<Int>

    /// A day and the two days before and after it.
    private static let reach = 2

    init(rows: [Row], open: [Open], others: ArraySlice<OtherEntry>, taken: Set<Int>) {
        (self.rows, self.taken) = (rows, taken)
        rowsOfDays = Dictionary(grouping: rows, by: \.day)
        openOfDays = Dictionary(grouping: open) { $0.day }
        othersOfDays = Dictionary(grouping: others) { Int($0.day) }
    }

    /// Those on which anything may match.
    var days: Set<Int> {
        let days = Set(openOfDays.keys)
        return days.union(rowsOfDays.keys.filter { day in (-1...1).contains { days.contains(day + $0) } })
    }

    /// The pairs in which a row or a verification is of a day.
    ///
    /// The only two of neighbouring days belong together. Of several, as many as there are of both, first rows that
    /// succeeded: on one day, then with verifications of the next day, then with those of the day before. Two spans
    /// that differ are of two requests.
    func matches(of day: Int) -> [Match] {
        let (first, slots) = (day - SharedTrace.reach, 0...2 * SharedTrace.reach)
        let near = slots.map { rowsOfDays[first + $0] ?? [] }
        var (taken, waiting) = (taken, slots.map { openOfDays[first + $0] ?? [] })
        for slot in slots {
            for other in othersOfDays[first + slot] ?? [] {
                guard other.side == 0 || slot == SharedTrace.reach * (1 + Int(other.side)) else { continue }
                if let row = other.row, slots.contains(rows[Int(row) - rows[0].place].day - first) {
                    taken.insert(Int(row))
                } else {
                    waiting[slot].append((Int(other.day), other.hasSpan, nil))
                }
            }
        }
        var matches: [Match] = []
        func match(_ row: Row, _ entry: Open, isCertain: Bool) {
            guard row.day == day || entry.day == day else { return }
            matches.append(
                Match(
                    place: row.place, isRowOfDay: row.day == day, entry: entry.day == day ? entry.index : nil,
                    isCertain: isCertain))
        }
        let all = waiting
        for slot in slots {
            guard let row = only(near, by: slot), !taken.contains(row.place), only(all, by: row.day - first) != nil,
                let entry = waiting[slot].first
            else { continue }
            taken.insert(row.place)
            match(row, entry, isCertain: true)
            waiting[slot] = []
        }
        // Those of a day that are alike, in their order.
        var free = near.map { rows in
            let rows = rows.filter { !taken.contains($0.place) }
            return (0..<4).map { kind in rows.filter { ($0.hasSpan ? 2 : 0) + ($0.isSuccess ? 1 : 0) == kind }[...] }
        }
        var left = waiting.map { entries in
            [false, true].map { hasSpan in entries.filter { $0.hasSpan == hasSpan }[...] }
        }
        for success in [1, 0] {
            for distance in [0, 1, -1] {
                for (rowSpan, span) in [(0, 1), (1, 0), (0, 0)] {
                    for slot in slots where slots.contains(slot + distance) {
                        let (rows, entries) = (free[slot][2 * rowSpan + success], left[slot + distance][span])
                        for (row, entry) in zip(rows, entries) { match(row, entry, isCertain: false) }
                        let count = min(rows.count, entries.count)
                        free[slot][2 * rowSpan + success] = rows.dropFirst(count)
                        left[slot + distance][span] = entries.dropFirst(count)
                    }
                }
            }
        }
        return matches
    }

    /// The only element on a day and its neighbours; nil for none and for several.
    private func only<Element>(_ days: [[Element]], by day: Int) -> Element? {
        let near = days[max(0, day - 1)...min(days.count - 1, day + 1)]
        return near.reduce(0) { $0 + $1.count } == 1 ? near.lazy.compactMap(\.first).first : nil
    }
}
