package import Verifications

/// The callers of admitted requests, as far as they are known.
package struct AdmittedCallers: Hashable, Sendable {
    /// Requests with a row, by the client that it shows.
    package private(set) var clients: [Client: Counts] = [:]
    /// When those were blocked whose client no row shows.
    package var blockedUnknown = BlockedTimes()
    /// The addresses behind blocked requests, by the kind of client that the user agent shows.
    private var addresses: [ClientKind: AddressSet] = [:]
    private var hasAddresses = false
    /// By ``RefusalCause``: refused App Check tokens whose cause was read.
    package var causes = [Int](repeating: 0, count: RefusalCause.allCases.count)
    /// Requests with a row of an iOS app that sent the placeholder: it got no token, or was not to ask for one.
    package var iOSPlaceholders = 0

    package init() {}

    /// A kind of client, its browser or device, and an app's version or a page's site, where the client tells it.
    package struct Client: Hashable, Comparable, Sendable {
        package let code: ClientCode
        /// Nil also where there was no room for it; see ``isPooled``.
        package let version: ClientVersion?

        package init(_ code: ClientCode, version: ClientVersion? = nil) { (self.code, self.version) = (code, version) }

        package init(kind: ClientKind) { self.init(ClientCode(kind)) }

        package var kind: ClientKind { code.kind }

        /// The host of a page, by its referer.
        package var site: String? { kind.hasSite ? version?.app : nil }

        /// True where the client tells a version or a site that there was no room for.
        var isPooled: Bool { version == nil && code.nameHash != 0 }

        /// The same with all names that there is no room for; kind, browser and device stay.
        package var pooled: Client { Client(code.named(ClientVersions.hashMask)) }

        /// Returns the rank among clients of other names: the smallest stay, those that sign in first.
        func rank(isSignedIn: Bool) -> UInt64 {
            (isSignedIn ? 0 : 1 << 40) | code.nameHash << 8 | UInt64(kind.rawValue)
        }

        /// The code nearly always identifies the version.
        package func hash(into hasher: inout Hasher) { hasher.combine(code) }

        package static func < (left: Client, right: Client) -> Bool {
            guard left.kind == right.kind else { return left.kind < right.kind }
            guard left.version != right.version else { return left.code < right.code }
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
        /// Blocked ones that were answered 200 to 399.
        package var served = 0
        /// The hours of the day with a verified request: a bit each.
        package var verifiedHours: UInt32 = 0
        package var blockedTimes = BlockedTimes()

        package init() {}

        /// Counts requests of one instant that have a row.
        package init(_ count: Int, app: TokenStatus, answer: RequestRow.ResponseClass, nanosecond: Int64) {
            switch app {
            case .valid: verified = count
            case .missing: missing = count
            case .invalid: invalid = count
            case .other: other = count
            }
            if app == .valid {
                verifiedHours = BlockedTimes.hour(of: nanosecond)
            } else {
                blockedTimes.add(nanosecond: nanosecond)
            }
            if app != .valid, answer.isError { failing = count }
            if app != .valid, answer.isServed { served = count }
        }

        /// Takes those that were served for verified ones: regardless of their token, enforcement did not refuse them.
        fileprivate mutating func verifyServed() {
            verified += served
            for kind in [\Counts.missing, \.invalid, \.other] {
                let count = min(served, self[keyPath: kind])
                self[keyPath: kind] -= count
                served -= count
            }
        }

        var verifiedAlone: Counts {
            var counts = Counts()
            (counts.verified, counts.verifiedHours) = (verified, verifiedHours)
            return counts
        }

        var withoutVerified: Counts {
            var counts = self
            (counts.verified, counts.verifiedHours) = (0, 0)
            return counts
        }

        package var admitted: Int { verified + blocked }
        package var blocked: Int { missing + invalid + other }
        /// The hours of the day with a blocked request: a bit each.
        package var blockedHours: UInt32 { blockedTimes.hours }

        package mutating func merge(_ counts: Counts) {
            verified += counts.verified
            missing += counts.missing
            invalid += counts.invalid
            other += counts.other
            failing += counts.failing
            served += counts.served
            verifiedHours |= counts.verifiedHours
            blockedTimes.merge(counts.blockedTimes)
        }
    }

    /// The number of addresses behind blocked requests, at most one more than ``AddressSet/limit``; nil where no row
    /// shows one.
    package var blockedAddresses: Int? {
        guard hasAddresses else { return nil }
        return addresses.values.reduce(into: AddressSet()) { $0.merge($1) }.count
    }

    /// Keeps the address that a request's row shows, if it shows one.
    package mutating func add(address: UInt16, of kind: ClientKind, isBlocked: Bool) {
        guard address != 0 else { return }
        hasAddresses = true
        if isBlocked { addresses[kind, default: AddressSet()].insert(address) }
    }

    package mutating func add(_ counts: Counts, of client: Client) {
        clients[client, default: Counts()].merge(counts)
    }

    package mutating func add(_ count: Int, cause: RefusalCause, isOfIOS: Bool = false) {
        causes[Int(cause.rawValue)] += count
        if isOfIOS, cause == .placeholder { iOSPlaceholders += count }
    }

    /// Requests with a row of an iOS app and a valid token.
    package var iOSVerified: Int { clients.reduce(0) { $1.key.kind.isIOSApp ? $0 + $1.value.verified : $0 } }

    package mutating func merge(_ other: AdmittedCallers) {
        for (client, counts) in other.clients { add(counts, of: client) }
        blockedUnknown.merge(other.blockedUnknown)
        addresses.merge(other.addresses) { mine, theirs in
            var all = mine
            all.merge(theirs)
            return all
        }
        hasAddresses = hasAddresses || other.hasAddresses
        for cause in causes.indices { causes[cause] += other.causes[cause] }
        iOSPlaceholders += other.iOSPlaceholders
    }

    /// A part of the requests of each client; nil for none.
    func sum(_ part: (Client, Counts) -> Counts?) -> Counts {
        clients.reduce(into: Counts()) { sum, found in if let part = part(found.key, found.value) { sum.merge(part) } }
    }

    /// When those were blocked that are not of some kinds of clients.
    func blockedTimes(without kinds: Set<ClientKind>) -> BlockedTimes {
        clients.reduce(into: blockedUnknown) { times, found in
            if !kinds.contains(found.key.kind) { times.merge(found.value.blockedTimes) }
        }
    }

    /// Takes requests that were served for verified ones.
    mutating func verifyServed() {
        clients = clients.mapValues { counts in
            var counts = counts
            counts.verifyServed()
            return counts
        }
    }

    /// Leaves out clients of some kinds, but not what they add to causes.
    mutating func leaveOut(_ kinds: Set<ClientKind>) {
        guard !kinds.isEmpty else { return }
        clients = clients.filter { !kinds.contains($0.key.kind) }
        addresses = addresses.filter { !kinds.contains($0.key) }
    }

    /// Requests with a row that shows the client.
    package var joined: Int { clients.values.reduce(0) { $0 + $1.admitted } }
    package var blockedJoined: Int { clients.values.reduce(0) { $0 + $1.blocked } }
    /// Blocked ones that were answered with 400 or above.
    package var alreadyFailing: Int { clients.values.reduce(0) { $0 + $1.failing } }

    /// Forgets the apps and sites of some clients.
    mutating func pool(where isTooMuch: (Client) -> Bool) {
        for (client, counts) in clients where client.version != nil && isTooMuch(client) {
            clients[client] = nil
            add(counts, of: client.pooled)
        }
    }

    mutating func tellExtensions(_ isExtension: (Client) -> Bool) {
        for (client, counts) in clients where client.kind == .ios && isExtension(client) {
            clients[client] = nil
            add(counts, of: Client(client.code.with(.iosExtension), version: client.version))
        }
    }
}
