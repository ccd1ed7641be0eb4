import Foundation
import TestSupport
import Testing

/// No part of a Google Analytics row is ever shown except the app and its version: least of all the user.
@Suite struct RolloutCanaryTests {
    private static let row = """
        {"event_date":"20261012","event_timestamp":"1791763200000000","event_name":"AppAttestFailure","event_params":\
        [{"key":"CANARY-key","value":{"string_value":"CANARY-value"}}],"user_id":"CANARY-id","user_pseudo_id":\
        "CANARY-user-NUMBER","user_properties":[{"key":"CANARY","value":{}}],"device":{"category":"CANARY","vendor_id":\
        "CANARY-vendor","operating_system_version":"17.1 CANARY"},"geo":{"city":"CANARY-city"},"app_info":{"id":"app",\
        "version":"1","firebase_app_id":"CANARY-app"},"platform":"IOS","CANARY-column":"CANARY"}
        """

    private static let template = """
        {"conditions":[{"name":"shown","expression":"percent <= 10"}],"parameters":{"AppAttestEnabled":{"defaultValue":\
        {"value":"false"},"conditionalValues":{"shown":{"value":"true"}}},"secret":{"defaultValue":{"value":"CANARY"}}},\
        "version":{"versionNumber":"3","updateUser":{"email":"CANARY@example.com"}}}
        """

    private static let damages: [(name: String, options: String, apply: @Sendable (String) -> [UInt8])] = [
        ("whole", "", { Array($0.utf8) }),
        ("cut", "--strict", { Array($0.utf8.prefix($0.utf8.count * 2 / 3)) }),
        ("oversized", "--set max-record-bytes=300", { Array($0.utf8) }),
        ("without quotation marks", "--strict", { Array($0.replacingOccurrences(of: "\"C", with: "C").utf8) }),
        ("without braces", "", { Array($0.replacingOccurrences(of: "},", with: ",").utf8) }),
        ("array", "", { Array("[\($0.replacingOccurrences(of: "}\n{", with: "},\n{"))".utf8) }),
        ("in cut gzip", "", { Array(Gzip.member(Array($0.utf8), level: 0).dropLast(60)) }),
        ("other names", "", { Array($0.replacingOccurrences(of: "event_name", with: "CANARY").utf8) }),
    ]

    @Test(arguments: damages.indices)
    func nothingIsShown(_ index: Int) throws {
        let damage = RolloutCanaryTests.damages[index]
        let directory = try TemporaryDirectory()
        let shell = Shell(in: directory.url)
        let rows = (0..<40).map { number in
            RolloutCanaryTests.row.replacingOccurrences(of: "NUMBER", with: "\(number)")
                .replacingOccurrences(of: "20261012", with: "202610\(10 + number % 8)")
        }
        try directory.write(damage.apply(rows.joined(separator: "\n") + "\n"), to: "rows.json")
        try directory.write(Array(RolloutCanaryTests.template.utf8), to: "template.json")
        for format in ["table", "json", "markdown"] {
            let line = "callcheck app-attest \(damage.options) -f \(format) rows.json template.json"
            let outcome = try shell.run(lines: "\(line) || test $? -lt 3 -o $? -ge 64 -a $? -le 74")
            let shown = String(decoding: outcome.output + outcome.errors, as: UTF8.self)
            #expect(!shown.localizedCaseInsensitiveContains("canary"), "\(damage.name), \(format): \(shown)")
            #expect(outcome.status == 0)
            #expect(shown.contains("AppAttestEnabled"))
        }
    }

    /// Names of apps, conditions and parameters are somebody else's: they can do nothing to a terminal, a page or JSON.
    @Test func namesAreHarmless() throws {
        let directory = try TemporaryDirectory()
        let shell = Shell(in: directory.url)
        let hostile = #"\u001b[31mred\u0007\n| x |\u202e `a` <b> \u009b2J \"quoted\" **"#
        let rows = (10..<18).map { day in
            #"{"event_date":"202610\#(day)","event_name":"AppAttestFailure","user_pseudo_id":"a\#(day)","#
                + #""app_info":{"id":"\#(hostile)","version":"\#(hostile)"}}"#
        }
        try directory.write(Array(rows.joined(separator: "\n").utf8), to: "rows.json")
        let template = RolloutCanaryTests.template.replacingOccurrences(of: "shown", with: hostile)
            .replacingOccurrences(of: "secret", with: hostile)
        try directory.write(Array(template.utf8), to: "template.json")
        for format in ["table", "json", "markdown"] {
            for parameter in ["AppAttestEnabled", "gone"] {
                let line = "callcheck app-attest -f \(format) --parameter \(parameter) rows.json template.json"
                let outcome = try shell.run(lines: "\(line) || test $? -eq 1 -o $? -eq 64")
                let bytes = outcome.output + outcome.errors
                let shown = String(decoding: bytes, as: UTF8.self)
                #expect(!bytes.contains { $0 == 0x1B || $0 == 0x07 } && !shown.contains("\u{202E}"), "\(format)")
                #expect(!shown.unicodeScalars.contains("\u{9B}"))
                if format == "json", parameter != "gone" {
                    _ = try JSONSerialization.jsonObject(with: Data(outcome.output))
                }
            }
        }
    }
}
