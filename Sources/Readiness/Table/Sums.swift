package import Verifications

/// The requests of one UTC day that are selected, and those of them that are blocked.
///
/// The numbers are real, as a forecast fills days to come with fractions of requests; those of a log are whole, and
/// exact up to 2⁵³.
package struct DaySum: DailyCount, Hashable, Sendable {
    package let day: Day
    package private(set) var requests = 0.0
    package private(set) var blocked = 0.0
    /// By the statuses of their tokens; empty for a day to come.
    package private(set) var statuses = StatusMatrix()
    /// The severities of passed verifications.
    package private(set) var severities: PassSeverity = []
    /// The first and the last request, in nanoseconds since midnight.
    package private(set) var first = Int64.max
    package private(set) var last = Int64.min
    /// The newest blocked request, in nanoseconds since midnight; nil without one.
    package private(set) var lastBlocked: Int64?
    /// Bit h is set when hour h (UTC, 0 to 23) had a blocked request.
    package private(set) var blockedHours: UInt32 = 0

    package init(day: Day) { self.day = day }

    /// A day to come.
    init(day: Day, requests: Double, blockedRate: Double) {
        (self.day, self.requests, blocked) = (day, requests, requests * blockedRate)
    }

    /// Adds requests of one of the day's cells, of which only the hour is known if hours are counted.
    mutating func add(_ cell: Cell, isBlocked: Bool, isByHour: Bool) {
        requests += Double(cell.count)
        statuses[cell.app, cell.auth] += cell.count
        severities.formUnion(cell.severity)
        (first, last) = (min(first, cell.first), max(last, cell.last))
        guard isBlocked else { return }
        blocked += Double(cell.count)
        blockedHours |= cell.hours
        lastBlocked = max(lastBlocked ?? 0, isByHour ? cell.first : cell.last)
    }

    mutating func leaveOutOneBlocked() {
        requests -= 1
        blocked -= 1
    }

    /// The first request.
    var start: Instant { Instant(day: day, nanosecondOfDay: first) }
}

/// The requests of one client that are selected, by the status of their App Check token.
package struct ClientSum: Hashable, Sendable {
    private var counts: [4 of Int] = [0, 0, 0, 0]
    package private(set) var admitted = 0
    package private(set) var blocked = 0

    package init(admitted: Int = 0, blocked: Int = 0) { (self.admitted, self.blocked) = (admitted, blocked) }

    package subscript(app: TokenStatus) -> Int { counts[Int(app.rawValue)] }

    mutating func add(_ cell: Cell, isBlocked: Bool) {
        counts[Int(cell.app.rawValue)] += cell.count
        admitted += cell.count
        if isBlocked { blocked += cell.count }
    }

    package mutating func merge(_ other: ClientSum) {
        for place in counts.indices { counts[place] += other.counts[place] }
        admitted += other.admitted
        blocked += other.blocked
    }

    package static func == (left: ClientSum, right: ClientSum) -> Bool {
        left.counts.indices.allSatisfy { left.counts[$0] == right.counts[$0] } && left.blocked == right.blocked
    }

    package func hash(into hasher: inout Hasher) {
        for place in counts.indices { hasher.combine(counts[place]) }
        hasher.combine(blocked)
    }
}

extension Sequence<Cell> {
    var requests: Int { reduce(0) { $0 + $1.count } }
}

extension CellTable {
    /// The cells of some days.
    package func cells(in days: ClosedRange<Day>) -> ArraySlice<Cell> {
        let start = cells.partitioningIndex { $0.day < days.lowerBound }
        return cells[start..<cells.partitioningIndex { $0.day <= days.upperBound }]
    }

    /// Sums up the selected requests by day, ascending.
    ///
    /// A day without a request among them is left out.
    package func days(
        of isSelected: (Cell) -> Bool = { $0.isCounted }, blocked isBlocked: (Cell) -> Bool = { $0.isBlocked }
    ) -> [DaySum] {
        cells.reduce(into: []) { days, cell in
            guard isSelected(cell) else { return }
            if days.last?.day != cell.day { days.append(DaySum(day: cell.day)) }
            days[days.count - 1].add(cell, isBlocked: isBlocked(cell), isByHour: isByHour)
        }
    }

    /// Sums up the selected requests by hour, ascending; those of folded days count as of their first hour.
    func hours(
        of isSelected: (Cell) -> Bool, blocked isBlocked: (Cell) -> Bool = { $0.isBlocked }
    ) -> [HourSum] {
        var found: [Instant: HourSum] = [:]
        for cell in cells where isSelected(cell) {
            let start = cell.start.hourStart
            found[start, default: HourSum(start: start)].add(cell, isBlocked: isBlocked(cell))
        }
        return found.values.sorted { $0.start < $1.start }
    }

    /// By the statuses of their tokens.
    package func statuses(of isSelected: (Cell) -> Bool) -> StatusMatrix {
        cells.reduce(into: StatusMatrix()) { if isSelected($1) { $0[$1.app, $1.auth] += $1.count } }
    }

    /// Counts of the whole input.
    package var totals: StatusMatrix {
        var totals = statuses { $0.isCounted }
        totals.merge(undated)
        totals.merge(pooledDays)
        return totals
    }
}

/// The requests of one UTC hour that are selected, and those of them that are blocked.
struct HourSum: Sendable {
    let start: Instant
    private(set) var requests = 0.0
    private(set) var blocked = 0.0

    init(start: Instant) { self.start = start }

    mutating func add(_ cell: Cell, isBlocked: Bool) {
        requests += Double(cell.count)
        if isBlocked { blocked += Double(cell.count) }
    }
}

extension RandomAccessCollection<DaySum> where Index == Int, SubSequence == ArraySlice<DaySum> {
    /// The days that fall into a window; they are in order.
    package func within(_ window: Window?) -> ArraySlice<DaySum> {
        guard let window else { return [] }
        return self[firstIndex(notBefore: window.from)..<firstIndex(notBefore: window.to.advanced(by: 1))]
    }

    private func firstIndex(notBefore day: Day) -> Int { partitioningIndex { $0.day < day } }
}
