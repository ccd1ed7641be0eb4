package import Verifications

/// What is known of admitted requests.
package struct AdmittedCallers: Hashable, Sendable {
    /// Those with a row, by what it shows of the client.
    package private(set) var clients: [Client: Counts] = [:]
    /// Keyed hashes of the addresses behind blocked requests: those with the smallest.
    package private(set) var addresses: Set<UInt32> = []
    /// By ``RefusalCause``: refused App Check tokens whose cause was read.
    package var causes = [Int](repeating: 0, count: RefusalCause.allCases.count)
    /// Blocked ones that have a row, though nothing tells which of those that share its trace.
    package var blockedUnclear = 0
    /// Those with a row of an iOS app that sent the placeholder: it could not get a token, or was not to ask for one.
    package var iOSPlaceholders = 0

    package init() {}

    /// A kind of client, and an app's version, or a page's site and browser, where the client tells it.
    package struct Client: Hashable, Comparable, Sendable {
        package let kind: ClientKind
        package let version: ClientVersion?
        /// Unkeyed hash of the version or of the site, with the number of the browser; 0 without either.
        package let rank: UInt64

        /// The browser of a web client.
        package var browser: Browser? { kind == .web ? Browser(rawValue: UInt8(rank & Browser.mask)) : nil }

        /// The host of a page, by its referer.
        package var site: String? { kind.hasSite ? version?.app : nil }

        /// The same without version and site; a browser stays.
        package var withoutVersion: Client { Client(kind: kind, rank: kind == .web ? rank & Browser.mask : 0) }

        package init(kind: ClientKind, version: ClientVersion? = nil, rank: UInt64 = 0) {
            self.kind = kind
            self.version = version
            self.rank = rank
        }

        /// The rank identifies the version.
        package func hash(into hasher: inout Hasher) { hasher.combine(rank << 8 | UInt64(kind.rawValue)) }

        package static func == (left: Client, right: Client) -> Bool {
            left.rank == right.rank && left.kind == right.kind && left.version == right.version
        }

        package static func < (left: Client, right: Client) -> Bool {
            guard left.kind == right.kind else { return left.kind < right.kind }
            guard left.version != right.version else { return left.rank < right.rank }
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
        /// Blocked ones that were answered with 400 or above.
        package var failing = 0
        /// The hours of the day with a verified request, and with a blocked one: a bit each.
        package var verifiedHours: UInt32 = 0
        package var blockedHours: UInt32 = 0

        package init() {}

        /// Counts requests of one hour that have a row.
        package init(_ count: Int, app: TokenStatus, answer: RequestRow.ResponseClass, hour: Int) {
            switch app {
            case .valid: verified = count
            case .missing: missing = count
            case .invalid: invalid = count
            case .other: other = count
            }
            if app == .valid { verifiedHours = 1 << hour } else { blockedHours = 1 << hour }
            if app != .valid, answer == .unauthenticated || answer == .failure { failing = count }
        }

        package var admitted: Int { verified + blocked }
        package var blocked: Int { missing + invalid + other }

        package mutating func merge(_ counts: Counts) {
            verified += counts.verified
            missing += counts.missing
            invalid += counts.invalid
            other += counts.other
            failing += counts.failing
            verifiedHours |= counts.verifiedHours
            blockedHours |= counts.blockedHours
        }
    }

    /// More addresses are not distinguished.
    package static let addressLimit = 1000

    /// Keeps the address behind a blocked request.
    package mutating func add(address: UInt32) {
        addresses.insert(address)
        trimAddresses(beyond: 2 * AdmittedCallers.addressLimit)
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
        blockedUnclear += other.blockedUnclear
        for (client, counts) in other.clients { add(counts, of: client) }
        addresses.formUnion(other.addresses)
        trimAddresses(beyond: AdmittedCallers.addressLimit)
        for cause in causes.indices { causes[cause] += other.causes[cause] }
        iOSPlaceholders += other.iOSPlaceholders
    }

    /// Those of some kinds.
    func counts(where isWanted: (ClientKind) -> Bool) -> Counts {
        clients.reduce(into: Counts()) { if isWanted($1.key.kind) { $0.merge($1.value) } }
    }

    /// Leaves out clients of some kinds, but not what they add to causes and addresses.
    mutating func leaveOut(_ kinds: Set<ClientKind>) {
        if !kinds.isEmpty { clients = clients.filter { !kinds.contains($0.key.kind) } }
    }

    /// Those with a row that shows the client.
    package var joined: Int { clients.values.reduce(0) { $0 + $1.admitted } }
    package var blockedJoined: Int { clients.values.reduce(0) { $0 + $1.blocked } }
    /// Blocked ones that were answered with 400 or above.
    package var alreadyFailing: Int { clients.values.reduce(0) { $0 + $1.failing } }

    /// Forgets the apps and sites of all other clients; their kinds and browsers stay.
    mutating func keep(_ kept: Set<Client>) {
        for (client, counts) in clients where client.version != nil && !kept.contains(client) {
            clients[client] = nil
            add(counts, of: client.withoutVersion)
        }
    }

    mutating func tellExtensions(_ apps: Set<String>) {
        for (client, counts) in clients where client.kind == .ios && client.version?.isExtension(of: apps) == true {
            clients[client] = nil
            add(counts, of: Client(kind: .iosExtension, version: client.version, rank: client.rank))
        }
    }

    /// The smallest hashes are the same in any order.
    mutating func trimAddresses(beyond limit: Int) {
        guard addresses.count > limit else { return }
        addresses = Set(addresses.sorted().prefix(AdmittedCallers.addressLimit))
    }
}
