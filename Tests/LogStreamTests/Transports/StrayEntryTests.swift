import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Entries in a wrapper that nobody knows are reported, and what an entry quotes is not.
@Suite struct StrayEntryTests {
    private static let entry = EntryText.second("f", app: "MISSING").text

    /// Text that once took minutes a megabyte, as every quote and brace in it was tried.
    @Test(arguments: [
        "}", "{}", #"}{"a":"#, #"{"":1}"#, "\"\"", #"\\"#, "[", #""\""#, #"\""#, #"{"a":"}"}"#,
    ])
    func nothingInFrontHidesAnEntry(noise: String) throws {
        for start in ["", #"""#, "}}}"] {
            let text = start + String(repeating: noise, count: 10_000) + #"\x"# + StrayEntryTests.entry
            let spelled = text.replacing(#"\"#, with: #"\\"#).replacing(#"""#, with: #"\""#)
            #expect(try Scan.text(#"{"log":"\#(spelled)"}"# + "\n").summary.unexpected == 1, "after \(start)")
        }
    }

    /// A page is recognised by the key of its elements, next to any other key, and with one byte of it damaged.
    @Test(arguments: [
        #"{"kind":"x","entries":[\#(entry)]}"#, "{\n  \"kind\": 1, \"entries\": [\n\(entry)]}",
        #"{"entrjes":[\#(entry)]}"#, #"{"entres":[\#(entry)]}"#, #"{"entriees" : [\#(entry)]}"#,
        #"{"receivedmessages":[\#(entry)]}"#,
    ])
    func pagesWithDamageAreRead(text: String) throws {
        let scan = try Scan.text(text)
        #expect(scan.found.map(\.app) == [.missing])
        #expect(scan.kinds == [])
        #expect(scan.summary.records == 1)
    }

    /// An array of entries under another key is none.
    @Test(arguments: [
        #"{"logs":[\#(entry)],"total":2}"#, #"{"events":[\#(entry),\#(entry)]}"#, #"{"entry":[\#(entry)]}"#,
        "{\n  \"logs\": [\n\(entry.replacing("\":\"", with: "\" : \""))]}", #"{"status":"ok","result":[\#(entry)]}"#,
        #"{"result":[\#(entry)],"status":"success"}"#, #"{"entriesentries":[\#(entry)]}"#, #"{"":[\#(entry)]}"#,
    ])
    func pagesOfOtherNamesAreReported(text: String) throws {
        let first = EntryText.first("g").text
        let lines = "\(first)\n\(text.replacing("\n", with: " "))\n"
        for (input, others) in [(text, 0), (lines, 1), ("[\(first),\(text)]", 1)] {
            let scan = try Scan.text(input)
            #expect(scan.found.count == others)
            #expect(scan.summary.unexpected == 1)
            #expect(scan.kinds == [.unexpectedContainer])
            #expect(scan.summary.problems.entries.map(\.detail) == [ProblemWording.notRead])
            #expect(scan.summary.records == 1 + others)
        }
    }

    /// They are read in the middle of lines as well, however many there are.
    @Test(arguments: [
        #"{"entries":[\#(entry)],"total":2}"#, #"{"kind":"x","entries":[\#(entry)]}"#,
        #"{"a":[1],"entries":[\#(entry)]}"#, #"{"entries":[\#(entry)]} {"entries":[\#(entry)]}"#,
        #"{"entries":[\#(entry),\#(entry)]}"#, #"{"x":{"y":"z"},"entries" : [ \#(entry) ]}"#,
    ])
    func pagesAmongLines(line: String) throws {
        let first = EntryText.first("g").text
        let count = line.components(separatedBy: "insertId").count - 1
        let lines = try Scan.text("\(first)\n\(line)\n\(first)\n")
        let values = try Scan.text("[\(first),\(line.replacing("} {", with: "},{")),\(first)]")
        for scan in [lines, values] {
            #expect(scan.found.map(\.identity.name) == ["g"] + Array(repeating: "f", count: count) + ["g"])
            #expect(scan.summary.records == count + 2)
            #expect(scan.kinds == [])
        }
    }

    /// What a wrapper says of its array is not what its array holds.
    @Test func wrappersAmongLinesAreReported() throws {
        let first = EntryText.first("g").text
        let line = #"{"entries":[{"entry":\#(StrayEntryTests.entry)}]}"#
        for text in ["\(first)\n\(line)\n\(first)\n", "[\(first),\(line),\(first)]"] {
            let scan = try Scan.text(text)
            #expect(scan.found.count == 2)
            #expect(scan.kinds == [.unexpectedContainer])
        }
    }

    @Test(arguments: [
        #"{"data":{"entries":[\#(entry)]}}"#, #"{"0":\#(entry)}"#,
        #"{"seen":{"firebase-log-type":"callable-request-verification"}}"#,
        #"{"filter":"labels.\"firebase-log-type\"=\"callable-request-verification\"","insert_id":1}"#,
    ])
    func unknownWrappersAreReported(text: String) throws {
        let scan = try Scan.text(text)
        #expect(scan.found == [])
        #expect(scan.kinds == [.unexpectedContainer])
        #expect(scan.summary.problems.entries.map(\.detail) == [ProblemWording.notRead])
        #expect(scan.summary.records == 1)
    }

    /// What an entry or a line says about other entries is its own affair.
    @Test(arguments: [
        EntryText.application("x").adding("jsonPayload", #"{"seen":\#(entry)}"#).text,
        EntryText.application(entry.replacing("\"", with: "\\\"")).text,
    ])
    func whatIsSaidOfEntriesIsNot(text: String) throws {
        let scan = try Scan.text(text)
        #expect(scan.found == [])
        #expect(scan.kinds == [])
        #expect(scan.summary.records == 1)
    }

    /// `firebase functions:log --json` is a wrapper that is known; the same words elsewhere are not.
    @Test func firebaseTools() throws {
        let wrapped = #"{"status":"success","result":[\#(StrayEntryTests.entry)]}"#
        #expect(try Scan.text(wrapped).found.map(\.app) == [.missing])
        let lines = #"{"status":"success"}"# + "\n" + #"{"status":200,"result":[1,2]}"# + "\n" + StrayEntryTests.entry
        let scan = try Scan.text(lines)
        #expect(scan.summary.records == 3)
        #expect(scan.found.map(\.app) == [.missing])
    }
}
