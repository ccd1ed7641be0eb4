import TestSupport
import Testing
import Verifications

@testable import LogStream

/// What other programs put before the lines of a log: see ``LinePrefix``.
@Suite struct LinePrefixTests {
    private static let passed = payload(app: "VALID")
    private static let refused = payload(app: "INVALID")
    private static let lines = [
        "2026-09-07T15:52:06.436708Z D fn: \(passed)", "2026-09-07T15:52:07.436708Z D fn: hello",
        "--- D other: \(refused)",
    ]

    private static func payload(app: String) -> String {
        let message = "Callable request verification \(app == "INVALID" ? "failed" : "passed")"
        return #"{"message":"\#(message)","verifications":{"app":"\#(app)","auth":"VALID"}}"#
    }

    private func scan(_ lines: [String], _ prefix: (Int) -> String) throws -> Scan {
        try Scan.text(lines.enumerated().map { "\(prefix($0.offset + 1))\($0.element)\n" }.joined())
    }

    /// With them a log says what it says without.
    @Test(
        arguments: [
            { "\($0):" }, { "\($0)\($0 == 2 ? "-" : ":")" }, { "day.log:\($0):" }, { "logs/2026-09-07.log:\($0):" },
            { "day.log\($0 == 1 ? ":1:" : "-\($0)-")" }, { _ in "day.log:" }, { _ in "web-1  | " }, { _ in "web_1 | " },
            { _ in "\u{1B}[36mweb-1  |\u{1B}[0m " },
        ] as [@Sendable (Int) -> String])
    func prefixesAreRemoved(prefix: @Sendable (Int) -> String) throws {
        let bare = try scan(LinePrefixTests.lines) { _ in "" }
        #expect(bare.found.map(\.identity.name) == ["fn", "other"] && bare.found.map(\.app) == [.valid, .invalid])
        var found = try scan(LinePrefixTests.lines, prefix)
        found.summary.bytesRead = bare.summary.bytesRead
        found.summary.bytesDecompressed = bare.summary.bytesDecompressed
        #expect(found == bare)
    }

    /// Entries and an SDK's lines may have them, too.
    @Test(arguments: ["12:", "day.log:12:", "day.log:", "web-1  | "])
    func valuesOnLines(prefix: String) throws {
        let entry = try scan([EntryText.second("f", app: "MISSING").text]) { _ in prefix }
        #expect(entry.found.map(\.identity.name) == ["f"] && entry.kinds == [])
        let line = try scan([LinePrefixTests.passed, "INFO:root:hello", "", LinePrefixTests.refused]) { _ in prefix }
        #expect(line.found.map(\.app) == [.valid, .invalid] && line.kinds == [])
    }

    /// Text that a client chose comes after the application's text, or is in a log without prefixes.
    @Test(arguments: ["", "7:", "day.log:7:", "day.log:", "web-1  | "])
    func textOfClients(prefix: String) throws {
        let forged = LinePrefixTests.lines[0].replacing("VALID\",\"auth", with: "MISSING\",\"auth")
        let texts = ["user=alice:12:", "user=alice:", "from web-1 | ", "user: 12:"].map { $0 + forged }
        let first = LinePrefixTests.lines[0]
        let lines = [first] + texts + ["2026-09-07T15:52:08Z D fn: 12:\(forged)"]
        #expect(try scan(lines) { _ in prefix }.found.map(\.app) == [.valid])
        if prefix == "" {
            #expect(try scan([first, "12:\(forged)", "web-1 | \(forged)"]) { _ in "" }.found.count == 1)
        }
    }

    /// In a line around a match, such a name cannot be told from a client's text: the line is reported, not guessed.
    @Test func namesWithNumbers() throws {
        let scan = try scan(LinePrefixTests.lines) { "day-2026-09-07.log\($0 == 1 ? "-1-" : ":\($0):")" }
        #expect(scan.found.map(\.app) == [.invalid])
        #expect(scan.kinds == [.unexpectedContainer] && scan.summary.unread.total == 1)
    }

    // MARK: The emulator

    /// Tokens are not verified there, regardless of the text before the mark.
    @Test(
        arguments: [
            "", "firebase > ", "functions-1  | ", "2026-10-05T12:00:00.1234567Z ", "test\tRun\t2026-10-05T12:00:00Z ",
            "[info] ", "[debug] [2026-10-05T12:00:00.123Z] USER: ", "12:", "emulator.log:12:", "fn dev: ",
            "12:00:00 I ",
            "\u{1B}[36m[fn]\u{1B}[0m ", "\u{1B}[90m",
        ])
    func emulatorLines(prefix: String) throws {
        let line = "\(prefix)> \u{1B}[39m \(LinePrefixTests.refused)"
        let ends = ["", #" {"user":{"verifications":{}},"metadata":{"message":">  {}"}}"#]
        for (end, other) in ends.flatMap({ end in ["i  functions: Loaded", ""].map { (end, $0) } }) {
            let scan = try Scan.text("\(other)\n\(line)\(end)\n\(line)\(end)\n")
            #expect(scan.found == [] && scan.summary.ignored == 2 && scan.kinds == [], "\(other)\(end): \(scan)")
        }
    }

    /// Its web page shows each object twice: after the mark, and over several lines.
    @Test func emulatorPage() throws {
        let object = LinePrefixTests.passed.replacing(",", with: ",\n  ").replacing("{", with: "{\n  ")
        let scan = try Scan.text("12:00:00\nI\n>  \(LinePrefixTests.passed)\n\(object)\n12:00:01\nI\ni  done\n")
        #expect(scan.found == [] && scan.summary.ignored == 2 && scan.kinds == [])
        // An entry is none of its, before or after.
        let lines = [">  \(LinePrefixTests.passed)\n", EntryText.second("f", app: "MISSING").text + "\n"]
        for text in [lines[0] + lines[1], lines[1] + lines[0]] {
            let scan = try Scan.text(text)
            #expect(scan.found.map(\.app) == [.missing] && scan.summary.ignored == 1 && scan.kinds == [])
        }
    }

    /// A mark in an application's text is not the emulator's.
    @Test(arguments: ["x => ", "Map<a> ", #"{"message":"> "#])
    func otherMarks(text: String) throws {
        let entry = EntryText.second("f", app: "MISSING").text
        let scan = try Scan.text("\(text) {\n\(entry)\n")
        #expect(scan.found.map(\.app) == [.missing] && scan.summary.ignored == 0)
    }
}
