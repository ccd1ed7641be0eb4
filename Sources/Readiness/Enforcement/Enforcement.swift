package import Verifications

/// When a policy says that enforcement was switched on.
package enum EnforcementTime: Hashable, Sendable {
    /// Some time on a UTC day.
    case date(Day)
    case instant(Instant)
}

/// Whether enforcement is on, since when, and how that is known: what verdict, gate and all reports read.
package struct Enforcement: Hashable, Sendable {
    package enum State: String, Sendable {
        case on
        case off
        /// Revisions with and without enforcement share the requests.
        case staged
        case unknown
    }

    package enum Source: String, Sendable { case policy, log }

    /// Refused requests of the last 24 hours, where they are too few to tell whether enforcement is on.
    package struct Recent: Hashable, Sendable {
        package let refused: Int
        /// Those like them that were served since the first of them.
        package let served: Int
        package let first: Instant
    }

    package var state = State.unknown
    /// Since when it is so: the switch, or the first request that was served after it; nil where neither is known.
    package var since: Instant?
    /// What shows that enforcement is or was on; nil if nothing does.
    package var source: Source?
    /// Signs since then, or else in the window.
    package var refused = 0
    package var served = 0
    /// The switch: from then on, requests without a valid token count as refused; nil where nothing says that
    /// enforcement is on.
    package var start: Instant?
    /// The revision that ``start`` is about; nil for all.
    package var slot: UInt8?
    /// What the policy says; nil where it says nothing.
    package var policy: EnforcementTime?
    /// The policy's date, where nothing shows at what time of that day enforcement was switched on.
    package var unclearDay: Day?
    /// The same, and where requests were refused earlier than they count, too few to tell.
    package var untimedDay: Day?
    /// True where the switch is yet to come.
    package var isAhead = false
    /// True where the log alone makes the verdict `enforced`.
    package var isProven = false
    /// True where requests show when that was.
    package var isSeen = false
    /// What the log shows against the policy.
    package var doubt: Doubt?
    package var recent: Recent?

    package enum Doubt: Hashable, Sendable {
        /// Enforcement is off.
        case off
        /// Since an instant, requests without a valid token are served; a streaming callable answers as if they were.
        case served(Int, since: Instant)
        /// It was switched on at another time.
        case switched(Instant)
    }

    package init() {}

    /// True where requests without a valid token are refused now, as the policy says or the log shows.
    package var isOn: Bool { start != nil }

    /// True where some of the requests without a valid token were refused, or may have been.
    package var hasRefused: Bool { isOn || recent != nil }
}

/// One revision of a function and the requests that it got on the last days.
package struct RevisionSummary: Hashable, Sendable {
    /// As Cloud Run has it: `addmessage-00006-taj`.
    package let name: String
    /// Those whose Auth token was not refused.
    package let requests: Int
    package let blocked: Int
    /// Signs of enforcement: see ``EnforcementSign``.
    package let refused: Int
    /// By its own signs.
    package let state: Enforcement.State

    /// How many days are looked at.
    package static let days = 7
}

/// A run of refused requests, without a served one between them.
struct Spell {
    /// The first of them.
    let start: Instant
    var refused: Int
    /// The first one that was served afterwards; nil for none.
    var end: Instant?

    /// Fewer refused requests show nothing.
    static let fewestSigns = 3
    /// How likely such a run may be where the function itself answers 401 to some.
    static let chance = 0.001
    /// In seconds: so far back is looked for what is usual.
    static let memory: Int64 = 14 * Instant.secondsPerDay
}

/// What a function's requests show of enforcement over time: its signs in order, from which spells are made.
///
/// A class, so that the many nights for which the rule is asked share it.
package final class EnforcementHistory: Sendable {
    /// What a refused token shows depends on who refused it.
    enum SDK {
        /// Passes at DEBUG: it writes "Allowing request…" where enforcement is off.
        case current
        /// Passes at INFO: it refuses every INVALID token, and has no enforcement.
        case third
        case unknown

        init(_ days: some Sequence<DayTally>, isLabelled: Bool) {
            guard isLabelled else {
                self = .unknown
                return
            }
            let severities = days.reduce(into: PassSeverity()) { $0.formUnion($1.passSeverities) }
            switch severities {
            case .debug: self = .current
            case .info: self = .third
            default: self = .unknown
            }
        }

        func signs(of run: SignRun) -> (refused: Int, served: Int) {
            let byLine = run[.refusedByLine] + run[.refusedByLineOrServed]
            let refused = run[.refused] + (self == .third ? 0 : run[.refusedInvalid]) + (self == .current ? byLine : 0)
            return (refused, run[.served] + run[.allowed] + (self == .current ? 0 : run[.refusedByLineOrServed]))
        }
    }

    struct Run {
        let isOn: Bool
        let start: Instant
        let end: Instant
        let firstSlot: UInt8
        let lastSlot: UInt8
        let refused: Int
        let served: Int
        let allowed: Int

        /// Nil for one in which nothing is left that shows something.
        init?(_ run: SignRun, on day: Day, _ sdk: SDK) {
            (refused, served) = sdk.signs(of: run)
            guard refused + served > 0 else { return nil }
            isOn = run.kind != .served && refused > 0
            (start, end) = (Instant(day: day, nanosecondOfDay: run.first), Instant(day: day, nanosecondOfDay: run.last))
            (firstSlot, lastSlot) = (run.firstSlot, run.lastSlot)
            allowed = run[.allowed]
        }

        /// The part of a number that lies in `range`, if the signs are spread evenly.
        func share(of number: Int, from first: Instant, before end: Instant?) -> Double {
            let (low, high) = (max(start, first), self.end)
            guard low <= high, end.map({ low < $0 }) ?? true else { return 0 }
            let isWhole = low == start && (end.map { high < $0 } ?? true)
            let length = start.distance(to: high)
            guard !isWhole, length > 0 else { return Double(number) }
            return Double(number) * low.distance(to: end.map { min($0, high) } ?? high) / length
        }
    }

    private let days: [DayTally]
    private let callers: [Day: CallerDay]
    /// Ascending.
    private let signs: [(day: Day, signs: DaySigns)]
    private let isLabelled: Bool
    /// True with a refused request on any day.
    let hasRefusals: Bool

    init(_ tally: FunctionTally, _ callers: FunctionCallers?) {
        days = tally.days
        isLabelled = tally.provenance == .labelled
        self.callers = callers?.days ?? [:]
        signs = self.callers.filter { !$0.value.signs.isEmpty }.sorted { $0.key < $1.key }
            .map { (day: $0.key, signs: $0.value.signs) }
        hasRefusals = signs.contains { $0.signs.runs.contains { $0.refused > 0 } }
    }

    /// The runs of a stretch, of one revision or of all.
    private func runs(in stretch: Window, of slot: UInt8?) -> [Run] {
        let sdk = sdk(in: stretch)
        return signs.lazy.filter { stretch.days.contains($0.day) }.flatMap { day, signs in
            signs.runs(of: slot).compactMap { Run($0, on: day, sdk) }
        }
    }

    private func sdk(in stretch: Window) -> SDK {
        SDK(days.lazy.filter { stretch.days.contains($0.day) }, isLabelled: isLabelled)
    }

    // MARK: What lies since an instant

    /// A day from an instant on, of one revision or of all; nil for one that has nothing since then.
    private func part(of day: DayTally, from instant: Instant, _ slot: UInt8?) -> (tally: DayTally, callers: CallerDay)?
    {
        guard day.day >= instant.day else { return nil }
        let isWhole = day.day > instant.day || instant.nanosecondOfDay == 0 && slot == nil
        let whole = callers[day.day] ?? CallerDay()
        if isWhole {
            guard let slot else { return (day, whole) }
            let counts = day.revisions.counts(of: slot, among: day.counts)
            let isAll = counts == day.counts
            return counts.total > 0
                ? (day.with(counts), isAll ? whole : CallerDay(answersOf: whole.signs.revision(slot))) : nil
        }
        let isOnly = day.revisions.counts.isEmpty && day.revisions.slot == slot
        let part =
            day.parts.from(instant.nanosecondOfDay, slot)
            ?? (isOnly ? day.parts.from(instant.nanosecondOfDay, nil) : nil)
        guard let part, part.counts.total > 0 else { return nil }
        return (day.with(part.counts), part.callers)
    }

    /// The days from an instant on, the first of them without what lies before.
    func days(
        from instant: Instant, of slot: UInt8?, in window: Window, _ admission: Admission,
        leavingOut ignored: Set<ClientKind>
    ) -> [FunctionDay] {
        days.filter { window.days.contains($0.day) }.compactMap { part(of: $0, from: instant, slot) }
            .map { tally, callers in
                var judged = tally
                if !ignored.isEmpty { judged.leaveOut(ignored, callers) }
                return FunctionDay(tally, judged: judged, admission: admission)
            }
    }

    /// What all that came since an instant adds up to.
    func sum(from instant: Instant, of slot: UInt8?, through last: Day) -> (counts: StatusMatrix, callers: CallerDay) {
        days.lazy.filter { $0.day <= last }.compactMap { self.part(of: $0, from: instant, slot) }
            .reduce(into: (counts: StatusMatrix(), callers: CallerDay())) { sum, part in
                sum.counts.merge(part.tally.counts)
                sum.callers.merge(part.callers)
            }
    }

    /// The last hour up to an instant; nil where it is not known apart from the day.
    func lastHour(before asOf: Instant) -> (counts: StatusMatrix, callers: CallerDay)? {
        let start = asOf.adding(seconds: -3600)
        guard let day = days.last(where: { $0.day == start.day }),
            let part = day.parts.first(where: { $0.from == start.nanosecondOfDay && $0.slot == nil })
        else { return nil }
        var (counts, callers) = (part.counts, part.callers)
        if asOf.day > start.day, let today = days.last(where: { $0.day == asOf.day }) {
            counts.merge(today.counts)
            callers.merge(self.callers[asOf.day] ?? CallerDay())
        }
        return (counts, callers)
    }

    // MARK: Spells

    private static func spells(_ runs: [Run]) -> [Spell] {
        var spells: [Spell] = []
        for run in runs {
            if run.isOn, let last = spells.last, last.end == nil {
                spells[spells.count - 1].refused += run.refused
            } else if run.isOn {
                spells.append(Spell(start: run.start, refused: run.refused))
            } else if spells.last?.end == nil, !spells.isEmpty {
                spells[spells.count - 1].end = run.start
            }
        }
        return spells
    }

    /// True for a run too long to be chance, by what was usual in the two weeks before, and not answered to everybody.
    private func isKnown(_ spell: Spell, _ runs: [Run], _ slot: UInt8?, through last: Day) -> Bool {
        guard spell.refused >= Spell.fewestSigns else { return false }
        let first = spell.start.adding(seconds: -Spell.memory)
        var (refused, signs) = (0.0, 0.0)
        for run in runs where run.start < spell.start {
            refused += run.share(of: run.refused, from: first, before: spell.start)
            signs += run.share(of: run.refused + run.served, from: first, before: spell.start)
        }
        let usual = (refused + 1) / (signs + 2)
        var chance = 1.0
        // A hair more, as decimals are not exact: 0.1³ is 0.001.
        let limit = Spell.chance * (1 + 1e-9)
        for _ in 0..<spell.refused where chance > limit { chance *= usual }
        guard chance <= limit else { return false }
        let since = sum(from: spell.start, of: slot, through: last).callers
        return since.verifiedRefused <= since.verifiedServed
    }

    /// True while several revisions share the requests, some with and some without enforcement.
    ///
    /// They do where signs of both kinds, of different revisions, came one after the other within the last hour; a
    /// switch changes the kind once.
    private static func isStaged(_ runs: [Run]) -> Bool {
        guard let newest = runs.last else { return false }
        let start = newest.end.adding(seconds: -3600)
        let recent = runs.filter { $0.end >= start }
        let changes = zip(recent, recent.dropFirst()).count { left, right in
            left.isOn != right.isOn && left.lastSlot != right.firstSlot && left.lastSlot > 0 && right.firstSlot > 0
        }
        return changes >= 2
    }

    /// The revision of the newest request that names one.
    private func newestSlot(in stretch: Window) -> UInt8? {
        days.last { stretch.days.contains($0.day) && $0.lastSlot > 0 }?.lastSlot
    }

    /// Whether one revision enforces App Check, by its own signs.
    private func state(of slot: UInt8?, _ runs: [Run], through last: Day) -> (Enforcement.State, known: [Spell]) {
        let known = EnforcementHistory.spells(runs).filter { isKnown($0, runs, slot, through: last) }
        if let newest = known.last, newest.end == nil { return (.on, known) }
        return (runs.contains { !$0.isOn || $0.served > 0 } ? .off : .unknown, known)
    }

    /// The revisions that had requests on the last days, the oldest first; none where no two share a day.
    ///
    /// - Parameters:
    ///   - stretch: The days that are known.
    ///   - name: That of a revision, as Cloud Run has it.
    /// - Returns: Each with its requests on those days, and with its state by its own signs.
    func revisions(in stretch: Window, name: (Revision) -> String) -> [RevisionSummary] {
        let first = max(stretch.from, stretch.to.advanced(by: 1 - RevisionSummary.days))
        let recent = days.filter { (first...stretch.to).contains($0.day) }
        guard recent.contains(where: { $0.revisions.counts.count { $0.slot > 0 } > 1 }) else { return [] }
        var found: [(revision: Revision, slot: UInt8, counts: StatusMatrix)] = []
        for day in recent {
            for share in day.revisions.shares(of: day.counts) where share.slot > 0 {
                guard share.counts.admitted(.notRefused) > 0 else { continue }
                let place = found.firstIndex { $0.revision == share.revision } ?? found.count
                if place == found.count { found.append((share.revision, share.slot, StatusMatrix())) }
                found[place].counts.merge(share.counts)
            }
        }
        return found.map { revision, slot, counts in
            let runs = runs(in: stretch, of: slot)
            return RevisionSummary(
                name: name(revision), requests: counts.admitted(.notRefused), blocked: counts.blocked(.notRefused),
                refused: runs.reduce(0) { $1.start.day >= first ? $0 + $1.refused : $0 },
                state: state(of: slot, runs, through: stretch.to).0)
        }
    }

    /// What the days of a stretch show.
    ///
    /// - Parameters:
    ///   - stretch: The days that are known.
    ///   - recent: The last W of them.
    ///   - window: The days that are judged.
    ///   - policy: When the policy says that enforcement was switched on; nil where it says nothing.
    ///   - asOf: T.
    /// - Returns: Whether enforcement is on.
    func enforcement(
        in stretch: Window, recent: Window?, window: Window?, policy: EnforcementTime?, asOf: Instant
    ) -> Enforcement {
        var (runs, found) = (runs(in: stretch, of: nil), Enforcement())
        let all = runs
        found.policy = policy
        if EnforcementHistory.isStaged(runs), let slot = newestSlot(in: stretch) {
            (found.slot, runs) = (slot, self.runs(in: stretch, of: slot))
        }
        let (state, spells) = state(of: found.slot, runs, through: stretch.to)
        let (newest, lastServed) = (spells.last, runs.last { !$0.isOn })
        let isOn = state == .on
        found.state = found.slot == nil ? state : .staged
        found.start = switchTime(policy, spells, isOn: isOn)
        // A policy that is ahead of the log hides nobody.
        if let start = found.start, start > asOf, isOn { found.start = newest?.start }
        found.isSeen = spells.contains { $0.start == found.start }
        found.since = isOn || policy != nil && lastServed == nil ? found.start : newest?.end
        found.source = policy != nil ? .policy : found.since != nil ? .log : nil
        if case .date(let day) = policy, let recent, recent.days.contains(day) {
            let isPlaced = spells.contains { $0.start.day >= day || ($0.end.map { $0.day >= day } ?? true) }
            let signs = runs.filter { $0.start.day == day }.reduce(0) { $0 + $1.refused + $1.served }
            let requests = days.first { $0.day == day }?.counts.blocked(.notRefused) ?? 0
            if !isPlaced, requests > signs { found.unclearDay = day }
        }
        let counted = found.since ?? window.map { Instant(day: max($0.from, stretch.from), nanosecondOfDay: 0) }
        if let counted { (found.refused, found.served) = signs(since: counted, runs, found.slot, stretch) }
        if policy == nil, let newest, isOn, found.slot == nil { found.isProven = isProven(newest, through: stretch.to) }
        if policy != nil, found.slot == nil { found.doubt = doubt(runs, spells, found, stretch) }
        if !isOn { found.recent = EnforcementHistory.recent(all, asOf) }
        found.untimedDay = found.unclearDay
        if let start = found.start {
            found.isAhead = start > asOf
            if case .date(let day) = policy, day <= asOf.day, let recent = found.recent, recent.first < start {
                found.untimedDay = day
            }
        }
        return found
    }

    /// Refused and served signs from an instant on.
    private func signs(
        since start: Instant, _ runs: [Run], _ slot: UInt8?, _ stretch: Window
    ) -> (refused: Int, served: Int) {
        let part = days.first { $0.day == start.day }?.parts
            .first { $0.from == start.nanosecondOfDay && $0.slot == slot }
        guard let part else {
            func sum(_ number: (Run) -> Int) -> Int {
                Int(runs.reduce(0) { $0 + $1.share(of: number($1), from: start, before: nil) }.rounded())
            }
            return (sum(\.refused), sum(\.served))
        }
        let sdk = sdk(in: stretch)
        let later = runs.filter { $0.start.day > start.day }
        let own = part.callers.signs.runs.map(sdk.signs)
        return (
            own.reduce(0) { $0 + $1.refused } + later.reduce(0) { $0 + $1.refused },
            own.reduce(0) { $0 + $1.served } + later.reduce(0) { $0 + $1.served }
        )
    }

    private func switchTime(_ policy: EnforcementTime?, _ spells: [Spell], isOn: Bool) -> Instant? {
        switch policy {
        case .instant(let instant): return instant
        case nil: return isOn ? spells.last?.start : nil
        case .date(let day):
            let midnight = Instant(day: day, nanosecondOfDay: 0)
            if let spell = spells.last(where: { $0.start >= midnight }) { return spell.start }
            // Where it was on all day, the date of the policy is late.
            let goesOn = spells.last.map { spell in spell.end.map { $0 >= midnight } ?? true } ?? false
            return goesOn ? midnight : Instant(day: day.advanced(by: 1), nanosecondOfDay: 0)
        }
    }

    /// A guess from the log never opens a gate, so that each condition must hold since the switch.
    private func isProven(_ spell: Spell, through last: Day) -> Bool {
        let (counts, callers) = sum(from: spell.start, of: nil, through: last)
        let requests = counts.blocked(.notRefused)
        let withRow = [callers.signedIn, callers.signedOut].reduce(0) { $0 + $1.blockedJoined + $1.blockedUnclear }
        return spell.refused >= EnforcementHistory.fewestProving
            && (withRow >= requests - 1 || 20 * withRow >= 19 * requests)
            && 20 * callers.refusedByRow >= 19 * withRow && callers.verifiedServed > 0
    }

    private static let fewestProving = 5

    /// What speaks against the policy.
    ///
    /// A streaming callable answers 200 whether or not it refuses: its answers prove nothing.
    private func doubt(_ runs: [Run], _ spells: [Spell], _ found: Enforcement, _ stretch: Window) -> Enforcement.Doubt?
    {
        guard let start = found.start else { return nil }
        if found.state == .on, case .instant(let typed) = found.policy, let spell = spells.last {
            let (low, high) = (min(typed, spell.start), max(typed, spell.start))
            let isOther = runs.contains { run in
                run.isOn
                    ? typed > spell.start && run.start < typed : run.share(of: run.served, from: low, before: high) >= 1
            }
            return isOther ? .switched(spell.start) : nil
        }
        guard found.state == .off else { return nil }
        // Too few refused requests for a known spell still show that the function is not a streaming one.
        let unknownEnd = EnforcementHistory.spells(runs).last?.end.flatMap { $0.day < stretch.to ? $0 : nil }
        let end = spells.last?.end ?? unknownEnd
        let served = runs.filter { !$0.isOn && $0.end >= (spells.last?.end ?? start) }
        let answersTell = callers.contains { stretch.days.contains($0.key) && $0.value.authRefused > 0 }
        if answersTell ? !served.isEmpty : served.contains(where: { $0.allowed > 0 }) { return .off }
        return end.flatMap { isGone(runs, at: $0, stretch) ? .served(found.served, since: $0) : nil }
    }

    /// True where the revision that refused requests until an instant had none on later days.
    private func isGone(_ runs: [Run], at end: Instant, _ stretch: Window) -> Bool {
        guard let slot = runs.last(where: { $0.isOn && $0.start < end })?.lastSlot, slot > 0 else { return true }
        return newestSlot(in: stretch) != slot
            && !days.contains { day in
                day.day > end.day && stretch.days.contains(day.day)
                    && day.revisions.counts(of: slot, among: day.counts).total > 0
            }
    }

    private static func recent(_ runs: [Run], _ asOf: Instant) -> Enforcement.Recent? {
        let first = asOf.adding(seconds: -Instant.secondsPerDay)
        let refused = runs.map { (run: $0, refused: Int($0.share(of: $0.refused, from: first, before: nil).rounded())) }
            .filter { $0.refused > 0 }
        guard let run = refused.first?.run else { return nil }
        let start = max(run.start, first)
        let served = runs.reduce(0) { $0 + $1.share(of: $1.served, from: start, before: nil) }
        return Enforcement.Recent(
            refused: refused.reduce(0) { $0 + $1.refused }, served: Int(served.rounded()), first: start)
    }
}

extension CallerDay {
    fileprivate init(answersOf revision: DaySigns.Revision) {
        self.init()
        (verifiedRefused, verifiedServed) = (revision.verifiedRefused, revision.verifiedServed)
    }
}

extension Instant {
    /// In seconds.
    fileprivate func distance(to later: Instant) -> Double {
        Double(later.seconds - seconds) + (Double(later.nanoseconds) - Double(nanoseconds)) / 1e9
    }
}
