import Verifications

extension ServiceFacts {
    /// The signs in hours of whether enforcement is on.
    private struct Signs {
        private(set) var (refused, served, valid, validRefused) = (0, 0, 0, 0)

        init(_ hours: some Sequence<ServiceHour>) {
            for (kind, count) in hours.lazy.flatMap(\.requests) {
                if kind.sign == .refused { refused += count }
                if kind.sign == .allowing { served += count }
                guard kind.security == .valid else { continue }
                valid += count
                if kind.isDenied { validRefused += count }
            }
        }

        var isAny: Bool { refused + served > 0 }
        var state: Enforcement.State { EnforcementHistory.state(refused, served, valid, validRefused) }
        /// The same where it is known that valid tokens are not refused.
        var shown: Enforcement.State { EnforcementHistory.state(refused, served, 0, 0) }
    }

    /// As many of the newest hours with a sign decide.
    private static let decidingHours = 24
    /// 2 November 2026, from when on Google has enforced AI Logic.
    private static let enforcedByGoogle = Instant(day: Day(number: 20_759), nanosecondOfDay: 0)

    /// Returns the state of enforcement as of an instant, and when it was last on: by its mode, else by its hours.
    func enforcement(_ asOf: Instant) -> (state: Enforcement.State, on: EnforcementTimes?, isContradicted: Bool) {
        let seen = hours.filter { $0.start <= asOf }
        let signs = seen.filter { Signs([$0]).isAny }[...]
        let first = signs.suffix(isCoarse ? 1 : ServiceFacts.decidingHours).first?.start ?? asOf
        let state = Signs(seen.drop { $0.start < first }).state
        var on: EnforcementTimes?
        if state != .unknown {
            let run = ServiceFacts.run(state, signs)
            let before = state == .on ? run : ServiceFacts.run(.on, signs[..<run.startIndex])
            if Signs(before).state == .on || state == .on, let start = before.first?.start {
                on = EnforcementTimes(start: start, end: state == .on ? nil : run.first?.start)
            }
        }
        let isEnforced = isEnforcedByGoogle || mode?.isEnforced ?? false
        guard mode != nil || isEnforcedByGoogle else { return (state, on, false) }
        // Before Google's own switch its requests were served, which is a contradiction: AI Logic is never ready.
        let byGoogle = on?.start ?? (ServiceFacts.enforcedByGoogle <= asOf ? ServiceFacts.enforcedByGoogle : nil)
        let change = isEnforcedByGoogle ? byGoogle : mode?.updated
        // The hour of the change has requests from before it as well.
        let since = change?.hourStart ?? on?.start ?? Instant(seconds: 0)
        let newest = Signs(signs.drop { $0.start < since }.suffix(isCoarse ? 1 : ServiceFacts.decidingHours))
        // A mode is contradicted by less than it takes to show enforcement without one.
        let (isDenied, isServed) = (newest.refused > newest.served, newest.served >= max(1, newest.refused))
        guard !isEnforced else {
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
    private static func run(_ state: Enforcement.State, _ hours: ArraySlice<ServiceHour>) -> ArraySlice<ServiceHour> {
        var place = hours.endIndex
        while place > hours.startIndex {
            let next = Signs([hours[place - 1]])
            if (next.refused > next.served) != (state == .on), Signs(hours[place...]).shown == state { break }
            place -= 1
        }
        return hours[place...]
    }

    /// True where enforcement is shown to be off from an instant on.
    func isServed(since start: Instant) -> Bool {
        isDecided || hours.contains { start <= $0.start && Signs([$0]).served > 0 }
    }
}

/// When enforcement was on; without an end it still is.
struct EnforcementTimes: Hashable, Sendable {
    let start: Instant
    let end: Instant?
}
