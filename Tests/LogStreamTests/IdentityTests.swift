import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Which function an entry belongs to: project, region, generation, name.
@Suite struct IdentityTests {
    private static let first = EntryText.first()
    private static let second = EntryText.second()

    private static func resource(_ type: String?, _ labels: String) -> String {
        "{" + (type.map { #""type":"\#($0)","# } ?? "") + #""labels":{\#(labels)}}"#
    }

    @Test(
        arguments: [
            ("cloud_function", #""function_name":"f","region":"r","project_id":"p""#, identity("p/r/f", .first)),
            ("cloud_function", #""function_name":"f","project_id":"p""#, identity("p/-/f", .first)),
            ("cloud_function", #""region":"r","project_id":"p""#, identity("p/r/-", .first)),
            ("cloud_run_revision", #""service_name":"s","location":"l","project_id":"p""#, identity("p/l/s", .second)),
            ("cloud_run_revision", #""service_name":"s","project_id":"p""#, identity("p/-/s", .second)),
            ("cloud_run_revision", #""location":"l","project_id":"p""#, identity("p/l/-", .second)),
            // The type decides; a label of the other generation does not.
            (
                "cloud_run_revision", #""service_name":"s","location":"l","function_name":"f","region":"r""#,
                identity("demo/l/s", .second)
            ),
            (
                "cloud_function", #""service_name":"s","location":"l","function_name":"f","region":"r""#,
                identity("demo/r/f", .first)
            ),
            // Without a type the labels tell.
            (nil, #""function_name":"f","region":"r""#, identity("demo/r/f", .first)),
            (nil, #""service_name":"s","location":"l""#, identity("demo/l/s", .second)),
            (nil, #""project_id":"p""#, identity("p/-/-", nil)),
            ("gae_app", #""module_id":"default""#, identity("demo/-/-", nil)),
            (nil, "", identity("demo/-/-", nil)),
            // Names come as they are: upper case, hyphens, underscores, any script.
            (
                "cloud_function", #""function_name":"Äpfel_Zähler-2","region":"R""#,
                identity("demo/R/Äpfel_Zähler-2", .first)
            ),
        ] as [(String?, String, FunctionIdentity)])
    func resources(type: String?, labels: String, expected: FunctionIdentity) {
        let entry = IdentityTests.first.with("resource", IdentityTests.resource(type, labels))
        #expect(Extraction(entry).identity == expected)
    }

    @Test(arguments: [
        "null", "{}", "[]", "7", "true", #""text""#, #"[{"type":"cloud_function"}]"#, #"{"labels":[]}"#,
        #"{"labels":"x","type":{}}"#,
    ])
    func resourceThatIsNone(resource: String) {
        #expect(Extraction(IdentityTests.first.with("resource", resource)).identity == identity("demo/-/-", nil))
    }

    @Test func noResource() {
        #expect(Extraction(IdentityTests.first.with("resource", nil)).identity == identity("demo/-/-", nil))
    }

    @Test(arguments: ["null", "7", "{}", "[]", "true", #""""#])
    func namesThatAreNone(value: String) {
        for (key, expected) in [
            ("function_name", identity("demo/r/-", .first)), ("region", identity("demo/-/f", .first)),
            ("project_id", identity("demo/r/f", .first)),
        ] {
            let others = ["function_name": "f", "region": "r"].filter { $0.key != key }
                .map { #""\#($0.key)":"\#($0.value)""# }.joined(separator: ",")
            let labels = IdentityTests.resource("cloud_function", #"\#(others),"\#(key)":\#(value)"#)
            #expect(Extraction(IdentityTests.first.with("resource", labels)).identity == expected, "\(key): \(value)")
        }
    }

    @Test(arguments: [
        ("projects/other/logs/x", "other"), ("projects/other", "other"), (#"projects\/other\/logs\/x"#, "other"),
        (#"\u0070rojects/\u006fther/logs/x"#, "other"), ("projects//logs/x", "-"), ("projects/", "-"),
        ("projects", "-"),
        ("organizations/1/logs/x", "-"), ("folders/1/logs/x", "-"), ("Projects/other/logs/x", "-"), ("", "-"),
        ("/projects/other/logs/x", "-"), ("projects/example.com:other/logs/x", "example.com:other"),
    ])
    func projectFromTheLogName(logName: String, expected: String) {
        let bare = IdentityTests.resource("cloud_function", #""function_name":"f","region":"r""#)
        let entry = IdentityTests.first.with("resource", bare).with("logName", "\"\(logName)\"")
        #expect(Extraction(entry).identity == identity("\(expected)/r/f", .first))
        // The resource's word counts more.
        #expect(Extraction(IdentityTests.first.with("logName", "\"\(logName)\"")).identity?.project == "demo")
    }

    @Test func noLogNameAtAll() {
        let entry = IdentityTests.first.with("resource", nil).with("logName", nil)
        #expect(Extraction(entry).identity == identity("-/-/-", nil))
        #expect(Extraction(entry.with("logName", "7")).identity == identity("-/-/-", nil))
    }

    // MARK: The name people know

    @Test func theSmallestLabelIsShown() {
        let labels: [String?] = ["b_b", nil, "a_a", "c", "a_a", "B"]
        let lines = labels.enumerated().map { EntryText.second("svc", id: "\($0.offset)", label: $0.element).text }
        for order in [lines, lines.reversed()] {
            let scan = Scan.pieces([Array(order.joined(separator: "\n").utf8)])
            #expect(scan.labels == [identity("demo/europe-west1/svc", .second): "B"])
        }
    }

    @Test(arguments: ["null", "7", "{}", #""""#])
    func labelThatIsNone(value: String) {
        let labels = #"{"firebase-log-type":"callable-request-verification","goog-drz-cloudfunctions-id":\#(value)}"#
        let scan = Scan.pieces([Array(IdentityTests.second.with("labels", labels).text.utf8)])
        #expect(scan.found.count == 1)
        #expect(scan.labels.isEmpty)
    }

    /// A generation 1 entry is named by its resource alone.
    @Test func generationOneHasNoLabel() {
        let labels = #"{"firebase-log-type":"callable-request-verification","goog-drz-cloudfunctions-id":"x"}"#
        let scan = Scan.pieces([Array(IdentityTests.first.with("labels", labels).text.utf8)])
        #expect(scan.found.count == 1)
        #expect(scan.labels.isEmpty)
    }

    // MARK: The limit on names

    /// 256 bytes are the limit, counted in UTF-8 after escapes are undone.
    @Test(arguments: ["a", "é", "日", "😀"])
    func namesAtTheLimit(character: String) {
        let width = character.utf8.count
        let fitting = String(repeating: "b", count: 256 % width) + String(repeating: character, count: 256 / width)
        let escapes = fitting.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
        for (key, path) in [("function_name", "demo/r/@"), ("region", "demo/@/f"), ("project_id", "@/r/f")] {
            func entry(_ value: String) -> EntryText {
                let labels = ["function_name": "f", "region": "r", "project_id": "demo"].merging([key: value]) { $1 }
                let text = labels.map { #""\#($0.key)":"\#($0.value)""# }.joined(separator: ",")
                return IdentityTests.first.with("resource", IdentityTests.resource("cloud_function", text))
            }
            let expected = path.split(separator: "/").map { $0 == "@" ? fitting : String($0) }
            for spelling in [fitting, escapes] {
                let found = Extraction(entry(spelling)).identity
                #expect(found.map { [$0.project, $0.region, $0.name] } == expected)
                #expect(Extraction(entry(spelling + "x")) == .malformed)
                #expect(Extraction(entry(spelling + #"\u0078"#)) == .malformed)
            }
        }
    }

    @Test func otherNamesAtTheLimit() {
        for (length, isRead) in [(256, true), (257, false), (100_000, false)] {
            let name = String(repeating: "n", count: length)
            let project = IdentityTests.first.with("resource", nil).with("logName", "\"projects/\(name)/logs/x\"")
            #expect((Extraction(project).identity?.project == name) == isRead)
            #expect((Extraction(project) == .malformed) == !isRead)
            #expect((Extraction(EntryText.second("s", label: name)) == .malformed) == !isRead)
            // What is no name has no limit.
            let other = IdentityTests.first.with("insertId", "\"\(name)\"").with(
                "logName", "\"projects/p/logs/\(name)\"")
            #expect(Extraction(other).found?.fingerprint != nil)
        }
    }

    /// The problem says which record it is and where it starts, like that of any other malformed record.
    @Test func aNameBeyondTheLimitIsPlaced() {
        let long = EntryText.first(String(repeating: "n", count: 257)).text
        let text = "77\n\(IdentityTests.first.text)\n11 \(long)\n\(IdentityTests.first.text)"
        let scan = Scan.pieces([Array(text.utf8)])
        #expect(scan.kinds == [.malformedRecord])
        #expect(scan.summary.problems.entries.map(\.record) == [4])
        let place = "77\n\(IdentityTests.first.text)\n11 ".utf8.count
        #expect(scan.summary.problems.entries.map(\.byteOffset) == [place])
        #expect(scan.summary.malformed == 1)
        #expect(scan.summary.records == 5)
        #expect(scan.found.count == 2)
    }
}
