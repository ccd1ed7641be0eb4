/// Writes the bodies of Pub/Sub's push requests, one a line.
///
/// ```
/// {"message":{"attributes":{…},"data":"eyJpbnNlcnRJZCI6…","messageId":"115…","publishTime":"…"},"subscription":"…"}
/// ```
///
/// Source: <https://cloud.google.com/pubsub/docs/push>.
struct PubSubPushWriter: TransportWriter {
    var message: PubSubMessage

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        bytes.append(#"{"message":"#)
        message.append(entry, to: &bytes)
        bytes.append(#","subscription":"projects/demo-prod/subscriptions/callcheck"}"#)
        bytes.append(0x0A)
        return 1
    }
}
