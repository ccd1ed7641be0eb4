package import Verifications

/// When a policy says that enforcement was switched on.
package enum EnforcementTime: Hashable, Sendable {
    /// Some time on a UTC day.
    case date(Day)
    case instant(Instant)

    /// As a policy has it.
    package var text: String {
        switch self {
        case .date(let day): "\(day)"
        case .instant(let instant): "\(instant)"
        }
    }
}

/// The state of enforcement, since when, and how that is known: what verdict, gate and all reports read.
///
/// Enforcement is compiled into a deployment, so a revision enforces from its first request to its last, or never.
package struct Enforcement: Hashable, Sendable {
    package enum State: String, Sendable {
        case on
        case off
        /// Revisions with and without enforcement share the requests.
        case partly
        case unknown
    }

    package enum Source: String, Sendable { case policy, log, mode }

    /// Requests that were refused in the last 24 hours, where they are too few to tell whether enforcement is on.
    package struct Recent: Hashable, Sendable {
        package let refused: Int
        package let first: Instant
    }

    /// Enforcement that was on, and is no more.
    package struct Past: Hashable, Sendable {
        package let from: Instant
        /// The first request of the revision that came after it, or the last one that was refused.
        package let to: Instant
        package let requests: Int
        package let refused: Int
    }

    package internal(set) var state = State.unknown
    /// The source that shows that enforcement is or was on; nil if nothing does.
    package internal(set) var source: Source?
    /// Signs since then, or else in the window.
    package internal(set) var refused = 0
    package internal(set) var served = 0
    /// The switch: requests without a valid token that ``scope`` includes were refused since then; nil where nothing
    /// shows that enforcement is on.
    package internal(set) var start: Instant?
    /// By policy, where its time has come.
    package internal(set) var policy: EnforcementTime?
    fileprivate var wayBackPlace: Int?
    /// By policy, where its time is yet to come.
    package internal(set) var planned: EnforcementTime?
    /// The policy's date, where nothing shows at what time of that day enforcement was switched on, by whose requests
    /// are asked.
    var unclearDays: [Admission: Day] = [:]
    /// True where one of the revisions that are on may be a streaming callable, which answers 200 to everything.
    package internal(set) var mayStream = false
    /// True where the log shows that enforcement is off, though by policy it is on.
    package internal(set) var isContradicted = false
    /// Nil unless the state is unknown.
    package internal(set) var recent: Recent?
    /// The last time that it was on, where it is off.
    package internal(set) var past: Past?
    /// The revisions with requests, in the order of their first ones.
    package internal(set) var revisions: [RevisionSummary] = []
    /// The requests that enforcement concerns.
    fileprivate(set) var scope = Scope.none

    package init() {}

    /// True where requests without a valid token are refused now, as the policy says or the log shows.
    package var isOn: Bool { start != nil }

    /// The newest revision that is off and got requests in the last two weeks: where traffic can be sent to roll back.
    package var wayBack: RevisionSummary? { wayBackPlace.map { revisions[$0] } }

    /// True where nothing is known of it.
    package var isUnknown: Bool {
        state == .unknown && start == nil && planned == nil && recent == nil && revisions.count < 2
    }

    /// True where nothing is left to decide, by policy or by the log.
    var isSettled: Bool { (policy != nil || state == .on) && !isContradicted }

    /// True where the log alone shows that it is on.
    var isByLog: Bool { policy == nil && source == .log }

    /// True where some of the judged requests without a valid token were refused, or may have been: where revisions
    /// enforce in part, theirs are not judged.
    package var hasRefused: Bool { isOn && state != .partly || recent != nil }

    /// The requests that are refused without a valid token.
    enum Scope: Hashable, Sendable {
        case none
        /// Requests of some revisions, from one of their beginnings on.
        case revisions(Set<Revision>, from: Int)
        /// All since an instant, by policy.
        case since(Instant)
        /// Requests that name no revision, from a refused one on.
        case run(from: Instant)
    }
}

/// One revision of a function and its requests.
package struct RevisionSummary: Hashable, Sendable {
    package let revision: Revision
    /// As Cloud Run has it: `addmessage-00006-taj`.
    package internal(set) var name = ""
    /// By its own signs.
    package let state: Enforcement.State
    /// Requests whose Auth token was not refused.
    package let requests: Int
    package let blocked: Int
    /// Signs of enforcement: see ``EnforcementSign``.
    package let refused: Int
    package let served: Int
    package let first: Instant
    package let last: Instant
}

/// The requests of a function by revision, in the stretch: what enforcement is decided by, once, as of T.
///
/// A class, so that the many nights for which the rule is asked share it.
package final class EnforcementHistory: Sendable {
    /// A part of a day, with what is known of its requests.
    private struct Part {
        let day: Day
        let index: Int
        let part: RevisionPart
        let counts: StatusMatrix
        /// False for what lies before `--since`.
        let isCounted: Bool

        var first: Instant { Instant(day: day, nanosecondOfDay: part.first) }
        var last: Instant { Instant(day: day, nanosecondOfDay: part.last) }
    }

    /// S, which `--since` does not change; nil without a stretch.
    let firstDay: Day?
    /// Ascending.
    private let parts: [Part]
    private let callers: FunctionCallers?
    private let newest: [Revision]
    /// The newest requests.
    let recent: RecentRequests
    /// Nil for a function.
    private let service: ServiceFacts?
    /// False for firebase-functions 3.x, which refuses every INVALID token and has no enforcement.
    private let countsInvalid: Bool
    /// True where the SDK writes "Allowing request…", so that a refused token without it was refused for good.
    private let showsRefusal: Bool
    /// Revisions that may be streaming callables.
    private let streaming: Set<Revision>
    private let revisions: [Revision: RevisionSigns]

    /// - Parameters:
    ///   - tally: The function's days.
    ///   - callers: What rows and lines show of it.
    ///   - stretch: The days that are looked at, from S to T's, regardless of `--since`.
    ///   - hasAllowing: True with a line "Allowing request…" of the project in the stretch.
    ///   - generation: Generation 2 alone can stream.
    init(
        _ tally: FunctionTally, _ callers: FunctionCallers?, in stretch: Window?, hasAllowing: Bool,
        _ generation: Generation?
    ) {
        let days = tally.days.filter { stretch?.days.contains($0.day) ?? false }
        let known = Dictionary(tally.days.lazy.map { ($0.day, $0) }) { first, _ in first }
        firstDay = stretch?.from
        let revisions = tally.revisions.isEmpty ? tally.days.map(EnforcementHistory.whole) : tally.revisions
        // Requests before S change the order of none.
        var order: [Int: Int] = [:]
        parts = revisions.flatMap { day, parts in
            guard let stretch, stretch.days.contains(day) else { return [Part]() }
            return parts.enumerated().map { index, part in
                var part = part
                let number = order[part.beginning] ?? order.count + 1
                order[part.beginning] = number
                part.beginning = number
                return Part(
                    day: day, index: index, part: part,
                    counts: part.counts(among: known[day]?.counts ?? StatusMatrix()),
                    isCounted: known[day].map { $0.firstNanosecond <= part.first } ?? false)
            }
        }
        self.callers = callers
        newest = tally.newestRevisions
        service = tally.service
        let severities = days.reduce(into: PassSeverity()) { $0.formUnion($1.passSeverities) }
        countsInvalid = tally.provenance != .labelled || severities != .info
        var signs: [Revision: RevisionSigns] = [:]
        for part in parts { signs[part.part.revision, default: RevisionSigns()].add(part.part) }
        self.revisions = signs
        var requests = tally.recent
        let showsRefusal = hasAllowing && countsInvalid
        streaming =
            generation == .first
            ? [] : Set(signs.filter { $0.value.mayStream(showsRefusal: showsRefusal) }.keys)
        requests.forgetServed(of: streaming)
        (recent, self.showsRefusal) = (requests, showsRefusal)
    }

    /// A day of counts that a query has made, which show no revisions.
    private static func whole(_ day: DayTally) -> (day: Day, parts: [RevisionPart]) {
        var part = RevisionPart(.none, beginning: 1)
        part.add(day.counts.total, at: day.firstNanosecond...day.lastNanosecond)
        return (day.day, [part])
    }

    /// The signs in the requests of one revision.
    private struct RevisionSigns {
        var signs: [EnforcementSign: Int] = [:]
        var valid = 0
        var validRefused = 0
        var signedOutServed = 0
        var authRefusedServed = 0

        mutating func add(_ part: RevisionPart) {
            signs.merge(part.signs, uniquingKeysWith: +)
            valid += part.valid
            validRefused += part.validRefused
            signedOutServed += part.signedOutServed
            authRefusedServed += part.authRefusedServed
        }

        /// True for what may be a streaming callable of generation 2, whose 200 says nothing.
        func mayStream(showsRefusal: Bool) -> Bool {
            guard !signs.keys.contains(where: { $0.line == .allowing }) else { return false }
            return authRefusedServed > 0
                || showsRefusal && signs.keys.contains { $0.line == .refused && $0.answer == .success }
        }
    }

    private typealias Signs = (refused: Int, served: Int)

    /// Most handlers answer 401 to the signed-out themselves, unless some were served.
    private static let fewestSignedOut = 3
    /// Fewer refused requests show nothing.
    private static let fewestRefused = 3

    /// The signs of one revision among requests: of all, or of signed-in ones.
    private func count(
        _ signs: [EnforcementSign: Int], of revision: Revision,
        where isWanted: (EnforcementSign) -> Bool = { _ in true }
    ) -> Signs {
        let mayStream = streaming.contains(revision)
        let showsSignedOut =
            !mayStream
            && revisions[revision].map { $0.signedOutServed >= EnforcementHistory.fewestSignedOut } ?? false
        return signs.reduce(into: (0, 0)) { sum, element in
            let (sign, count) = element
            guard isWanted(sign), countsInvalid || !sign.isInvalid else { return }
            let answer = sign.isSignedIn || showsSignedOut ? sign.answer : nil
            guard sign.line != .exempt else { return }
            let isServed = sign.line == .allowing || answer == .redirect || answer == .success && !mayStream
            if isServed {
                sum.served += count
            } else if answer == .unauthenticated || showsRefusal && sign.line == .refused {
                sum.refused += count
            }
        }
    }

    /// The first request of a part that was refused, as a sign shows.
    private func firstRefused(_ part: Part) -> Instant? {
        part.part.firstRefused.filter { count([$0.key: 1], of: part.part.revision).refused > 0 }.values.min()
            .map { Instant(day: part.day, nanosecondOfDay: $0) }
    }

    /// Returns the state of enforcement of a revision, by all of its signs.
    private func state(of revision: Revision) -> Enforcement.State {
        guard let found = revisions[revision] else { return .unknown }
        let (refused, served) = count(found.signs, of: revision)
        return EnforcementHistory.state(refused, served, found.valid, found.validRefused)
    }

    static func state(_ refused: Int, _ served: Int, _ valid: Int, _ validRefused: Int) -> Enforcement.State {
        if refused >= fewestRefused, refused > served, 2 * validRefused <= valid { return .on }
        return served > 0 && refused <= served ? .off : .unknown
    }

    // MARK: The function

    /// In seconds: so far back a revision that is off is a way back.
    private static let memory = 14 * Instant.secondsPerDay

    /// Returns the enforcement that the requests show, and that the policy gives, as of T.
    func enforcement(policy: EnforcementTime?, asOf: Instant?) -> Enforcement {
        var found = Enforcement()
        guard let asOf else { return found }
        let runs =
            service.map { read($0, asOf, &found) }
            ?? (newest.contains { $0 != .none } ? readRevisions(&found) : readRun(&found))
        if let run = runs.last, found.state == .on || found.state == .partly {
            (found.start, found.source, found.scope) = (run.start, .log, run.scope)
        } else if found.state == .off, let run = runs.last, let end = run.end {
            let (all, refused) = requests(of: run.scope, before: end)
            found.past = Enforcement.Past(from: run.start, to: end, requests: all, refused: refused)
        }
        if service?.isDecided ?? false { found.source = .mode }
        apply(policy, runs, asOf, &found)
        if found.state == .unknown, !found.isOn { found.recent = recent(asOf) }
        found.mayStream = !streaming.isDisjoint(with: newest)
        found.revisions = summaries
        let start = asOf.adding(seconds: -EnforcementHistory.memory)
        found.wayBackPlace = found.revisions.lastIndex { $0.state == .off && start < $0.last }
        return found
    }

    /// Refused and served signs since the switch, or else from a day on.
    func signs(of enforcement: Enforcement, from first: Day?) -> (refused: Int, served: Int) {
        guard let start = enforcement.start ?? first.map({ Instant(day: $0, nanosecondOfDay: 0) }) else {
            return (0, 0)
        }
        return parts.reduce(into: (0, 0)) { sum, part in
            guard start <= part.first, !enforcement.isOn || isIn(enforcement.scope, part) else { return }
            let (refused, served) = count(part.part.signs, of: part.part.revision)
            sum = (sum.0 + refused, sum.1 + served)
        }
    }

    /// A time in which enforcement was on: of revisions one after the other.
    private struct Run {
        let start: Instant
        let scope: Enforcement.Scope
        /// Nil while it goes on.
        var end: Instant?
    }

    /// One of the function's beginnings of revisions.
    private struct Beginning {
        let number: Int
        let revision: Revision
        let state: Enforcement.State
        let first: Instant
        var last: Instant
    }

    private var beginnings: [Beginning] {
        var found: [Int: Beginning] = [:]
        let states = Dictionary(uniqueKeysWithValues: revisions.keys.map { ($0, state(of: $0)) })
        for part in parts {
            let (number, revision) = (part.part.beginning, part.part.revision)
            found[
                number,
                default: Beginning(
                    number: number, revision: revision, state: states[revision] ?? .unknown, first: part.first,
                    last: part.last)
            ].last = part.last
        }
        return found.values.sorted { $0.number < $1.number }
    }

    /// The state by the revisions of the newest requests; returns when some were on, in order.
    private func readRevisions(_ found: inout Enforcement) -> [Run] {
        let beginnings = beginnings
        let newest = Set(newest)
        let states = Set(newest.map(state))
        if states.isSuperset(of: [.on, .off]) {
            found.state = .partly
        } else if states.contains(.on) {
            found.state = .on
        } else {
            let last = beginnings.last { newest.contains($0.revision) }
            found.state = last.map { $0.state == .unknown ? .unknown : .off } ?? .unknown
        }
        var runs: [Run] = []
        for beginning in beginnings {
            let isOpen = runs.last.map { $0.end == nil } ?? false
            switch beginning.state {
            case .on where isOpen:
                if case .revisions(let known, let first) = runs.last?.scope, let start = runs.last?.start {
                    runs[runs.count - 1] = Run(
                        start: start, scope: .revisions(known.union([beginning.revision]), from: first))
                }
            case .on:
                runs.append(
                    Run(start: beginning.first, scope: .revisions([beginning.revision], from: beginning.number)))
            case .off where isOpen: runs[runs.count - 1].end = beginning.first
            default: break
            }
        }
        if let run = runs.last {
            if found.state == .on || found.state == .partly {
                runs[runs.count - 1].end = nil
            } else if run.end == nil {
                runs[runs.count - 1].end = beginnings.filter { isIn(run.scope, $0.revision) }.map(\.last).max()
            }
        }
        return runs
    }

    /// The state where entries name no revision: by the newest run of refused signs without a served one.
    private func readRun(_ found: inout Enforcement) -> [Run] {
        let signs = parts.filter { $0.part.revision == .none }.map { ($0, count($0.part.signs, of: .none)) }
            .filter { $0.1.refused + $0.1.served > 0 }
        guard let newest = signs.last else { return [] }
        let run = signs.reversed().prefix { $0.1.served == 0 }
        guard run.reduce(0, { $0 + $1.1.refused }) >= EnforcementHistory.fewestRefused, let first = run.last?.0,
            let start = firstRefused(first)
        else {
            found.state = newest.1.served > 0 ? .off : .unknown
            return []
        }
        found.state = .on
        return [Run(start: start, scope: .run(from: start))]
    }

    /// The state of a service, whose requests name no revision.
    private func read(_ service: ServiceFacts, _ asOf: Instant, _ found: inout Enforcement) -> [Run] {
        let (state, on, isContradicted) = service.enforcement(asOf)
        (found.state, found.isContradicted) = (state, isContradicted)
        return on.map { [Run(start: $0.start, scope: .since($0.start.hourStart), end: $0.end)] } ?? []
    }

    /// The policy fills in what the log does not show.
    private func apply(_ policy: EnforcementTime?, _ runs: [Run], _ asOf: Instant, _ found: inout Enforcement) {
        guard let policy else { return }
        let time: Instant
        switch policy {
        case .instant(let instant): time = instant
        case .date(let day):
            let (midnight, end) = (
                Instant(day: day, nanosecondOfDay: 0), Instant(day: day.advanced(by: 1), nanosecondOfDay: 0)
            )
            let run = runs.first { $0.start < end && ($0.end.map { midnight < $0 } ?? true) }
            time = run.map { max($0.start, midnight) } ?? end
        }
        guard time <= asOf else { return found.planned = policy }
        found.policy = policy
        guard !found.isOn else { return }
        if isKnownOff(since: time, found.state) { return found.isContradicted = true }
        (found.start, found.source, found.scope) = (time, .policy, .since(time))
        if case .date(let day) = policy {
            let own = parts.filter { $0.day == day }
            for admission in [Admission.notRefused, .signedIn] {
                let blocked = own.reduce(0) { $0 + $1.counts.blocked(admission) }
                let shown = own.reduce(0) { sum, part in
                    let (refused, served) = count(part.part.signs, of: part.part.revision) {
                        admission == .notRefused || $0.isSignedIn
                    }
                    return sum + refused + served
                }
                if shown < blocked { found.unclearDays[admission] = day }
            }
        }
    }

    /// True where one of the newest revisions is off, whenever its requests came; where entries name none, if a request
    /// has been served since.
    private func isKnownOff(since time: Instant, _ state: Enforcement.State) -> Bool {
        if let service { return state == .off && service.isServed(since: time) }
        return newest.contains { $0 != .none && self.state(of: $0) == .off }
            || state == .off
                && parts.contains {
                    $0.part.revision == .none && time <= $0.first && count($0.part.signs, of: .none).served > 0
                }
    }

    private func recent(_ asOf: Instant) -> Enforcement.Recent? {
        let start = asOf.adding(seconds: -Instant.secondsPerDay)
        let last = parts.filter { start <= $0.last && count($0.part.signs, of: $0.part.revision).refused > 0 }
        let first = last.lazy.compactMap { self.firstRefused($0).map { max(start, $0) } }.min()
        let refused = last.reduce(0) { $0 + count($1.part.signs, of: $1.part.revision).refused }
        return first.map { Enforcement.Recent(refused: refused, first: $0) }
    }

    private var summaries: [RevisionSummary] {
        var all: [Revision: [Part]] = [:]
        for part in parts where part.part.revision != .none { all[part.part.revision, default: []].append(part) }
        return all.map { revision, parts in
            let (refused, served) = count(revisions[revision]?.signs ?? [:], of: revision)
            return RevisionSummary(
                revision: revision, state: state(of: revision),
                requests: parts.reduce(0) { $0 + $1.counts.admitted(.notRefused) },
                blocked: parts.reduce(0) { $0 + $1.counts.blocked(.notRefused) }, refused: refused, served: served,
                first: parts[0].first, last: parts.map(\.last).max() ?? parts[0].last)
        }.sorted { ($0.first, $0.revision) < ($1.first, $1.revision) }
    }

    // MARK: Requests that enforcement concerns

    private func isIn(_ scope: Enforcement.Scope, _ revision: Revision) -> Bool {
        switch scope {
        case .none: false
        case .revisions(let revisions, _): revisions.contains(revision)
        case .since: true
        case .run: revision == .none
        }
    }

    private func isIn(_ scope: Enforcement.Scope, _ part: Part) -> Bool {
        guard isIn(scope, part.part.revision) else { return false }
        return switch scope {
        case .none: false
        case .revisions(_, let first): first <= part.part.beginning
        case .since(let instant), .run(let instant): instant <= part.first
        }
    }

    /// True for a revision whose requests enforcement refuses, in part or from some time on.
    func isOn(_ revision: Revision, _ enforcement: Enforcement) -> Bool { isIn(enforcement.scope, revision) }

    /// Requests of a scope before an instant, and those of them that were refused.
    private func requests(of scope: Enforcement.Scope, before end: Instant) -> (all: Int, refused: Int) {
        parts.filter { isIn(scope, $0) && $0.first < end }.reduce(into: (0, 0)) { sum, part in
            let (requests, refused) = requests(part, .notRefused)
            sum = (sum.0 + requests, sum.1 + refused)
        }
    }

    /// Admitted requests of a part, and those without a valid token that nothing shows to be served.
    ///
    /// A handler's answers to the signed-out show nothing of enforcement, but they show that those were served.
    private func requests(_ part: Part, _ admission: Admission) -> (all: Int, refused: Int) {
        let mayStream = streaming.contains(part.part.revision)
        let served = part.part.signs.reduce(0) { sum, element in
            let sign = element.key
            let isServed =
                sign.line == .allowing || sign.line == .exempt || sign.answer == .redirect
                || sign.answer == .success && !mayStream
            return (admission == .notRefused || sign.isSignedIn) && isServed ? sum + element.value : sum
        }
        return (part.counts.admitted(admission), max(0, part.counts.blocked(admission) - served))
    }

    /// The requests of some days that enforcement concerns, and those of them that were refused.
    ///
    /// A refused request that began the count is left out: its share would say nothing.
    func days(of enforcement: Enforcement, in window: Window, _ admission: Admission) -> [DayCount] {
        var days: [DayCount] = []
        for part in parts where window.days.contains(part.day) && isIn(enforcement.scope, part) {
            var (all, refused) = requests(part, admission)
            if case .run(let start) = enforcement.scope, part.first == start, refused > 0 {
                (all, refused) = (all - 1, refused - 1)
            }
            let number = Int(part.day.number)
            if days.last?.day != number { days.append(DayCount(day: number, requests: 0, blocked: 0)) }
            days[days.count - 1].requests += Double(all)
            days[days.count - 1].blocked += Double(refused)
        }
        return days
    }

    /// Returns the callers of the requests that enforcement concerns, by day; those that were served count as verified.
    func callers(of enforcement: Enforcement, in window: Window) -> [Day: CallerDay] {
        parts.filter { window.days.contains($0.day) && isIn(enforcement.scope, $0) }.reduce(into: [:]) { days, part in
            guard var found = callers?.part(part.index, of: part.day) else { return }
            if !streaming.contains(part.part.revision) {
                found.signedIn.verifyServed()
                found.signedOut.verifyServed()
            }
            days[part.day, default: CallerDay()].merge(found)
        }
    }

    /// True if most people that enforcement concerns are not signed in, as at a sign-up.
    func isSignedOut(_ enforcement: Enforcement, in window: Window) -> Bool {
        let own = parts.filter { window.days.contains($0.day) && isIn(enforcement.scope, $0) }
        func valid(_ parts: [Part], _ admission: Admission) -> Int {
            parts.reduce(0) { $0 + $1.counts.admitted(admission, app: .valid) }
        }
        // Where nobody with a valid token has come since, earlier ones show who uses the function.
        let shown = valid(own, .notRefused) > 0 ? own : parts
        let (signedIn, all) = (valid(shown, .signedIn), valid(shown, .notRefused))
        return 20 * signedIn < all
    }

    /// A day without the requests of revisions that are on, where others share them; nil where there are none.
    func rest(of day: DayTally, _ enforcement: Enforcement) -> (day: DayTally, callers: CallerDay)? {
        guard let rest = rest(of: day.day, enforcement) else { return nil }
        let tally = rest.reduce(into: day.withoutRequests) {
            $0.add($1.counts, $1.part.blocked, $1.part.signedInBlocked)
        }
        return (tally, callers(of: rest))
    }

    /// Returns the callers of those requests.
    func restOfCallers(_ day: Day, _ enforcement: Enforcement) -> CallerDay? {
        rest(of: day, enforcement).map(callers)
    }

    private func rest(of day: Day, _ enforcement: Enforcement) -> [Part]? {
        guard enforcement.state == .partly else { return nil }
        let own = parts.filter { $0.day == day && $0.isCounted }
        let rest = own.filter { !isIn(enforcement.scope, $0) }
        return rest.count < own.count ? rest : nil
    }

    private func callers(of parts: [Part]) -> CallerDay {
        parts.reduce(into: CallerDay()) { sum, part in
            if let found = callers?.part(part.index, of: part.day) { sum.merge(found) }
        }
    }

    /// Requests without an Auth token, by day, of revisions that are not on.
    func signedOutDays(_ enforcement: Enforcement) -> [SignedOutDay] {
        // By policy alone no revision is known to be on.
        let isKnown = if case .since = enforcement.scope { false } else { true }
        return parts.filter { $0.isCounted && !(isKnown && isIn(enforcement.scope, $0)) }.map { part in
            SignedOutDay(
                day: part.day, requests: part.counts.total(auth: .missing), answered: part.part.anonymousAnswered,
                served: part.part.anonymousServed)
        }
    }

    /// True for a request that enforcement concerns.
    func isIn(_ enforcement: Enforcement, _ revision: Revision, _ instant: Instant) -> Bool {
        switch enforcement.scope {
        case .run(let start): revision == .none && start < instant
        case .since(let start): start <= instant
        case .none, .revisions: isIn(enforcement.scope, revision) && enforcement.start.map { $0 <= instant } ?? false
        }
    }

    /// The requests after an instant that enforcement concerns.
    func count(of enforcement: Enforcement, _ admission: Admission, after instant: Instant) -> Lockout.Count {
        func isMeant(_ sort: RecentRequests.Sort, _ request: RecentRequests.Request) -> Bool {
            instant < request.instant && (admission == .notRefused || sort.isSignedIn)
                && isIn(enforcement, sort.revision, request.instant)
        }
        let sums = recent.sums.filter { isMeant($0.sort, $0.request) }
        let requests = recent.requests(where: isMeant)
        return Lockout.Count(
            requests: sums.reduce(requests.count) { $0 + $1.count },
            refused: sums.reduce(requests.count(where: \.isRefused)) { $0 + ($1.request.isRefused ? $1.count : 0) })
    }
}
