import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// A refused request next to a readable log is counted or unread, in any form.
@Suite struct HiddenRequestTests {
    private static let passed = EntryText.second(id: "a").text
    private static let refused = EntryText.second(app: "MISSING", id: "b").text
    private static let renamed = #"{"ts":"2026-10-14T12:00:00Z","fn":"add","app":"MISSING","auth":"VALID"}"#

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    private static func push(_ data: String) -> String { #"{"message":{"data":"\#(base64(data))","messageId":"1"}}"# }

    private static let forms = [
        renamed, "2026-10-14T12:00:00Z\tadd\tMISSING\tVALID",
        "app,auth\nMISSING,VALID",
        #"{"data":"\#(base64("[" + refused + "]"))","messageId":"1"}"#,
        #"{"data":"\#(base64(" " + refused))","messageId":"1"}"#, #"{"data":"\#(base64(refused))"}"#,
        #"{"id":"1","data":{"message":{"data":"\#(base64(refused))"}}}"#, push(push(refused)), push(renamed),
        #"{"type":"t","data_base64":"\#(base64(refused))"}"#,
        refused.replacing(#""labels":{"firebase-log-type":"#, with: #""labels":[{"key":"firebase-log-type","value":"#)
            .replacing(#""add_message"}"#, with: #""add_message"}]"#),
        refused.replacing("{\"insertId\"", with: #"{"METADATA":{},"INSERTID""#).replacing("labels", with: "LABELS")
            .replacing("logName", with: "LOGNAME").replacing("resource", with: "RESOURCE")
            .replacing("jsonPayload", with: "JSONPAYLOAD").replacing("receiveTimestamp", with: "RECEIVETIMESTAMP"),
        "> " + refused, base64(refused),
        #"{"points":[{"value":{"int64Value":"3"}}],"metric":{"labels":{"app":"MISSING"}}}"#,
    ]

    /// What the log may look like that passes.
    private static let logs = [
        passed + "\n", "[\n" + passed + "\n]\n", pretty(passed, by: 2) + "\n", push(passed) + "\n",
        "INFO:root:hello\n" + pretty(passed, by: 2) + "\n", #"{"entries":[\#(passed)]}"# + "\n",
        "DEBUG 2026-10-14T12:00:00.000000Z Callable request verification passed\n" + pretty(passed, by: 2) + "\n",
    ]

    @Test(arguments: logs, forms)
    func nothingIsHidden(log: String, form: String) throws {
        for text in [log + form + "\n", form + "\n" + log] {
            let scan = try Scan.text(text)
            let isRead = scan.found.contains { $0.app == .missing }
            #expect(isRead || !scan.summary.unread.isEmpty || !scan.summary.faults.isEmpty, "\(text)")
        }
    }

    /// The entries' own text may say what it likes.
    @Test func clientsHoldNothingUp() throws {
        for said in [
            "MISSING VALID", "callable-request-verification", #"{\"app\":\"MISSING\"}"#, "eyJpbnNlcnRJZCI6IjY4",
        ] {
            let scan = try Scan.text(HiddenRequestTests.passed + "\n" + EntryText.application(said).text + "\n")
            #expect(scan.summary.unread.isEmpty)
        }
    }
}
