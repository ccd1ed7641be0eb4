internal import CByteMask
internal import Platform

/// What a verification shows: the value of its label, the beginning of the SDK's message, or that of the message in
/// Firebase's documentation.
///
/// All end in "verification", so one search finds them.
enum Marker {
    static let label: StaticString = "callable-request-verification"
    static let message: StaticString = "Callable request verification"
    static let documentedMessage: StaticString = "Callable header verification"
    /// The length of the first two; the third is one byte shorter.
    static let length = 29
    /// Where "verification" starts in the first two.
    static let anchor = 17

    /// True when a marker has its "verification" at `index` and lies between `lowerBound` and `end`.
    @inline(__always)
    static func stands(in bytes: UnsafePointer<UInt8>, at index: Int, notBefore lowerBound: Int, end: Int) -> Bool {
        let start = index - anchor
        guard start + 1 >= lowerBound, start + length <= end else { return false }
        // Safe: the range checked above lies in the buffer, but for its first byte, which only the first two have.
        if unsafe memcmp(bytes + start + 1, documentedMessage.utf8Start, length - 1) == 0 { return true }
        guard start >= lowerBound else { return false }
        return unsafe memcmp(bytes + start, label.utf8Start, length) == 0
            || memcmp(bytes + start, message.utf8Start, length) == 0
    }

    /// True when the escape at `index` can spell a character of a marker: `\u00` and then 2 to 7.
    ///
    /// Others, such as `\u00e9` in an application's text, need no parsing.
    @inline(__always)
    static func canBeSpelled(by bytes: UnsafePointer<UInt8>, at index: Int, end: Int) -> Bool {
        // Safe: index + 5 < end.
        unsafe index + 5 < end && bytes[index + 2] == UInt8(ascii: "0") && bytes[index + 3] == UInt8(ascii: "0")
            && bytes[index + 4] &- UInt8(ascii: "2") <= 5
    }

    /// True when text that could not be parsed shows a marker, spelled plainly or with escapes.
    ///
    /// The escapes are undone one by one, wherever they stand: text that is not JSON has no strings to look into.
    static func shows(in text: RawText) -> Bool {
        var window = Window()
        var index = 0
        while index < text.count {
            var byte = text[index]
            var width = 1
            if byte == .backslash, let unit = asciiEscape(in: text, at: index) {
                byte = unit
                width = 6
            }
            index += width
            if window.append(byte) { return true }
        }
        return false
    }

    private static func asciiEscape(in text: RawText, at index: Int) -> UInt8? {
        guard
            index + 6 <= text.count, text[index + 1] == UInt8(ascii: "u"), text[index + 2] == UInt8(ascii: "0"),
            text[index + 3] == UInt8(ascii: "0"), let high = hexadecimalDigit(text[index + 4]),
            let low = hexadecimalDigit(text[index + 5])
        else { return nil }
        return UInt8(high << 4 | low)
    }

    /// The last bytes of a text, as many as a marker has.
    private struct Window {
        private var bytes: [UInt8] = []

        /// - Returns: True when the bytes now end in a marker.
        mutating func append(_ byte: UInt8) -> Bool {
            bytes.append(byte)
            guard byte == UInt8(ascii: "n"), bytes.count >= length - 1 else {
                if bytes.count >= 4096 { bytes.removeFirst(bytes.count - length) }
                return false
            }
            let tail = bytes.suffix(length)
            return tail.elementsEqual(Window.label) || tail.elementsEqual(Window.message)
                || bytes.suffix(length - 1).elementsEqual(Window.documentedMessage)
        }

        private static let label = Array("\(Marker.label)".utf8)
        private static let message = Array("\(Marker.message)".utf8)
        private static let documentedMessage = Array("\(Marker.documentedMessage)".utf8)
    }
}

/// What was seen in a record while its end was looked for.
struct MarkerHints: OptionSet {
    let rawValue: UInt8

    /// One of the spellings of ``Marker``.
    static let marker = MarkerHints(rawValue: 1)
    /// An escape that could spell a character of a marker.
    static let escape = MarkerHints(rawValue: 2)
    /// `%2Fstderr`, the end of the name of generation 2's standard-error log.
    static let errorStream = MarkerHints(rawValue: 4)
    /// `%2Frequests`, the end of the name of generation 2's request log.
    static let requests = MarkerHints(rawValue: 8)
    /// `AppCheck token`, as the SDK writes it next to a verification.
    static let token = MarkerHints(rawValue: 16)

    /// True when the record must be parsed to know what it counts as.
    @inline(__always)
    var mayClass: Bool { rawValue & 7 != 0 }
}

extension MarkerHints {
    /// The signs in bytes that have slack after them.
    init(in bytes: UnsafeBufferPointer<UInt8>) {
        self = []
        guard let base = bytes.baseAddress else { return }
        var block = 0
        while block < bytes.count {
            // Safe: slack after the bytes allows a whole block, and what it looks ahead, to be loaded.
            let found = unsafe CByteMask_hints(base + block)
            var places = found.candidate
            if bytes.count - block < 64 { places &= (1 << UInt64(bytes.count - block)) - 1 }
            while places != 0 {
                let index = block + places.trailingZeroBitCount
                places &= places - 1
                unsafe formUnion(MarkerHints.hint(in: base, at: index, from: 0, to: bytes.count))
            }
            block += 64
        }
    }

    /// What the candidate at `index` is; it lies in a record that starts at `start`, in bytes that end at `end`.
    @inline(__always)
    static func hint(in base: UnsafePointer<UInt8>, at index: Int, from start: Int, to end: Int) -> MarkerHints {
        // Safe: callers pass an index in the bytes, and each test checks how far it reads.
        switch unsafe base[index] {
        case UInt8(ascii: "v"):
            return unsafe Marker.stands(in: base, at: index, notBefore: start, end: end) ? .marker : []
        case .backslash:
            return unsafe Marker.canBeSpelled(by: base, at: index, end: end) ? .escape : []
        case UInt8(ascii: "%"):
            if unsafe stands("%2Fstderr", in: base, at: index, end) { return .errorStream }
            return unsafe stands("%2Frequests", in: base, at: index, end) ? .requests : []
        case UInt8(ascii: "A"):
            return unsafe stands("AppCheck token", in: base, at: index, end) ? .token : []
        default:
            return []
        }
    }

    @inline(__always)
    private static func stands(
        _ text: StaticString, in base: UnsafePointer<UInt8>, at index: Int, _ end: Int
    ) -> Bool {
        let length = text.utf8CodeUnitCount
        return unsafe index + length <= end && memcmp(base + index, text.utf8Start, length) == 0
    }
}
