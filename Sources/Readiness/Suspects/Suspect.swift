package import Verifications

/// Clients to which blocked requests are traced: the one place that says who.
package struct Suspect: Hashable, Sendable {
    package enum Unit: Hashable, Sendable {
        case platform(PlatformName)
        /// A version of an app and all older ones, which are refused just as well.
        case versions(app: String, upTo: String)
        /// Requests of which no row shows the client.
        case unknown

        /// `com.example.app@3.0.2`, `com.example.app@3.0.2 and older`, `unknown`.
        package var name: String {
            switch self {
            case .platform(let name): name.text
            case .versions(let app, let version): "\(PlatformName.release(app, version: version).text) and older"
            case .unknown: "unknown"
            }
        }

        /// Nil for a request of which no row shows the client.
        func covers(_ client: Client?) -> Bool {
            guard let client else { return self == .unknown }
            switch self {
            // A developer's own programs are no platform.
            case .platform(.kind(let kind)): return client.kind == kind
            case .platform(let name): return name.covers(client)
            case .versions(let app, let version):
                return client.kind.isOfApple && client.version?.app == app
                    && client.version.map { ReleaseNumber($0.version) <= ReleaseNumber(version) } ?? false
            case .unknown: return false
            }
        }
    }

    package let unit: Unit
    /// Requests of the window.
    package let admitted: Int
    package let blocked: Int
    /// Different addresses of the blocked ones, where rows show them.
    package let addresses: Int
    /// Blocked persons, or requests where addresses are unknown.
    let persons: Int
    /// The beginning of the newest raised segments; nil where the share is steady.
    package let since: Instant?
    /// Their end; nil while they last.
    package let until: Instant?

    /// The most that are named.
    package static let most = 10
}

/// The search: the division of the clients that explains best who is refused, again and again.
struct SuspectSearch {
    /// The client is nil for requests of which no row shows it.
    private let groups: [(client: Client?, sum: ClientSum)]
    private let members: [(unit: Suspect.Unit, places: [Int])]

    /// The least log-likelihood that two shares in place of one must gain.
    private static let leastGain = 6.0

    init(_ callers: Callers, unknown: ClientSum) {
        let hasUnknown = !callers.clients.isEmpty && unknown.admitted > 0
        var groups: [(client: Client?, sum: ClientSum)] = callers.clients.map { ($0.key, $0.value) }
        if hasUnknown { groups.append((nil, unknown)) }
        var members: [Suspect.Unit: [Int]] = hasUnknown ? [.unknown: [groups.count - 1]] : [:]
        for (place, group) in groups.enumerated() {
            for name in group.client.map(SuspectSearch.names) ?? [] {
                members[.platform(name), default: []].append(place)
            }
        }
        for (unit, clients) in SuspectSearch.oldVersions(callers) {
            members[unit] = groups.indices.filter { groups[$0].client.map(clients.contains) ?? false }
        }
        self.groups = groups
        self.members = members.filter { _, places in places.contains { groups[$0].sum.blocked > 0 } }
            .map { (unit: $0.key, places: $0.value) }
    }

    private func sum(_ places: some Sequence<Int>) -> ClientSum {
        places.reduce(into: ClientSum()) { $0.merge(groups[$1].sum) }
    }

    /// The units that a client belongs to.
    private static func names(of client: Client) -> [PlatformName] {
        let names = PlatformName.all(of: client, isSignedIn: true)
        let release =
            client.kind.isOfApple
            ? client.version.flatMap { $0.version.isEmpty ? nil : PlatformName.release($0.app, version: $0.version) }
            : nil
        return (names.isEmpty ? [.kind(client.kind)] : names) + [release].compactMap(\.self)
    }

    /// The versions of apps up to each one, where all of them are refused just as well.
    private static func oldVersions(_ callers: Callers) -> [Suspect.Unit: Set<Client>] {
        func sum(_ clients: some Sequence<Client>) -> ClientSum {
            clients.reduce(into: ClientSum()) { $0.merge(callers.clients[$1] ?? ClientSum()) }
        }
        var units: [Suspect.Unit: Set<Client>] = [:]
        for (app, versions) in callers.clients.keys.filter({ $0.version?.version.isEmpty == false }).releases {
            var (older, areAlike): (Set<Client>, [ClientSum]) = ([], [])
            for (version, clients) in versions.dropLast() {
                older.formUnion(clients)
                areAlike.append(sum(clients))
                let all = sum(older)
                guard areAlike.count > 1,
                    areAlike.allSatisfy({ 2 * $0.blocked * all.admitted >= all.blocked * $0.admitted })
                else { continue }
                units[.versions(app: app, upTo: version)] = older
            }
        }
        return units
    }

    /// The units that explain who is refused, those that explain most first; where nothing sets clients apart, what
    /// they all are.
    var units: [Suspect.Unit] {
        var (found, rest) = ([Suspect.Unit](), Set(groups.indices))
        while found.count < Suspect.most, let next = best(among: rest) {
            found.append(next.unit)
            rest.subtract(next.places)
        }
        guard found.isEmpty else { return found }
        let known = groups.count { $0.client != nil }
        let all = members.filter { unit, places in
            unit != .unknown && places.count == known
                && sum(places).blocked >= WindowClients.minimumBlocked
        }.map(\.unit)
        return all.max { SuspectSearch.isNarrower($0, than: $1) }.map { [$0] } ?? []
    }

    private func best(among rest: Set<Int>) -> (unit: Suspect.Unit, places: [Int])? {
        let all = sum(rest)
        var best: (unit: Suspect.Unit, places: [Int], gain: Double)?
        for (unit, places) in members {
            let places = places.filter(rest.contains)
            let own = sum(places)
            let others = ClientSum(admitted: all.admitted - own.admitted, blocked: all.blocked - own.blocked)
            guard own.blocked >= WindowClients.minimumBlocked, others.admitted > 0,
                own.blocked * others.admitted >= 2 * others.blocked * own.admitted
            else { continue }
            let gain = SuspectSearch.gain(own, others)
            guard gain >= SuspectSearch.leastGain else { continue }
            if let known = best {
                let isAlike = abs(gain - known.gain) <= 1e-9 * gain
                if isAlike ? SuspectSearch.isNarrower(unit, than: known.unit) : gain < known.gain { continue }
            }
            best = (unit, places, gain)
        }
        return best.map { ($0.unit, $0.places) }
    }

    private static func gain(_ one: ClientSum, _ other: ClientSum) -> Double {
        let runs = [one, other].map { HourRun(begin: 0, end: 0, requests: $0.admitted, blocked: $0.blocked) }
        return Segmentation.gain(runs[0], runs[1], dispersion: 1)
    }

    /// What is alike has the name of the widest; names decide between equals.
    private static func isNarrower(_ unit: Suspect.Unit, than other: Suspect.Unit) -> Bool {
        if case .platform(let name) = unit, case .platform(let wider) = other { return name.isNarrower(than: wider) }
        return (unit.isOfVersions ? 1 : 0, ExactName(unit.name)) > (other.isOfVersions ? 1 : 0, ExactName(other.name))
    }
}

extension Suspect.Unit {
    fileprivate var isOfVersions: Bool { if case .versions = self { true } else { false } }
}

extension SuspectSearch {
    /// The unit that most of what is blocked comes from; nil where there is none, or nothing shows it.
    var main: Suspect.Unit? {
        guard let first = units.first, first != .unknown,
            let places = members.first(where: { $0.unit == first })?.places,
            2 * sum(places).blocked > sum(groups.indices).blocked
        else { return nil }
        return first
    }
}

extension Evaluation {
    /// Who is refused since more is refused than before, or since the switch; nil where neither holds, or nothing shows
    /// it.
    ///
    /// The window may have older ones as well, who are no cause of what is new.
    func mainSuspect(_ lockout: Lockout?) -> Suspect.Unit? {
        guard let asOf else { return nil }
        if lockout == nil, let begin = FailingNow.find(self).first?.instant {
            return mainSuspect(since: begin, asOf, where: { self.history.judgement.isJudged($0, self.counted) }) {
                $0.isBlocked
            }
        }
        guard let after = afterSwitch, let start = after.judgement.enforcement.start else { return nil }
        let begin = max(lockout?.failing?.instant ?? start, Instant(day: after.recent.from, nanosecondOfDay: 0))
        return mainSuspect(since: begin, asOf, where: { after.judgement.isEnforced($0, after.counted) }) {
            after.judgement.history.isRefused($0)
        }
    }

    /// Days before what is new: who came then and was not refused is none of those who are.
    private static let daysBefore: Int64 = 7

    private func mainSuspect(
        since begin: Instant, _ asOf: Instant, where isSelected: (Cell) -> Bool, blocked isBlocked: (Cell) -> Bool
    ) -> Suspect.Unit? {
        guard begin <= asOf else { return nil }
        let start = begin.adding(seconds: -Evaluation.daysBefore * Instant.secondsPerDay)
        let table = history.table
        func isNew(_ cell: Cell) -> Bool { begin.hourStart <= cell.start && isBlocked(cell) }
        let asked = table.cells(in: start.day...asOf.day).filter(isSelected)
        let callers = Callers(asked, of: table, blocked: isNew)
        let known = callers.sum()
        return SuspectSearch(
            callers,
            unknown: ClientSum(
                admitted: asked.requests - known.admitted, blocked: asked.filter(isNew).requests - known.blocked)
        ).main
    }

    /// Who is refused of those whom the rule counts, most persons first; empty where hardly anybody is.
    func suspects(_ clients: WindowClients) -> [Suspect] {
        guard clients.blocked >= WindowClients.minimumBlocked, let asOf, let window = period.window, let selected,
            let days = days(of: selected, until: asOf)
        else { return [] }
        let table = history.table
        return SuspectSearch(clients.callers, unknown: clients.unknown).units.map { unit in
            let own = unit == .unknown ? clients.unknown : clients.callers.sum { unit.covers($0) }
            let areOfUnit = [unit == .unknown] + table.clients.map { unit.covers($0) }
            let counts = UnitCounts(selected, in: days, until: asOf) { client, _ in
                areOfUnit[Int(client)]
            }
            let persons = counts.days(in: window.days).reduce(0) { $0 + $1.blocked }
            let raised = Segments(counts, limit: self.numbers.maxBlocked).all.lastRaised
            return Suspect(
                unit: unit, admitted: own.admitted, blocked: own.blocked,
                addresses: counts.spread(in: window.days).addresses, persons: Int(persons), since: raised?.start,
                until: raised?.end)
        }.sorted { left, right in
            (right.persons, right.blocked, ExactName(left.unit.name))
                < (left.persons, left.blocked, ExactName(right.unit.name))
        }
    }
}
