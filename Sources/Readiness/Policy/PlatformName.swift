package import Verifications

/// A platform, or a release of an app, by the name that `accept-platforms` and reports have for it.
///
/// ```
/// web   web/firefox   parents.academy.example   com.example.app   com.example.app@3.1.0   app:Example
/// ```
package enum PlatformName: Hashable, Comparable, Sendable {
    case kind(ClientKind)
    case browser(Browser)
    /// The host of a website, in browsers and web views.
    case site(String)
    /// A bundle identifier of any kind of client; as typed, it may also be a host.
    case app(String)
    case release(String, version: String)

    /// Nil for what is neither a kind of client that may be a platform, nor a browser, nor has a full stop or begins
    /// with `app:`.
    package init?(_ text: String) {
        if let kind = ClientKind.allCases.first(where: { $0.name == text && $0.isPlatform }) {
            self = .kind(kind)
        } else if text.hasPrefix("web/") {
            guard let browser = Browser.allCases.first(where: { $0.name == text.dropFirst(4) }) else { return nil }
            self = .browser(browser)
        } else {
            let isMarked = text.hasPrefix("app:")
            let name = isMarked ? text.dropFirst(4) : text[...]
            let parts = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
            guard let app = parts.first, !app.isEmpty, isMarked || app.contains(".") else { return nil }
            if parts.count == 2 {
                guard parts[1] != "" else { return nil }
                self = .release(String(app), version: String(parts[1]))
            } else {
                self = .app(String(app))
            }
        }
    }

    package var text: String {
        switch self {
        case .kind(let kind): kind.name
        case .browser(let browser): "web/\(browser.name)"
        case .site(let site): site
        case .app(let app): app.contains(".") ? app : "app:\(app)"
        case .release(let app, let version): "\(PlatformName.app(app).text)@\(version)"
        }
    }

    package static func < (left: PlatformName, right: PlatformName) -> Bool {
        ExactName(left.text) < ExactName(right.text)
    }

    var isRelease: Bool { if case .release = self { true } else { false } }

    /// True for a part of more, such as one version of an app; names decide between equals.
    func isNarrower(than other: PlatformName) -> Bool { (other.depth, other) < (depth, self) }

    private var depth: Int {
        switch self {
        case .kind: 0
        case .site: 1
        case .browser, .app: 2
        case .release: 3
        }
    }

    /// True when requests of a client are of the platform, or of the release.
    func covers(_ client: AdmittedCallers.Client) -> Bool {
        switch self {
        case .kind(let kind): client.kind == kind
        case .browser(let browser): client.browser == browser
        case .site(let site): client.site == site
        case .app(let app): (client.kind.isOfApple || client.kind.hasSite) && client.version?.app == app
        case .release(let app, let version):
            client.kind.isOfApple && client.version?.app == app && client.version?.version == version
        }
    }

    /// True when what has the other name is a part of this.
    package func covers(_ other: PlatformName) -> Bool {
        switch (self, other) {
        case (.kind(.web), .browser): true
        case (.kind(let kind), .site): kind.hasSite
        case (.kind(let kind), .app), (.kind(let kind), .release): kind.isOfApple
        case (.app(let app), .release(let other, _)), (.app(let app), .site(let other)): app == other
        default: self == other
        }
    }
}

/// The version of an app in the order of releases.
///
/// Versions are compared piece by piece as whole numbers of any length, the leading digits of each: `1.10` comes after
/// `1.9`. Missing pieces and pieces without digits are 0; equal ones are compared by bytes.
package struct ReleaseNumber: Hashable, Comparable {
    let text: String
    /// The digits of the pieces, without leading zeros.
    private let pieces: [[UInt8]]

    package init(_ text: String) {
        self.text = text
        pieces = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { piece in
            Array(
                piece.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.drop { $0 == UInt8(ascii: "0") })
        }
    }

    package static func < (left: ReleaseNumber, right: ReleaseNumber) -> Bool {
        for index in 0..<max(left.pieces.count, right.pieces.count) {
            let mine = index < left.pieces.count ? left.pieces[index] : []
            let theirs = index < right.pieces.count ? right.pieces[index] : []
            if mine.count != theirs.count { return mine.count < theirs.count }
            if mine != theirs { return mine.lexicographicallyPrecedes(theirs) }
        }
        return ExactName(left.text) < ExactName(right.text)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ExactName(text)) }

    package static func == (left: ReleaseNumber, right: ReleaseNumber) -> Bool {
        ExactName(left.text) == ExactName(right.text)
    }
}
