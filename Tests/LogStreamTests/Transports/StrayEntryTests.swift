import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Entries in a wrapper that nobody knows are reported, and only those.
@Suite struct StrayEntryTests {
    private static let entry = EntryText.second("f", app: "MISSING").text

    /// An array of entries at the top of an object is a page, whatever it is called.
    @Test(arguments: [
        #"{"logs":[\#(entry)],"total":2}"#, #"{"kind":"x","entries":[\#(entry)]}"#,
        "{\n  \"logs\": [\n\(entry.replacing("\":\"", with: "\" : \""))]}", #"{"status":"ok","result":[\#(entry)]}"#,
    ])
    func pagesOfOtherNamesAreRead(text: String) throws {
        let scan = try Scan.text(text)
        #expect(scan.found.map(\.app) == [.missing])
        #expect(scan.kinds == [])
        #expect(scan.summary.records == 1)
    }

    /// They are read in the middle of lines as well, however many there are.
    @Test(arguments: [
        #"{"logs":[\#(entry)],"total":2}"#, #"{"kind":"x","entries":[\#(entry)]}"#, #"{"a":[1],"logs":[\#(entry)]}"#,
        #"{"logs":[\#(entry)]} {"logs":[\#(entry)]}"#, #"{"logs":[\#(entry),\#(entry),{"x":[\#(entry)]}]}"#,
        #"{"x":{"y":"z"},"logs" : [ \#(entry) ]}"#,
    ])
    func pagesOfOtherNamesAmongLines(line: String) throws {
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
        let line = #"{"logs":[{"entry":\#(StrayEntryTests.entry)}]}"#
        for text in ["\(first)\n\(line)\n\(first)\n", "[\(first),\(line),\(first)]"] {
            let scan = try Scan.text(text)
            #expect(scan.found.count == 2)
            #expect(scan.kinds == [.unexpectedContainer])
        }
    }

    @Test(arguments: [#"{"data":{"entries":[\#(entry)]}}"#, #"{"0":\#(entry)}"#])
    func unknownWrappersAreReported(text: String) throws {
        let scan = try Scan.text(text)
        #expect(scan.found == [])
        #expect(scan.kinds == [.unexpectedContainer])
        #expect(scan.summary.problems.entries.first?.detail == ProblemWording.strayEntry)
        #expect(scan.summary.records == 1)
    }

    /// What an entry or a line says about other entries is its own affair.
    @Test(arguments: [
        EntryText.application("x").adding("jsonPayload", #"{"seen":\#(entry)}"#).text,
        EntryText.application(entry.replacing("\"", with: "\\\"")).text,
        #"{"filter":"labels.\"firebase-log-type\"=\"callable-request-verification\"","insert_id":1}"#,
        #"{"seen":{"firebase-log-type":"callable-request-verification"}}"#,
        #"{"seen":["insertId","firebase-log-type","callable-request-verification"]}"#,
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
