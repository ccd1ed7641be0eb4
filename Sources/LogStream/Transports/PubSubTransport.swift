/// Finds the entry in a Pub/Sub message: a push envelope, or an element of what a pull returns.
///
/// ```
/// {"message":{"data":"eyJpbnNlcnRJZCI6…","messageId":"115…","publishTime":"2025-08-25T13:32:05Z"},"subscription":"…"}
/// {"ackId":"RVNEUAY…","message":{"attributes":{…},"data":"eyJpbnNlcnRJZCI6…","publishTime":"2025-08-25T13:32:05Z"}}
/// ```
///
/// Source: <https://cloud.google.com/pubsub/docs/reference/rest/v1/PubsubMessage>. `data` is base64, standard or
/// URL-safe, padded or not; some tools have decoded it to an object already; the bytes may be gzipped. A `message` that
/// is text makes the record a line of the SDK instead.
extension EntryReader {
    /// Reads the value of `message`.
    mutating func readMessage() throws(JSONFailure) {
        guard !isInMessage, try scanner.openObject() else {
            fields.line.message = try scanner.value()
            return
        }
        var data = JSONValue.absent
        var isFirst = true
        while let key = try scanner.nextKey(&isFirst) {
            let name = scratch.text(of: key)
            switch name.count {
            case 4 where name == "data":
                if try scanner.openObject() { try readInnerEntry() } else { data = try scanner.value() }
            case 11 where name == "publishTime", 12 where name == "publish_time":
                fields.publishTime = try scanner.value()
            default: try scanner.skipValue()
            }
        }
        if data.kind == .string { try readInnerEntry(in: scratch.text(of: data)) }
    }

    /// Reads the entry that a message's data spells.
    private mutating func readInnerEntry(in data: RawText) throws(JSONFailure) {
        // Some tools leave JSON text where base64 was.
        guard var bytes = data.hasPrefix("{") ? data : Base64.decode(data, into: scratch) else { throw JSONFailure() }
        if PubSub.isGzip(bytes) { bytes = try inflated(bytes) }
        hiddenText = bytes
        let outer = scanner
        // Safe: what the scratch holds has slack behind it.
        scanner = JSONScanner(unsafe JSONCursor(base: bytes.start, count: bytes.count))
        if try scanner.openObject() {
            try readInnerEntry()
            guard scanner.isAtEnd() else { throw JSONFailure() }
        }
        scanner = outer
    }

    private mutating func readInnerEntry() throws(JSONFailure) {
        // An entry has no messages in it: one level is all there is to undo.
        isInMessage = true
        try readLogEntry()
        isInMessage = false
    }

    /// The plain bytes of one gzip member; those of a broken one, or of one beyond the limit of a record, are no entry.
    private func inflated(_ data: RawText) throws(JSONFailure) -> RawText {
        let length = data.count > 18 ? (1...4).reduce(0) { $0 << 8 | Int(data[data.count - $1]) } : Int.max
        guard length <= longestInner else { throw JSONFailure() }
        var inflater = Inflater(windowBits: Inflater.gzipWindowBits)
        var isWhole = false
        let plain = unsafe scratch.fill(capacity: length + 1) { room in
            // One byte more than the trailer promises, so that a longer member is noticed.
            let (_, written, step) = unsafe inflater.inflate(from: data.buffer, into: room)
            isWhole = step == .finished
            return written
        }
        guard isWhole else { throw JSONFailure() }
        return plain
    }
}

/// What messages look like.
enum PubSub {
    /// True for the keys at a message's top, but for `message`, which an SDK's line has as well.
    static func isKey(_ key: RawText) -> Bool {
        key == "ackId" || key == "ack_id" || key == "subscription" || key == "deliveryAttempt"
            || key == "delivery_attempt"
    }

    static func isGzip(_ data: RawText) -> Bool {
        data.count > 1 && data[0] == 0x1F && data[1] == 0x8B
    }
}
