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
    mutating func readMessage() throws(JSONFailure) {
        guard !isInMessage, try scanner.openObject() else {
            fields.line.message = try scanner.value()
            return
        }
        var data = JSONValue.absent
        var isFirst = true
        while let key = try scanner.nextKey(&isFirst) {
            switch MessageKey(scratch.text(of: key)) {
            case .data:
                let start = scanner.position
                if try scanner.openObject() { try readInnerEntry() } else { data = try scanner.value() }
                // Somebody has decoded it: one entry, or what wraps several.
                if data.kind == .other || data.isAbsent { decodedText = scanner.cursor.text(from: start) }
            case .attributes: try readAttributes()
            case .publishTime: fields.message.publishTime = try scanner.value()
            case .identifier, .unread, nil: try scanner.skipValue()
            }
        }
        if data.kind == .string { try readInnerEntry(in: scratch.text(of: data)) }
        if data.kind == .other, Marker.shows(in: decodedText) { throw JSONFailure(cause: .dataNotEntry) }
    }

    /// Reads a field that a message has at its top if it has no envelope.
    ///
    /// - Returns: False, without moving, when nothing is read of it.
    mutating func readMessageField(_ name: RawText) throws(JSONFailure) -> Bool {
        guard !isInMessage else { return false }
        switch MessageKey(name) {
        case .data:
            fields.message.bareDataStart = scanner.position
            fields.message.bareData = try scanner.value()
            return true
        case .attributes: try readAttributes()
        case .publishTime: fields.message.publishTime = try scanner.value()
        case .identifier:
            fields.message.isBare = true
            return false
        case .unread, nil: return false
        }
        fields.message.isBare = true
        return true
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

    private mutating func readAttributes() throws(JSONFailure) {
        try readMembers { (reader, name) throws(JSONFailure) in
            switch name {
            case "logging.googleapis.com/timestamp": reader.fields.message.entryTime = try reader.scanner.value()
            default: try reader.scanner.skipValue()
            }
        }
    }

    private mutating func readInnerEntry(in data: RawText) throws(JSONFailure) {
        // Some tools leave JSON text where base64 was.
        guard var bytes = data.hasPrefix("{") ? data : Base64.decode(data, into: scratch) else {
            throw JSONFailure(cause: .dataNotBase64)
        }
        if PubSub.isGzip(bytes) { bytes = try inflated(bytes) }
        decodedText = bytes
        let outer = scanner
        scanner = JSONScanner(JSONCursor(bytes))
        if try scanner.openObject() {
            try readInnerEntry()
            guard scanner.isAtEnd(), isEntry || !PubSub.wraps(bytes) else { throw JSONFailure(cause: .dataNotEntry) }
        } else if !bytes.hasPrefix("\""), Marker.shows(in: bytes) {
            // One message is one entry: anything else with a verification must be seen here, except a mere string.
            throw JSONFailure(cause: .dataNotEntry)
        } else if PubSub.isHidden(bytes) {
            throw JSONFailure(cause: .dataNotGzip)
        }
        scanner = outer
    }

    /// Reads the members of the entry whose opening brace was just passed, in what it came in.
    mutating func readInnerEntry() throws(JSONFailure) {
        // An entry has no messages in it: one level is all there is to undo.
        isInMessage = true
        try readLogEntry()
        isInMessage = false
    }

    /// The plain bytes of one gzip member; a broken one, or one beyond the limits, is not an entry.
    private func inflated(_ data: RawText) throws(JSONFailure) -> RawText {
        let length = data.count > 18 ? (1...4).reduce(0) { $0 << 8 | Int(data[data.count - $1]) } : Int.max
        guard length <= longestInner else { throw JSONFailure(cause: .dataTooLong) }
        scratch.unpackable += PubSub.mostForEachByte * data.count
        guard length <= scratch.unpackable else { throw JSONFailure(cause: .dataTooDense) }
        scratch.unpackable -= length
        var inflater = Inflater(windowBits: Inflater.gzipWindowBits)
        var isWhole = false
        let plain = unsafe scratch.fill(capacity: length + 1) { room in
            // One byte more than the trailer promises, so that a longer member is noticed.
            let (taken, written, step) = unsafe inflater.inflate(from: data.buffer, into: room)
            isWhole = step == .finished && taken == data.count
            return written
        }
        guard isWhole else { throw JSONFailure(cause: .dataNotGzip) }
        return plain
    }
}

enum PubSub {
    /// How long a message's data may be when it is unpacked.
    ///
    /// A log entry has at most 256 KiB (<https://cloud.google.com/logging/quotas>), and gzip can make a thousand bytes
    /// out of one.
    static let longestEntry = 1 << 20

    /// The most bytes that a source's compressed data may unpack to: for each byte of it, and besides for each source.
    ///
    /// Batches of log entries have 10 to 20; thousands are possible, and would take as much more time.
    static let mostForEachByte = 32
    static let mostAtFirst = 16 << 20

    /// True when the first record of a source is a message, in any order of keys.
    ///
    /// A message's content is hidden in base64, so that no search finds it: each record of such a source is parsed.
    static func isIn(_ sample: Sample) -> Bool {
        sample.firstObject.hasMember { key, scanner in
            MessageKey(key) != nil || key == "receivedMessages" || EntryKey(key) == .message && scanner.isAtObject()
        }
    }

    /// True for data that starts as an entry does, compressed or not.
    static func isEntry(_ data: RawText, into scratch: TextScratch) -> Bool {
        if data.hasPrefix("{") { return true }
        guard let start = Base64.decode(data.cut(0..<min(data.count, 8)), into: scratch) else { return false }
        let first = start.cut((start.hasPrefix("\u{FEFF}") ? 3 : start.indexOfNonSpace(from: 0))..<start.count).first
        return first.map(\.opensContainer) ?? false || isGzip(start)
    }

    static func wraps(_ data: RawText) -> Bool {
        data.hasMember { key, scanner in key == "receivedMessages" || key == "message" && scanner.isAtObject() }
    }

    /// True for data that was encoded once more: compressed in another way than gzip's, or base64 of an entry.
    static func isHidden(_ data: RawText) -> Bool {
        let start = data.cut(0..<min(data.count, 64))
        var isBase64 = start.count == 64
        for index in 0..<start.count {
            if start[index] < 0x20, !JSONCursor.isWhitespace(start[index]) { return true }
            if isBase64, Base64.digit(start[index], &isBase64) == nil { isBase64 = false }
        }
        return isBase64
    }

    static func isGzip(_ data: RawText) -> Bool { data.count > 1 && data[0] == 0x1F && data[1] == 0x8B }
}

/// Base64 as messages carry it (RFC 4648, sections 4 and 5): both alphabets, padded or not, line breaks or not.
enum Base64 {
    static func decode(_ text: RawText, into scratch: TextScratch) -> RawText? {
        var isValid = true
        let bytes = unsafe scratch.fill(capacity: text.count / 4 * 3 + 3) { room in
            var word: UInt32 = 0
            var bits: UInt32 = 0
            var count = 0
            var index = 0
            while index < text.count, let digit = digit(text[index], &isValid) {
                index += 1
                guard digit < 64 else { continue }
                word = word << 6 | digit
                bits += 6
                if bits >= 8 {
                    bits -= 8
                    // Safe: three bytes come of four characters, and the room is as large as that.
                    unsafe room[count] = UInt8(truncatingIfNeeded: word >> bits)
                    count += 1
                }
            }
            while index < text.count {
                isValid = isValid && (text[index] == UInt8(ascii: "=") || JSONCursor.isWhitespace(text[index]))
                index += 1
            }
            return count
        }
        return isValid ? bytes : nil
    }

    /// The value of a character, 64 for white space, nil for padding and for what is not base64.
    static func digit(_ byte: UInt8, _ isValid: inout Bool) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): return UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): return UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): return 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): return 63
        case UInt8(ascii: " "), 0x09, 0x0A, 0x0D: return 64
        case UInt8(ascii: "="): return nil
        default:
            isValid = false
            return nil
        }
    }
}
