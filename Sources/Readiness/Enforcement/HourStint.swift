package import Verifications

/// Says whether enforcement is on, regardless of requests: a service's mode, or Google for everybody.
package struct StatedMode: Hashable, Sendable {
    package let isEnforced: Bool
    package let isCounted: Bool
    /// The last change; nil where there was none, or where it is not known.
    package let updated: Instant?
    /// True for what Google enforces for everybody, and nobody can switch off.
    package let isByGoogle: Bool
    package let isSet: Bool
}

/// An unbroken run of hours of a service, each with more than half of its signs refused, or none.
struct HourStint {
    let start: Instant
    let isRefusing: Bool
    private(set) var refused = 0
    private(set) var served = 0

    /// An hour with fewer signs begins no stint, and belongs to the one before it.
    private static let fewestSigns = 3
    /// 2 November 2026, from when on Google has enforced AI Logic.
    private static let enforcedByGoogle = Instant(day: Day(number: 20_759), nanosecondOfDay: 0)

    var state: Enforcement.State { EnforcementHistory.state(refused, served, 0, 0) }

    private init(start: Instant, isRefusing: Bool) { (self.start, self.isRefusing) = (start, isRefusing) }

    /// The stints of a service's hours from one instant up to another, in order.
    static func all(_ table: CellTable, from start: Instant? = nil, upTo end: Instant) -> [HourStint] {
        var hours: [Instant: (refused: Int, served: Int)] = [:]
        for cell in table.cells where cell.start <= end && start ?? cell.start <= cell.start {
            guard let line = cell.sign?.line, line == .refused || line == .allowing else { continue }
            let hour = cell.start.hourStart
            if line == .refused { hours[hour, default: (0, 0)].refused += cell.count }
            if line == .allowing { hours[hour, default: (0, 0)].served += cell.count }
        }
        var stints: [HourStint] = []
        for (hour, signs) in hours.sorted(by: { $0.key < $1.key }) {
            let isRefusing = signs.refused > signs.served
            if signs.refused + signs.served >= fewestSigns, stints.last.map({ $0.isRefusing != isRefusing }) ?? true {
                stints.append(HourStint(start: hour, isRefusing: isRefusing))
            }
            guard !stints.isEmpty else { continue }
            stints[stints.count - 1].refused += signs.refused
            stints[stints.count - 1].served += signs.served
        }
        return stints
    }

    /// Returns the state of enforcement as of an instant, and when it was last on: by the newest stint, unless the mode
    /// decides.
    static func enforcement(
        _ table: CellTable, _ asOf: Instant
    ) -> (state: Enforcement.State, on: EnforcementTimes?, isContradicted: Bool) {
        let stints = all(table, upTo: asOf)
        let state = stints.last?.state ?? .unknown
        let last = stints.lastIndex { $0.state == .on }
        var on = last.map { place in
            EnforcementTimes(
                start: stints[place].start, end: place + 1 < stints.count ? stints[place + 1].start : nil)
        }
        guard let mode = table.mode else { return (state, on, false) }
        // Before Google's own switch its requests were served, which is a contradiction: AI Logic is never ready.
        let byGoogle = on?.start ?? (enforcedByGoogle <= asOf ? enforcedByGoogle : nil)
        let change = mode.isByGoogle ? byGoogle : mode.updated
        // The hour of the change has requests from before it as well, which contradict nothing.
        let firstHour = change.map { $0.hourStart == $0 ? $0 : $0.hourStart.adding(seconds: 3600) }
        let newest = all(table, from: firstHour ?? on?.start, upTo: asOf).last
        guard !mode.isEnforced else {
            let start = min(change ?? on?.start ?? asOf, asOf)
            return (.on, EnforcementTimes(start: start, end: nil), newest.map { !$0.isRefusing } ?? false)
        }
        let isDenied = newest?.isRefusing ?? false
        if !isDenied, let change, let begun = on, begun.start < change {
            on = EnforcementTimes(start: begun.start, end: min(begun.end ?? change, change))
        } else if on?.end == nil {
            on = nil
        }
        return (.off, on, isDenied)
    }

    /// True where a service was on at an instant before the one that is judged: whoever was refused had left by then.
    static func wasOn(_ table: CellTable, at instant: Instant, upTo end: Instant) -> Bool {
        if let mode = table.mode, mode.updated.map({ $0 <= instant }) ?? true { return mode.isEnforced }
        return all(table, upTo: end).last { $0.start <= instant }?.state == .on
    }
}

/// When enforcement was on; without an end it still is.
struct EnforcementTimes: Hashable, Sendable {
    let start: Instant
    let end: Instant?
}
