/// The places of a key other than the top of a record.
enum KeyScope {
    /// Nowhere: after damage, an array whose first object begins with such a key is taken for one of entries.
    case entriesOnly
    /// In other objects, too, but an object that follows damage and begins with such a key is taken for a record.
    case records
    /// In too many other objects to mean anything.
    case anyObject
}

/// A table of the keys at the top of records: the only place where they are spelled.
///
/// Reading, telling what a record is (``RecordOpening``) and finding the next record after damage (``RecordKeys``) all
/// go by these tables. `first` is inlined together with its comparison; the compiler then makes a jump by the name's
/// length of it, so that a key costs one comparison or two.
protocol RecordKey {
    /// The key with the first spelling that `matches`.
    static func first(where matches: (StaticString, KeyScope) -> Bool) -> Self?
}

extension RecordKey {
    @inline(__always)
    init?(_ name: RawText) {
        guard let key = Self.first(where: { spelling, _ in name == spelling }) else { return nil }
        self = key
    }

    fileprivate static func scope(of name: RawText) -> KeyScope? {
        var found: KeyScope?
        _ = first { spelling, scope in
            guard name == spelling else { return false }
            found = scope
            return true
        }
        return found
    }

    /// One bit for each letter that a spelling begins with.
    @inline(__always)
    fileprivate static var initials: UInt64 {
        var initials: UInt64 = 0
        _ = first { spelling, _ in
            // Safe: no spelling is empty.
            initials |= initialBit(unsafe spelling.utf8Start[0])
            return false
        }
        return initials
    }
}

@inline(__always)
private func initialBit(_ letter: UInt8) -> UInt64 { 1 << UInt64(letter & 63) }

/// The keys of an entry, of a line as the SDK writes it, and of a table's row.
enum EntryKey: RecordKey {
    case insertID, logName, payload, text, auditLog, timestamp, receiveTimestamp, severity, resource, labels, trace, spanID
    case request
    /// The object that holds all but the payload in the library for Node.
    case metadata
    case message, verifications, writtenLabels
    /// One of which nothing is read.
    case unread

    @inline(__always)
    static func first(where matches: (StaticString, KeyScope) -> Bool) -> EntryKey? {
        if matches("insertId", .entriesOnly) || matches("insert_id", .entriesOnly) { return .insertID }
        if matches("logName", .entriesOnly) || matches("log_name", .entriesOnly) { return .logName }
        if matches("jsonPayload", .entriesOnly) || matches("json_payload", .entriesOnly) { return .payload }
        if matches("textPayload", .entriesOnly) || matches("text_payload", .entriesOnly) { return .text }
        if matches("timestamp", .records) { return .timestamp }
        if matches("receiveTimestamp", .entriesOnly) || matches("receive_timestamp", .entriesOnly) {
            return .receiveTimestamp
        }
        if matches("severity", .records) { return .severity }
        if matches("resource", .records) { return .resource }
        if matches("labels", .records) { return .labels }
        if matches("trace", .records) || matches("logging.googleapis.com/trace", .records) { return .trace }
        if matches("spanId", .records) || matches("span_id", .records)
            || matches("logging.googleapis.com/spanId", .anyObject)
        {
            return .spanID
        }
        if matches("message", .records) { return .message }
        if matches("verifications", .records) { return .verifications }
        if matches("logging.googleapis.com/labels", .records) || matches("logging_googleapis_com_labels", .anyObject) {
            return .writtenLabels
        }
        if matches("httpRequest", .records) || matches("http_request", .records) { return .request }
        if matches("metadata", .records) { return .metadata }
        if matches("protoPayload", .entriesOnly) || matches("proto_payload", .entriesOnly)
            || matches("protopayload_auditlog", .entriesOnly)
        {
            return .auditLog
        }
        let isUnread =
            matches("receiveLocation", .records) || matches("traceSampled", .records)
            || matches("trace_sampled", .records) || matches("operation", .records)
            || matches("sourceLocation", .records) || matches("source_location", .records)
            || matches("errorGroups", .records) || matches("split", .records) || matches("log_id", .records)
        return isUnread ? .unread : nil
    }
}

/// The keys of a Pub/Sub message and of its envelope, except for `message`, which an SDK's line has as well.
enum MessageKey: RecordKey {
    case data, attributes, publishTime
    /// One that shows a message without an envelope.
    case identifier
    /// One of which nothing is read.
    case unread

    @inline(__always)
    static func first(where matches: (StaticString, KeyScope) -> Bool) -> MessageKey? {
        if matches("data", .anyObject) { return .data }
        if matches("attributes", .anyObject) { return .attributes }
        if matches("publishTime", .anyObject) || matches("publish_time", .anyObject) { return .publishTime }
        if matches("messageId", .anyObject) || matches("message_id", .anyObject) || matches("specversion", .anyObject) {
            return .identifier
        }
        let isUnread =
            matches("ackId", .entriesOnly) || matches("ack_id", .anyObject) || matches("subscription", .records)
            || matches("deliveryAttempt", .records) || matches("delivery_attempt", .anyObject)
            || matches("orderingKey", .anyObject) || matches("ordering_key", .anyObject)
        return isUnread ? .unread : nil
    }
}

/// The keys of a page: see ``ResponsePage``.
enum PageKey: RecordKey {
    case elements
    case sibling
    case status

    @inline(__always)
    static func first(where matches: (StaticString, KeyScope) -> Bool) -> PageKey? {
        if matches("entries", .records) || matches("receivedMessages", .records) { return .elements }
        if matches("nextPageToken", .records) || matches("suppressionInfo", .records) { return .sibling }
        return matches("status", .anyObject) ? .status : nil
    }
}

/// The meaning of a key for the object that it opens, in any transport.
enum RecordKeys {
    /// True for the keys that only entries and messages have.
    static func areOnlyInEntries(_ key: RawText) -> Bool { scope(of: key) == .entriesOnly }

    /// True for the keys by which a record is known after damage.
    static func contains(_ key: RawText) -> Bool { scope(of: key).map { $0 != .anyObject } ?? false }

    private static func scope(of key: RawText) -> KeyScope? {
        EntryKey.scope(of: key) ?? MessageKey.scope(of: key) ?? PageKey.scope(of: key)
    }
}

/// The beginning of a record, or of a line, recognised by its first key: no entry starts with a key of the others.
enum RecordOpening {
    /// A log entry or row, or anything else that is read as one.
    case entry
    /// A Pub/Sub message, whose entry is hidden in base64: it must be read, whether it shows a hint or not.
    case message
    case page
    case array
    /// Nothing but `[]`, as `gcloud` prints it when it finds nothing.
    case emptyArray
    /// A line that holds an opening brace and nothing else.
    case brace
    /// An API's error response in the place of a page: `{"error":{"code":429,…}}`.
    case errorAnswer

    /// The initials of the keys of messages and pages, a constant after inlining: nearly always they decide.
    @inline(__always)
    private static var initials: UInt64 {
        MessageKey.initials | PageKey.initials | initialBit(UInt8(ascii: "m")) | initialBit(UInt8(ascii: "e"))
    }

    @inline(__always)
    init(_ text: RawText) {
        var index = text.indexOfNonSpace(from: 0)
        guard index < text.count, text[index] == .openBrace else {
            self =
                index < text.count && text[index] == .openBracket ? RecordOpening.ofArray(text, at: index) : .entry
            return
        }
        index = text.indexOfNonSpace(from: index + 1)
        guard index < text.count else {
            self = .brace
            return
        }
        guard index + 1 < text.count, text[index] == .quote else {
            self = text[index] == .closeBrace && ResponsePage.isEmpty(text) ? .page : .entry
            return
        }
        let canBeOther = initialBit(text[index + 1]) & RecordOpening.initials != 0
        self = canBeOther ? RecordOpening.ofKey(in: text, at: index + 1) : .entry
    }

    private static func ofArray(_ text: RawText, at start: Int) -> RecordOpening {
        let inner = text.indexOfNonSpace(from: start + 1)
        let isEmpty =
            inner < text.count && text[inner] == .closeBracket
            && text.indexOfNonSpace(from: inner + 1) == text.count
        return isEmpty ? .emptyArray : .array
    }

    @inline(never)
    private static func ofKey(in text: RawText, at start: Int) -> RecordOpening {
        guard let end = text.index(of: .quote, from: start) else { return .entry }
        let key = text.cut(start..<end)
        if PageKey(key) != nil { return .page }
        if key == "error" { return text.isErrorAnswer ? .errorAnswer : .entry }
        if EntryKey(key) == .message {
            // A text instead is what the SDK says.
            let colon = text.indexOfNonSpace(from: end + 1)
            let value = text.indexOfNonSpace(from: colon + 1)
            return value < text.count && text[value] == .openBrace ? .message : .entry
        }
        return MessageKey(key) != nil ? .message : .entry
    }

    /// True for an object that begins with a key of no entry.
    static func isUnknown(_ text: RawText) -> Bool {
        let brace = text.indexOfNonSpace(from: 0)
        guard brace < text.count, text[brace] == .openBrace else { return false }
        let quote = text.indexOfNonSpace(from: brace + 1)
        guard quote < text.count, text[quote] == .quote, let end = text.index(of: .quote, from: quote + 1) else {
            return false
        }
        return EntryKey(text.cut(quote + 1..<end)) == nil
    }
}
