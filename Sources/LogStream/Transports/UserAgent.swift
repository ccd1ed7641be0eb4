internal import Verifications

/// The client that sent a request, as far as its user agent tells.
///
/// ```
/// com.example.chat/1.2.2 iPhone/15.6.1 hw/iPhone8_2       FirebaseFunctions for iOS, by GTMSessionFetcher
/// com.example.chat/1.2.2 MacOSX/14.4.0                    the same on macOS
/// Chat/42 CFNetwork/1410.0.3 Darwin/22.6.0                the same, streaming
/// okhttp/4.12.0                                           Android, whose build shows in the version
/// Dalvik/2.1.0 (Linux; U; Android 14; …)                  the same, without okhttp
/// Mozilla/5.0 (Linux; Android 14; …; wv) AppleWebKit/…    a web view on Android
/// node                                                    the SDK for JavaScript on Node
/// ```
///
/// Source: `GTMSessionFetcher.m`, `GTMFetcherSystemVersionString`; all others as they were seen in logs.
struct UserAgent {
    /// The app's identifier and version and the system's first number, or the HTTP library of Android and its version;
    /// nil where the client does not tell them.
    var app: (id: RawText, version: RawText, os: RawText)?
    let code: ClientCode

    /// The referer counts for browsers: a page that a developer's machine serves is the developer's own.
    init(_ text: RawText, isLocal: Bool = false) {
        if text.isEmpty {
            self.init(.none)
        } else if let apple = UserAgent.apple(text) {
            self = apple
        } else if text.holds(" CFNetwork/"), text.holds(" Darwin/") {
            self.init(.ios)
        } else if UserAgent.automata.contains(where: text.holdsInAnyCase) {
            self.init(.tool)
        } else if text.holds("; wv)") {
            self.init(.androidWebView)
        } else if text.hasPrefix("Mozilla/") {
            self.init(isLocal ? ClientCode(.webLocal) : UserAgent.browser(text))
        } else if text.hasPrefix("okhttp/") {
            self.init(ClientCode(.android), app: UserAgent.build(text))
        } else {
            self.init(ClientCode(UserAgent.kind(of: text)))
        }
    }

    private init(_ kind: ClientKind) { self.init(ClientCode(kind)) }

    private init(_ code: ClientCode, app: (id: RawText, version: RawText, os: RawText)? = nil) {
        (self.code, self.app) = (code, app)
    }

    /// In lower case: what programs call themselves that pass for a browser.
    private static let automata: [StaticString] = ["bot", "crawl", "spider", "headless", "compatible;"]

    /// Most browsers name others as well, so that the order decides.
    private static let browsers: [(StaticString, Browser)] = [
        ("Electron/", .electron), ("FBAN", .facebook), ("FBAV", .facebook), ("Instagram", .instagram),
        ("GSA/", .googleApp), ("Line/", .line), ("Edg", .edge), ("OPR", .opera), ("OPiOS", .opera),
        ("SamsungBrowser", .samsung), ("Firefox", .firefox), ("FxiOS", .firefox), ("Chrome", .chrome),
        ("CriOS", .chrome),
    ]

    private static func browser(_ text: RawText) -> ClientCode {
        let isMobile = text.holds("Mobile") || text.holds("Android")
        let named = browsers.first { text.holds($0.0) }?.1
        return ClientCode(browser: named ?? browser(ofWebKit: text), isMobile: isMobile)
    }

    private static func browser(ofWebKit text: RawText) -> Browser {
        if let version = text.place(of: "Version/"), text.cut(version..<text.count).holds("Safari") { return .safari }
        return text.holds("AppleWebKit") && !text.holds("Safari") ? .webview : .other
    }

    private static let servers: [StaticString] = [
        "axios/", "Go-http-client/", "Python-urllib/", "python-requests/", "python-httpx/", "aiohttp", "Python/",
        "got (", "got/", "Deno/", "Bun/", "Java/", "Apache-HttpClient/", "Ruby", "GuzzleHttp/", "PHP",
    ]
    private static let services: [StaticString] = [
        "Google-Cloud-", "APIs-Google", "GoogleHC/", "Google-", "GoogleStackdriverMonitoring-UptimeChecks",
    ]
    private static let tools: [StaticString] = ["curl/", "PostmanRuntime/", "Wget/", "insomnia/", "HTTPie/"]

    private static func kind(of text: RawText) -> ClientKind {
        if text.hasPrefix("Dalvik/") { return .android }
        if text.hasPrefix("Dart/") { return .dart }
        if text == "node" || text == "undici" || text.hasPrefix("node-fetch") { return .node }
        if services.contains(where: text.hasPrefix) { return .google }
        if tools.contains(where: text.hasPrefix) { return .tool }
        return servers.contains(where: text.hasPrefix) ? .server : .other
    }

    /// The library, and its version to the second number; nil without one.
    private static func build(_ text: RawText) -> (id: RawText, version: RawText, os: RawText)? {
        let (start, longest) = ("okhttp/".utf8.count, 9)
        let firstEnd = text.endOfDigits(from: start)
        let hasSecond = firstEnd < text.count && text[firstEnd] == UInt8(ascii: ".")
        let end = hasSecond ? text.endOfDigits(from: firstEnd + 1) : firstEnd
        guard firstEnd > start, end > firstEnd + 1, end - start <= longest else { return nil }
        return (text.cut(0..<start - 1), text.cut(start..<end), .empty)
    }

    // MARK: Apple's systems

    private static let models: [(StaticString, Device?)] = [
        ("iPhone", .iphone), ("iPad", .ipad), ("iPod_touch", nil), ("iPod_Touch", nil), ("Apple_TV", .appleTV),
        ("Apple_Watch", .watch), ("MacOSX", .mac),
    ]

    /// The family of a model, if it is one of Apple's; of the iPod none.
    private static func device(_ model: RawText) -> Device?? {
        if model.hasPrefix("Apple_Vision") { return .some(.vision) }
        guard let found = models.first(where: { model == $0.0 }) else { return nil }
        return .some(found.1)
    }

    /// `<id>[/<version>] <model>/<system>[ hw/<machine>]`, to the last byte.
    private static func apple(_ text: RawText) -> UserAgent? {
        let space = UInt8(ascii: " ")
        let slash = UInt8(ascii: "/")
        guard let appEnd = text.index(of: space, from: 0), appEnd > 0,
            let modelEnd = text.index(of: slash, from: appEnd + 1),
            let device = device(text.cut(appEnd + 1..<modelEnd))
        else { return nil }
        let systemEnd = text.index(of: space, from: modelEnd + 1) ?? text.count
        let system = text.cut(modelEnd + 1..<systemEnd)
        guard !system.isEmpty, system.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }) else { return nil }
        let rest = text.cut(systemEnd..<text.count)
        guard rest.isEmpty || (rest.hasPrefix(" hw/") && rest.count > 4) else { return nil }
        let machine = rest.isEmpty ? rest : rest.cut(4..<rest.count)
        let app = text.cut(0..<appEnd)
        guard app.allSatisfy({ $0 > space }), machine.allSatisfy({ $0 > space }) else { return nil }
        let kind = machine == "sim" ? ClientKind.iosSimulator : device == .mac ? .macos : .ios
        let majorEnd = system.index(of: UInt8(ascii: "."), from: 0) ?? system.count
        return UserAgent(ClientCode(kind, device: device), app: identity(app, os: system.cut(0..<majorEnd)))
    }

    /// Identifier and version of an app; nil when they are spelled as no bundle's can be.
    private static func identity(_ app: RawText, os: RawText) -> (id: RawText, version: RawText, os: RawText)? {
        var slash = app.count
        while slash > 0, app[slash - 1] != UInt8(ascii: "/") { slash -= 1 }
        // A slash with nothing on one of its sides is part of the identifier.
        let hasVersion = slash > 1 && slash < app.count
        let id = hasVersion ? app.cut(0..<slash - 1) : app
        let version = hasVersion ? app.cut(slash..<app.count) : .empty
        let isPlain = id.count <= 155 && version.count <= 32 && os.count <= 3 && !os.isEmpty
        guard isPlain, id.allSatisfy(isOfIdentifier), version.allSatisfy(isOfVersion) else { return nil }
        return (id, version, os)
    }

    /// Letters, digits, full stops, hyphens; and underscores, which replace spaces.
    private static func isOfIdentifier(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    private static func isOfVersion(_ byte: UInt8) -> Bool { isOfIdentifier(byte) || byte == UInt8(ascii: "+") }
}

extension RawText {
    /// True when the text holds ASCII letters that the literal, in lower case, spells.
    fileprivate func holdsInAnyCase(_ literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        guard count >= length else { return false }
        let wanted = RawText(literal)
        return (0...count - length).contains { place in
            (0..<length).allSatisfy { self[place + $0] == wanted[$0] || self[place + $0] | 0x20 == wanted[$0] }
        }
    }

    func allSatisfy(_ predicate: (UInt8) -> Bool) -> Bool {
        for index in 0..<count where !predicate(self[index]) { return false }
        return true
    }
}
