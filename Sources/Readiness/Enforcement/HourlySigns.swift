package import Verifications

/// Says whether enforcement is on, regardless of requests: a service's mode, or Google for everybody.
package struct StatedMode: Hashable, Sendable {
    package let isEnforced: Bool
    /// False where nothing is counted.
    package let isCounted: Bool
    /// The last change; nil where there was none, or where it is not known.
    package let updated: Instant?
    /// True for what Google enforces for everybody, and nobody can switch off.
    package let isByGoogle: Bool
    /// True where somebody has set it.
    package let isSet: Bool
}

/// The signs in the requests of one hour of whether enforcement is on, where hours are counted.
struct HourlySigns {
    let start: Instant
    private(set) var (refused, served, valid, validRefused) = (0, 0, 0, 0)

    private init(start: Instant) { self.start = start }

    private mutating func add(_ cell: Cell, isVerified: Bool) {
        let sign = cell.sign
        if sign?.line == .refused { refused += cell.count }
        if sign?.line == .allowing { served += cell.count }
        guard isVerified else { return }
        valid += cell.count
        if sign?.line == .refused { validRefused += cell.count }
    }

    private mutating func add(_ other: HourlySigns) {
        refused += other.refused
        served += other.served
        valid += other.valid
        validRefused += other.validRefused
    }

    private static func sum(_ hours: some Sequence<HourlySigns>) -> HourlySigns {
        hours.reduce(into: HourlySigns(start: Instant(seconds: 0))) { $0.add($1) }
    }

    private var isAny: Bool { refused + served > 0 }
    private var state: Enforcement.State { EnforcementHistory.state(refused, served, valid, validRefused) }
    /// The same where it is known that valid tokens are not refused.
    private var shown: Enforcement.State { EnforcementHistory.state(refused, served, 0, 0) }

    private static func hours(_ table: CellTable, upTo asOf: Instant) -> [HourlySigns] {
        var hours: [HourlySigns] = []
        for cell in table.cells.sorted(by: { $0.start < $1.start }) where cell.start <= asOf {
            let start = cell.start.hourStart
            if hours.last?.start != start { hours.append(HourlySigns(start: start)) }
            hours[hours.count - 1].add(cell, isVerified: table.security(of: cell) == .valid)
        }
        return hours
    }

    /// As many of the newest hours with a sign decide.
    private static let decidingHours = 24
    /// 2 November 2026, from when on Google has enforced AI Logic.
    private static let enforcedByGoogle = Instant(day: Day(number: 20_759), nanosecondOfDay: 0)

    /// Returns the state of enforcement as of an instant, and when it was last on: by its mode, else by its hours.
    static func enforcement(
        _ table: CellTable, _ asOf: Instant
    ) -> (state: Enforcement.State, on: EnforcementTimes?, isContradicted: Bool) {
        let seen = hours(table, upTo: asOf)
        let deciding = table.cells.contains(where: \.isCoarse) ? 1 : decidingHours
        let signs = seen.filter(\.isAny)[...]
        let first = signs.suffix(deciding).first?.start ?? asOf
        let state = sum(seen.drop { $0.start < first }).state
        var on: EnforcementTimes?
        if state != .unknown {
            let run = run(state, signs)
            let before = state == .on ? run : HourlySigns.run(.on, signs[..<run.startIndex])
            if sum(before).state == .on || state == .on, let start = before.first?.start {
                on = EnforcementTimes(start: start, end: state == .on ? nil : run.first?.start)
            }
        }
        guard let mode = table.mode else { return (state, on, false) }
        // Before Google's own switch its requests were served, which is a contradiction: AI Logic is never ready.
        let byGoogle = on?.start ?? (enforcedByGoogle <= asOf ? enforcedByGoogle : nil)
        let change = mode.isByGoogle ? byGoogle : mode.updated
        // The hour of the change has requests from before it as well.
        let since = change?.hourStart ?? on?.start ?? Instant(seconds: 0)
        let newest = sum(signs.drop { $0.start < since }.suffix(deciding))
        // A mode is contradicted by less than it takes to show enforcement without one.
        let (isDenied, isServed) = (newest.refused > newest.served, newest.served >= max(1, newest.refused))
        guard !mode.isEnforced else {
            let start = min(change ?? on?.start ?? asOf, asOf)
            return (.on, EnforcementTimes(start: start, end: nil), isServed)
        }
        if !isDenied, let change, let begun = on, begun.start < change {
            on = EnforcementTimes(start: begun.start, end: min(begun.end ?? change, change))
        } else if on?.end == nil {
            on = nil
        }
        return (.off, on, isDenied)
    }

    /// The hours up to the last one that show one state: one with other signs ends them once they are enough for it.
    private static func run(_ state: Enforcement.State, _ hours: ArraySlice<HourlySigns>) -> ArraySlice<HourlySigns> {
        var place = hours.endIndex
        while place > hours.startIndex {
            let next = hours[place - 1]
            if (next.refused > next.served) != (state == .on), sum(hours[place...]).shown == state { break }
            place -= 1
        }
        return hours[place...]
    }
}

/// When enforcement was on; without an end it still is.
struct EnforcementTimes: Hashable, Sendable {
    let start: Instant
    let end: Instant?
}
