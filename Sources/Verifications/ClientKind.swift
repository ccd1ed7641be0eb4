/// The kind of client that sent a request, as far as its user agent tells; anybody can send any user agent.
///
/// Stores keep the raw value, so a new case goes to the end.
public enum ClientKind: UInt8, CaseIterable, Comparable, Sendable {
    case ios = 0
    /// An extension of an iOS app: a user agent alone does not show it, other apps of the project do.
    case iosExtension
    case iosSimulator
    case macos
    case android
    case androidWebView
    case web
    /// A page of the developer's own, by its referer: on the own machine, or a preview channel.
    case webLocal
    /// A Flutter program that calls the function without one of Firebase's SDKs.
    case dart
    case node
    /// A server's HTTP library: axios, Go, Python and others.
    case server
    /// Cloud Scheduler, Cloud Tasks, uptime checks and other services of Google: mostly the team's own jobs.
    case google
    case tool
    case none
    case other

    /// The spelling in machine-readable output.
    package var name: String { String(describing: self) }

    package var isOfSDK: Bool {
        switch self {
        case .ios, .iosExtension, .iosSimulator, .macos, .android, .androidWebView, .web, .webLocal, .node: true
        case .dart, .server, .google, .tool, .none, .other: false
        }
    }

    package var isOfPeople: Bool {
        switch self {
        case .ios, .iosExtension, .macos, .android, .androidWebView, .web, .dart: true
        case .iosSimulator, .webLocal, .node, .server, .google, .tool, .none, .other: false
        }
    }

    /// True for programs, whose requests say nothing about people: a debug token makes theirs valid, and a scanner has
    /// none.
    package var isProgram: Bool {
        switch self {
        case .iosSimulator, .webLocal, .google, .tool: true
        default: mayHidePeople
        }
    }

    /// True for programs that may speak for people: a site's own server, a game, a device.
    package var mayHidePeople: Bool { self == .node || self == .server || self == .none }

    /// True for what is judged as a platform when it signs in: a job or a game without App Check breaks like an app.
    package var isPlatform: Bool { self != .iosSimulator && self != .webLocal }
    package var hasSite: Bool { self == .web || self == .androidWebView }

    /// True for what people use on Apple's systems, where an app is known by its bundle identifier.
    package var isOfApple: Bool { isIOSApp || self == .macos }

    /// True for what may use App Attest on a device; a simulator cannot.
    package var isIOSApp: Bool { self == .ios || self == .iosExtension }
    public static func < (left: ClientKind, right: ClientKind) -> Bool { left.rawValue < right.rawValue }
}

/// The family of a browser, by its user agent; in-app browsers and desktop shells are some.
///
/// The raw value is never 0. Stores keep it, so a new case goes to the end.
public enum Browser: UInt8, CaseIterable, Comparable, Sendable {
    case electron = 1
    case facebook
    case instagram
    case googleApp
    case line
    case edge
    case opera
    case samsung
    case firefox
    case chrome
    case safari
    case webview
    case other

    /// The spelling in machine-readable output.
    package var name: String { self == .googleApp ? "google-app" : String(describing: self) }
    public static func < (left: Browser, right: Browser) -> Bool { left.rawValue < right.rawValue }
}

/// The family of a device, by the model in the user agent of Apple's form.
///
/// The raw value is never 0. Stores keep it, so a new case goes to the end.
public enum Device: UInt8, CaseIterable, Comparable, Sendable {
    case iphone = 1
    case ipad
    case appleTV
    case watch
    case mac
    case vision

    /// The spelling in machine-readable output.
    package var name: String { String(describing: self).lowercased() }
    public static func < (left: Device, right: Device) -> Bool { left.rawValue < right.rawValue }
}

/// A client as a row keeps it, in 41 bits.
///
/// ```
/// hash of the app's version, the build, or a page's site: 30 · browser: 4 and whether it is mobile: 1, or device: 5
/// · kind: 5 · whether there was a referer: 1
/// ```
public struct ClientCode: Hashable, Comparable, Sendable {
    package let word: UInt64

    package static let bits = 41

    package init(word: UInt64) { self.word = word }

    private init(_ kind: ClientKind, form: UInt8, _ nameHash: UInt64, hasReferer: Bool = false) {
        word = nameHash << 11 | UInt64(form) << 6 | UInt64(kind.rawValue) << 1 | (hasReferer ? 1 : 0)
    }

    package init(_ kind: ClientKind, device: Device? = nil, nameHash: UInt64 = 0) {
        self.init(kind, form: device?.rawValue ?? 0, nameHash)
    }

    package init(browser: Browser, isMobile: Bool = false, nameHash: UInt64 = 0) {
        self.init(.web, form: browser.rawValue << 1 | (isMobile ? 1 : 0), nameHash)
    }

    package var isPossible: Bool {
        word >> ClientCode.bits == 0 && ClientKind(rawValue: UInt8(word >> 1 & 31)) != nil
    }

    package var kind: ClientKind { ClientKind(rawValue: UInt8(word >> 1 & 31)) ?? .other }
    private var form: UInt8 { UInt8(word >> 6 & 31) }
    /// Unkeyed, in ``ClientVersions``; 0 if the client does not name an app, a build or a site.
    package var nameHash: UInt64 { word >> 11 }
    /// Kept of pages, and where there is no user agent: true with any referer.
    package var hasReferer: Bool { word & 1 == 1 }
    package var browser: Browser? { kind == .web ? Browser(rawValue: form >> 1) : nil }
    package var isMobile: Bool { kind == .web && form & 1 == 1 }
    package var device: Device? { kind.isOfApple || kind == .iosSimulator ? Device(rawValue: form) : nil }
    package func named(_ nameHash: UInt64) -> ClientCode {
        ClientCode(kind, form: form, nameHash, hasReferer: hasReferer)
    }
    package func with(_ kind: ClientKind) -> ClientCode {
        ClientCode(kind, form: form, nameHash, hasReferer: hasReferer)
    }
    package var withReferer: ClientCode { ClientCode(word: kind.hasSite || kind == .none ? word | 1 : word) }
    public static func < (left: ClientCode, right: ClientCode) -> Bool { left.word < right.word }
}

/// An app as its user agent names it; Android's HTTP library as its build; or the site of a page, as an app without a
/// version.
///
/// Only apps with the SDK for Apple's systems name their version.
public struct ClientVersion: Hashable, Comparable, Codable, Sendable {
    /// The bundle identifier, `okhttp`, or the host of a site.
    package let app: String
    /// Empty when the user agent has none; of okhttp to its second number.
    package let version: String
    /// The first number of the system's version.
    package let os: String

    package init(app: String = "", version: String = "", os: String = "") {
        (self.app, self.version, self.os) = (app, version, os)
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
    /// Number of versions kept, regardless of their order; only invented user agents and referers have more.
    package static let limit = 1 << 18

    package static let hashMask: UInt64 = 1 << 30 - 1

    private var versions: [UInt64: ClientVersion] = [:]
    private var highest = UInt64.max

    package init() {}
    package subscript(hash: UInt64) -> ClientVersion? { versions[hash] }
    package var all: [(hash: UInt64, version: ClientVersion)] { versions.map { ($0.key, $0.value) } }

    /// The names of revisions that somebody chose, which are kept as versions without an app.
    package var revisionNames: [UInt64: String] {
        versions.filter { $0.value.app.isEmpty }.mapValues(\.version)
    }

    package func knows(_ hash: UInt64) -> Bool { hash > highest || versions[hash] != nil }

    package mutating func add(_ version: ClientVersion, hash: UInt64) {
        guard hash <= highest else { return }
        // If two share a hash, the same one stays regardless of their order.
        versions[hash] = min(versions[hash] ?? version, version)
        if versions.count > ClientVersions.limit + ClientVersions.limit / 4 { trim() }
    }

    package mutating func merge(_ other: ClientVersions) {
        for (hash, version) in other.versions { add(version, hash: hash) }
        highest = min(highest, other.highest)
    }

    package mutating func keep(_ isUsed: (UInt64) -> Bool) { versions = versions.filter { isUsed($0.key) } }

    package mutating func trim() {
        guard versions.count > ClientVersions.limit else { return }
        highest = min(highest, versions.keys.sorted()[ClientVersions.limit - 1])
        versions = versions.filter { $0.key <= highest }
    }
}
