package import Verifications

/// A kind of client, its browser or device, and an app's version or a page's site, where the client tells it.
package struct Client: Hashable, Comparable, Sendable {
    package let code: ClientCode
    /// Nil also where there was no room for it; see ``isPooled``.
    package let version: ClientVersion?

    package init(_ code: ClientCode, version: ClientVersion? = nil) { (self.code, self.version) = (code, version) }

    package init(kind: ClientKind) { self.init(ClientCode(kind)) }

    package init(_ code: ClientCode, in versions: ClientVersions) {
        let version = code.nameHash == 0 ? nil : versions[code.nameHash]
        self = version == nil && code.nameHash != 0 ? Client(code).pooled : Client(code, version: version)
    }

    package var kind: ClientKind { code.kind }

    /// The host of a page, by its referer.
    package var site: String? { kind.hasSite ? version?.app : nil }

    /// The version of okhttp in an Android app, to its second number.
    package var build: String? { kind == .android ? version?.version : nil }

    /// True where the client tells a version or a site that there was no room for.
    var isPooled: Bool { version == nil && code.nameHash != 0 }

    /// The same with all names that there is no room for; kind, browser and device stay.
    var pooled: Client { Client(code.named(ClientVersions.hashMask)) }

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
