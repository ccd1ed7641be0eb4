/// A key or value that was found: what it is, and where it stands.
struct JSONValue {
    enum Kind: UInt8 {
        /// The key does not occur.
        case absent
        case string
        case number
        case null
        /// `true`, `false`, an object or an array.
        case other
    }

    var kind: Kind
    /// True when a string holds escapes and must be decoded before use.
    var isEscaped: Bool
    /// A string without its quotes, or a number; empty for everything else.
    var text: RawText

    static var absent: JSONValue { JSONValue(kind: .absent) }

    init(kind: Kind, text: RawText = .empty, isEscaped: Bool = false) {
        self.kind = kind
        self.isEscaped = isEscaped
        self.text = text
    }

    /// True when the key does not occur or holds null, as exports of databases write a missing value.
    var isAbsent: Bool { kind == .absent || kind == .null }
}
