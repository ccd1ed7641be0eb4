import Testing
import Verifications

@testable import LogStream

/// Every key in its three uses: reading, telling what a record is, and finding a record after damage.
///
/// The keys are listed here once more, so that one that is missing from its table fails.
@Suite struct RecordKeysTests {
    private static let unread: Set<String> = [
        "protoPayload", "proto_payload", "protopayload_auditlog", "receiveLocation", "httpRequest", "http_request",
        "traceSampled", "trace_sampled", "operation", "sourceLocation", "source_location", "errorGroups", "split",
        "log_id", "messageId", "message_id", "specversion", "ackId", "ack_id", "subscription",
        "deliveryAttempt", "delivery_attempt", "orderingKey", "ordering_key",
    ]
    static let ofEntries = [
        "insertId", "insert_id", "logName", "log_name", "jsonPayload", "json_payload", "textPayload", "text_payload",
        "timestamp", "receiveTimestamp", "receive_timestamp", "severity", "resource", "labels", "trace",
        "logging.googleapis.com/trace", "spanId", "span_id", "logging.googleapis.com/spanId", "message",
        "verifications", "logging.googleapis.com/labels", "logging_googleapis_com_labels", "protoPayload",
        "proto_payload", "protopayload_auditlog", "receiveLocation", "httpRequest", "http_request", "traceSampled",
        "trace_sampled", "operation", "sourceLocation", "source_location", "errorGroups", "split", "metadata", "log_id",
    ]
    static let ofMessages = [
        "data", "attributes", "publishTime", "publish_time", "messageId", "message_id", "specversion", "ackId",
        "ack_id", "subscription", "deliveryAttempt", "delivery_attempt", "orderingKey", "ordering_key",
    ]
    static let ofPages = ["entries", "receivedMessages", "nextPageToken", "suppressionInfo", "status"]

    private static let entriesOnly: Set<String> = [
        "insertId", "insert_id", "logName", "log_name", "jsonPayload", "json_payload", "textPayload", "text_payload",
        "receiveTimestamp", "receive_timestamp", "protoPayload", "proto_payload",
        "protopayload_auditlog", "ackId",
    ]
    private static let ofAnyObject: Set<String> = [
        "logging.googleapis.com/spanId", "logging_googleapis_com_labels", "data", "attributes", "publishTime",
        "publish_time", "messageId", "message_id", "specversion", "ack_id", "delivery_attempt", "orderingKey",
        "ordering_key", "status",
    ]

    @Test func tables() {
        #expect(spellings(of: EntryKey.self) == RecordKeysTests.ofEntries.sorted())
        #expect(spellings(of: MessageKey.self) == RecordKeysTests.ofMessages.sorted())
        #expect(spellings(of: PageKey.self) == RecordKeysTests.ofPages.sorted())
    }

    @Test(arguments: ofEntries + ofMessages)
    func reading(key: String) throws {
        let object = #"{"firebase-log-type":"a","type":"b","message":"c","app":"d","insertId":"e"}"#
        let times = #"{"logging.googleapis.com/timestamp":"2026-10-14T23:59:58Z"}"#
        let counts = try [#""text""#, object, times].map { value in
            // What makes the record a message is one value by itself.
            try valuesRead(in: #"{"messageId":"1","\#(key)":\#(value)}"#)
        }
        #expect(counts.contains { $0 > 0 } == !RecordKeysTests.unread.contains(key))
    }

    @Test(arguments: ofMessages)
    func readingInEnvelope(key: String) throws {
        let values = [#""text""#, #"{"insertId":"e"}"#, #"{"logging.googleapis.com/timestamp":"text"}"#]
        let counts = values.map { try? valuesRead(in: #"{"message":{"\#(key)":\#($0)}}"#) }
        #expect(counts.contains { $0 ?? 0 > 0 } == !RecordKeysTests.unread.contains(key))
    }

    @Test(arguments: ofEntries + ofMessages + ofPages)
    func opening(key: String) {
        withText(Array(#"{"\#(key)":{}}"#.utf8)) { text in
            switch RecordOpening(text) {
            case .entry: #expect(RecordKeysTests.ofEntries.contains(key) && key != "message")
            case .message: #expect(RecordKeysTests.ofMessages.contains(key) || key == "message")
            case .page: #expect(RecordKeysTests.ofPages.contains(key))
            case .array, .emptyArray, .brace, .errorAnswer: Issue.record("an object is none of these")
            }
        }
    }

    @Test(arguments: ofEntries + ofMessages + ofPages)
    func afterDamage(key: String) {
        // With a reader of counts, which have no such keys, nothing that is found is left out.
        let scan = Scan.pieces([Array(#"[lost {"\#(key)":1},{"x":2}]"#.utf8)], container: .values)
        // A page without entries is not a record.
        let objects = ["nextPageToken", "suppressionInfo"].contains(key) ? 1 : 2
        #expect(scan.summary.records == (RecordKeysTests.ofAnyObject.contains(key) ? 1 : 1 + objects))
        withText(Array(#"[{"\#(key)":1}]"#.utf8)) { text in
            let isPage = text.holdsEntry(inArrayAt: 0)
            #expect(isPage == RecordKeysTests.entriesOnly.contains(key))
        }
    }

    private func spellings<Key: RecordKey>(of table: Key.Type) -> [String] {
        var spellings: [String] = []
        _ = Key.first { spelling, _ in
            spellings.append("\(spelling)")
            return false
        }
        return spellings.sorted()
    }

    /// How many of an entry's fields a record has filled.
    private func valuesRead(in record: String) throws -> Int {
        try withText(Array(record.utf8)) { text in
            var reader = EntryReader(JSONCursor(text), scratch: TextScratch(), longestInner: 1 << 20)
            try reader.readValue()
            return present(in: reader.fields)
        }
    }

    private func present(in value: Any) -> Int {
        if let value = value as? JSONValue { return value.kind == .absent ? 0 : 1 }
        if value is RawText { return 0 }
        return Mirror(reflecting: value).children.reduce(0) { $0 + present(in: $1.value) }
    }
}
