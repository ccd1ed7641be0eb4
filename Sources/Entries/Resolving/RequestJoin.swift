internal import Readiness
internal import Verifications

struct FoundRow: Hashable, Sendable {
    private let code: Int64

    static let none = FoundRow(code: -1)
    /// There is one, and others of its trace could be it.
    static let unclear = FoundRow(code: -2)

    private init(code: Int64) { self.code = code }

    /// A row of the day before (-1), of the day itself, or of the day after it (1).
    init(day: Int, place: Int) { code = Int64(day + 1) << 32 | Int64(place) }
    var certain: (day: Int, place: Int)? { code < 0 ? nil : (Int(code >> 32) - 1, Int(code & 0xFFFF_FFFF)) }
}

/// Matches request rows with the verifications of the current day.
///
/// A row has the trace and the span of its verification; Python's entries have the span alone. Where no row has the
/// span, the only row and the only verification of a trace, in these three days, belong together. If there are several,
/// as many belong together as there are of both, though nothing shows which is whose: first those of one day, then rows
/// of the day before, then rows of the day after it that its own verifications leave. Two spans that differ are of two
/// requests.
extension FunctionResolver {
    /// - Returns: By the places of the entries; empty where there is no row.
    mutating func join() -> [FoundRow] {
        guard let day = current, neighbours.contains(where: { !$0.rows.isEmpty }) else { return [] }
        var found = [FoundRow](repeating: .none, count: day.entries.count)
        let byTrace = day.tracesOfEntries
        var cursors = [-1, 0, 1].map { TraceCursor(rows(of: $0)) }
        var places = cursors.map(\.range)
        var neighbours = [previous, next].map { TraceCursor($0?.tracesOfEntries ?? []) }
        var start = 0
        while start < byTrace.count {
            let trace = byTrace[start].trace
            var end = start + 1
            while end < byTrace.count, byTrace[end].trace == trace { end += 1 }
            for index in cursors.indices {
                cursors[index].move(to: trace)
                places[index] = cursors[index].range
            }
            if places.contains(where: { !$0.isEmpty }) {
                var (count, open) = (0, [Int]())
                for key in byTrace[start..<end] where !day.repeated.contains(Int(key.place)) {
                    count += 1
                    let place = Int(key.place)
                    guard let row = exactRow(of: day.entries[place].traced, places) else {
                        open.append(place)
                        continue
                    }
                    take(row)
                    found[place] = row
                }
                if !open.isEmpty {
                    for index in neighbours.indices { neighbours[index].move(to: trace) }
                    let others = (neighbours[0].count(previous), neighbours[1].count(next))
                    joinOpen(open, among: count, others, places, &found)
                }
            }
            start = end
        }
        joinSpans(&found)
        return found
    }

    /// Joins entries that have a span alone with the only row of that span within five minutes, if no other entry has
    /// it.
    private mutating func joinSpans(_ found: inout [FoundRow]) {
        guard let day = current, day.entries.contains(where: \.traced.request.isSpanAlone) else { return }
        let verifications = neighbours.reduce(into: [UInt32: Int]()) { $1.countSpans(in: &$0) }
        var rows: [UInt32: [FoundRow]] = [:]
        for number in -1...1 {
            for (place, row) in self.rows(of: number).enumerated() where row.span != 0 && verifications[row.span] == 1 {
                rows[row.span, default: []].append(FoundRow(day: number, place: place))
            }
        }
        for (place, entry) in day.entries.enumerated()
        where entry.traced.request.isSpanAlone && !day.repeated.contains(place) {
            guard let candidates = rows[entry.traced.request.span], candidates.count == 1,
                let (number, rowPlace) = candidates[0].certain, !isTaken(number, rowPlace),
                let time = entry.entry.time.instant(on: day.day),
                let rowTime = row(candidates[0])?.time.instant(on: DayIndex(number: day.day.number + number)),
                (time.adding(seconds: -300)...time.adding(seconds: 300)).contains(rowTime)
            else { continue }
            take(candidates[0])
            found[place] = candidates[0]
        }
    }

    private func rows(of day: Int) -> [EntryRow] {
        (day < 0 ? previous?.rows : day == 0 ? current?.rows : next?.rows) ?? []
    }

    private func isTaken(_ day: Int, _ place: Int) -> Bool {
        (day < 0 ? previous : day == 0 ? current : next)?.takenRows.contains(place) ?? false
    }

    private mutating func take(_ row: FoundRow) {
        guard let (day, place) = row.certain else { return }
        switch day {
        case -1: previous?.takenRows.insert(place)
        case 0: current?.takenRows.insert(place)
        default: next?.takenRows.insert(place)
        }
    }

    /// The first row with trace and span of a verification; of rows of two days the earlier one.
    private func exactRow(of entry: TracedEntry, _ places: [Range<Int>]) -> FoundRow? {
        let span = entry.request.span
        guard span != 0 else { return nil }
        for (day, range) in zip(-1...1, places) where !range.isEmpty {
            let rows = rows(of: day)[range]
            let place = rows.partitioningIndex { $0.span < span }
            if place < rows.endIndex, rows[place].span == span { return FoundRow(day: day, place: place) }
        }
        return nil
    }

    /// Joins verifications of one trace of which no row has the span.
    private mutating func joinOpen(
        _ open: [Int], among verifications: Int, _ others: (before: Int, after: Int), _ places: [Range<Int>],
        _ found: inout [FoundRow]
    ) {
        let rowCount = places.reduce(0) { $0 + $1.count }
        if rowCount == 1, verifications + others.before + others.after == 1 {
            let (day, range) = zip(-1...1, places).first { !$0.1.isEmpty } ?? (0, 0..<0)
            guard !isTaken(day, range.lowerBound) else { return }
            let row = FoundRow(day: day, place: range.lowerBound)
            take(row)
            found[open[0]] = row
            return
        }
        guard let entries = current?.entries else { return }
        let open = open.sorted { PackedVerification.precedes(entries[$0].entry, entries[$1].entry) }
        var waiting = [false, true].map { hasSpan in
            open.filter { (entries[$0].traced.request.span != 0) == hasSpan }[...]
        }
        for day in [0, -1, 1] {
            let rows = rows(of: day)
            var free = places[day + 1].filter { !isTaken(day, $0) }
            // The verifications of the day after it have their rows first.
            if day == 1 { free = Array(free.dropLast(others.after)) }
            for isSuccess in [true, false] {
                for (rowHasSpan, hasSpan) in [(false, 1), (true, 0), (false, 0)] {
                    for place in free
                    where !waiting[hasSpan].isEmpty && (rows[place].answer == .success) == isSuccess
                        && (rows[place].span != 0) == rowHasSpan && !isTaken(day, place)
                    {
                        take(FoundRow(day: day, place: place))
                        found[waiting[hasSpan].removeFirst()] = .unclear
                    }
                }
            }
        }
    }
}

extension ResolvedDay {
    /// Entries that name a request, in the order of traces; made when rows of a day next to it need it.
    var tracesOfEntries: [TraceKey] {
        guard byTrace.isEmpty else { return byTrace }
        var keys = entries.indices.filter { entries[$0].traced.third != 0 }.map {
            TraceKey(third: entries[$0].traced.third, place: UInt32($0))
        }
        keys.sortByHash()
        return keys
    }

    fileprivate func countSpans(in counts: inout [UInt32: Int]) {
        for (place, entry) in entries.enumerated()
        where entry.traced.request.isSpanAlone && !repeated.contains(place) {
            counts[entry.traced.request.span, default: 0] += 1
        }
    }
}

/// The elements of a trace in those of a day, for traces in ascending order.
private struct TraceCursor<Element: Traced> {
    private let elements: [Element]
    private(set) var range = 0..<0

    init(_ elements: [Element]) { self.elements = elements }

    mutating func move(to trace: UInt64) {
        var start = range.upperBound
        while start < elements.count, elements[start].trace < trace { start += 1 }
        var end = start
        while end < elements.count, elements[end].trace == trace, !elements[end].isUntraced { end += 1 }
        range = start..<end
    }
}

private protocol Traced {
    var trace: UInt64 { get }
    var isUntraced: Bool { get }
}

extension EntryRow: Traced {}

extension ResolvedDay.TraceKey: Traced {
    fileprivate var isUntraced: Bool { false }
}

extension TraceCursor<ResolvedDay.TraceKey> {
    func count(_ day: ResolvedDay?) -> Int {
        range.reduce(0) { day?.repeated.contains(Int(elements[$1].place)) ?? true ? $0 : $0 + 1 }
    }
}
