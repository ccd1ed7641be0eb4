import Readiness
package import Verifications

/// Users, and those of them who had a failure and no success.
package struct UserCount: Hashable, Sendable {
    package var users = 0
    package var failedOnly = 0

    package init(users: Int = 0, failedOnly: Int = 0) { (self.users, self.failedOnly) = (users, failedOnly) }

    /// The share of users with a failure and no success; nil without users.
    package var rate: Double? { users > 0 ? Double(failedOnly) / Double(users) : nil }

    /// Between which shares the users lie who only fail; users are independent, so that φ is 1.
    package func bounds(confidence: Double) -> ClosedRange<Double> {
        let (failed, users) = (Double(failedOnly), Double(users))
        guard users > 0 else { return 0...1 }
        let lower = ClopperPearson.lower(blocked: failed, requests: users, confidence: confidence)
        return lower...max(lower, ClopperPearson.upper(blocked: failed, requests: users, confidence: confidence))
    }

    fileprivate mutating func add(_ kinds: EventTally.Kinds) {
        guard !kinds.isDisjoint(with: .attestation) else { return }
        users += 1
        if kinds.contains(.failure), !kinds.contains(.success) { failedOnly += 1 }
    }
}

package struct RolloutDay: Hashable, Sendable {
    package let day: Day
    package var count = UserCount()
    package var succeeded = 0
    package var failed = 0

    fileprivate mutating func add(_ kinds: EventTally.Kinds) {
        count.add(kinds)
        if kinds.contains(.success) { succeeded += 1 }
        if kinds.contains(.failure) { failed += 1 }
    }
}

package struct RolloutCounts: Sendable {
    /// Days with an App Attest event, ascending, those outside of the window included.
    package private(set) var days: [RolloutDay] = []
    package private(set) var total = UserCount()
    /// Users of ``total`` without an event before the window.
    package private(set) var firstTime = UserCount()
    /// By the version of the app and the major one of iOS, those with most failures first; a user of two versions is in
    /// both.
    package private(set) var versions: [(client: ClientVersion, count: UserCount)] = []
    /// iOS users in the window who can have an App Attest event.
    package private(set) var able = 0
    /// iOS users who cannot have one because of the app, not the system: it has none, or did not have any yet.
    package private(set) var outdated = 0
    /// True when an iOS user had an event in the window other than those of App Attest.
    package private(set) var hasOtherEvents = false
    /// iOS users in the window whose system is older than ``firstSystem``.
    package private(set) var unsupported = 0

    /// The first version of iOS that has App Attest
    /// (<https://developer.apple.com/documentation/devicecheck/dcappattestservice>).
    package static let firstSystem = 14

    /// Fewer users of a system may have failed by chance, or be one person's.
    private static let leastFailing = 5

    /// Apps, and versions of iOS such as `18.7`, of which every user failed, and none ever succeeded; none unless
    /// others succeed.
    package private(set) var neverSucceeding: (apps: [Failing], systems: [Failing]) = ([], [])

    package typealias Failing = (name: String, users: Int)

    package var returning: UserCount {
        UserCount(users: total.users - firstTime.users, failedOnly: total.failedOnly - firstTime.failedOnly)
    }

    package init(_ tally: EventTally, window: ClosedRange<Day>?) {
        let isUnsupported = tally.clients.map(\.isUnsupported)
        let versionOf = RolloutCounts.places(of: tally.clients.map(\.key))
        let systemOf = RolloutCounts.places(of: tally.clients.map(\.os))
        let appOf = RolloutCounts.places(of: tally.clients.map { ExactName($0.app) })
        let isAble = tally.able
        var days: [Day: RolloutDay] = [:]
        var versions: [Int: UserCount] = [:]
        var systems: [Int: UserCount] = [:]
        var apps: [Int: UserCount] = [:]
        var byDay: [(key: Day, kinds: EventTally.Kinds)] = []
        var byClient: [(key: Int, kinds: EventTally.Kinds)] = []
        tally.users.forEachUser { facts in
            byDay.removeAll(keepingCapacity: true)
            byClient.removeAll(keepingCapacity: true)
            for fact in facts {
                RolloutCounts.add(fact.kinds, of: fact.day, to: &byDay)
                guard window?.contains(fact.day) == true else { continue }
                RolloutCounts.add(fact.kinds, of: fact.client, to: &byClient)
            }
            for (day, kinds) in byDay where !kinds.isDisjoint(with: .attestation) {
                days[day, default: RolloutDay(day: day)].add(kinds)
            }
            guard !byClient.isEmpty, let window else { return }
            let kinds = byClient.reduce(into: EventTally.Kinds()) { $0.formUnion($1.kinds) }
            total.add(kinds)
            let isReturning = byDay.contains { $0 < window.lowerBound && !$1.isDisjoint(with: .attestation) }
            if !isReturning { firstTime.add(kinds) }
            RolloutCounts.add(byClient, by: versionOf, to: &versions)
            RolloutCounts.add(byClient, by: systemOf, to: &systems)
            RolloutCounts.add(byClient, by: appOf, to: &apps)
            let isOld = byClient.contains { isUnsupported[$0.key] }
            if isOld { unsupported += 1 }
            if !kinds.isDisjoint(with: .attestation) || byClient.contains(where: { isAble[$0.key] }) {
                able += 1
            } else if !isOld {
                outdated += 1
            }
            if kinds.contains(.other) { hasOtherEvents = true }
        }
        self.days = days.values.sorted { $0.day < $1.day }
        self.versions = versions.map { (client: tally.clients[$0].ofMajorSystem, count: $1) }.sorted { left, right in
            let (most, least) = ((left.count.failedOnly, left.count.users), (right.count.failedOnly, right.count.users))
            return most == least ? left.client.key.lexicographicallyPrecedes(right.client.key) : most > least
        }
        guard total.failedOnly < total.users else { return }
        neverSucceeding.apps = RolloutCounts.failing(apps) { tally.clients[$0].app }
        neverSucceeding.systems = RolloutCounts.failing(systems) { tally.clients[$0].os }
    }

    /// Those of which every user failed, most users first.
    private static func failing(_ counts: [Int: UserCount], name: (Int) -> String) -> [Failing] {
        counts.filter { $1.failedOnly == $1.users && $1.users >= leastFailing }
            .map { (name: name($0), users: $1.users) }.filter { !$0.name.isEmpty }
            .sorted { ($1.users, $0.name) < ($0.users, $1.name) }
    }

    /// For each key the first place of one that is equal.
    private static func places(of keys: [some Hashable]) -> [Int] {
        let first = Dictionary(zip(keys, keys.indices)) { first, _ in first }
        return keys.map { first[$0] ?? 0 }
    }

    /// Counts a user in each group of their clients that had an event of App Attest.
    private static func add(
        _ clients: [(key: Int, kinds: EventTally.Kinds)], by group: [Int], to counts: inout [Int: UserCount]
    ) {
        var groups: [(key: Int, kinds: EventTally.Kinds)] = []
        for (client, kinds) in clients { add(kinds, of: group[client], to: &groups) }
        for (place, kinds) in groups where !kinds.isDisjoint(with: .attestation) {
            counts[place, default: UserCount()].add(kinds)
        }
    }

    private static func add<Key: Equatable>(
        _ kinds: EventTally.Kinds, of key: Key, to list: inout [(key: Key, kinds: EventTally.Kinds)]
    ) {
        if let place = list.lastIndex(where: { $0.key == key }) {
            list[place].kinds.formUnion(kinds)
        } else {
            list.append((key, kinds))
        }
    }
}

extension EventTally {
    /// The users from each of some days on, which ascend, through a last one.
    func totals(from starts: some BidirectionalCollection<Day>, through last: Day) -> [UserCount] {
        var totals = Array(repeating: UserCount(), count: starts.count)
        users.forEachUser { facts in
            var (kinds, earlier) = (Kinds(), facts[...])
            for (place, start) in zip(totals.indices, starts).reversed() {
                while let fact = earlier.last, fact.day >= start {
                    if fact.day <= last { kinds.formUnion(fact.kinds) }
                    earlier.removeLast()
                }
                totals[place].add(kinds)
            }
        }
        return totals
    }

    /// For each of ``clients``, true if it can have an App Attest event: not on an old system, nor with an app that has
    /// none, or that was released before the first version that has some.
    ///
    /// Rows may not name the app or its version: then only the system counts.
    fileprivate var able: [Bool] {
        let first = attesting.reduce(into: [ExactName: ReleaseNumber]()) { first, index in
            let (app, version) = (ExactName(clients[Int(index)].app), ReleaseNumber(clients[Int(index)].version))
            first[app] = min(first[app] ?? version, version)
        }
        return clients.map { client in
            guard !client.isUnsupported else { return false }
            guard !client.app.isEmpty, !client.version.isEmpty else { return true }
            return first[ExactName(client.app)].map { $0 <= ReleaseNumber(client.version) } ?? false
        }
    }
}

extension ClientVersion {
    fileprivate var isUnsupported: Bool { Int(ofMajorSystem.os).map { $0 < RolloutCounts.firstSystem } ?? false }

    fileprivate var ofMajorSystem: ClientVersion {
        ClientVersion(app: app, version: version, os: String(os.prefix { $0 != "." }))
    }

    /// By which users are counted, and versions with equal counts are listed.
    fileprivate var key: [ExactName] { [app, version, ofMajorSystem.os].map { ExactName($0) } }
}
