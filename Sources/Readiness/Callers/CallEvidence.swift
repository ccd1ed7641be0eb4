package import Verifications

/// What stands in a log next to verifications, joined with them: who called, and why tokens were refused.
///
/// Only whole numbers by day are left: nothing of a caller but the kind of client, and of apps for iOS the version.
package struct CallEvidence: Hashable, Sendable {
    /// Functions with a row or with one of the SDK's lines.
    package private(set) var functions: [FunctionIdentity: FunctionCallers] = [:]
    /// By project: days with a row of a callable function.
    package private(set) var rowDays: [ExactName: Set<Day>] = [:]
    /// The newest day of which something was given up for lack of room; nil when all was kept.
    package var givenUpThrough: Day?
    /// False where addresses were not kept, so that nobody knows how many there are.
    package var hasAddresses = true

    package init() {}

    package mutating func add(_ callers: FunctionCallers, for function: FunctionIdentity) {
        functions[function] = callers
        let days = callers.days.filter { $0.value.rows > 0 }.keys
        if !days.isEmpty { rowDays[ExactName(function.project), default: []].formUnion(days) }
    }

    /// True when anything was read of a function of the project.
    func isAbout(project name: String) -> Bool { functions.keys.contains { ExactName($0.project) == ExactName(name) } }

    /// True when the input has a row of the project's request log.
    func hasRows(inProject name: String) -> Bool { rowDays[ExactName(name)] != nil }
}

/// What request rows and the SDK's lines show of one function.
package struct FunctionCallers: Hashable, Sendable {
    package private(set) var days: [Day: CallerDay] = [:]

    package init() {}

    /// Changes a day, which is made when it is new.
    package mutating func update(_ day: Day, _ change: (inout CallerDay) -> Void) {
        change(&days[day, default: CallerDay()])
    }

    /// The apps of which a version is known.
    var apps: Set<String> {
        let clients = days.values.flatMap { [$0.signedIn.clients.keys, $0.signedOut.clients.keys] }
        return Set(clients.joined().compactMap { $0.version?.app })
    }

    /// Tells extensions from apps, where only the days of other runs show that they are.
    mutating func tellExtensions(_ apps: Set<String>) {
        for day in days.keys { days[day]?.tellExtensions(apps) }
    }

    /// Keeps of each day as many clients as a day may have.
    package mutating func trim() {
        for day in days.keys { days[day]?.trim() }
    }

    /// The days of a window together.
    package func sum(_ window: Window) -> CallerDay {
        window.days.reduce(into: CallerDay()) { sum, day in
            if let day = days[day] { sum.merge(day) }
        }
    }
}

/// One day of a function's callers; sums of days are days, too.
package struct CallerDay: Hashable, Sendable {
    /// Rows of the request log.
    package var rows = 0
    /// Rows answered 2xx.
    package var successes = 0
    /// Rows answered 2xx that no verification belongs to.
    package var unlogged = 0
    /// Verifications that have a row, whatever their Auth status.
    package var withRow = 0
    /// Admitted requests whose Auth status is VALID, and the others.
    package var signedIn = AdmittedCallers()
    package var signedOut = AdmittedCallers()
    package var enforcement = EnforcementSigns()

    package init() {}

    package mutating func merge(_ other: CallerDay) {
        rows += other.rows
        successes += other.successes
        unlogged += other.unlogged
        withRow += other.withRow
        signedIn.merge(other.signedIn)
        signedOut.merge(other.signedOut)
        enforcement.merge(other.enforcement)
    }

    /// The requests that a policy admits.
    func admitted(_ admission: Admission) -> AdmittedCallers {
        guard admission == .notRefused else { return signedIn }
        var all = signedIn
        all.merge(signedOut)
        return all
    }

    /// Counts a verification that has a row, or one whose token was refused; nothing where Auth refuses the request.
    package mutating func update(auth: TokenStatus, _ change: (inout AdmittedCallers) -> Void) {
        switch auth {
        case .invalid: break
        case .valid: change(&signedIn)
        case .missing, .other: change(&signedOut)
        }
    }

    /// Changes what is known of requests that are signed in, or of the others.
    package mutating func update(signedIn: Bool, _ change: (inout AdmittedCallers) -> Void) {
        if signedIn { change(&self.signedIn) } else { change(&signedOut) }
    }

    /// So many combinations of client, app, version and system one day keeps.
    package static let clientLimit = 200

    mutating func tellExtensions(_ apps: Set<String>) {
        signedIn.tellExtensions(apps)
        signedOut.tellExtensions(apps)
    }

    mutating func trim() {
        signedIn.trimAddresses(beyond: AdmittedCallers.addressLimit)
        signedOut.trimAddresses(beyond: AdmittedCallers.addressLimit)
        // What stands for the rest is none of them, or a day that a store has kept would lose one more.
        let clients = Set(signedIn.clients.keys).union(signedOut.clients.keys).subtracting([.rest])
        guard clients.count > CallerDay.clientLimit else { return }
        let kept = Set(clients.sorted { ($0.rank, $0) < ($1.rank, $1) }.prefix(CallerDay.clientLimit))
        signedIn.keep(kept)
        signedOut.keep(kept)
    }
}

/// What is known of admitted requests.
package struct AdmittedCallers: Hashable, Sendable {
    /// Those with a row.
    package private(set) var joined = 0
    package private(set) var blockedJoined = 0
    /// Blocked ones that were answered with 400 or above.
    package private(set) var alreadyFailing = 0
    package private(set) var clients: [Client: Counts] = [:]
    /// Keyed hashes of the addresses behind blocked requests: those with the smallest.
    package private(set) var addresses: Set<UInt32> = []
    /// By ``RefusalCause``: refused App Check tokens whose cause was read.
    package private(set) var causes = [Int](repeating: 0, count: RefusalCause.allCases.count)
    /// Those with a row of an iOS app that sent the placeholder: it could not get a token, or was not to ask for one.
    package private(set) var iOSPlaceholders = 0

    package init() {}

    /// What was counted before, but for the clients.
    package init(joined: Int, blockedJoined: Int, alreadyFailing: Int, causes: [Int], iOSPlaceholders: Int) {
        self.joined = joined
        self.blockedJoined = blockedJoined
        self.alreadyFailing = alreadyFailing
        self.causes = causes
        self.iOSPlaceholders = iOSPlaceholders
    }

    /// A kind of client, and an app's version where the client tells it.
    package struct Client: Hashable, Comparable, Sendable {
        package let kind: ClientKind
        package let version: ClientVersion?
        /// Unkeyed hash of the version; 0 without one.
        package let rank: UInt64

        package init(kind: ClientKind, version: ClientVersion? = nil, rank: UInt64 = 0) {
            self.kind = kind
            self.version = version
            self.rank = rank
        }

        /// Stands for clients that a day has no room for.
        fileprivate static let rest = Client(kind: .other)

        /// The rank stands for the version.
        package func hash(into hasher: inout Hasher) { hasher.combine(rank << 8 | UInt64(kind.rawValue)) }

        package static func == (left: Client, right: Client) -> Bool {
            left.rank == right.rank && left.kind == right.kind && left.version == right.version
        }

        package static func < (left: Client, right: Client) -> Bool {
            guard left.kind == right.kind else { return left.kind < right.kind }
            guard let version = right.version else { return false }
            return left.version.map { $0 < version } ?? true
        }
    }

    /// Requests of one client by what is known of their App Check token.
    package struct Counts: Hashable, Sendable {
        package var verified = 0
        package var missing = 0
        package var invalid = 0
        package var other = 0

        package init() {}

        package var admitted: Int { verified + blocked }
        package var blocked: Int { missing + invalid + other }

        package mutating func merge(_ counts: Counts) {
            verified += counts.verified
            missing += counts.missing
            invalid += counts.invalid
            other += counts.other
        }
    }

    /// More addresses are not distinguished.
    package static let addressLimit = 1000

    /// Counts requests that have a row.
    package mutating func add(
        _ count: Int, app: TokenStatus, client: Client, answer: RequestRow.Answer, address: UInt32
    ) {
        joined += count
        var counts = Counts()
        switch app {
        case .valid: counts.verified = count
        case .missing: counts.missing = count
        case .invalid: counts.invalid = count
        case .other: counts.other = count
        }
        add(counts, of: client)
        guard app != .valid else { return }
        blockedJoined += count
        if answer == .unauthenticated || answer == .failure { alreadyFailing += count }
        if address != 0 {
            addresses.insert(address)
            trimAddresses(beyond: 2 * AdmittedCallers.addressLimit)
        }
    }

    package mutating func add(_ counts: Counts, of client: Client) {
        clients[client, default: Counts()].merge(counts)
    }

    package mutating func add(_ count: Int, cause: RefusalCause, isOfIOS: Bool = false) {
        causes[Int(cause.rawValue)] += count
        if isOfIOS, cause == .placeholder { iOSPlaceholders += count }
    }

    /// Those with a row of an iOS app and a valid token.
    package var iOSVerified: Int { clients.reduce(0) { $1.key.kind.isIOSApp ? $0 + $1.value.verified : $0 } }

    package mutating func merge(_ other: AdmittedCallers) {
        joined += other.joined
        blockedJoined += other.blockedJoined
        alreadyFailing += other.alreadyFailing
        for (client, counts) in other.clients { add(counts, of: client) }
        addresses.formUnion(other.addresses)
        trimAddresses(beyond: AdmittedCallers.addressLimit)
        for cause in causes.indices { causes[cause] += other.causes[cause] }
        iOSPlaceholders += other.iOSPlaceholders
    }

    /// Puts all other clients together.
    fileprivate mutating func keep(_ kept: Set<Client>) {
        for (client, counts) in clients where client != .rest && !kept.contains(client) {
            clients[client] = nil
            add(counts, of: .rest)
        }
    }

    /// Tells extensions from apps, of which `apps` has the identifiers.
    fileprivate mutating func tellExtensions(_ apps: Set<String>) {
        for (client, counts) in clients where client.kind == .ios && client.version?.isExtension(of: apps) == true {
            clients[client] = nil
            add(counts, of: Client(kind: .iosExtension, version: client.version, rank: client.rank))
        }
    }

    /// The smallest hashes are the same in whatever order they come.
    fileprivate mutating func trimAddresses(beyond limit: Int) {
        guard addresses.count > limit else { return }
        addresses = Set(addresses.sorted().prefix(AdmittedCallers.addressLimit))
    }
}
