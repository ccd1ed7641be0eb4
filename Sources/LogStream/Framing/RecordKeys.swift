/// Keys that stand at the top of a record, in any transport.
enum RecordKeys {
    private static let keys: [StaticString] = [
        "insertId", "logName", "jsonPayload", "textPayload", "protoPayload", "labels", "resource", "timestamp",
        "receiveTimestamp", "receiveLocation", "severity", "httpRequest", "trace", "traceSampled", "spanId",
        "operation", "sourceLocation", "errorGroups", "split", "metadata", "payload", "message", "verifications",
        "logging.googleapis.com/labels", "logging.googleapis.com/trace", "entries", "receivedMessages", "ackId",
        "deliveryAttempt", "subscription", "nextPageToken", "suppressionInfo", "insert_id", "log_name", "log_id",
        "json_payload", "text_payload", "proto_payload", "receive_timestamp", "http_request", "span_id",
        "trace_sampled", "source_location",
    ]

    /// Those that stand nowhere else: an array whose first object begins with one is a page, whatever its key is.
    private static let entryKeys: [StaticString] = [
        "insertId", "logName", "jsonPayload", "textPayload", "protoPayload", "receiveTimestamp", "insert_id",
        "log_name", "json_payload", "text_payload", "proto_payload", "receive_timestamp", "ackId",
    ]

    static func areOnlyInEntries(_ key: RawText) -> Bool {
        entryKeys.contains { key == $0 }
    }

    static func contains(_ key: RawText) -> Bool {
        keys.contains { key == $0 }
    }
}
