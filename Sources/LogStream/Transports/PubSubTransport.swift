/// Finds the entry in a Pub/Sub message: a push envelope, an element of what a pull returns, or a message by itself.
///
/// ```
/// {"message":{"data":"eyJpbnNlcnRJZCI6…","messageId":"115…","publishTime":"2025-08-25T13:32:05Z"},"subscription":"…"}
/// {"ackId":"RVNEUAY…","message":{"attributes":{"logging.googleapis.com/timestamp":"…"},"data":"eyJpbnNlcnRJZCI6…"}}
/// {"data":"eyJpbnNlcnRJZCI6…","attributes":{…},"messageId":"115…","publishTime":"2025-08-25T13:32:05Z"}
/// {"specversion":"1.0","type":"google.cloud.pubsub.topic.v1.messagePublished","data":{"message":{"data":"eyJpbn…"}}}
/// ```
///
/// Sources: <https://cloud.google.com/pubsub/docs/reference/rest/v1/PubsubMessage>, and for the last one, as Eventarc
/// delivers it, <https://github.com/cloudevents/spec>. `data` is base64, standard or URL-safe, padded or not; some
/// tools have decoded it to an object already; the bytes may be gzipped. A `message` that is text makes the record a
/// line of the SDK instead.
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
            default: if try !readStamp(name) { try scanner.skipValue() }
            }
        }
        if data.kind == .string { try readInnerEntry(in: scratch.text(of: data)) }
    }

    /// Reads a field that a message has at its top when no envelope stands around it.
    ///
    /// - Returns: False, without moving, when the name is none of theirs.
    mutating func readMessageField(_ name: RawText) throws(JSONFailure) -> Bool {
        guard !isInMessage else { return false }
        switch name.count {
        case 4 where name == "data":
            fields.message.bareDataStart = scanner.position
            fields.message.bareData = try scanner.value()
            return true
        case 9 where name == "messageId", 10 where name == "message_id", 11 where name == "specversion":
            fields.message.isBare = true
            return false
        default:
            guard try readStamp(name) else { return false }
            fields.message.isBare = true
            return true
        }
    }

    /// Reads the data of a message by itself, once everything else at its top is known.
    mutating func readBareMessage() throws(JSONFailure) {
        let data = fields.message.bareData
        guard fields.logName.isAbsent, fields.insertId.isAbsent else { return }
        if data.kind == .string {
            let text = scratch.text(of: data)
            // An application's own line may have such a key, with anything in it.
            if PubSub.isEntry(text, into: scratch) { try readInnerEntry(in: text) }
        } else if data.kind == .other {
            let outer = scanner
            scanner.rewind(to: fields.message.bareDataStart)
            // Either the entry, or a message once more.
            if try scanner.openObject() { try readLogEntry() }
            scanner = outer
        }
    }

    /// Reads what a message says about time.
    private mutating func readStamp(_ name: RawText) throws(JSONFailure) -> Bool {
        switch name.count {
        case 10 where name == "attributes": try readAttributes()
        case 11 where name == "publishTime", 12 where name == "publish_time":
            fields.message.publishTime = try scanner.value()
        default: return false
        }
        return true
    }

    private mutating func readAttributes() throws(JSONFailure) {
        guard let outer = try enterObject() else { return }
        var isFirst = true
        while let key = try scanner.nextKey(&isFirst) {
            if scratch.text(of: key) == "logging.googleapis.com/timestamp" {
                fields.message.entryTime = try scanner.value()
            } else {
                try scanner.skipValue()
            }
        }
        try leaveObject(to: outer)
    }

    /// Reads the entry that a message's data spells.
    private mutating func readInnerEntry(in data: RawText) throws(JSONFailure) {
        // Some tools leave JSON text where base64 was.
        guard var bytes = data.hasPrefix("{") ? data : Base64.decode(data, into: scratch) else {
            throw JSONFailure(cause: .dataNotBase64)
        }
        if PubSub.isGzip(bytes) { bytes = try inflated(bytes) }
        hiddenText = bytes
        let outer = scanner
        scanner = JSONScanner(JSONCursor(bytes))
        if try scanner.openObject() {
            try readInnerEntry()
            guard scanner.isAtEnd() else { throw JSONFailure() }
        } else if !bytes.hasPrefix("\""), Marker.shows(in: bytes) {
            // One message is one entry: what else shows a verification here must not go unseen, but for a mere string.
            throw JSONFailure(cause: .dataNotEntry)
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
        guard length <= longestInner else { throw JSONFailure(cause: .dataTooLong) }
        var inflater = Inflater(windowBits: Inflater.gzipWindowBits)
        var isWhole = false
        let plain = unsafe scratch.fill(capacity: length + 1) { room in
            // One byte more than the trailer promises, so that a longer member is noticed.
            let (_, written, step) = unsafe inflater.inflate(from: data.buffer, into: room)
            isWhole = step == .finished
            return written
        }
        guard isWhole else { throw JSONFailure(cause: .dataNotGzip) }
        return plain
    }
}

/// What messages look like.
enum PubSub {
    /// How long a message's data may be when it is unpacked.
    ///
    /// A log entry has at most 256 KiB (<https://cloud.google.com/logging/quotas>), and gzip can make a thousand bytes
    /// out of one.
    static let longestEntry = 1 << 20

    /// True for the keys at a message's top, but for `message`, which an SDK's line has as well.
    static func isKey(_ key: RawText) -> Bool {
        switch key.count {
        case 4: key == "data"
        case 5: key == "ackId"
        case 6: key == "ack_id"
        case 9: key == "messageId"
        case 10: key == "attributes" || key == "message_id"
        case 11: key == "publishTime" || key == "orderingKey" || key == "specversion"
        case 12: key == "subscription" || key == "publish_time" || key == "ordering_key"
        case 15: key == "deliveryAttempt"
        case 16: key == "delivery_attempt"
        default: false
        }
    }

    /// True when the first record of a source is a message, in whatever order its keys come.
    ///
    /// What a message says is hidden in base64, so that no search finds it: each record of such a source is parsed.
    static func isIn(_ sample: Sample) -> Bool {
        let record = sample.firstObject
        var scanner = JSONScanner(JSONCursor(record))
        do throws(JSONFailure) {
            guard try scanner.openObject() else { return false }
            var isFirst = true
            while let key = try scanner.nextKey(&isFirst) {
                if isKey(key.text) || key.text == "receivedMessages" { return true }
                if key.text == "message", try scanner.openObject() { return true }
                try scanner.skipValue()
            }
        } catch {}
        return false
    }

    /// True for data that starts as an entry does, compressed or not.
    static func isEntry(_ data: RawText, into scratch: TextScratch) -> Bool {
        if data.hasPrefix("{") { return true }
        guard let start = Base64.decode(data.cut(0..<min(data.count, 8)), into: scratch) else { return false }
        return start.hasPrefix("{") || isGzip(start)
    }

    static func isGzip(_ data: RawText) -> Bool {
        data.count > 1 && data[0] == 0x1F && data[1] == 0x8B
    }
}
