/// How reading goes on after bytes that cannot be JSON: at the next place where a record can start.
///
/// Such a place is an opening brace, not behind a colon (it would be the value of a key), followed by a key that records
/// have at their top. Quotes are not trusted on the way there, because a lost one turns strings inside out.
extension ValueFramer {
    /// Keys that stand at the top of a record, in any transport.
    private static let recordKeys: [StaticString] = [
        "insertId", "logName", "jsonPayload", "textPayload", "protoPayload", "labels", "resource", "timestamp",
        "receiveTimestamp", "receiveLocation", "severity", "httpRequest", "trace", "traceSampled", "spanId",
        "operation", "sourceLocation", "errorGroups", "split", "metadata", "payload", "message", "verifications",
        "logging.googleapis.com/labels", "entries", "receivedMessages", "ackId", "deliveryAttempt", "subscription",
        "insert_id", "log_name", "log_id", "json_payload", "text_payload", "proto_payload", "receive_timestamp",
        "http_request", "span_id", "trace_sampled", "source_location",
    ]

    /// Gives up the element being read.
    ///
    /// - Returns: `index`, from where to look for the next record.
    mutating func beginRecovery(from index: Int) -> Int {
        if state == .element {
            owesRecord = true
        } else if state != .recovering {
            owesRecord = false
            signs = []
            elementStart = offset + index
        }
        collected.removeAll()
        state = .recovering
        return index
    }

    /// Reports what was given up, and starts anew at `index`.
    mutating func endRecovery(at index: Int, _ taker: inout some RecordTaker) {
        reportLoss(&taker)
        state = .gap
        depth = 0
        start = index
        stringCarry = 0
        escapeCarry = 0
    }

    /// Reports what was given up, if it was a record, or shows that it was one.
    mutating func reportLoss(_ taker: inout some RecordTaker) {
        let showsMarker = signs.contains(.marker)
        if owesRecord || (showsMarker && !allowsText) {
            taker.takeDamaged(showsMarker: showsMarker, offset: elementStart)
        }
        owesRecord = false
    }

    /// The next place in the chunk where a record can start.
    func nextStart(in bytes: UnsafeBufferPointer<UInt8>, from: Int) -> Int? {
        var index = from
        while index < bytes.count {
            if unsafe bytes[index] == UInt8(ascii: "{"), unsafe byteBefore(index, in: bytes) != UInt8(ascii: ":"),
                unsafe hasRecordKey(bytes, behind: index)
            {
                return index
            }
            index += 1
        }
        return nil
    }

    private func hasRecordKey(_ bytes: UnsafeBufferPointer<UInt8>, behind brace: Int) -> Bool {
        var index = brace + 1
        while index < bytes.count, JSONCursor.isWhitespace(unsafe bytes[index]) { index += 1 }
        guard index < bytes.count, unsafe bytes[index] == UInt8(ascii: "\"") else { return false }
        let start = index + 1
        index = start
        while index < bytes.count, index - start < 40, unsafe bytes[index] != UInt8(ascii: "\"") { index += 1 }
        let key = unsafe RawText(UnsafeBufferPointer(rebasing: bytes[start..<index]))
        return ValueFramer.recordKeys.contains { key == $0 }
    }
}
