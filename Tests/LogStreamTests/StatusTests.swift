import TestSupport
import Testing
import Verifications

@testable import LogStream

/// What makes a record a verification, and which statuses it has.
@Suite struct StatusTests {
    private static let mark = #"{"firebase-log-type":"callable-request-verification"}"#
    private static let bare = EntryText.first().with("labels", nil).with("jsonPayload", nil)
    private static let verifications = #"{"app":"INVALID","auth":"MISSING"}"#

    // MARK: The label

    @Test(arguments: [
        bare.with("labels", mark).with("jsonPayload", #"{"verifications":\#(verifications)}"#),
        bare.with("logging.googleapis.com/labels", mark).with("jsonPayload", #"{"verifications":\#(verifications)}"#),
        bare.with("jsonPayload", #"{"verifications":\#(verifications),"logging.googleapis.com/labels":\#(mark)}"#),
        bare.with("logging.googleapis.com/labels", mark).with("verifications", verifications),
        bare.with("labels", mark).with("verifications", verifications),
        // The escaped slash is the same key.
        EntryText([("logging.googleapis.com\\/labels", mark), ("verifications", verifications)]),
    ])
    func labelAtEachOfItsPlaces(entry: EntryText) {
        #expect(Extraction(entry).statuses == "INVALID/MISSING")
        #expect(Extraction(EntryText(entry.members.reversed())).statuses == "INVALID/MISSING")
    }

    @Test(arguments: [
        bare, bare.with("labels", "{}"), bare.with("labels", #"{"firebase-log-type":"other"}"#),
        bare.with("labels", #"{"firebase-log-type":"callable-request-verification "}"#),
        bare.with("labels", #"{"firebase-log-type":"Callable-request-verification"}"#),
        bare.with("labels", #"{"firebase-log-type":["callable-request-verification"]}"#),
        bare.with("labels", #"{"firebase-log-type":{"a":"callable-request-verification"}}"#),
        bare.with("labels", #"{"a":{"firebase-log-type":"callable-request-verification"}}"#),
        bare.with("labels", #"{"callable-request-verification":"firebase-log-type"}"#),
        bare.with("labels", #"["firebase-log-type","callable-request-verification"]"#),
        bare.with("labels", #"[{"firebase-log-type":"callable-request-verification"}]"#),
        bare.with("labels", #""callable-request-verification""#), bare.with("Labels", mark), bare.with("x", mark),
        bare.with("jsonPayload", #"{"labels":\#(mark),"verifications":\#(verifications)}"#),
        bare.with("resource", #"{"labels":\#(mark)}"#),
        bare.with("firebase-log-type", #""callable-request-verification""#),
        bare.with("textPayload", #""{\"firebase-log-type\":\"callable-request-verification\"}""#),
        bare.with("jsonPayload", #"{"verifications":\#(verifications)}"#),
    ])
    func markerWhereItMeansNothing(entry: EntryText) {
        #expect(Extraction(entry) == .notVerification)
    }

    // MARK: The SDK's message

    @Test(arguments: [
        ("Callable request verification failed", true),
        ("Callable request verification failed: AppCheck token was rejected. Auth token was rejected.", true),
        ("Callable request verification passed ", false), ("Callable request verification", false),
        ("Callable request verification started", false), ("Callable request verificationpassed", false),
        ("callable request verification passed", false), (" Callable request verification passed", false),
        ("Callable header verifications passed.", true), ("callable header verifications passed.", false), ("", false),
    ])
    func messageBesideStatuses(message: String, isVerification: Bool) {
        let members = #""message":"\#(message)","verifications":\#(StatusTests.verifications)"#
        for entry in [StatusTests.bare.with("jsonPayload", "{\(members)}").text, #"{"severity":"INFO",\#(members)}"#] {
            #expect(Extraction(entry).statuses == (isVerification ? "INVALID/MISSING" : nil))
            #expect((Extraction(entry) == .notVerification) == !isVerification)
        }
        // A payload by itself may be a cell of a row, which must not count twice.
        #expect(Extraction("{\(members)}") == .notVerification)
    }

    @Test(arguments: ["{}", "null", "[]", #""VALID""#, #"{"app":null,"auth":null}"#, #"{"other":"VALID"}"#])
    func messageWithoutStatusesIsNoVerification(verifications: String) {
        let members = #""message":"Callable request verification passed","verifications":\#(verifications)"#
        #expect(Extraction(StatusTests.bare.with("jsonPayload", "{\(members)}")) == .notVerification)
        #expect(Extraction("{\(members)}") == .notVerification)
    }

    @Test func messageThatIsNoString() {
        for message in ["7", "null", "{}", #"["Callable request verification passed"]"#] {
            let payload = #"{"message":\#(message),"verifications":\#(StatusTests.verifications)}"#
            #expect(Extraction(StatusTests.bare.with("jsonPayload", payload)) == .notVerification)
        }
    }

    // MARK: Statuses

    @Test(
        arguments: [
            (#"{"app":"VALID","auth":"VALID"}"#, "VALID/VALID"),
            (#"{"auth":"INVALID","app":"MISSING"}"#, "MISSING/INVALID"),
            (#"{"appCheck":"MISSING","auth":"VALID"}"#, "MISSING/VALID"), (#"{"app":"VALID"}"#, "VALID/OTHER"),
            (#"{"auth":"VALID"}"#, "OTHER/VALID"), (#"{"appCheck":"INVALID"}"#, "INVALID/OTHER"),
            (#"{"app":"VALID","appCheck":"MISSING","auth":"VALID"}"#, "VALID/VALID"),
            (#"{"appCheck":"MISSING","app":"INVALID","auth":"VALID"}"#, "INVALID/VALID"),
            (#"{"app":"UNKNOWN","appCheck":"VALID","auth":"VALID"}"#, "OTHER/VALID"),
            (#"{"app":7,"appCheck":"VALID","auth":"VALID"}"#, "OTHER/VALID"),
            (#"{"app":null,"appCheck":"VALID","auth":"VALID"}"#, "VALID/VALID"),
            (#"{"app":"valid","auth":"Valid"}"#, "OTHER/OTHER"), (#"{"app":" VALID","auth":"VALID "}"#, "OTHER/OTHER"),
            (#"{"app":"","auth":""}"#, "OTHER/OTHER"), (#"{"app":{},"auth":[]}"#, "OTHER/OTHER"),
            (#"{"app":true,"auth":0}"#, "OTHER/OTHER"), (#"{"app":["VALID"],"auth":{"a":"VALID"}}"#, "OTHER/OTHER"),
            (#"{"app":"V\u0041LID","auth":"\u004d\u0049SSING"}"#, "VALID/MISSING"),
            (#"{"\u0061pp":"INVALID","a\u0075th":"VALID"}"#, "INVALID/VALID"),
            (#"{"app":"\ud800","auth":"VALID"}"#, "OTHER/VALID"),
            ("{}", nil), ("null", nil), ("[]", nil), ("7", nil), (#""VALID""#, nil), (#"[{"app":"VALID"}]"#, nil),
        ] as [(String, String?)])
    func statuses(verifications: String, expected: String?) {
        let labelled = StatusTests.bare.with("labels", StatusTests.mark)
        #expect(Extraction(labelled.with("jsonPayload", #"{"verifications":\#(verifications)}"#)).statuses == expected)
        #expect(Extraction(labelled.with("verifications", verifications)).statuses == expected)
    }

    @Test(arguments: [nil, "null", "{}", "[]", "7", #""text""#, #"{"message":"Callable request verification passed"}"#])
    func labelWithoutStatuses(payload: String?) {
        let entry = StatusTests.bare.with("labels", StatusTests.mark).with("jsonPayload", payload)
        let scan = Scan.pieces([Array(entry.text.utf8)])
        #expect(scan.found.isEmpty)
        #expect(scan.kinds == [.noStatuses])
        #expect(scan.summary.unread.total == 1)
        #expect(scan.summary.records == 1)
    }

    /// An export may have left out the labels as well.
    @Test func messageAlone() {
        let passed = StatusTests.bare.with("jsonPayload", #"{"message":"Callable request verification passed"}"#)
        #expect(Scan.pieces([Array(passed.with("labels", nil).text.utf8)]).kinds == [.noStatuses])
    }

    /// A data frame may have left out the SDK's label and the statuses alone.
    ///
    /// Next to a labelled verification, and on standard error, such an entry is an application's.
    @Test func messageNextToOtherLabels() throws {
        let stripped = StatusTests.bare.with("jsonPayload", #"{"message":"Callable request verification passed"}"#)
            .with("labels", #"{"execution_id":"a"}"#)
        let alone = try Scan.text(stripped.text + "\n" + stripped.text)
        #expect(alone.kinds == [.noStatuses])
        #expect(alone.summary.unread.total == 2)
        #expect(alone.summary.records == 2)
        let whole = EntryText.second().text
        for lines in [[whole, stripped.text], [stripped.text, whole]] {
            let scan = try Scan.text(lines.joined(separator: "\n"))
            #expect(scan.kinds == [])
            #expect(scan.found.count == 1)
            #expect(scan.summary.unread.total == 0)
        }
        let onError = stripped.with("logName", #""projects/demo/logs/run.googleapis.com%2Fstderr""#)
        #expect(try Scan.text(onError.text).kinds == [])
        let other = stripped.with("jsonPayload", #"{"message":"Callable request verification passed."}"#)
        #expect(try Scan.text(other.text).kinds == [])
    }

    /// If statuses are in both places, the payload's count, unless it has none.
    @Test func statusesAtBothPlaces() {
        let entry = StatusTests.bare.with("labels", StatusTests.mark).with("verifications", StatusTests.verifications)
        #expect(Extraction(entry.with("jsonPayload", #"{"verifications":{"app":"VALID"}}"#)).statuses == "VALID/OTHER")
        #expect(Extraction(entry.with("jsonPayload", #"{"verifications":{}}"#)).statuses == "INVALID/MISSING")
    }

    @Test(
        arguments: [
            (#""DEBUG""#, .debug), (#""INFO""#, .info), (#""WARNING""#, .other), (#""\u0044EBUG""#, .debug),
            // As Google's libraries number them.
            ("100", .debug), ("200.0", .info), (#""200""#, .info), ("400", .other), ("0", .other),
            // None of them.
            (#""debug""#, []), (#""""#, []), ("null", []), ("900", []), ("-100", []), ("{}", []), (#""1e2""#, []),
        ] as [(String, PassSeverity)])
    func severity(value: String, expected: PassSeverity) {
        #expect(Extraction(EntryText.first().with("severity", value)).found?.severity == expected)
    }

    // MARK: Repeated keys: the last value counts, whole

    @Test(arguments: [
        (EntryText.first().adding("labels", "{}").with("jsonPayload", nil), nil),
        (EntryText.first().adding("labels", "null").with("jsonPayload", nil), nil),
        (EntryText.first().adding(#"l\u0061bels"#, "7").with("jsonPayload", nil), nil),
        (EntryText.first().adding("labels", mark), "VALID/VALID"),
        (EntryText.first().adding("jsonPayload", #"{"verifications":{"app":"MISSING"}}"#), "MISSING/OTHER"),
        (EntryText.first().adding("jsonPayload", "{}"), nil), (EntryText.first().adding("jsonPayload", "null"), nil),
        (bare.with("labels", "{}").adding("labels", mark).with("verifications", verifications), "INVALID/MISSING"),
        (bare.with("labels", #"{"firebase-log-type":"callable-request-verification","firebase-log-type":"x"}"#), nil),
        (
            bare.with("labels", #"{"firebase-log-type":"x","firebase-log-typ\u0065":"callable-request-verification"}"#)
                .with("verifications", verifications), "INVALID/MISSING"
        ),
        (
            bare.with("labels", mark).with(
                "jsonPayload", #"{"verifications":{"app":"VALID","auth":"VALID"},"verifications":{"auth":"MISSING"}}"#),
            "OTHER/MISSING"
        ),
        (
            bare.with("labels", mark).with("verifications", #"{"app":"VALID","app":"INVALID","app":"MISSING"}"#),
            "MISSING/OTHER"
        ),
        (bare.with("labels", mark).with("verifications", #"{"app":"VALID","app":null}"#), nil),
        (
            EntryText.first().adding("logging.googleapis.com/labels", mark).adding(
                "logging.googleapis.com/labels", "{}"
            )
            .with("labels", "{}").with("jsonPayload", "{}"), nil
        ),
    ])
    func repeatedKeys(entry: EntryText, expected: String?) {
        #expect(Extraction(entry).statuses == expected)
    }

    @Test func repeatedResource() {
        let entry = EntryText.first().adding("resource", #"{"labels":{"service_name":"s"}}"#)
        #expect(Extraction(entry).identity == identity("demo/-/s", .second))
        let labels = #"{"type":"cloud_function","labels":{"function_name":"f","region":"r"},"labels":{"region":"x"}}"#
        #expect(Extraction(EntryText.first().with("resource", labels)).identity == identity("demo/x/-", .first))
        #expect(Extraction(EntryText.first().adding("resource", "null")).identity == identity("demo/-/-", nil))
    }
}
