import TestSupport
import Testing
import Verifications

@testable import LogStream

/// What the Functions emulator shows: its tokens are not verified, regardless of the text before the mark.
@Suite struct EmulatorLineTests {
    private static let passed = payload(app: "VALID")
    private static let refused = payload(app: "INVALID")

    private static func payload(app: String) -> String {
        let message = "Callable request verification \(app == "INVALID" ? "failed" : "passed")"
        return #"{"message":"\#(message)","verifications":{"app":"\#(app)","auth":"VALID"}}"#
    }

    @Test(
        arguments: [
            "", "firebase > ", "2026-10-05T12:00:00.1234567Z ", "test\tRun\t2026-10-05T12:00:00Z ",
            "[info] ", "[debug] [2026-10-05T12:00:00.123Z] USER: ", "fn dev: ",
            "12:00:00 I ",
            "\u{1B}[36m[fn]\u{1B}[0m ", "\u{1B}[90m",
        ])
    func emulatorLines(prefix: String) throws {
        let line = "\(prefix)> \u{1B}[39m \(EmulatorLineTests.refused)"
        let ends = ["", #" {"user":{"verifications":{}},"metadata":{"message":">  {}"}}"#]
        for (end, other) in ends.flatMap({ end in ["i  functions: Loaded", ""].map { (end, $0) } }) {
            let scan = try Scan.text("\(other)\n\(line)\(end)\n\(line)\(end)\n")
            #expect(scan.found == [] && scan.summary.ignored == 2 && scan.kinds == [], "\(other)\(end): \(scan)")
        }
    }

    /// Its web page shows each object twice: after the mark, and over several lines.
    @Test func emulatorPage() throws {
        let object = EmulatorLineTests.passed.replacing(",", with: ",\n  ").replacing("{", with: "{\n  ")
        let scan = try Scan.text("12:00:00\nI\n>  \(EmulatorLineTests.passed)\n\(object)\n12:00:01\nI\ni  done\n")
        #expect(scan.found == [] && scan.summary.ignored == 2 && scan.kinds == [])
        // An entry is none of its, before or after.
        let lines = [">  \(EmulatorLineTests.passed)\n", EntryText.second("f", app: "MISSING").text + "\n"]
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
