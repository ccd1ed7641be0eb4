package import Verifications

/// A platform, or a release of an app, by the name that `accept-platforms` and reports have for it.
///
/// ```
/// web   web/firefox   web/firefox-mobile   parents.academy.example   *.web.app
/// ios   appletv   com.example.app   com.example.app@3.1.0   app:Example   CFNetwork
/// ```
package enum PlatformName: Hashable, Comparable, Sendable {
    case kind(ClientKind)
    case browser(Browser, isMobile: Bool)
    case device(Device)
    /// The host of a website, in browsers and web views.
    case site(String)
    /// Browsers that name no site, where others do: extensions, and privacy settings.
    case noSite
    /// Android apps by the version of okhttp that their SDK has, to its second number.
    case build(String)
    /// A bundle identifier of any kind of client; as typed, it may also be a host, or a pattern for hosts.
    case app(String)
    /// iOS apps that do not tell which, as FirebaseFunctions has it for streams.
    case unnamedApp
    case release(String, version: String)
    /// The small ones of a dimension together.
    case small(Dimension)
    /// Apps and sites that there was no room for.
    case others

    /// A property by which clients are divided; the raw value is the name of its parts.
    package enum Dimension: String, CaseIterable, Sendable {
        case kind = "kinds"
        case app = "apps"
        case device = "devices"
        case browser = "browsers"
        case mobileBrowser = "mobile browsers"
        case site = "sites"
        case build = "builds"
    }

    /// Nil for what is neither a kind of client that may be a platform, nor a browser or a device, nor spelled as an
    /// app or a site, with a full stop or behind `app:`.
    package init?(_ text: String) {
        if let kind = ClientKind.allCases.first(where: { $0.name == text && $0.isPlatform }) {
            self = .kind(kind)
        } else if let device = Device.allCases.first(where: { $0.name == text }) {
            self = .device(device)
        } else if text == PlatformName.unnamedApp.text {
            self = .unnamedApp
        } else if text.hasPrefix("okhttp@") {
            guard PlatformName.isSpelled(text.dropFirst(7), ".") else { return nil }
            self = .build(String(text.dropFirst(7)))
        } else if text.hasPrefix("web/") {
            let isMobile = text.hasSuffix("-mobile")
            let name = text.dropFirst(4).dropLast(isMobile ? 7 : 0)
            guard let browser = Browser.allCases.first(where: { $0.name == name }) else { return nil }
            self = .browser(browser, isMobile: isMobile)
        } else {
            let isMarked = text.hasPrefix("app:")
            let name = isMarked ? text.dropFirst(4) : text[...]
            let parts = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
            guard let app = parts.first, isMarked || app.contains(".") else { return nil }
            if parts.count == 2 {
                guard PlatformName.isSpelled(app, "-._"), PlatformName.isSpelled(parts[1], "-._+") else { return nil }
                self = .release(String(app), version: String(parts[1]))
            } else {
                guard PlatformName.isSpelled(app, "-._*?") else { return nil }
                self = .app(String(app))
            }
        }
    }

    /// True for what clients can be called: letters, digits and these signs.
    private static func isSpelled(_ name: Substring, _ signs: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || signs.utf8.contains($0) }
    }

    package var text: String {
        switch self {
        case .kind(let kind): kind.name
        case .browser(let browser, let isMobile): "web/\(browser.name)\(isMobile ? "-mobile" : "")"
        case .device(let device): device.name
        case .site(let site): site
        case .noSite: "no site"
        case .build(let version): "okhttp@\(version)"
        case .app(let app): app.contains(".") ? app : "app:\(app)"
        case .unnamedApp: "CFNetwork"
        case .release(let app, let version): "\(PlatformName.app(app).text)@\(version)"
        case .small(let dimension): "small \(dimension.rawValue)"
        case .others: "others"
        }
    }

    package static func < (left: PlatformName, right: PlatformName) -> Bool {
        ExactName(left.text) < ExactName(right.text)
    }

    /// False for what has no name that could be accepted.
    var isAcceptable: Bool { depth < 4 }

    /// True for a site or an app, whose name somebody chose.
    var isNamedByOwner: Bool {
        switch self {
        case .site, .app: true
        default: false
        }
    }

    var isRelease: Bool { if case .release = self { true } else { false } }

    /// Nil for a release, and for a name of several platforms.
    var dimension: Dimension? {
        switch self {
        case .kind: .kind
        case .browser(_, let isMobile): isMobile ? .mobileBrowser : .browser
        case .device: .device
        case .site, .noSite: .site
        case .build: .build
        case .app, .unnamedApp: .app
        case .release, .small, .others: nil
        }
    }

    /// True for a part of more, such as one version of an app; names decide between equals.
    func isNarrower(than other: PlatformName) -> Bool { (other.depth, other) < (depth, self) }

    private var depth: Int {
        switch self {
        case .kind: 0
        case .site: 1
        case .browser(_, isMobile: false), .app, .unnamedApp: 2
        case .browser, .device, .release, .build: 3
        case .small, .others, .noSite: 4
        }
    }

    /// The platforms of a client, each of another dimension; none of a developer's own.
    ///
    /// If signed-in requests are judged, more than what people use is a platform.
    static func all(of client: Client, isSignedIn: Bool) -> [PlatformName] {
        let kind = client.kind
        guard isSignedIn ? kind.isPlatform : kind.isOfPeople else { return [] }
        let isUnnamed = kind == .ios && client.code == ClientCode(.ios)
        return [
            .kind(kind), client.code.browser.map { .browser($0, isMobile: false) },
            client.code.isMobile ? client.code.browser.map { .browser($0, isMobile: true) } : nil,
            client.code.device.map { .device($0) }, client.site.map { .site($0) }, client.build.map { .build($0) },
            kind.isOfApple ? client.version.map { .app($0.app) } : nil, isUnnamed ? .unnamedApp : nil,
            client.isPooled ? .others : nil,
        ].compactMap(\.self)
    }

    /// True when requests of a client are of the platform, or of the release.
    func covers(_ client: Client) -> Bool {
        switch self {
        case .app(let app):
            client.kind.isOfApple && client.version?.app == app || client.site.map { covers(site: $0, app) } ?? false
        case .release(let app, let version):
            client.kind.isOfApple && client.version?.app == app
                && client.version.map { ReleaseNumber($0.version) == ReleaseNumber(version) } ?? false
        case .noSite: client.kind == .web && client.version == nil && !client.isPooled
        default: PlatformName.all(of: client, isSignedIn: true).contains(self)
        }
    }

    /// True when what has the other name is a part of this.
    package func covers(_ other: PlatformName) -> Bool {
        switch (self, other) {
        case (.kind(.web), .browser): true
        case (.browser(let browser, isMobile: false), .browser(let other, isMobile: true)): browser == other
        case (.kind(let kind), .site): kind.hasSite
        case (.kind(let kind), .app), (.kind(let kind), .release): kind.isOfApple
        case (.kind(.macos), .device(let device)): device == .mac
        case (.kind(.ios), .device(let device)): device != .mac
        case (.kind(.ios), .unnamedApp), (.kind(.android), .build), (.kind(.web), .noSite): true
        case (.app(let app), .site(let site)): covers(site: site, app)
        case (.app(let app), .release(let other, _)): app == other
        case (.release(let app, let version), .release(let other, let otherVersion)):
            app == other && ReleaseNumber(version) == ReleaseNumber(otherVersion)
        default: self == other
        }
    }

    private func covers(site: String, _ pattern: String) -> Bool { site == pattern || Glob(pattern).matches(site) }
}

/// The version of an app in the order of releases.
///
/// Runs of digits are compared as whole numbers of any length, runs of letters by their bytes; what separates them does
/// not matter, nor does a `v` in front. A missing piece is 0, and letters come before it: `2.0.0-beta` before `2.0`,
/// and that is the same as `2.0.0`.
package struct ReleaseNumber: Hashable, Comparable {
    private enum Piece: Hashable, Comparable {
        case letters(String)
        /// Digits without leading zeros, of which more is larger.
        case number(count: Int, String)

        static let zero = Piece.number(count: 0, "")
    }

    /// Without zeros at the end.
    private let pieces: [Piece]

    package init(_ text: String) {
        var (pieces, rest) = ([Piece](), Array(text.utf8)[...])
        if rest.first == UInt8(ascii: "v") { rest = rest.dropFirst() }
        while let byte = rest.first {
            let piece = rest.prefix { byte.isDigit ? $0.isDigit : byte.isLetter && $0.isLetter }
            rest = rest.dropFirst(max(1, piece.count))
            if byte.isDigit {
                let digits = piece.drop { $0 == UInt8(ascii: "0") }
                pieces.append(.number(count: digits.count, String(decoding: digits, as: UTF8.self)))
            } else if byte.isLetter {
                pieces.append(.letters(String(decoding: piece, as: UTF8.self)))
            }
        }
        while pieces.last == .zero { pieces.removeLast() }
        self.pieces = pieces
    }

    package static func < (left: ReleaseNumber, right: ReleaseNumber) -> Bool {
        for index in 0..<max(left.pieces.count, right.pieces.count) {
            let mine = index < left.pieces.count ? left.pieces[index] : .zero
            let theirs = index < right.pieces.count ? right.pieces[index] : .zero
            if mine != theirs { return mine < theirs }
        }
        return false
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
