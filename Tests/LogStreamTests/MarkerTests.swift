import TestSupport
import Testing
import Verifications

@testable import LogStream

/// A verification is found wherever in a block or chunk its marker is, and however it is spelled.
@Suite struct MarkerTests {
    private static let label = "callable-request-verification"

    /// Labelled, without the SDK's message.
    private static let labelled = EntryText.first().with(
        "jsonPayload", #"{"verifications":{"app":"VALID","auth":"VALID"}}"#)
    /// With the SDK's message, without the label.
    private static let spoken = EntryText.first().with("labels", "{}")

    @Test(arguments: [labelled, spoken])
    func atEveryAlignment(entry: EntryText) {
        let line = Array((entry.text + "\n").utf8)
        for shift in 0..<130 {
            // Shifted by a line before it, and by white space on its own line.
            let before = Array(repeating: UInt8(ascii: " "), count: shift)
            #expect(Scan.pieces([before + [0x0A] + line]).found.count == 1)
            #expect(Scan.pieces([before + line]).found.count == 1)
        }
    }

    @Test(arguments: [labelled, spoken])
    func cutAtEveryByte(entry: EntryText) {
        let line = Array(("{}\n" + entry.text + "\n{}\n").utf8)
        let whole = Scan.pieces([line])
        #expect(whole.found.count == 1)
        for cut in 0...line.count {
            #expect(Scan.pieces([Array(line[..<cut]), Array(line[cut...])]) == whole)
        }
    }

    @Test func anEntryOfTheErrorStreamIsSeenAtEveryPlace() {
        let entry = EntryText.application("x").with("logName", #""projects/demo/logs/run.googleapis.com%2Fstderr""#)
        let line = Array((entry.text + "\n").utf8)
        for shift in 0..<80 {
            let bytes = Array(repeating: UInt8(ascii: " "), count: shift) + line
            let scan = Scan.pieces([bytes])
            #expect(scan.errorStreams.map(\.project) == ["demo"])
            #expect(scan.errorStreams.map(\.instant) == [Instant(timestamp: "2026-10-14T12:00:00Z")])
            for size in [1, 7, 64] { #expect(Scan.chunks(bytes, of: size) == scan) }
        }
    }

    @Test(arguments: [
        #"projects\/demo\/logs\/run.googleapis.com%2Fstderr"#, #"projects/demo/logs/run.googleapis.com\u00252Fstderr"#,
        #"projects/demo/logs/run.googleapis.com%2\u0046stderr"#,
        #"projects/demo/logs/run.googleapis.com%2Fstder\u0072"#,
    ])
    func theErrorStreamIsSeenThroughEscapes(logName: String) {
        let entry = EntryText.application("x").with("logName", "\"\(logName)\"")
        #expect(Scan.pieces([Array(entry.text.utf8)]).errorStreams.count == 1)
    }

    @Test(arguments: [
        "projects/demo/logs/run.googleapis.com%2Fstderr2", "projects/demo/logs/run.googleapis.com%2Fstdout",
        "projects/demo/logs/googleapis.com%2Fstderr", "%2Fstderr", "run.googleapis.com/stderr",
    ])
    func otherLogsAreNotTheErrorStream(logName: String) {
        let entry = EntryText.application("%2Fstderr").with("logName", "\"\(logName)\"")
        #expect(Scan.pieces([Array(entry.text.utf8)]).errorStreams.isEmpty)
    }

    // MARK: Spelled with escapes

    @Test func eachCharacterOfTheValueEscapedInTurn() {
        for index in MarkerTests.label.indices {
            for spelling in [
                escaped(MarkerTests.label, only: index, upper: true),
                escaped(MarkerTests.label, only: index, upper: false),
            ] {
                expectFound(labels: #"{"firebase-log-type":"\#(spelling)"}"#)
            }
        }
    }

    @Test func eachCharacterOfTheKeyEscapedInTurn() {
        let key = "firebase-log-type"
        for index in key.indices {
            expectFound(labels: #"{"\#(escaped(key, only: index, upper: true))":"callable-request-verification"}"#)
            let value = escaped(MarkerTests.label, only: nil, upper: false)
            expectFound(labels: #"{"\#(escaped(key, only: index, upper: false))":"\#(value)"}"#)
        }
    }

    @Test func everythingEscaped() {
        func all(_ text: String) -> String { "\"" + escaped(text, only: nil, upper: true) + "\"" }
        let statuses = "{\(all("app")):\(all("INVALID")),\(all("auth")):\(all("MISSING"))}"
        let entry =
            "{\(all("labels")):{\(all("firebase-log-type")):\(all(MarkerTests.label))},"
            + "\(all("jsonPayload")):{\(all("verifications")):\(statuses)},"
            + "\(all("resource")):{\(all("labels")):{\(all("function_name")):\(all("addMessage")),"
            + "\(all("region")):\(all("us-central1")),\(all("project_id")):\(all("demo"))}},"
            + "\(all("timestamp")):\(all("2026-10-14T12:00:00Z")),\(all("insertId")):\(all("é😀"))}"
        for size in [1, 5, 63, 64, 65, entry.utf8.count] {
            let scan = Scan.chunks(Array(entry.utf8), of: size)
            #expect(
                scan.found.map(\.identity) == [
                    FunctionIdentity(
                        project: "demo", region: "us-central1", name: "addMessage", generation: .first)
                ])
            #expect(scan.found.map(\.app) == [.invalid])
            #expect(scan.found.map(\.auth) == [.missing])
            #expect(scan.found.map(\.instant) == [Instant(timestamp: "2026-10-14T12:00:00Z")])
        }
    }

    @Test(arguments: [
        #"Callable request verification p\u0061ssed"#, #"\u0043allable\u0020request verification passed"#,
        #"Callable request verificatio\u006E failed: x"#,
    ])
    func theMessageEscaped(message: String) {
        let payload = #"{"message":"\#(message)","verifications":{"app":"VALID"}}"#
        let entry = MarkerTests.spoken.with("jsonPayload", payload)
        #expect(Scan.pieces([Array(entry.text.utf8)]).found.count == 1)
    }

    /// A broken verification shows its marker through escapes too.
    @Test func brokenVerificationSpelledWithEscapesIsMalformed() {
        for index in MarkerTests.label.indices {
            let spelling = escaped(MarkerTests.label, only: index, upper: true)
            let line = #"{"labels":{"firebase-log-type":"\#(spelling)"}"#
            let scan = Scan.pieces([Array(line.utf8)])
            #expect(scan.summary.malformed == 1)
            #expect(scan.summary.records == 1)
        }
        let other = Scan.pieces([Array(#"{"labels":{"firebase-log-type":"\u0063allable-request"}"#.utf8)])
        #expect(other.summary.malformed == 0)
        #expect(other.summary.records == 1)
    }

    /// Only escapes that can spell a character of a marker lead to parsing; the others lose nothing.
    ///
    /// Whether a line was parsed shows in its values: two on one line are two records when it was.
    @Test(arguments: [
        (#"\u00e9"#, false), (#"\u00E9"#, false), (#"\u2028"#, false), (#"\ud83d\ude00"#, false), (#"\u0000"#, false),
        (#"\u001f"#, false), (#"\n"#, false), (#"\\"#, false), (#"\u0080"#, false), (#"\u0063"#, true),
        (#"\u0043"#, true),
        (#"\u0020"#, true), (#"\u007f"#, true), (#"\u002d"#, true), (#"\u006E"#, true),
    ])
    func whatForcesAParse(escape: String, isParsed: Bool) throws {
        let line = "{\"text\":\"\(escape)\"}7\n"
        for size in [1, 64, line.utf8.count] {
            #expect(Scan.chunks(Array(line.utf8), of: size).summary.records == (isParsed ? 2 : 1))
        }
        let entry = EntryText.first().adding("text", "\"\(escape)\"").text
        #expect(Scan.pieces([Array(entry.utf8)]).found.count == 1)
    }

    private func expectFound(labels: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let entry = MarkerTests.labelled.with("labels", labels)
        let scan = Scan.pieces([Array((entry.text + "\n").utf8)])
        #expect(scan.found.count == 1, "\(labels)", sourceLocation: sourceLocation)
        #expect(scan.summary.problems.isEmpty, sourceLocation: sourceLocation)
    }

    /// The text with one character, or each, as a `\u` escape.
    private func escaped(_ text: String, only place: String.Index?, upper: Bool) -> String {
        text.indices.map { index in
            guard place == nil || place == index else { return String(text[index]) }
            return text[index].utf16.map { unit in
                let digits = String(unit, radix: 16, uppercase: upper)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }.joined()
    }
}
