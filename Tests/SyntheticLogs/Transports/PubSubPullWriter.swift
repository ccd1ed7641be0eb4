/// Writes the answers of Pub/Sub's REST pull, one behind the other; one that found nothing is `{}`.
///
/// ```
/// {
///   "receivedMessages": [
///     {
///       "ackId": "RVNEUAY0",
///       "message": {
///         "attributes": {
///           "logging.googleapis.com/timestamp": "2026-10-14T13:32:04.715384Z"
///         },
///         "data": "eyJpbnNlcnRJZCI6…",
/// …
///   ]
/// }
/// {}
/// ```
///
/// Source: <https://cloud.google.com/pubsub/docs/reference/rest/v1/projects.subscriptions/pull>.
struct PubSubPullWriter: TransportWriter {
    private var message: PubSubMessage
    private var outline = JSONOutline()
    private var messagesInAnswer = 0
    private var answers = 0

    init(message: PubSubMessage) {
        self.message = message
    }

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        outline.replace { text in
            text.append(#"{"ackId":"RVNEUAY"#)
            text.append(hexadecimal: entry.insertID.low, digits: 16)
            text.append(#"","message":"#)
            message.append(entry, to: &text)
            text.append("}")
        }
        bytes.append(messagesInAnswer == 0 ? "{\n  \"receivedMessages\": [" : ",")
        JSONLayout.breakLine(depth: 2, &bytes)
        JSONLayout.indented.append(of: outline, depth: 2, to: &bytes)
        messagesInAnswer += 1
        if messagesInAnswer == 10 + answers % 4 * 30 { endAnswer(&bytes) }
        return 1
    }

    mutating func end(_ bytes: inout [UInt8]) {
        if messagesInAnswer > 0 { endAnswer(&bytes) }
        bytes.append("{}\n")
    }

    private mutating func endAnswer(_ bytes: inout [UInt8]) {
        bytes.append("\n  ]\n}\n")
        answers += 1
        messagesInAnswer = 0
        if answers % 5 == 0 { bytes.append("{}\n") }
    }
}
