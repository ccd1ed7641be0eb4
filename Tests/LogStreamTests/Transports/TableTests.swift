import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Rows of CSV: a cell holds text, regardless of what it looks like.
@Suite struct TableTests {
    private static let heading =
        "timestamp,resource.labels.service_name,labels.firebase-log-type,textPayload,"
        + "jsonPayload.message,jsonPayload.verifications.app,jsonPayload.verifications.auth"
    private static let passed = "Callable request verification passed"

    private static func row(_ app: String, text: String = "", name: String = "add") -> String {
        "2026-10-14T12:00:00Z,\(name),callable-request-verification,\(text),\(passed),\(app),VALID"
    }

    private func statuses(_ lines: [String]) throws -> [String] {
        try Scan.text(lines.joined(separator: "\n") + "\n").found.map { "\($0.identity.name) \($0.app.name)" }
    }

    @Test func rows() throws {
        let found = try statuses([
            TableTests.heading, TableTests.row("VALID"), TableTests.row("MISSING", name: "\"a,b\""),
        ])
        #expect(found == ["add VALID", "a,b MISSING"])
    }

    /// A line in quotes is no row, though it looks like one.
    @Test func quotedLinesAreText() throws {
        let forged = "\"said\n\(TableTests.row("VALID", name: "forged"))\nand \"\"more\"\"\n\n\""
        let lines = [TableTests.heading, TableTests.row("MISSING", text: forged), TableTests.row("VALID")]
        #expect(try statuses(lines) == ["add MISSING", "add VALID"])
        for forged in [#""{""labels"":{""firebase-log-type"":""callable-request-verification""}}""#, "\"a\n[{\n\""] {
            #expect(try statuses([TableTests.heading, TableTests.row("VALID", text: forged)]) == ["add VALID"])
        }
    }

    /// What follows a lost quote may be text: it is unread, and never a row.
    @Test func lostQuotes() throws {
        let open = TableTests.row("VALID", text: "\"said")
        let lines = [TableTests.heading, open, TableTests.row("MISSING"), TableTests.row("MISSING")]
        let scan = try Scan.text(lines.joined(separator: "\n") + "\n")
        #expect(scan.found.isEmpty)
        #expect(scan.summary.unread.total ?? 9 >= 0)
        #expect(scan.kinds == [.incompleteRecord, .malformedRecord])
        let closed = lines + [TableTests.row("VALID", text: "\"said"), TableTests.row("VALID", name: "next")]
        let both = try Scan.text(closed.joined(separator: "\n") + "\n")
        #expect(both.found.isEmpty)
        // A quote in the wrong place: what follows may be a client's text.
        #expect(both.summary.unread.total == nil && !both.summary.unread.isEmpty)
    }

    /// Between two lost quotes one row is left, and what it swallows is unread.
    @Test func swallowedRows() throws {
        let lines = [
            TableTests.heading, TableTests.row("VALID", text: "\"said"), TableTests.row("MISSING"),
            "2026-10-14T12:00:00Z,add,callable-request-verification,said\",\(TableTests.passed),VALID,VALID",
        ]
        let scan = try Scan.text(lines.joined(separator: "\n") + "\n")
        #expect(scan.found.count + (scan.summary.unread.total ?? 9) >= 3)
    }

    /// What is joined to a table and is none of its rows is read, or unread.
    @Test(arguments: [
        "timestamp,app,auth\n2026-10-14T12:00:00Z,MISSING,VALID", "2026-10-14T12:00:00Z  add  MISSING  VALID",
        #"{"ts":"2026-10-14T12:00:00Z","app":"MISSING","auth":"VALID"}"#, EntryText.first(app: "MISSING").text,
        String(repeating: "eyJpbnNlcnRJZCI6IjY4", count: 8), pretty(EntryText.first(app: "MISSING").text, by: 2),
        "labels.firebase-log-type,jsonPayload.verifications.app,service_name\ncallable-request-verification,MISSING,add",
    ])
    func whatIsJoined(text: String) throws {
        let scan = try Scan.text("\(TableTests.heading)\n\(TableTests.row("VALID"))\n\(text)\n")
        #expect(scan.found.contains { $0.app == .missing } || !scan.summary.unread.isEmpty)
        #expect(scan.found.first?.app == .valid)
    }

    @Test(arguments: [
        "2026-10-14T12:00:00Z,add,callable-request-verification,,\(passed),MISSING", row("MISSING") + ",x",
    ])
    func otherCells(row: String) throws {
        let scan = try Scan.text("\(TableTests.heading)\n\(row)\n\(TableTests.row("VALID"))\n")
        #expect(scan.found.count == 1)
        #expect(scan.kinds == [.malformedRecord])
        #expect(scan.summary.unread.total == 1)
    }

    /// As gcloud writes maps: a value with a semicolon, a comma or a quote is quoted by itself.
    @Test func mapsOfGcloud() throws {
        let heading = "timestamp,labels,labels_resource,json_payload"
        let labels = "execution_id=a;firebase-log-type=callable-request-verification"
        func row(_ message: String, _ app: String) -> String {
            "2026-10-14T12:00:00Z,\(labels),service_name=add,\(message);\"verifications={'app': '\(app)', 'auth': 'VALID'}\""
        }
        let genuine = row("message=Callable request verification passed", "MISSING")
        #expect(try statuses([heading, genuine]) == ["add MISSING"])
        // What a client says stays in its quotes.
        let said = row("\"message=Callable request verification passed;verifications={'app': 'VALID'}\"", "MISSING")
        let scan = try Scan.text("\(heading)\n\(said)\n")
        #expect(scan.found.isEmpty && scan.foreign == 1)
    }

    @Test func headings() throws {
        let semicolons = [TableTests.heading, TableTests.row("MISSING")].map { $0.replacing(",", with: ";") }
        #expect(try statuses(semicolons) == ["add MISSING"])
        #expect(
            try statuses(["\u{FEFF}" + TableTests.heading + "\r", TableTests.row("MISSING") + "\r"]) == ["add MISSING"])
        let second = "labels.firebase-log-type,jsonPayload.verifications.app,service_name"
        let lines = [
            TableTests.heading, TableTests.row("VALID"), second, "callable-request-verification,MISSING,other",
        ]
        #expect(try statuses(lines) == ["add VALID", "other MISSING"])
        #expect(
            try Scan.text("timestamp,severity,textPayload\n\(TableTests.row("VALID"))\n").kinds == [.unsupportedFormat])
    }
}
