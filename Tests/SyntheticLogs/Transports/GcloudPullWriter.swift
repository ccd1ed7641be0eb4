/// Writes what `gcloud pubsub subscriptions pull --format=json` prints.
///
/// ```
/// [
///   {
///     "ackId": "RVNEUAY…",
///     "deliveryAttempt": 1,
///     "message": {
///       "attributes": {
///         "logging.googleapis.com/timestamp": "2026-10-14T13:32:04.715384Z"
///       },
///       "data": "eyJpbnNlcnRJZCI6…",
///       "messageId": "115…",
///       "publishTime": "2026-10-14T13:32:05.201Z"
///     }
///   }
/// ]
/// ```
///
/// `deliveryAttempt` is there when the subscription has a dead-letter topic.
struct GcloudPullWriter: TransportWriter {
    private var message: PubSubMessage
    private var outline = JSONOutline()
    private var frame = ArrayFrame(isIndented: true, ending: .bracketAndLineFeed)

    init(message: PubSubMessage) {
        self.message = message
    }

    mutating func begin(_ bytes: inout [UInt8]) {
        frame.begin(&bytes)
    }

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        outline.replace { text in
            text.append(#"{"ackId":"RVNEUAY"#)
            text.append(hexadecimal: entry.insertID.low, digits: 16)
            text.append(#"","#)
            if entry.insertID.high & 1 == 1 { text.append(#""deliveryAttempt":1,"#) }
            text.append(#""message":"#)
            message.append(entry, to: &text)
            text.append("}")
        }
        frame.beginElement(&bytes)
        JSONLayout.gcloud.append(of: outline, depth: 1, to: &bytes)
        return 1
    }

    mutating func end(_ bytes: inout [UInt8]) {
        frame.end(&bytes)
    }
}
