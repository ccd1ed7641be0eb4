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
        guard data.kind == .string, var bytes = Base64.decode(scratch.text(of: data), into: scratch) else { return }
        if let plain = inflated(bytes) { bytes = plain }
        guard bytes.count > 0, bytes[0] == UInt8(ascii: "{") else { return }
        hiddenText = bytes
        let outer = scanner
        // Safe: what the scratch holds has slack behind it.
        scanner = JSONScanner(unsafe JSONCursor(base: bytes.start, count: bytes.count))
        guard try scanner.openObject() else { return scanner = outer }
        try readInnerEntry()
        guard scanner.isAtEnd() else { throw JSONFailure() }
        scanner = outer
    }

    private mutating func readInnerEntry() throws(JSONFailure) {
        // An entry has no messages in it: one level is all there is to undo.
        isInMessage = true
        try readLogEntry()
        isInMessage = false
    }

    /// The plain bytes of gzipped data; nil when it is not gzipped, broken, or larger than a record may be.
    private func inflated(_ data: RawText) -> RawText? {
        guard data.count > 18, data[0] == 0x1F, data[1] == 0x8B else { return nil }
        let length = (1...4).reduce(0) { $0 << 8 | Int(data[data.count - $1]) }
        guard length <= longestInner else { return nil }
        var inflater = Inflater(windowBits: Inflater.gzipWindowBits)
        var isWhole = false
        let plain = unsafe scratch.fill(capacity: length + 1) { room in
            // One byte more than the trailer promises, so that a longer member is noticed.
            let input = unsafe UnsafeBufferPointer(start: data.start, count: data.count)
            let (_, written, step) = unsafe inflater.inflate(from: input, into: room)
            isWhole = step == .finished
            return written
        }
        return isWhole ? plain : nil
    }
}
