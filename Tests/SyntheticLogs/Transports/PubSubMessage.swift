import Verifications

/// Writes a Pub/Sub message that carries an entry.
///
/// ```
/// {"attributes":{"logging.googleapis.com/timestamp":"2026-10-14T13:32:04.715384Z"},"data":"eyJpbnNlcnRJZCI6…",
///  "messageId":"115…","publishTime":"2026-10-14T13:32:05.201Z"}
/// ```
///
/// `data` is base64 of the entry: standard or URL-safe, padded or not, of its text or of its gzipped text. Some tools
/// have decoded it to an object already. All of these occur, as the bits of an entry's `insertId` have it.
/// Source: <https://cloud.google.com/pubsub/docs/reference/rest/v1/PubsubMessage>.
struct PubSubMessage {
    let entries: LineWriter
    private var text: [UInt8] = []

    init(entries: LineWriter) {
        self.entries = entries
    }

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) {
        bytes.append("{")
        if let time = entry.timestamp {
            bytes.append(#""attributes":{"logging.googleapis.com/timestamp":""#)
            bytes.append(time)
            bytes.append(#""},"#)
        }
        bytes.append(#""data":"#)
        appendData(of: entry, to: &bytes)
        bytes.append(#","messageId":"1"#)
        bytes.append(decimal: entry.insertID.low >> 12, digits: 16)
        bytes.append(#"","publishTime":""#)
        bytes.append(entry.publishedAt)
        bytes.append(#""}"#)
    }

    private mutating func appendData(of entry: LogEntry, to bytes: inout [UInt8]) {
        let form = entry.insertID.low >> 20 & 7
        guard form != 0 else { return entries.appendObject(entry, to: &bytes) }
        text.removeAll(keepingCapacity: true)
        entries.appendObject(entry, to: &text)
        if form >= 6 { text = StoredGzip.member(text) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(base64: text, isURLSafe: form.isMultiple(of: 2), isPadded: form < 4)
        bytes.append(UInt8(ascii: "\""))
    }
}

extension LogEntry {
    /// When Pub/Sub took the entry on; a copy comes by another sink, a minute later.
    var publishedAt: Instant {
        let later = deliveredAt.adding(seconds: isCopy ? 60 : 0)
        return Instant(seconds: later.seconds, nanoseconds: later.nanoseconds / 1_000_000 * 1_000_000)
    }
}
