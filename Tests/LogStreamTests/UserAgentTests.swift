import Testing
import Verifications

@testable import LogStream

/// User agents as they were seen in public logs, and as the sources of libraries make them.
@Suite struct UserAgentTests {
    private func read(_ text: String) -> (kind: ClientKind, app: String?) {
        var text = text
        return text.withUTF8 { bytes in
            let agent = unsafe UserAgent(RawText(bytes))
            return (agent.kind, agent.app.map { "\($0.id.string)|\($0.version.string)|\($0.os.string)" })
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
            ("com.example.drive/4.8.9 MacOSX/14.4.0", .macos, nil),
            ("Chat/42 CFNetwork/1410.0.3 Darwin/22.6.0", .ios, nil),
            ("a<b>/1 iPhone/18.0 hw/x", .ios, nil), ("com.example/1/2 iPhone/18.0 hw/x", .ios, nil),
            ("okhttp/3.12.13", .android, nil), ("okhttp/4.12.0", .android, nil),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0",
                .web, nil
            ),
            ("Mozilla/5.0 (Linux; Android 14; SM-A546B Build/UP1A; wv) AppleWebKit/537.36", .androidWebView, nil),
            ("node", .node, nil), ("node-fetch/1.0 (+https://github.com/bitinn/node-fetch)", .node, nil),
            ("axios/1.11.0", .server, nil), ("Python-urllib/3.11", .server, nil),
            ("python-requests/2.34.2", .server, nil),
            ("Go-http-client/2.0", .server, nil), ("Dart/3.7 (dart:io)", .server, nil),
            ("got (https://github.com/sindresorhus/got)", .server, nil),
            ("Google-Cloud-Scheduler", .google, nil), ("Google-Cloud-Tasks", .google, nil),
            ("APIs-Google; (+https://developers.google.com/webmasters/APIs-Google.html)", .google, nil),
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

    /// No text, whatever its bytes, is read beyond its end.
    @Test func cutAnywhere() {
        let text = "com.example.chat/1.2.2 iPhone/15.6.1 hw/iPhone8_2"
        for length in 0..<text.count { _ = read(String(text.prefix(length))) }
        #expect(read(String(repeating: "a", count: 300) + "/1 iPhone/18.0").app == nil)
        #expect(read("a/" + String(repeating: "1", count: 300) + " iPhone/18.0").app == nil)
    }
}
