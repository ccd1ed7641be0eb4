/// A key or value that was found: what it is, and where it stands.
///
/// Two words, because a record has dozens of them and each is handed on in registers.
@safe struct JSONValue {
    enum Kind: UInt {
        /// The key does not occur.
        case absent
        case string
        case number
        case null
        /// `true`, `false`, an object or an array.
        case other
    }

    private let start: UnsafePointer<UInt8>
    /// The text's length, above three bits of ``kind`` and one of ``isEscaped``.
    private let word: UInt

    static var absent: JSONValue { JSONValue(kind: .absent) }

    @inline(__always)
    init(kind: Kind, text: RawText = .empty, isEscaped: Bool = false) {
        unsafe start = text.start
        word = UInt(bitPattern: text.count) << 4 | kind.rawValue << 1 | (isEscaped ? 1 : 0)
    }

    @inline(__always)
    var kind: Kind { Kind(rawValue: word >> 1 & 7) ?? .other }

    /// True when a string holds escapes and must be decoded before use.
    @inline(__always)
    var isEscaped: Bool { word & 1 != 0 }

    /// A string without its quotes, or a number; empty for everything else.
    @inline(__always)
    var text: RawText { unsafe RawText(start: start, count: Int(bitPattern: word >> 4)) }

    /// True when the key does not occur or holds null, as exports of databases write a missing value.
    var isAbsent: Bool { kind == .absent || kind == .null }
}
