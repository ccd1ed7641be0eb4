package import Verifications

/// Requests of one platform, or of one release, that a verdict looks at.
package struct PlatformCount: Hashable, Sendable {
    package let name: PlatformName
    package let admitted: Int
    package let blocked: Int
    /// Lower bound of the blocked rate.
    package let lower: Double
    /// The beginning of the raised segments that reach T, else the first day on which one was blocked, of the run of
    /// such days that reaches into the window.
    package let since: Instant
    /// The requests by stretches of constant share, where it is refused; empty for several platforms together.
    package let segments: [Segments.Segment]
}

/// The clause on platforms: which of them, and which release of an app, is refused as a whole, by requests with a row.
///
/// People are hurt by platform, not by request: a website without App Check is all of the browsers, and may be few of
/// the requests.
package struct Platforms {
    /// The most that are listed.
    package static let listed = 20

    /// True where signed-in requests alone are judged: then more than what people use is a platform, and fewer requests
    /// decide, as not everybody can send them.
    let isSignedIn: Bool
    private let maxBlocked: Double
    /// Platforms that may be refused: neither their blocked requests count nor the others.
    private var accepted: [PlatformName]
    /// The last W days: what is refused no more, or has gone, holds nothing up.
    private let recent: Window?
    /// Where programs do not count, those of them that are asked nevertheless.
    private let programs: Set<ClientKind>?
    /// True where most web requests name a site, so that those without one are a site, too.
    private let namesSites: Bool
    private let table: CellTable
    private let isBlocked: (Cell) -> Bool
    /// The requests of the window, by client; earlier ones only show since when a platform is refused.
    private let cells: [Client: [Cell]]
    private let earlier: [Cell]
    private let callers: Callers
    /// Those of the last three days.
    private let newest: Callers
    private unowned let evaluation: Evaluation
    private let isSinceSwitch: Bool

    /// As few addresses send what nobody misses.
    private static let fewAddresses = 3
    /// Fewer addresses are a person, or somebody's claim.
    private static let fewestAddresses = 3
    /// Fewer blocked requests make no platform and no release; of what anybody can send, fewer than twice as many.
    static let fewestBlocked = 10
    /// Platforms with fewer requests are asked together.
    private static let poolingThreshold = 20

    private init(
        _ evaluation: Evaluation, _ judgement: Judgement, _ rule: CountingRule, in window: Window, since first: Day,
        recent: Window?, isSinceSwitch: Bool, isSignedIn: Bool, where isSelected: (Cell, CountingRule) -> Bool,
        blocked isBlocked: @escaping (Cell) -> Bool
    ) {
        (self.evaluation, self.isSinceSwitch, self.isSignedIn) = (evaluation, isSinceSwitch, isSignedIn)
        (self.recent, self.isBlocked) = (recent, isBlocked)
        (maxBlocked, accepted) = (evaluation.numbers.maxBlocked, evaluation.numbers.acceptedPlatforms)
        table = judgement.table
        var counted = isSignedIn ? rule.admitting(.signedIn) : rule
        counted.programs = true
        let selected = table.cells(in: first...window.to).filter {
            $0.row == .certain && $0.client > 0 && isSelected($0, counted)
        }
        earlier = selected.filter { $0.day < window.from }
        let own = selected.dropFirst(earlier.count)
        let callers = Callers(own, of: table, blocked: isBlocked)
        self.callers = callers
        newest = Callers(own.filter { window.to.advanced(by: -2) <= $0.day }, of: table, blocked: isBlocked)
        let clients = table.clients
        cells = Dictionary(
            Dictionary(grouping: own, by: \.client).map { (clients[Int($0) - 1], $1) }, uniquingKeysWith: +)
        let (web, named) = (callers.sum { $0.kind == .web }, callers.sum { $0.kind == .web && $0.version != nil })
        namesSites = web.admitted > 0 && 2 * named.admitted >= web.admitted
        // Not where next to nobody sends them, mostly without a token.
        func maySpeakForPeople(_ kind: ClientKind) -> Bool {
            let sum = callers.sum { $0.kind == kind }
            let addresses = judgement.table.blockedAddresses(in: window.days, counted.admission) { $0 == kind }
            return 2 * sum[.valid] >= sum.admitted || addresses ?? .max > Platforms.fewAddresses
        }
        programs = rule.programs ? nil : Set(ClientKind.allCases.filter(\.mayHidePeople).filter(maySpeakForPeople))
    }

    /// The requests of the last `max-window` days; nil where callers are unknown, or where rows are a selection.
    ///
    /// A busy function is judged by a week, in which a website with one visitor a day does not show. Where `isSignedIn`
    /// is nil, the function's requests decide.
    init?(_ evaluation: Evaluation, isSignedIn wanted: Bool? = nil) {
        guard let window = evaluation.callerWindow, evaluation.showsPlatforms else { return nil }
        self.init(
            evaluation, evaluation.history.judgement, evaluation.counted, in: window,
            since: evaluation.isNow ? evaluation.stretch?.from ?? window.from : window.from,
            recent: evaluation.recentStretch, isSinceSwitch: false,
            isSignedIn: wanted ?? (evaluation.judgedAdmission == .signedIn),
            where: evaluation.history.judgement.isJudged, blocked: { $0.isBlocked })
    }

    /// The requests of the last 28 days that enforcement concerns; nil where rows are a selection.
    init?(_ after: AfterSwitch, _ evaluation: Evaluation, isSignedIn: Bool) {
        let (judgement, isRefused) = (after.judgement, after.judgement.history.isRefused)
        guard !after.cells(in: after.month).areSelected(blocked: isRefused) else { return nil }
        self.init(
            evaluation, judgement, after.counted, in: after.month, since: after.month.from, recent: after.recent,
            isSinceSwitch: true, isSignedIn: isSignedIn, where: judgement.isEnforced, blocked: isRefused)
    }

    private func accepting(_ accepted: [PlatformName]) -> Platforms {
        var platforms = self
        platforms.accepted = accepted
        return platforms
    }
}

// MARK: Units

extension Platforms {
    /// A platform, several small ones, or a release, without what is accepted of it.
    private struct Unit {
        let name: PlatformName
        var clients: Set<Client> = []
        var sum = ClientSum()

        /// Above the usual confidence, as several platforms are asked about at once.
        var lower: Double {
            ClopperPearson.lower(blocked: Double(sum.blocked), requests: Double(sum.admitted), confidence: 0.99)
        }
    }

    private func unit(_ name: PlatformName, _ clients: some Sequence<Client>) -> Unit {
        clients.reduce(into: Unit(name: name)) { unit, client in
            guard let sum = callers.clients[client], !accepted.contains(where: { $0.covers(client) }),
                unit.clients.insert(client).inserted
            else { return }
            unit.sum.merge(sum)
        }
    }

    /// The platforms of a client, each of another dimension.
    private func names(of client: Client) -> [PlatformName] {
        guard let programs, client.kind.isProgram else {
            let isUnnamed = namesSites && PlatformName.noSite.covers(client)
            return PlatformName.all(of: client, isSignedIn: isSignedIn) + (isUnnamed ? [.noSite] : [])
        }
        return programs.contains(client.kind) ? [.kind(client.kind)] : []
    }

    /// True for a program that may speak for people: as much of it may be refused as of the function.
    private func isProgram(_ name: PlatformName) -> Bool {
        if case .kind(let kind) = name, let programs { programs.contains(kind) } else { false }
    }

    /// All platforms that have requests, and of each dimension the small ones together that are not refused by
    /// themselves.
    private var units: [Unit] {
        var clients: [PlatformName: [Client]] = [:]
        for client in callers.clients.keys {
            for name in names(of: client) { clients[name, default: []].append(client) }
        }
        let units = clients.map { unit($0, $1) }.filter { $0.sum.admitted > 0 }
        let small = units.filter {
            $0.sum.admitted < Platforms.poolingThreshold && !isProgram($0.name) && !isRefusedNow($0)
        }
        let together = Dictionary(grouping: small, by: \.name.dimension).compactMap { dimension, parts in
            parts.count > 1 ? dimension.map { unit(.small($0), parts.flatMap(\.clients)) } : nil
        }
        return units + together
    }

    /// The highest version of each app, where some have it by now and others have a lower one, by the last three days.
    ///
    /// Accepted requests do not count for it, but no other release takes its place.
    private var releases: [Unit] {
        func seen(_ clients: [Client]) -> Int { clients.reduce(0) { $0 + (newest.clients[$1]?.admitted ?? 0) } }
        return callers.clients.keys.releases.compactMap { app, versions in
            guard let highest = versions.last, seen(highest.clients) > 0,
                20 * seen(highest.clients) >= seen(versions.flatMap(\.clients)),
                versions.dropLast().contains(where: { !$0.version.isEmpty && seen($0.clients) > 0 })
            else { return nil }
            return unit(.release(app, version: highest.version), highest.clients)
        }
    }

    private func cells(of unit: Unit) -> [Cell] { unit.clients.flatMap { cells[$0] ?? [] } }

    private func addresses(of unit: Unit) -> Int {
        cells(of: unit).reduce(into: AddressSet()) { addresses, cell in
            guard isBlocked(cell), cell.hasAddress else { return }
            let key = CellTable.Blocked(day: cell.day, isSignedIn: cell.auth == .valid, client: cell.client)
            if let found = table.addresses[key] { addresses.merge(found) }
        }.count
    }

    /// Its requests of the last W days.
    private func recent(_ unit: Unit) -> ClientSum {
        cells(of: unit).reduce(into: ClientSum()) { sum, cell in
            if let recent, recent.days.contains(cell.day) { sum.add(cell, isBlocked: isBlocked(cell)) }
        }
    }

    private func inOrder(_ units: [Unit]) -> [Unit] {
        units.sorted { ($1.sum.blocked, $0.name) < ($0.sum.blocked, $1.name) }
    }

    private func segments(of unit: Unit) -> Segments? {
        evaluation.segments(of: unit.name, sinceSwitch: isSinceSwitch, isSignedIn: isSignedIn)
    }

    /// Nil without a blocked request.
    private func count(_ unit: Unit) -> PlatformCount? {
        guard let first = cells(of: unit).filter(isBlocked).map(\.day).min() else { return nil }
        let areCovered = table.clients.map(unit.name.covers)
        let before = earlier.filter { areCovered[Int($0.client) - 1] }
        let blockedDays = Set(before.filter(isBlocked).map(\.day))
        let start = Set(before.map(\.day)).sorted(by: >).prefix(while: blockedDays.contains).last ?? first
        let segments = isRefused(unit) ? segments(of: unit) : nil
        return PlatformCount(
            name: unit.name, admitted: unit.sum.admitted, blocked: unit.sum.blocked, lower: unit.lower,
            since: segments?.since ?? Instant(day: start, nanosecondOfDay: 0), segments: segments?.all ?? [])
    }
}

// MARK: The rule

extension Platforms {
    /// The lower bound of the blocked rate of a platform that is refused as a whole exceeds this.
    var limit: Double { max(0.5, maxBlocked) }

    /// The lower bound of the blocked rate of a release that is refused exceeds this.
    var releaseLimit: Double { max(0.1, maxBlocked) }

    private func isRefused(_ unit: Unit) -> Bool {
        let limit = unit.name.isRelease ? releaseLimit : isProgram(unit.name) ? maxBlocked : limit
        guard unit.sum.blocked >= Platforms.fewestBlocked * (isSignedIn ? 1 : 2),
            Double(unit.sum.blocked) > limit * Double(unit.sum.admitted), unit.lower > limit
        else { return false }
        let (blocked, addresses) = (cells(of: unit).filter(isBlocked), addresses(of: unit))
        return (isSignedIn || addresses >= 10 || Set(blocked.map(\.day)).count >= 3)
            && (addresses >= Platforms.fewestAddresses
                || 2 * blocked.filter(\.hasAddress).requests < unit.sum.blocked)
    }

    /// False for what was cured or has gone by the last W days.
    private func isRefusedNow(_ unit: Unit) -> Bool {
        guard isRefused(unit) else { return false }
        let recent = recent(unit)
        return recent.admitted > 0
            && Double(recent.blocked) >= (isProgram(unit.name) ? maxBlocked : 0.5) * Double(recent.admitted)
    }

    /// True for a platform whose last segment is clean; those together have none.
    private func isCured(_ unit: Unit) -> Bool { segments(of: unit)?.isClean ?? false }

    private func isHeldUp(by unit: Unit) -> Bool { isRefusedNow(unit) && !isCured(unit) }

    /// Those that are refused as a whole, most blocked first.
    ///
    /// Acceptance may leave others alone in a platform; if nothing was refused before it, nothing is refused after it.
    private func refused(_ units: KeyPath<Platforms, [Unit]>) -> [PlatformCount] {
        let refused = self[keyPath: units].filter(isHeldUp)
        guard !refused.isEmpty, accepted.isEmpty || !accepting([]).refused(units).isEmpty else { return [] }
        return inOrder(refused).compactMap(count)
    }

    var refused: [PlatformCount] { refused(\.units) }

    /// The newest releases that are refused.
    var refusedReleases: [PlatformCount] { refused(\.releases) }

    /// The platform, with most blocked requests, that would be refused if it were not cured.
    var cured: PlatformCount? { inOrder(units.filter { isRefused($0) && isCured($0) }).first.flatMap(count) }

    /// Those that have a blocked request, most blocked first, the release that is asked about among them.
    var blocked: [PlatformCount] {
        inOrder((units + releases).filter { $0.sum.blocked > 0 }).prefix(Platforms.listed).compactMap(count)
    }

    /// Platforms of which every request was refused, but which have gone, or have too few requests to hold anything up:
    /// a job of each month, a site in the holidays; with the day of the last one.
    var aside: [(platform: PlatformCount, last: Day)] {
        let found = units.filter { unit in
            unit.sum.blocked == unit.sum.admitted && unit.name.isAcceptable
                && (unit.sum.blocked < Platforms.fewestBlocked || recent(unit).admitted == 0)
                && addresses(of: unit) >= Platforms.fewestAddresses
        }
        // A site or an app that is all of its kind says more than the kind.
        let widest = found.filter { unit in
            !found.contains { other in
                other.name != unit.name && other.sum.blocked == unit.sum.blocked
                    && (other.name.isNamedByOwner
                        ? unit.name.covers(other.name) : !unit.name.isNamedByOwner && other.name.covers(unit.name))
            }
        }
        return inOrder(widest).compactMap { unit in
            count(unit).flatMap { platform in cells(of: unit).map(\.day).max().map { (platform, $0) } }
        }
    }

    /// Returns the refused platforms to name, where one is a part of another: the fewest whose acceptance lets
    /// all pass, and of several that do so the most certain, then the widest; extensions by their names.
    func smallestCover(of refused: [PlatformCount]) -> [PlatformCount] {
        guard refused.count > 1 else { return refused }
        let names = Set(refused.map(\.name))
        let leastCertainFirst = refused.sorted { left, right in
            let areExtensions = [left, right].map { $0.name == .kind(.iosExtension) }
            if areExtensions[0] != areExtensions[1] { return areExtensions[0] }
            return left.lower == right.lower ? left.name.isNarrower(than: right.name) : left.lower < right.lower
        }
        return leastCertainFirst.reduce(refused) { kept, platform in
            let others = kept.filter { $0.name != platform.name }
            let platforms = accepting(accepted + others.map(\.name))
            return platforms.units.contains { names.contains($0.name) && platforms.isHeldUp(by: $0) } ? kept : others
        }
    }

    /// The platforms and releases that would be refused if they were not accepted, most blocked first.
    var acceptedRefusals: [PlatformCount] {
        guard !accepted.isEmpty else { return [] }
        let all = accepting([])
        func isAccepted(_ refusal: PlatformCount) -> Bool { accepted.contains { $0.covers(refusal.name) } }
        return (all.smallestCover(of: all.refused.filter(isAccepted)) + all.refusedReleases.filter(isAccepted))
            .sorted { ($1.blocked, $0.name) < ($0.blocked, $1.name) }
    }
}
