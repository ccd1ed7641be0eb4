/// What a record, or a line, begins as: told by its first key, because no entry starts with a key of the others.
enum RecordOpening {
    /// A log entry or row, or anything else that is read as one.
    case entry
    /// A Pub/Sub message, whose entry is hidden in base64: it must be read, whether it shows a sign or not.
    case message
    /// A page, which may be empty.
    case page
    /// A line that starts with an array.
    case array
    /// Nothing but `[]`, as `gcloud` prints it when it finds nothing.
    case emptyArray
    /// A line that holds an opening brace and nothing else.
    case brace

    @inline(__always)
    init(_ text: RawText) {
        var index = text.indexOfNonSpace(from: 0)
        guard index < text.count, text[index] == UInt8(ascii: "{") else {
            self =
                index < text.count && text[index] == UInt8(ascii: "[") ? RecordOpening.ofArray(text, at: index) : .entry
            return
        }
        index = text.indexOfNonSpace(from: index + 1)
        guard index < text.count else {
            self = .brace
            return
        }
        guard index + 1 < text.count, text[index] == UInt8(ascii: "\"") else {
            self = text[index] == UInt8(ascii: "}") && Page.isEmpty(text) ? .page : .entry
            return
        }
        // The first letter decides nearly always.
        switch text[index + 1] {
        case UInt8(ascii: "a"), UInt8(ascii: "d"), UInt8(ascii: "e"), UInt8(ascii: "m"), UInt8(ascii: "n"),
            UInt8(ascii: "o"), UInt8(ascii: "p"), UInt8(ascii: "r"), UInt8(ascii: "s"):
            self = RecordOpening.ofKey(in: text, at: index + 1)
        default: self = .entry
        }
    }

    private static func ofArray(_ text: RawText, at start: Int) -> RecordOpening {
        let inner = text.indexOfNonSpace(from: start + 1)
        let isEmpty =
            inner < text.count && text[inner] == UInt8(ascii: "]")
            && text.indexOfNonSpace(from: inner + 1) == text.count
        return isEmpty ? .emptyArray : .array
    }

    @inline(never)
    private static func ofKey(in text: RawText, at start: Int) -> RecordOpening {
        guard let end = text.index(of: UInt8(ascii: "\""), from: start) else { return .entry }
        let key = text.cut(start..<end)
        if Page.isKey(key) { return .page }
        if key == "message" {
            // A text instead is what the SDK says.
            let colon = text.indexOfNonSpace(from: end + 1)
            let value = text.indexOfNonSpace(from: colon + 1)
            return value < text.count && text[value] == UInt8(ascii: "{") ? .message : .entry
        }
        return PubSub.isKey(key) ? .message : .entry
    }
}
