package import Verifications

/// Users, and those of them who had a failure and no success.
package struct UserCount: Hashable, Sendable {
    package var users = 0
    package var failedOnly = 0

    package init(users: Int = 0, failedOnly: Int = 0) {
        self.users = users
        self.failedOnly = failedOnly
    }

    fileprivate mutating func add(_ kinds: EventTally.Kinds) {
        guard !kinds.isDisjoint(with: .attestation) else { return }
        users += 1
        if kinds.failsOnly { failedOnly += 1 }
    }
}

/// The users of one day.
package struct RolloutDay: Hashable, Sendable {
    package let day: Day
    package var count = UserCount()
    package var succeeded = 0
    package var failed = 0

    package init(day: Day) { self.day = day }
}

/// What the users of a window show.
package struct RolloutCounts: Sendable {
    /// Days with an App Attest event, ascending, those outside of the window included.
    package private(set) var days: [RolloutDay] = []
    /// Users with an App Attest event in the window.
    package private(set) var total = UserCount()
    /// Those of them without one before the window.
    package private(set) var firstTime = UserCount()
    /// By the version of the app, those with most failures first; a user of two versions stands in both.
    package private(set) var versions: [(client: ClientVersion, count: UserCount)] = []
    /// iOS users with any event in the window.
    package private(set) var iOSUsers = 0
    /// True when an iOS user had an event in the window other than those of App Attest.
    package private(set) var hasOtherEvents = false
    /// iOS users in the window whose system is older than ``firstSystem``.
    package private(set) var unsupported = 0

    /// The first version of iOS that has App Attest.
    ///
    /// <https://developer.apple.com/documentation/devicecheck/dcappattestservice>
    package static let firstSystem = 14

    package var returning: UserCount {
        UserCount(users: total.users - firstTime.users, failedOnly: total.failedOnly - firstTime.failedOnly)
    }

    /// Counts in one pass over the users.
    ///
    /// - Parameters:
    ///   - tally: What was read.
    ///   - window: The days that are judged; nil when there is none.
    package init(_ tally: EventTally, window: ClosedRange<Day>?) {
        var users = UserCounter(window: window, unsupported: Set(tally.clients.indices.filter(tally.isUnsupported)))
        tally.forEachUser { users.add($0) }
        days = users.days.values.sorted { $0.day < $1.day }
        (total, firstTime) = (users.total, users.firstTime)
        (iOSUsers, unsupported, hasOtherEvents) = (users.iOSUsers, users.unsupportedUsers, users.hasOtherEvents)
        versions = users.clients.map { (client: tally.clients[$0], count: $1) }.sorted { left, right in
            let (most, least) = ((left.count.failedOnly, left.count.users), (right.count.failedOnly, right.count.users))
            return most == least ? left.client.key < right.client.key : most > least
        }
    }
}

/// Counts one user after another.
private struct UserCounter {
    let window: ClosedRange<Day>?
    /// The numbers of clients whose system has no App Attest.
    let unsupported: Set<Int>
    var days: [Day: RolloutDay] = [:]
    var clients: [Int: UserCount] = [:]
    var total = UserCount()
    var firstTime = UserCount()
    var iOSUsers = 0
    var unsupportedUsers = 0
    var hasOtherEvents = false

    // Of the user being counted.
    private var windowKinds: EventTally.Kinds = []
    private var clientKinds: [(client: Int, kinds: EventTally.Kinds)] = []
    private var isReturning = false
    private var isUnsupported = false

    init(window: ClosedRange<Day>?, unsupported: Set<Int>) {
        self.window = window
        self.unsupported = unsupported
    }

    /// Counts a user.
    ///
    /// - Parameter facts: What happened, day by day.
    mutating func add(_ facts: ContiguousArray<UserDays.Fact>) {
        var first = 0
        while first < facts.count {
            let day = facts[first].day
            var kinds: EventTally.Kinds = []
            while first < facts.count, facts[first].day == day {
                kinds.formUnion(facts[first].kinds)
                add(facts[first])
                first += 1
            }
            if !kinds.isDisjoint(with: .attestation) { days[day, default: RolloutDay(day: day)].add(kinds) }
        }
        endUser()
    }

    private mutating func add(_ fact: UserDays.Fact) {
        guard let window, window.contains(fact.day) else {
            let isBefore = window.map { fact.day < $0.lowerBound } ?? false
            if isBefore, !fact.kinds.isDisjoint(with: .attestation) { isReturning = true }
            return
        }
        windowKinds.formUnion(fact.kinds)
        if unsupported.contains(fact.client) { isUnsupported = true }
        if let place = clientKinds.firstIndex(where: { $0.client == fact.client }) {
            clientKinds[place].kinds.formUnion(fact.kinds)
        } else {
            clientKinds.append((fact.client, fact.kinds))
        }
    }

    private mutating func endUser() {
        total.add(windowKinds)
        if !isReturning { firstTime.add(windowKinds) }
        for (client, kinds) in clientKinds where !kinds.isDisjoint(with: .attestation) {
            clients[client, default: UserCount()].add(kinds)
        }
        if !windowKinds.isEmpty { iOSUsers += 1 }
        if windowKinds.contains(.other) { hasOtherEvents = true }
        if isUnsupported { unsupportedUsers += 1 }
        windowKinds = []
        clientKinds.removeAll(keepingCapacity: true)
        isReturning = false
        isUnsupported = false
    }
}

extension RolloutDay {
    fileprivate mutating func add(_ kinds: EventTally.Kinds) {
        count.add(kinds)
        if kinds.contains(.success) { succeeded += 1 }
        if kinds.contains(.failure) { failed += 1 }
    }
}

extension EventTally {
    fileprivate func isUnsupported(_ client: Int) -> Bool {
        Int(clients[client].os).map { $0 < RolloutCounts.firstSystem } ?? false
    }
}

extension EventTally.Kinds {
    /// True for somebody who had a failure and no success.
    fileprivate var failsOnly: Bool { contains(.failure) && !contains(.success) }
}

extension ClientVersion {
    /// By which versions with equal counts are listed.
    fileprivate var key: (ExactName, ExactName, String) {
        (ExactName(app), ExactName(version), os)
    }
}
