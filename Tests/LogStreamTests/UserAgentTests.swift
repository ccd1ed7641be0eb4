import Testing
import Verifications

@testable import LogStream

/// User agents as they were seen in public logs, and as the sources of libraries make them.
@Suite struct UserAgentTests {
    private func read(_ text: String) -> (kind: ClientKind, app: String?) {
        var text = text
        return text.withUTF8 { bytes in
            let agent = unsafe UserAgent(RawText(bytes))
            return (agent.code.kind, agent.app.map { "\($0.id.string)|\($0.version.string)|\($0.os.string)" })
        }
    }

    @Test(
        arguments: [
            ("com.example.chat/1.2.2 iPhone/15.6.1 hw/iPhone8_2", .ios, "com.example.chat|1.2.2|15"),
            ("com.example.App/1.121.1 iPhone/18.2 hw/iPhone12_1", .ios, "com.example.App|1.121.1|18"),
            ("com.example.App.Widget/1.100.0 iPhone/18.2 hw/iPhone14_3", .ios, "com.example.App.Widget|1.100.0|18"),
            ("com.example.drive/4.8.9 iPad/16.7.6 hw/unk", .ios, "com.example.drive|4.8.9|16"),
            ("com.example.drive/4.8.9 Apple_TV/17", .ios, "com.example.drive|4.8.9|17"),
            ("com.example.drive/4.8.9 Apple_Vision_Pro/2.1 hw/x", .ios, "com.example.drive|4.8.9|2"),
            ("com.example.drive iPhone/16.7.6 hw/iPhone10_6", .ios, "com.example.drive||16"),
            ("com.example.drive/1.0 iPhone/18.0 hw/sim", .iosSimulator, "com.example.drive|1.0|18"),
            ("com.example.drive/4.8.9 MacOSX/14.4.0", .macos, "com.example.drive|4.8.9|14"),
            ("com.example.spiderbot/1.0 iPhone/18.0 hw/x", .ios, "com.example.spiderbot|1.0|18"),
            ("Chat/42 CFNetwork/1410.0.3 Darwin/22.6.0", .ios, nil),
            ("a<b>/1 iPhone/18.0 hw/x", .ios, nil), ("com.example/1/2 iPhone/18.0 hw/x", .ios, nil),
            ("okhttp/3.12.13", .android, "okhttp|3.12|"), ("okhttp/4.12.0", .android, "okhttp|4.12|"),
            ("okhttp/5.0.0-alpha.14", .android, "okhttp|5.0|"), ("okhttp/4.12", .android, "okhttp|4.12|"),
            ("okhttp/4", .android, nil), ("okhttp/4.", .android, nil), ("okhttp/", .android, nil),
            ("okhttp/.12", .android, nil), ("okhttp/${version}", .android, nil),
            ("okhttp/123456.7890", .android, nil),
            ("Dalvik/2.1.0 (Linux; U; Android 14; SM-A546B Build/UP1A)", .android, nil),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0",
                .web, nil
            ),
            ("Mozilla/5.0 (Linux; Android 14; SM-A546B Build/UP1A; wv) AppleWebKit/537.36", .androidWebView, nil),
            ("node", .node, nil), ("node-fetch/1.0 (+https://github.com/bitinn/node-fetch)", .node, nil),
            ("axios/1.11.0", .server, nil), ("Python-urllib/3.11", .server, nil),
            ("python-requests/2.34.2", .server, nil),
            ("Go-http-client/2.0", .server, nil), ("Dart/3.7 (dart:io)", .dart, nil),
            ("got (https://github.com/sindresorhus/got)", .server, nil),
            ("Google-Cloud-Scheduler", .google, nil), ("Google-Cloud-Tasks", .google, nil),
            ("APIs-Google; (+https://developers.google.com/webmasters/APIs-Google.html)", .google, nil),
            ("GoogleStackdriverMonitoring-UptimeChecks(https://cloud.google.com/monitoring)", .google, nil),
            ("GoogleHC/1.0", .google, nil), ("curl/7.88.1", .tool, nil), ("PostmanRuntime/7.45.0", .tool, nil),
            ("", .none, nil), ("UnityPlayer/2022.3 (UnityWebRequest/1.0)", .other, nil),
            ("FirebaseAuth.iOS/10.23.1 com.example.App/1.82.0 iPhone/18.0 hw/iPhone12_1", .other, nil),
            ("com.google.Drive/6.0 iSL/3.4 iPhone/15.7.4 hw/iPhone9_4 (gzip)", .other, nil),
            ("com.example/1 iPhone/18.0 hw/iPhone9_4 x", .other, nil), ("com.example/1 iPhone/", .other, nil),
            ("com.example/1 iPhone/18.0 ", .other, nil), (" iPhone/18.0", .other, nil), ("x iPhone/1a", .other, nil),
        ] as [(String, ClientKind, String?)])
    func kinds(text: String, kind: ClientKind, app: String?) {
        let found = read(text)
        #expect(found.kind == kind && found.app == app, "\(text): \(found)")
    }

    @Test(
        arguments: [
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0 Safari/537.36",
                .chrome
            ),
            (
                "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/139.0 Mobile/15E148 Safari/604.1",
                .chrome
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139 Safari/537.36 Edg/139",
                .edge
            ),
            ("Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15", .safari),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0", .firefox),
            (
                "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/141.0 Mobile/15E148 Safari/605",
                .firefox
            ),
            (
                "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 SamsungBrowser/28.0 Chrome/130 Safari/537.36",
                .samsung
            ),
            ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/139 Safari/537.36 OPR/121.0.0.0", .opera),
            ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 OPiOS/16.0 Safari/537.36", .opera),
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148", .webview),
            (
                "Mozilla/5.0 (X11) AppleWebKit/537.36 notesdesk/2.3.0 Chrome/144.0.0.0 Electron/40.1.0 Safari/537.36",
                .electron
            ),
            ("Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/22H20 [FBAN/FBIOS;FBAV/540.0.0.31.71]", .facebook),
            ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/139.0 Mobile [FBAV/540.0;]", .facebook),
            ("Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 Instagram 390.0.0.1", .instagram),
            ("Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 GSA/380.0 Mobile/15E148 Safari/604.1", .googleApp),
            ("Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Safari Line/15.1.0", .line),
            ("Mozilla/5.0 (X11) Safari/605 AppleWebKit", .other), ("Mozilla/5.0 (PlayStation)", .other),
        ] as [(String, Browser)])
    func browsers(text: String, browser: Browser) {
        let found = agent(text).code
        let isMobile = ["Mobile", "Android"].contains { text.contains($0) }
        #expect(found.kind == .web && found.browser == browser && found.isMobile == isMobile, "\(text)")
    }

    private func agent(_ text: String) -> UserAgent {
        var text = text
        return text.withUTF8 { unsafe UserAgent(RawText($0)) }
    }

    @Test(
        arguments: [
            ("iPhone", .iphone), ("iPad", .ipad), ("iPod_touch", nil), ("Apple_TV", .appleTV), ("Apple_Watch", .watch),
            ("MacOSX", .mac), ("Apple_Vision_Pro", .vision),
        ] as [(String, Device?)])
    func devices(model: String, device: Device?) {
        #expect(agent("com.example.app/1.0 \(model)/26.4 hw/x").code.device == device)
        #expect(agent("Chat/42 CFNetwork/1410.0.3 Darwin/22.6.0").code == ClientCode(.ios))
    }

    /// Programs that pass for browsers, and web views, regardless of the text before them.
    @Test(
        arguments: [
            ("Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)", .tool),
            ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/139.0 Safari/537.36", .tool),
            ("Mozilla/5.0 (Linux; Android 14; wv) AppleWebKit/537.36 Version/4.0 Chrome/139.0", .androidWebView),
            ("Screaming Frog SEO Spider/21.0", .tool), ("TelegramBot (like TwitterBot)", .tool),
        ] as [(String, ClientKind)])
    func automata(text: String, kind: ClientKind) {
        let found = read(text)
        #expect(found.kind == kind && found.app == nil, "\(text): \(found)")
    }

    @Test(
        arguments: [
            ("http://localhost:3000/sign-in", true), ("http://127.0.0.1/", true), ("http://[::1]:8080/x", true),
            ("https://mac.local", true), ("https://localhost.example.com/", false),
            ("https://example.com/localhost", false),
            ("http://localhost:80@example.com/", false), ("http://[::1].example.com/", false), ("http://[::1]", true),
            ("localhost", false), ("", false), ("http://.local/", false), ("https://notlocal/", false),
            ("https://my-app--pr-12-ab12cd34.web.app/x", true), ("https://my-app--a-ab12cd34.web.app:443", true),
            ("https://my-app.web.app/", false), ("https://my-app--a-ab12cd3.web.app/", false),
            ("https://my-app--ab12cd34.web.app/", false), ("https://my-app--a-ab12-d34.web.app/", false),
            ("https://--a-ab12cd34.web.app/", false), ("https://my-app--a-ab12cd34.web.app.example/", false),
            ("https://my--a-ab12cd34.x.web.app/", false),
        ])
    func referers(text: String, isLocal: Bool) {
        var text = text
        #expect(text.withUTF8 { unsafe Referer(RawText($0)).isLocal } == isLocal)
    }

    /// The host of a website, and nothing that could be a secret or more than a name or an address.
    @Test(
        arguments: [
            ("https://Parents.Academy.example/sign-in?token=1", "Parents.Academy.example"),
            ("https://parents.academy.example", "parents.academy.example"),
            ("https://shop.example:8443/x", "shop.example"), ("https://shop.example./x", "shop.example"),
            ("https://me:secret@shop.example/", "shop.example"),
            ("android-app://com.example.mail/", "com.example.mail"),
            ("https://203.0.113.7/", "203.0.113.7"), ("http://203.0.113.7:8080", "203.0.113.7"),
            ("https://intranet/", "intranet"), ("https://intranet./", "intranet"), ("http://2130706433/", "2130706433"),
            ("https://[2001:db8::1]/", ""), ("shop.example/x", ""), ("", ""), ("https://", ""), ("https://./", ""),
            ("https://../", ""), ("https://-x.example/", ""), ("https://.example/", ""),
            ("https://shop_1.example/", ""), ("https://sh\u{1B}[31mop.example/", ""),
            ("https://m\u{FC}ller.example/", ""),
            ("https://shop.example\\@evil.example/", "evil.example"),
        ])
    func sites(text: String, site: String) {
        var text = text
        #expect(text.withUTF8 { unsafe Referer(RawText($0)).site.string } == site)
    }

    @Test func hostileReferers() {
        let long = "https://" + String(repeating: "a", count: 254 - 8) + ".example/"
        for text in [
            long, "https://" + String(repeating: "a.", count: 1 << 16), "https://" + String(repeating: "@", count: 999),
        ] {
            var text = text
            #expect(text.withUTF8 { unsafe Referer(RawText($0)).site.isEmpty })
        }
        let bytes: [UInt8] = Array("https://shop".utf8) + [0xFF, 0xC3] + Array(".example/".utf8)
        #expect(unsafe bytes.withUnsafeBufferPointer { unsafe Referer(RawText($0)).site.isEmpty })
    }

    /// No text is read beyond its end, regardless of its bytes.
    @Test func cutAnywhere() {
        let text = "com.example.chat/1.2.2 iPhone/15.6.1 hw/iPhone8_2"
        for length in 0..<text.count { _ = read(String(text.prefix(length))) }
        #expect(read(String(repeating: "a", count: 300) + "/1 iPhone/18.0").app == nil)
        #expect(read("a/" + String(repeating: "1", count: 300) + " iPhone/18.0").app == nil)
    }
}
