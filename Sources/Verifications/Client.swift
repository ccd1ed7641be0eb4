/// What sent a request, as far as its user agent tells; anybody can send any user agent.
public enum ClientKind: UInt8, CaseIterable, Comparable, Sendable {
    case ios = 0
    /// An extension of an iOS app: a user agent alone does not show it, other apps of the project do.
    case iosExtension
    case iosSimulator
    case macos
    case android
    case androidWebView
    case web
    /// A page that a developer's own machine serves, by its referer.
    case webLocal
    case node
    /// A server's HTTP library: axios, Go, Python and others.
    case server
    /// Cloud Scheduler, Cloud Tasks, uptime checks and other services of Google: mostly the team's own jobs.
    case google
    /// curl, Postman and their like.
    case tool
    /// No user agent at all.
    case none
    case other

    /// The spelling in machine-readable output.
    package var name: String { String(describing: self) }

    /// True for a kind of client that one of Firebase's SDKs is made for.
    package var isOfSDK: Bool {
        switch self {
        case .ios, .iosExtension, .iosSimulator, .macos, .android, .androidWebView, .web, .webLocal, .node: true
        case .server, .google, .tool, .none, .other: false
        }
    }

    /// True for what people use: not a developer's own, nor a program's.
    package var isOfPeople: Bool {
        switch self {
        case .ios, .iosExtension, .macos, .android, .androidWebView, .web: true
        case .iosSimulator, .webLocal, .node, .server, .google, .tool, .none, .other: false
        }
    }

    /// True for what is judged as a platform when it signs in: a job or a game without App Check breaks like an app.
    package var isPlatform: Bool { self != .iosSimulator && self != .webLocal }

    /// True for a page, whose site the referer names.
    package var hasSite: Bool { self == .web || self == .androidWebView }

    /// True for what people use on Apple's systems, where an app is known by its bundle identifier.
    package var isOfApple: Bool { isIOSApp || self == .macos }

    /// True for what may use App Attest on a device; a simulator cannot.
    package var isIOSApp: Bool { self == .ios || self == .iosExtension }

    public static func < (left: ClientKind, right: ClientKind) -> Bool { left.rawValue < right.rawValue }
}

/// The family of a browser, by its user agent.
///
/// The raw value is never 0, and takes the bits that the hash of a site leaves free.
public enum Browser: UInt8, CaseIterable, Comparable, Sendable {
    case chrome = 1
    case edge
    case safari
    case firefox
    case samsung
    case opera
    case other

    package static let mask: UInt64 = 7

    /// The spelling in machine-readable output.
    package var name: String { String(describing: self) }

    public static func < (left: Browser, right: Browser) -> Bool { left.rawValue < right.rawValue }
}

/// An app as its user agent names it, or the site of a page, as an app without a version.
///
/// Only apps with the SDK for Apple's systems name their version.
public struct ClientVersion: Hashable, Comparable, Sendable {
    /// The bundle identifier, or the host of a site.
    package let app: String
    /// Empty when the user agent has none.
    package let version: String
    /// The first number of the system's version.
    package let os: String

    package init(app: String = "", version: String = "", os: String = "") {
        self.app = app
        self.version = version
        self.os = os
    }

    /// True when one of the apps has an identifier that this one continues after a full stop.
    package func isExtension(of apps: Set<String>) -> Bool {
        app.utf8.indices.contains { index in
            app.utf8[index] == UInt8(ascii: ".") && index < app.utf8.index(before: app.utf8.endIndex)
                && apps.contains(String(app[..<index]))
        }
    }

    public static func < (left: ClientVersion, right: ClientVersion) -> Bool {
        (left.app, left.version, left.os) < (right.app, right.version, right.os)
    }
}

/// The app versions that a scanner has met, by an unkeyed hash of each; those with the smallest hashes stay.
public struct ClientVersions: Sendable {
    /// Number of versions kept, regardless of their order; only invented user agents have more.
    package static let limit = 1 << 14

    /// The bits of a hash that are used.
    package static let hashMask: UInt64 = 1 << 30 - 1

    private var versions: [UInt64: ClientVersion] = [:]
    private var highest = UInt64.max

    package init() {}

    /// Where the version or the site of a client is kept: the number of a browser is in the lowest bits of a site's.
    package static func hash(of kind: ClientKind, _ rank: UInt64) -> UInt64 {
        kind.hasSite ? rank & ~Browser.mask : rank
    }

    package subscript(hash: UInt64) -> ClientVersion? { versions[hash] }

    package var all: [(hash: UInt64, version: ClientVersion)] { versions.map { ($0.key, $0.value) } }

    /// The names of revisions that somebody chose, which are kept as versions without an app.
    package var revisionNames: [UInt64: String] {
        versions.filter { $0.value.app.isEmpty }.mapValues(\.version)
    }

    /// True when a version with this hash need not be added.
    package func knows(_ hash: UInt64) -> Bool { hash > highest || versions[hash] != nil }

    package mutating func add(_ version: ClientVersion, hash: UInt64) {
        guard hash <= highest else { return }
        // If two share a hash, the same one stays regardless of their order.
        versions[hash] = min(versions[hash] ?? version, version)
        if versions.count > 2 * ClientVersions.limit { trim() }
    }

    package mutating func merge(_ other: ClientVersions) {
        for (hash, version) in other.versions { add(version, hash: hash) }
        highest = min(highest, other.highest)
    }

    /// Gives up all but ``limit`` of them.
    package mutating func trim() {
        guard versions.count > ClientVersions.limit else { return }
        highest = min(highest, versions.keys.sorted()[ClientVersions.limit - 1])
        versions = versions.filter { $0.key <= highest }
    }
}
