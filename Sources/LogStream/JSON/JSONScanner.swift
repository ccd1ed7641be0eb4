/// RFC 8259 grammar over one record, forward only: nothing is built and nothing is copied.
///
/// Code that knows the expected shape drives the scanner. On this line (shortened)
///
/// ```
/// {"insertId":"68ac","jsonPayload":{"verifications":{"app":"MISSING"}},"labels":{…}}
/// ^1         ^2      ^3            ^4               ^5    ^6            ^7
/// ```
///
/// 1. `openObject` moves after `{`;
/// 2. `nextKey` returns the place of `insertId` and moves after the colon;
/// 3. the caller needs it, so `value` returns the place of `68ac`; for `jsonPayload` it opens the object (4, 5) and
///    asks for keys again, one level deeper;
/// 6. `value` returns the place of `MISSING`, and `nextKey` finds `}` and returns nil, twice;
/// 7. what is not needed is skipped by `skipValue`, which checks the grammar all the same: a record that counts is
///    well-formed to its last byte.
///
/// The principles are those of simdjson's On-Demand design: streaming, forward-only, parse what is used. One is
/// different: everything is validated, because a half-written record must not be counted.
struct JSONScanner {
    static let depthLimit = 512

    var cursor: JSONCursor
    private var depth = 0

    @inline(__always)
    init(_ cursor: JSONCursor) { self.cursor = cursor }

    /// The place where reading goes on in a text: a few words, which a scanner is not.
    struct Bookmark {
        fileprivate let text: RawText
        fileprivate let position: Int
        fileprivate let depth: Int
    }

    var bookmark: Bookmark { Bookmark(text: cursor.text, position: position, depth: depth) }

    init(_ bookmark: Bookmark) {
        cursor = JSONCursor(bookmark.text)
        cursor.advance(by: bookmark.position)
        depth = bookmark.depth
    }

    var position: Int { cursor.position }

    mutating func isAtEnd() -> Bool {
        cursor.skipWhitespace()
        return cursor.isAtEnd
    }

    mutating func rewind(to position: Int) {
        depth = 0
        cursor.rewind(to: position)
    }

    /// True for text that is nothing but values, to its last byte.
    static func areValues(_ text: RawText) -> Bool { placeOfError(in: text) == nil }

    /// True for text that is values up to its last byte, and ends within one.
    static func endsEarly(_ text: RawText) -> Bool { placeOfError(in: text).map { $0 >= text.count } ?? false }

    private static func placeOfError(in text: RawText) -> Int? {
        var scanner = JSONScanner(JSONCursor(text))
        while !scanner.isAtEnd() { guard (try? scanner.skipValue()) != nil else { return scanner.position } }
        return nil
    }

    /// Returns the end of the object that opens a text: where it is broken, that of the line; nil as long as more may
    /// come of it.
    static func endOfObject(in text: RawText) -> Int? {
        var scanner = JSONScanner(JSONCursor(text))
        if (try? scanner.skipValue()) != nil { return scanner.position }
        return text.index(of: 0x0A, from: scanner.position)
    }

    // MARK: Objects

    /// Moves into the object at the position; false, without moving, when the value there is not an object.
    @inline(__always)
    mutating func openObject() throws(JSONFailure) -> Bool {
        cursor.skipWhitespace()
        guard cursor.current == .openBrace else { return false }
        try open()
        return true
    }

    mutating func isAtObject() -> Bool {
        cursor.skipWhitespace()
        return cursor.current == .openBrace
    }

    /// Moves to the value of the next member and returns its key; nil, after the closing brace, when there is none.
    ///
    /// `isFirst` is true for the first call after ``openObject()`` and is set to false.
    @inline(__always)
    mutating func nextKey(_ isFirst: inout Bool) throws(JSONFailure) -> JSONValue? {
        if let text = cursor.compactKey(isFirst: isFirst) {
            isFirst = false
            return JSONValue(kind: .string, text: text)
        }
        if cursor.current == .closeBrace {
            closeObject()
            return nil
        }
        return try nextSpacedKey(&isFirst)
    }

    /// Calls `read` for each member of the object at the position, with its key as it is spelled.
    ///
    /// `read` moves over the value. What is not an object is passed over.
    @inline(__always)
    mutating func readMembers(
        _ read: (RawText, inout JSONScanner) throws(JSONFailure) -> Void
    ) throws(JSONFailure) {
        guard try openObject() else { return try skipValue() }
        var isFirst = true
        while let key = try nextKey(&isFirst) { try read(key.text, &self) }
    }

    @inline(__always)
    private mutating func closeObject() {
        cursor.advance()
        depth -= 1
    }

    /// The same for text with white space, and for keys that are not plain.
    @inline(never)
    private mutating func nextSpacedKey(_ isFirst: inout Bool) throws(JSONFailure) -> JSONValue? {
        cursor.skipWhitespace()
        if cursor.current == .closeBrace {
            closeObject()
            return nil
        }
        if !isFirst {
            try cursor.expect(.comma)
            cursor.skipWhitespace()
        }
        isFirst = false
        return try key()
    }

    private mutating func key() throws(JSONFailure) -> JSONValue {
        let key = try string()
        cursor.skipWhitespace()
        try cursor.expect(.colon)
        return key
    }

    private mutating func open() throws(JSONFailure) {
        depth += 1
        guard depth <= JSONScanner.depthLimit else { throw JSONFailure(cause: .tooDeep) }
        cursor.advance()
    }

    // MARK: Values

    /// Moves over any value and tells where it was, if it is a string or a number.
    @inline(__always)
    mutating func value() throws(JSONFailure) -> JSONValue {
        if let text = cursor.plainString() { return JSONValue(kind: .string, text: text) }
        return try anyValue()
    }

    @inline(never)
    private mutating func anyValue() throws(JSONFailure) -> JSONValue {
        cursor.skipWhitespace()
        switch cursor.current {
        case .quote:
            return try string()
        case UInt8(ascii: "n"):
            try cursor.literal("null")
            return JSONValue(kind: .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let start = cursor.position
            try cursor.number()
            return JSONValue(kind: .number, text: cursor.text(from: start))
        default:
            try skipValue()
            return JSONValue(kind: .other)
        }
    }

    /// Moves over any value, checking its grammar.
    ///
    /// Nesting is kept in a bit per level (1 for an object), so that hostile depth costs neither stack nor memory.
    @inline(__always)
    mutating func skipValue() throws(JSONFailure) { if cursor.plainString() == nil { try skipAnyValue() } }

    @inline(never)
    private mutating func skipAnyValue() throws(JSONFailure) {
        let outer = depth
        var isObject = NestingBits()
        while true {
            cursor.skipWhitespace()
            switch cursor.current {
            case .quote:
                _ = try string()
            case .openBrace:
                try open()
                isObject[depth] = true
                cursor.skipWhitespace()
                if cursor.current != .closeBrace {
                    _ = try key()
                    continue
                }
                cursor.advance()
                depth -= 1
            case .openBracket:
                try open()
                isObject[depth] = false
                cursor.skipWhitespace()
                if cursor.current != .closeBracket { continue }
                cursor.advance()
                depth -= 1
            case UInt8(ascii: "t"): try cursor.literal("true")
            case UInt8(ascii: "f"): try cursor.literal("false")
            case UInt8(ascii: "n"): try cursor.literal("null")
            default: try cursor.number()
            }
            if try closeContainers(downTo: outer, isObject) { return }
        }
    }

    /// After a value: moves over closing brackets, and over the comma and key that lead to the next value.
    ///
    /// - Returns: True when all containers above `outer` are closed.
    private mutating func closeContainers(downTo outer: Int, _ isObject: NestingBits) throws(JSONFailure) -> Bool {
        while depth > outer {
            cursor.skipWhitespace()
            let inObject = isObject[depth]
            switch cursor.current {
            case .comma:
                cursor.advance()
                if inObject {
                    cursor.skipWhitespace()
                    _ = try key()
                }
                return false
            case inObject ? .closeBrace : .closeBracket:
                cursor.advance()
                depth -= 1
            default:
                throw JSONFailure()
            }
        }
        return true
    }

    // MARK: Strings, numbers and words

    mutating func string() throws(JSONFailure) -> JSONValue {
        if let text = cursor.plainString() { return JSONValue(kind: .string, text: text) }
        try cursor.expect(.quote)
        let start = cursor.position
        cursor.skipPlainStringBytes()
        let isEscaped = try skipToClosingQuote()
        let text = cursor.text(from: start)
        cursor.advance()
        return JSONValue(kind: .string, text: text, isEscaped: isEscaped)
    }

    /// Moves to the closing quote of a string with escapes or non-ASCII characters; true when there was an escape.
    private mutating func skipToClosingQuote() throws(JSONFailure) -> Bool {
        var isEscaped = false
        while true {
            let byte = cursor.current
            if byte == .quote { return isEscaped }
            if byte == .backslash {
                isEscaped = true
                repeat { try escape() } while cursor.current == .backslash
            } else if byte >= 0x80 {
                try utf8Sequence()
            } else {
                // A control character, or the end of the record.
                throw JSONFailure()
            }
            cursor.skipPlainStringBytes()
        }
    }

    @inline(__always)
    private mutating func escape() throws(JSONFailure) {
        cursor.advance()
        switch cursor.current {
        case .quote, .backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            cursor.advance()
        case UInt8(ascii: "u"):
            cursor.advance()
            for _ in 0..<4 {
                guard hexadecimalDigit(cursor.current) != nil else { throw JSONFailure() }
                cursor.advance()
            }
        default:
            throw JSONFailure()
        }
    }

    /// Moves over one multi-byte character; overlong forms, surrogates and values above U+10FFFF are refused
    /// (Unicode Standard, table 3-7).
    private mutating func utf8Sequence() throws(JSONFailure) {
        let lead = cursor.current
        cursor.advance()
        let (second, more): (ClosedRange<UInt8>, Int)
        switch lead {
        case 0xC2...0xDF: (second, more) = (0x80...0xBF, 0)
        case 0xE0: (second, more) = (0xA0...0xBF, 1)
        case 0xED: (second, more) = (0x80...0x9F, 1)
        case 0xE1...0xEF: (second, more) = (0x80...0xBF, 1)
        case 0xF0: (second, more) = (0x90...0xBF, 2)
        case 0xF1...0xF3: (second, more) = (0x80...0xBF, 2)
        case 0xF4: (second, more) = (0x80...0x8F, 2)
        default: throw JSONFailure()
        }
        guard second.contains(cursor.current) else { throw JSONFailure() }
        cursor.advance()
        for _ in 0..<more {
            guard (0x80...0xBF).contains(cursor.current) else { throw JSONFailure() }
            cursor.advance()
        }
    }
}
