internal import Platform

/// A run of bytes inside a record or a scratch buffer: a place, not a copy.
///
/// It is valid as long as the record that it was cut from stays in its buffer, that is until the next record is read.
@safe struct RawText {
    let start: UnsafePointer<UInt8>
    let count: Int

    init(start: UnsafePointer<UInt8>, count: Int) {
        unsafe self.start = start
        self.count = count
    }

    static var empty: RawText { RawText("") }

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let start = bytes.baseAddress {
            unsafe self.init(start: start, count: bytes.count)
        } else {
            self = .empty
        }
    }

    /// The text for a project, region or name that the record does not give, as in `FunctionIdentity`.
    static var unknown: RawText { RawText("-") }

    init(_ literal: StaticString) {
        unsafe self.init(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
    }

    var isEmpty: Bool { count == 0 }

    subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index < count)
        return unsafe start[index]
    }

    @inline(__always)
    static func == (text: RawText, literal: StaticString) -> Bool {
        // Safe: memcmp reads `count` bytes of both, and both have that many. The literal's count is known when this is
        // compiled, so that a few loads replace the call.
        let count = literal.utf8CodeUnitCount
        return unsafe text.count == count && memcmp(text.start, literal.utf8Start, count) == 0
    }

    /// For `switch`: the compiler makes a jump by the length of the cases.
    @inline(__always)
    static func ~= (literal: StaticString, text: RawText) -> Bool { text == literal }

    static func == (left: RawText, right: RawText) -> Bool {
        // Safe: memcmp reads `count` bytes of both, and both have that many.
        unsafe left.count == right.count && memcmp(left.start, right.start, left.count) == 0
    }

    static func != (left: RawText, right: RawText) -> Bool { !(left == right) }

    func hasPrefix(_ other: RawText) -> Bool {
        // Safe: memcmp reads no further than the shorter text's end.
        unsafe count >= other.count && memcmp(start, other.start, other.count) == 0
    }

    func hasPrefix(_ literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        // Safe: memcmp reads the literal's length, and the text is at least that long.
        return unsafe count >= length && memcmp(start, literal.utf8Start, length) == 0
    }

    func hasSuffix(_ literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        // Safe: memcmp reads the literal's length from the text's end, and the text is at least that long.
        return unsafe count >= length && memcmp(start + (count - length), literal.utf8Start, length) == 0
    }

    func holds(_ literal: StaticString) -> Bool { place(of: literal) != nil }

    func place(of literal: StaticString) -> Int? {
        let length = literal.utf8CodeUnitCount
        var index = 0
        while index + length <= count {
            // Safe: index < count, and memchr and memcmp read no further than the text's end.
            guard let place = unsafe memchr(start + index, Int32(literal.utf8Start[0]), count - length + 1 - index)
            else { return nil }
            index = unsafe UnsafeRawPointer(place) - UnsafeRawPointer(start)
            if unsafe memcmp(start + index, literal.utf8Start, length) == 0 { return index }
            index += 1
        }
        return nil
    }

    /// The first place of a byte, at or after `start` and before `end`.
    func index(of byte: UInt8, from start: Int, before end: Int = .max) -> Int? {
        let end = min(end, count)
        precondition(start >= 0)
        // Safe: memchr reads the text from `start` to `end`, and returns a place there.
        guard start < end, let place = unsafe memchr(self.start + start, Int32(byte), end - start) else { return nil }
        return unsafe UnsafeRawPointer(place) - UnsafeRawPointer(self.start)
    }

    func contains(_ byte: UInt8) -> Bool { index(of: byte, from: 0) != nil }
    var first: UInt8? { isEmpty ? nil : self[0] }
    var last: UInt8? { isEmpty ? nil : self[count - 1] }
    var withoutTrailingSpace: RawText { cut(0..<endOfNonSpace(before: count)) }

    /// The place after the last byte before `end` that is no white space; 0 when there is none.
    func endOfNonSpace(before end: Int) -> Int {
        var end = end
        while end > 0, JSONCursor.isWhitespace(self[end - 1]) { end -= 1 }
        return end
    }

    /// The first place from `start` on that holds no white space; the text's end when there is none.
    func indexOfNonSpace(from start: Int) -> Int {
        var index = start
        while index < count, JSONCursor.isWhitespace(self[index]) { index += 1 }
        return index
    }

    func cut(_ range: Range<Int>) -> RawText {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return unsafe RawText(start: start + range.lowerBound, count: range.count)
    }

    /// The bytes; what lies after them lies after the text as well.
    var buffer: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: start, count: count) }

    func equals(_ string: String) -> Bool {
        var string = string
        return string.withUTF8 { unsafe self == RawText($0) }
    }

    /// Eight bytes from `place` on, the first in the highest byte; zero where the text has ended.
    func bigEndianWord(at place: Int) -> UInt64 {
        if place + 8 <= count {
            // Safe: the text has eight bytes from there on.
            return unsafe UInt64(bigEndian: UnsafeRawPointer(start + place).loadUnaligned(as: UInt64.self))
        }
        guard place < count else { return 0 }
        if count >= 8 {
            // Safe: the last eight bytes of the text, of which those before `place` are shifted out.
            let last = unsafe UInt64(bigEndian: UnsafeRawPointer(start + count - 8).loadUnaligned(as: UInt64.self))
            return last << UInt64((place + 8 - count) * 8)
        }
        var word: UInt64 = 0
        for index in place..<place + 8 { word = word << 8 | (index < count ? UInt64(self[index]) : 0) }
        return word
    }

    func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        // Safe: the span ends with the call, and the bytes outlive it.
        body(unsafe Span(_unsafeStart: start, count: count))
    }

    var isUTF8: Bool {
        withSpan { bytes in
            do {
                _ = try UTF8Span(validating: bytes)
                return true
            } catch {
                return false
            }
        }
    }

    /// The text as a string; the bytes are UTF-8, as the scanner has checked.
    var string: String { unsafe String(decoding: buffer, as: UTF8.self) }
}

extension UInt8 {
    static var quote: UInt8 { 0x22 }
    static var comma: UInt8 { 0x2C }
    static var colon: UInt8 { 0x3A }
    static var openBracket: UInt8 { 0x5B }
    static var backslash: UInt8 { 0x5C }
    static var closeBracket: UInt8 { 0x5D }
    static var openBrace: UInt8 { 0x7B }
    static var closeBrace: UInt8 { 0x7D }
    var opensContainer: Bool { self == .openBrace || self == .openBracket }
    var isDigit: Bool { self &- UInt8(ascii: "0") <= 9 }
    var isLetterOrDigit: Bool { isDigit || (self | 0x20) &- UInt8(ascii: "a") < 26 }
}

extension RawText {
    /// The first place from `start` on that holds no digit; the text's end when there is none.
    func endOfDigits(from start: Int) -> Int { (start..<count).first { !self[$0].isDigit } ?? count }

    /// The number that hexadecimal digits, at most 16, spell; nil for any other text.
    var hexadecimalNumber: UInt64? {
        var number: UInt64 = 0
        for index in 0..<count {
            guard let digit = hexadecimalDigit(self[index]) else { return nil }
            number = number << 4 | UInt64(digit)
        }
        return number
    }

    /// The number that one to 18 digits spell; nil for any other text.
    var wholeNumber: Int? {
        guard (1...18).contains(count), allSatisfy(\.isDigit) else { return nil }
        return (0..<count).reduce(0) { $0 * 10 + Int(self[$1] - UInt8(ascii: "0")) }
    }
}

/// A key or value that was found: what it is, and where it is.
///
/// Two words, because a record has dozens of them and each is handed on in registers.
@safe struct JSONValue {
    enum Kind: UInt {
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
    @inline(__always)
    var isAbsent: Bool { kind == .absent || kind == .null }
}

extension RawText {
    /// The first answer to a member of the object that the text begins with, as far as that is JSON.
    ///
    /// `body` gets a key, and a scanner in front of the value; the search goes on after nil.
    func firstAnswer<Answer>(
        _ body: (RawText, inout JSONScanner) throws(JSONFailure) -> Answer?
    ) -> Answer? {
        var scanner = JSONScanner(JSONCursor(self))
        do throws(JSONFailure) {
            guard try scanner.openObject() else { return nil }
            var isFirst = true
            while let key = try scanner.nextKey(&isFirst) {
                var ahead = scanner
                if let answer = try body(key.text, &ahead) { return answer }
                try scanner.skipValue()
            }
        } catch {}
        return nil
    }

    func hasMember(_ fits: (RawText, inout JSONScanner) -> Bool) -> Bool {
        firstAnswer { fits($0, &$1) ? true : nil } ?? false
    }
}
