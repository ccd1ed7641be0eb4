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

    /// The refused requests of the revisions that may be on, where they are too few to tell.
    package struct FirstSigns: Hashable, Sendable {
        package let refused: Int
        package let first: Instant
        /// The first request of these revisions: the switch, if they are on.
        package let start: Instant
        /// Nil where entries name none.
        package let revision: Revision?
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
    fileprivate var rollbackPlace: Int?
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
    /// Nil unless the state is unknown; on every day until it is known.
    package internal(set) var firstSigns: FirstSigns?
    /// The last time that it was on, where it is off.
    package internal(set) var past: Past?
    /// The revisions with requests, in the order of their first ones.
    package internal(set) var revisions: [RevisionSummary] = []
    /// The requests that enforcement concerns.
    fileprivate(set) var scope = Scope.none
    /// The requests of revisions that are on, whether they are still there or not.
    fileprivate var on = Scope.none

    package init() {}

    /// True where requests without a valid token are refused now, as the policy says or the log shows.
    package var isOn: Bool { start != nil }

    /// The newest revision that is off and got requests in the last two weeks: where traffic can be sent to roll back.
    package var rollbackRevision: RevisionSummary? { rollbackPlace.map { revisions[$0] } }

    package var isUnknown: Bool {
        state == .unknown && start == nil && planned == nil && recent == nil && revisions.count < 2
    }

    /// True where nothing is left to decide, by policy or by the log.
    var isSettled: Bool { (policy != nil || state == .on) && !isContradicted }

    /// True where the log alone shows that it is on.
    var isByLog: Bool { policy == nil && source == .log }

    /// True where it is on by policy, and the log shows nothing either way.
    package var isByPolicyAlone: Bool { source == .policy }

    /// True where some of the judged requests without a valid token were refused, or may have been: where revisions
    /// enforce in part, theirs are not judged.
    package var hasRefused: Bool { isOn && state != .partly || recent != nil || firstSigns != nil }

    /// The requests that are refused without a valid token.
    enum Scope: Hashable, Sendable {
        case none
        /// Requests of some revisions, each from one of its beginnings on.
        case stints(Set<CellTable.Stint>)
        /// All since an instant, by policy.
        case since(Moment)
        /// Requests that name no revision, from a refused one on.
        case run(from: Moment)
    }

    /// An instant as cells have it.
    struct Moment: Hashable, Comparable, Sendable {
        let day: Day
        /// The part of the day between instants that matter, and the hour: days may be folded.
        var piece = 0
        var hour = 0

        static func < (left: Moment, right: Moment) -> Bool {
            (left.day, left.piece, left.hour) < (right.day, right.piece, right.hour)
        }
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

/// The requests of a function by revision: what enforcement is decided by, once, as of T.
///
/// A class, so that the many nights for which the rule is asked share it.
package final class EnforcementHistory: Sendable {
    /// The requests of one day and stint.
    private struct Part {
        let cells: ArraySlice<Cell>
        let stint: CellTable.Stint
        let first: Instant
        let last: Instant

        init(_ cells: ArraySlice<Cell>, _ stint: CellTable.Stint) {
            (self.cells, self.stint) = (cells, stint)
            first = cells.lazy.map(\.start).min() ?? Instant(seconds: 0)
            last = cells.lazy.map(\.end).max() ?? Instant(seconds: 0)
        }

        var revision: Revision { stint.revision }
        var day: Day { first.day }
    }

    /// S, which `--since` does not change; nil without a stretch.
    let firstDay: Day?
    let table: CellTable
    /// Verifications up to T's day, also those before the stretch: a revision enforces always, or never.
    private let cells: [Cell]
    /// In the order of days, then of stints.
    private let parts: [Part]
    /// False for firebase-functions 3.x, which refuses every INVALID token and has no enforcement.
    private let countsInvalid: Bool
    /// True where the SDK writes "Allowing request…", so that a refused token without it was refused for good.
    private let showsRefusal: Bool
    /// Revisions that may be streaming callables.
    private let streaming: Set<Revision>
    /// Revisions that serve signed-out requests with a VALID app token, whose other answers to these are signs.
    private let servingSignedOut: Set<Revision>

    /// - Parameters:
    ///   - table: The function's requests.
    ///   - stretch: The days that are looked at, from S to T's, regardless of `--since`.
    ///   - hasAllowing: True with a line "Allowing request…" of the project in the stretch.
    ///   - generation: Generation 2 alone can stream.
    init(_ table: CellTable, in stretch: Window?, hasAllowing: Bool, _ generation: Generation?) {
        self.table = table
        firstDay = stretch?.from
        cells = stretch.map { table.cells(in: Day(number: .min)...$0.to).filter(\.isVerification) } ?? []
        var parts: [Part] = []
        var start = 0
        for place in cells.indices {
            let isLast = place + 1 == cells.count
            guard isLast || cells[place + 1].stint != cells[start].stint || cells[place + 1].day != cells[start].day
            else { continue }
            parts.append(Part(cells[start...place], table.stint(of: cells[start])))
            start = place + 1
        }
        self.parts = parts
        let passes = cells.filter { !$0.isEarly && $0.app != .invalid && $0.auth != .invalid }
        // INVALID of firebase-functions 3.x, and where passes do not say what they are of, is no sign.
        countsInvalid =
            table.isByHour || table.provenance != .labelled || passes.isEmpty
            || passes.contains { !$0.severity.subtracting(.info).isEmpty }
        // What a service denied is counted as such.
        let showsRefusal = table.isByHour || hasAllowing && countsInvalid
        let byRevision = Dictionary(grouping: parts, by: \.revision).mapValues { $0.lazy.flatMap(\.cells) }
        streaming =
            generation == .first
            ? []
            : Set(byRevision.filter { EnforcementHistory.mayStream($0.value, showsRefusal: showsRefusal) }.keys)
        servingSignedOut = Set(
            byRevision.filter { cells in
                cells.value.filter {
                    $0.app == .valid && $0.auth != .valid && $0.auth != .invalid && $0.answer == .success
                }.requests >= EnforcementHistory.fewestSignedOut
            }.keys)
        self.showsRefusal = showsRefusal
    }

    /// True for what may be a streaming callable of generation 2, whose 200 says nothing.
    private static func mayStream(_ cells: some Sequence<Cell>, showsRefusal: Bool) -> Bool {
        guard !cells.contains(where: { $0.sign?.line == .allowing }) else { return false }
        return cells.contains { cell in
            cell.answer == .success
                && (cell.auth == .invalid || showsRefusal && cell.sign.map { $0.line == .refused } ?? false)
        }
    }

    private typealias Signs = (refused: Int, served: Int)

    /// Most handlers answer 401 to the signed-out themselves, unless some were served.
    private static let fewestSignedOut = 3
    /// Fewer refused requests show nothing.
    private static let fewestRefused = 3

    private enum Sign { case refused, served }

    /// Returns the sign that a cell's requests give; nil if they show nothing.
    private func sign(of cell: Cell) -> Sign? {
        guard let sign = cell.sign, countsInvalid || !sign.isInvalid, sign.line != .exempt else { return nil }
        let revision = table.stint(of: cell).revision
        let mayStream = streaming.contains(revision)
        let showsSignedOut = !mayStream && servingSignedOut.contains(revision)
        let answer = sign.isSignedIn || showsSignedOut ? sign.answer : nil
        if sign.line == .allowing || answer == .redirect || answer == .success && !mayStream { return .served }
        return answer == .unauthenticated || showsRefusal && sign.line == .refused ? .refused : nil
    }

    private func signs(_ cells: some Sequence<Cell>) -> Signs {
        cells.reduce(into: (0, 0)) { sum, cell in
            switch sign(of: cell) {
            case .refused: sum.refused += cell.count
            case .served: sum.served += cell.count
            case nil: break
            }
        }
    }

    /// The first request of a part that was refused, as a sign shows.
    private func firstRefused(_ part: Part) -> Instant? {
        part.cells.lazy.filter { self.sign(of: $0) == .refused }.map(\.start).min()
    }

    /// The states of revisions, each by all of its signs.
    private var states: [Revision: Enforcement.State] {
        Dictionary(grouping: parts, by: \.revision).mapValues { state($0.lazy.flatMap(\.cells)) }
    }

    private func state(_ cells: some Sequence<Cell>) -> Enforcement.State {
        let (refused, served) = signs(cells)
        let valid = cells.lazy.filter { $0.app == .valid && $0.auth == .valid }
        return EnforcementHistory.state(
            refused, served, valid.requests, valid.filter { $0.answer == .unauthenticated }.requests)
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
        let beginnings = beginnings(asOf)
        let there = beginnings.filter(\.isThere)
        let isByRevision = table.stints.contains { $0.revision != .none }
        if table.isByHour {
            readHours(asOf, &found)
        } else if isByRevision {
            readRevisions(beginnings, &found)
        } else {
            readRun(&found)
        }
        if table.mode != nil { found.source = .mode }
        apply(policy, asOf, isOff: isByRevision && there.contains { $0.state == .off }, &found)
        if found.state == .unknown, !found.isOn {
            found.recent = recent(asOf)
            found.firstSigns = isByRevision ? firstSigns(of: there) : table.isByHour ? nil : firstSignsOfRun
        }
        found.mayStream = !streaming.isDisjoint(with: there.map(\.revision))
        found.revisions = summaries
        let start = asOf.adding(seconds: -EnforcementHistory.memory)
        found.rollbackPlace = found.revisions.lastIndex { $0.state == .off && start < $0.last }
        return found
    }

    /// Refused and served signs since the switch, or else from a day on.
    func signs(of enforcement: Enforcement, from first: Day?) -> (refused: Int, served: Int) {
        guard let start = enforcement.start ?? first.map({ Instant(day: $0, nanosecondOfDay: 0) }) else {
            return (0, 0)
        }
        return signs(
            cells.lazy.filter { start <= $0.start && (!enforcement.isOn || self.isIn(enforcement.scope, $0)) })
    }

    /// One of the function's beginnings of revisions.
    private struct Beginning {
        let revision: Revision
        let state: Enforcement.State
        let isThere: Bool
        let first: Instant
        var last: Instant
        var stints: Set<CellTable.Stint> = []
    }

    /// In the order of their first requests.
    private func beginnings(_ asOf: Instant) -> [Beginning] {
        var found: [Int: Beginning] = [:]
        let states = states
        func isThere(_ number: Int) -> Bool { table.departures[number].map { asOf.day < $0 } ?? true }
        for part in parts {
            let number = part.stint.beginning
            var beginning =
                found[number]
                ?? Beginning(
                    revision: part.revision, state: states[part.revision] ?? .unknown,
                    isThere: isThere(number), first: part.first, last: part.last)
            beginning.last = part.last
            beginning.stints.insert(part.stint)
            found[number] = beginning
        }
        // One may return only to fail before the SDK logs anything.
        for (stint, instant) in table.openings where found[stint.beginning] == nil && instant <= asOf {
            guard let state = states[stint.revision] else { continue }
            found[stint.beginning] = Beginning(
                revision: stint.revision, state: state, isThere: isThere(stint.beginning), first: instant,
                last: instant)
        }
        return found.sorted { ($0.value.first, $0.key) < ($1.value.first, $1.key) }.map(\.value)
    }

    /// Reads the state by the revisions that are there, and when the newest of those that are on began.
    private func readRevisions(_ beginnings: [Beginning], _ found: inout Enforcement) {
        let there = beginnings.filter(\.isThere)
        let states = Set(there.map(\.state))
        if states.isSuperset(of: [.on, .off]) {
            found.state = .partly
        } else if states.contains(.on) {
            found.state = .on
        } else {
            found.state = there.last.map { $0.state == .unknown ? .unknown : .off } ?? .unknown
        }
        let on = beginnings.filter { $0.state == .on }
        found.on = .stints(on.reduce(into: []) { $0.formUnion($1.stints) })
        // One that has returned began anew; unknown ones do not break a run.
        let newest = Dictionary(beginnings.map { ($0.revision, $0.first) }, uniquingKeysWith: max)
        let beginnings = beginnings.filter { newest[$0.revision] == $0.first }
        guard let last = beginnings.lastIndex(where: { $0.state == .on && ($0.isThere || !states.contains(.on)) })
        else { return }
        let run = (beginnings[..<last].lastIndex { $0.state == .off } ?? -1) + 1
        guard let start = beginnings[run...].first(where: { $0.state == .on })?.first else { return }
        let scope = Enforcement.Scope.stints(
            on.filter { start <= $0.first }.reduce(into: []) { $0.formUnion($1.stints) })
        if states.contains(.on) {
            (found.start, found.source, found.scope) = (start, .log, scope)
        } else if found.state == .off {
            let end = beginnings[last...].first { $0.state == .off }?.first ?? on.map(\.last).max() ?? start
            noteWasOn(start, end, scope, &found)
        }
    }

    private func noteWasOn(
        _ start: Instant, _ end: Instant, _ scope: Enforcement.Scope, _ found: inout Enforcement
    ) {
        let (all, refused) = requests(of: scope, before: end)
        found.past = Enforcement.Past(from: start, to: end, requests: all, refused: refused)
    }

    /// Reads the state where entries name no revision: by the newest run of refused signs without a served one.
    private func readRun(_ found: inout Enforcement) {
        let signs = parts.map { ($0, self.signs($0.cells)) }.filter { $0.1.refused + $0.1.served > 0 }
        guard let newest = signs.last else { return }
        let run = signs.reversed().prefix { $0.1.served == 0 }
        guard run.reduce(0, { $0 + $1.1.refused }) >= EnforcementHistory.fewestRefused, let first = run.last?.0,
            let start = firstRefused(first)
        else {
            found.state = newest.1.served > 0 ? .off : .unknown
            return
        }
        (found.state, found.source, found.start) = (.on, .log, start)
        (found.scope, found.on) = (.run(from: moment(of: start)), .run(from: moment(of: start)))
    }

    /// Reads the state where hours are counted and no request is known.
    private func readHours(_ asOf: Instant, _ found: inout Enforcement) {
        let (state, on, isContradicted) = HourStint.enforcement(table, asOf)
        (found.state, found.isContradicted) = (state, isContradicted)
        guard let on else { return }
        let scope = Enforcement.Scope.since(moment(of: on.start.hourStart))
        if state == .on {
            (found.start, found.source, found.scope, found.on) = (on.start, .log, scope, scope)
        } else if state == .off, let end = on.end {
            noteWasOn(on.start, end, scope, &found)
        }
    }

    /// The policy fills in what the log does not show.
    private func apply(_ policy: EnforcementTime?, _ asOf: Instant, isOff: Bool, _ found: inout Enforcement) {
        guard let policy else { return }
        let time: Instant
        switch policy {
        case .instant(let instant): time = instant
        case .date(let day):
            let on = found.on
            let first = cells.lazy.filter { $0.day == day && self.isIn(on, $0) }.map(\.start).min()
            time = first ?? Instant(day: day.advanced(by: 1), nanosecondOfDay: 0).adding(nanoseconds: -1)
        }
        guard time <= asOf else { return found.planned = policy }
        found.policy = policy
        guard !found.isOn else { return }
        let isServed =
            found.state == .off
            && (table.mode != nil || cells.contains { time <= $0.start && sign(of: $0) == .served })
        if isOff || isServed { return found.isContradicted = true }
        (found.start, found.source, found.scope) = (time, .policy, .since(moment(of: time)))
        if case .date(let day) = policy {
            for admission in [Admission.notRefused, .signedIn]
            where cells.contains(where: {
                $0.day == day && $0.isBlocked && admission.admits(auth: $0.auth) && sign(of: $0) == nil
            }) {
                found.unclearDays[admission] = day
            }
        }
    }

    private func recent(_ asOf: Instant) -> Enforcement.Recent? {
        let start = asOf.adding(seconds: -Instant.secondsPerDay)
        let last = cells.filter { start <= $0.end && sign(of: $0) == .refused }
        return last.lazy.map { max(start, $0.start) }.min().map { first in
            Enforcement.Recent(refused: last.requests, first: first)
        }
    }

    /// The refused requests of the revisions that are there and may be on.
    private func firstSigns(of there: [Beginning]) -> Enforcement.FirstSigns? {
        let unknown = there.filter { $0.state == .unknown && $0.revision != .none }
        let stints = unknown.reduce(into: Set<CellTable.Stint>()) { $0.formUnion($1.stints) }
        let refused = cells.filter { stints.contains(table.stint(of: $0)) && sign(of: $0) == .refused }
        guard let first = refused.min(by: { $0.start < $1.start }) else { return nil }
        let stint = table.stint(of: first)
        return Enforcement.FirstSigns(
            refused: refused.requests, first: first.start,
            start: unknown.first { $0.stints.contains(stint) }?.first ?? first.start, revision: stint.revision)
    }

    /// The newest refused signs without a served one between them, where entries name no revision.
    private var firstSignsOfRun: Enforcement.FirstSigns? {
        let run = parts.reversed().prefix { signs($0.cells).served == 0 }
        guard let first = run.compactMap(firstRefused).min() else { return nil }
        return Enforcement.FirstSigns(
            refused: run.reduce(0) { $0 + signs($1.cells).refused }, first: first, start: first, revision: nil)
    }

    private var summaries: [RevisionSummary] {
        Dictionary(grouping: parts.filter { $0.revision != .none }, by: \.revision).map { revision, parts in
            let cells = parts.lazy.flatMap(\.cells)
            let (refused, served) = signs(cells)
            let admitted = cells.filter { $0.auth != .invalid }
            return RevisionSummary(
                revision: revision, state: state(cells), requests: admitted.requests,
                blocked: admitted.filter(\.isBlocked).requests, refused: refused, served: served,
                first: parts[0].first, last: parts.map(\.last).max() ?? parts[0].last)
        }.sorted { ($0.first, $0.revision) < ($1.first, $1.revision) }
    }

    // MARK: Requests that enforcement concerns

    /// An instant as cells have it: where the first of them begins that is not earlier.
    private func moment(of instant: Instant) -> Enforcement.Moment {
        let (day, next) = (instant.day, Enforcement.Moment(day: instant.day.advanced(by: 1)))
        return table.cells(in: day...day).lazy.filter { instant <= $0.start }.map(self.moment).min() ?? next
    }

    private func moment(of cell: Cell) -> Enforcement.Moment {
        Enforcement.Moment(day: cell.day, piece: table.stint(of: cell).piece, hour: cell.hour)
    }

    private func isIn(_ scope: Enforcement.Scope, _ cell: Cell) -> Bool {
        switch scope {
        case .none: false
        case .stints(let stints): stints.contains(table.stint(of: cell))
        case .since(let start), .run(let start): start <= moment(of: cell)
        }
    }

    /// True for requests of a revision that is on, whether that is still there or not.
    func isOn(_ enforcement: Enforcement, _ cell: Cell) -> Bool { isIn(enforcement.on, cell) }

    /// True for requests of which enforcement that is on refuses those without a valid token.
    func concerns(_ enforcement: Enforcement, _ cell: Cell) -> Bool {
        cell.isVerification && isIn(enforcement.scope, cell)
    }

    /// True for requests that the rule judges as if nothing were enforced: all except those of revisions that are on
    /// where others share the requests.
    func isRest(_ enforcement: Enforcement, _ cell: Cell) -> Bool {
        enforcement.state != .partly || !isOn(enforcement, cell)
    }

    /// True for blocked requests of which nothing shows that they were served.
    ///
    /// A handler's answers to the signed-out show nothing of enforcement, but they show that those were served.
    func isRefused(_ cell: Cell) -> Bool {
        guard cell.isBlocked, let sign = cell.sign else { return cell.isBlocked }
        let mayStream = streaming.contains(table.stint(of: cell).revision)
        return
            !(sign.line == .allowing || sign.line == .exempt || sign.answer == .redirect
            || sign.answer == .success && !mayStream)
    }

    /// Requests of a scope before an instant, and those of them that were refused.
    private func requests(of scope: Enforcement.Scope, before end: Instant) -> (all: Int, refused: Int) {
        let own = cells.lazy.filter { $0.auth != .invalid && self.isIn(scope, $0) && $0.start < end }
        return (own.requests, own.filter(isRefused).requests)
    }

    /// The selected requests of some days that enforcement concerns, and those of them that were refused.
    ///
    /// A refused request that began the count is left out: its share would say nothing.
    func days(of enforcement: Enforcement, in window: Window, where isSelected: (Cell) -> Bool) -> [DaySum] {
        var days = table.days(of: { window.days.contains($0.day) && isSelected($0) }, blocked: isRefused)
        if case .run = enforcement.scope, let start = enforcement.start,
            let place = days.firstIndex(where: { $0.day == start.day }), days[place].blocked > 0,
            cells.contains(where: { $0.start == start && isIn(enforcement.scope, $0) && isSelected($0) })
        {
            days[place].leaveOutOneBlocked()
        }
        return days
    }

    /// The requests of the last hour before T that enforcement concerns.
    ///
    /// A refused request that began the count is left out, as in ``days(of:in:where:)``.
    func lastHour(
        of enforcement: Enforcement, until end: Instant, where isSelected: (Cell) -> Bool
    ) -> Lockout.Count {
        let start = end.adding(seconds: -3600)
        let last = table.cells(in: start.day...end.day).filter { start < $0.start && isSelected($0) }
        var (requests, refused) = (last.requests, last.filter(isRefused).requests)
        if case .run = enforcement.scope, let first = enforcement.start, start < first, refused > 0 {
            (requests, refused) = (requests - 1, refused - 1)
        }
        return Lockout.Count(requests: requests, refused: refused)
    }
}
