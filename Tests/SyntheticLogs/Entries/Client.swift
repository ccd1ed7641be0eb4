import Verifications

/// The kinds of programs that call functions, as far as request logs tell them apart.
package enum Client: Sendable {
    case iOS
    /// An app in which App Attest is not switched on yet: a placeholder takes the token's place.
    case iOSHeldBack
    case outdatedIOS
    /// A version that came out this week.
    case newestIOS
    case android
    case outdatedAndroid
    case web
    case webView
    case tool

    /// A kind of client that plausibly gets these statuses.
    ///
    /// Current mobile SDKs that fail attestation send a placeholder (INVALID); older ones, and web pages, send no
    /// token (MISSING); most clients with neither token are not apps at all.
    static func drawn(app: TokenStatus, auth: TokenStatus, using random: inout SeededRandom) -> Client {
        let draw = random.below(20)
        return switch (app, auth) {
        case (.valid, _): draw < 8 ? .iOS : draw < 15 ? .android : draw < 19 ? .web : .webView
        case (.missing, .missing): draw < 14 ? .tool : draw < 18 ? .web : .outdatedAndroid
        case (.missing, _): draw < 8 ? .outdatedIOS : draw < 14 ? .outdatedAndroid : draw < 18 ? .web : .webView
        case (.invalid, _), (.other, _): draw < 10 ? .iOS : draw < 18 ? .android : .tool
        }
    }

    /// Browsers ask for permission first, with a separate request.
    var sendsPreflight: Bool {
        self == .web || self == .webView
    }

    /// An index of ``userAgents``.
    func userAgent(using random: inout SeededRandom) -> Int {
        let range =
            switch self {
            case .iOS, .iOSHeldBack: 0..<4
            case .outdatedIOS: 4..<6
            case .android: 6..<7
            case .outdatedAndroid: 7..<8
            case .web: 8..<12
            case .webView: 12..<13
            case .tool: 13..<18
            case .newestIOS: 18..<19
            }
        return random.within(range)
    }

    static let userAgents = [
        "com.example.demo/4.2.1 iPhone/18.6.2 hw/iPhone16_1",
        "com.example.demo/4.2.1 iPhone/18.5 hw/iPhone14_7",
        "com.example.demo/4.2.0 iPad/18.6 hw/iPad13_4",
        "com.example.demo/4.1.3 iPhone/17.7.1 hw/iPhone13_2",
        "com.example.demo/2.9.0 iPhone/15.8.3 hw/iPhone9_3",
        "com.example.demo/3.0.2 iPhone/16.7.10 hw/iPhone10_6",
        "okhttp/4.12.0",
        "okhttp/3.12.13",
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 "
            + "Safari/605.1.15",
        "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            + "Version/18.6 Mobile/15E148 Safari/604.1",
        "Mozilla/5.0 (Linux; Android 14; SM-A546B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) "
            + "Version/4.0 Chrome/138.0.7204.179 Mobile Safari/537.36",
        "curl/8.14.1",
        "python-requests/2.32.4",
        "Go-http-client/2.0",
        "PostmanRuntime/7.45.0",
        "axios/1.11.0",
        "com.example.demo/4.3.0 iPhone/18.6.2 hw/iPhone16_1",
    ]
}
