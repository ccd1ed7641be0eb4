internal import CByteMask
internal import Platform

/// The texts that mark a verification: the value of its label, the beginning of the SDK's message, or that of the
/// message in Firebase's documentation.
///
/// All end in "verification", so one search finds them.
enum Marker {
    static let label: StaticString = "callable-request-verification"
    static let message: StaticString = "Callable request verification"
    static let documentedMessage: StaticString = "Callable header verification"
    /// The length of the first two; the third is one byte shorter.
    static let length = 29
    static let anchor = 17
    /// The place of the label's "q", the rarest letter in a log.
    static let rareLetter = 11

    /// True when a marker has its "verification" at `index` and lies between `lowerBound` and `end`.
    @inline(__always)
    static func stands(in bytes: UnsafePointer<UInt8>, at index: Int, notBefore lowerBound: Int, end: Int) -> Bool {
        let start = index - anchor
        guard start + 1 >= lowerBound, start + length <= end else { return false }
        // Safe: the range checked above lies in the buffer, except for its first byte, which only the first two have.
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

    static func shows(in text: RawText) -> Bool { MarkerCount(in: text).any }
}

struct MarkerCount: Equatable {
    private var labels = 0
    private var messages = 0
    private var isUnknown = false
    /// True for metrics and modes of services, which are no part of a log.
    private(set) var isOfServices = false

    static let none = MarkerCount()
    static let unknown = MarkerCount(isUnknown: true)

    private init(isUnknown: Bool = false) { self.isUnknown = isUnknown }

    /// The number of verifications that it shows, each of which has one label and one message.
    var shown: Int { max(labels, messages) }
    var verifications: Int? { isUnknown ? nil : shown }

    /// The same for a record that must hold one.
    var atLeastOne: Int? { verifications.map { max(1, $0) } }

    /// True for text that speaks of requests, and does not only name the label, as a filter does.
    var showsRequests: Bool { messages > 0 || isUnknown }
    var any: Bool { labels > 0 || showsRequests }

    static func += (left: inout MarkerCount, right: MarkerCount) {
        left.labels += right.labels
        left.messages += right.messages
        left.isUnknown = left.isUnknown || right.isUnknown
        left.isOfServices = left.isOfServices || right.isOfServices
    }

    static func -= (left: inout MarkerCount, right: MarkerCount) {
        left.labels -= right.labels
        left.messages -= right.messages
    }

    /// Counts the markers in an unread line or record: the only place that decides it, for every shape of a log.
    ///
    /// `isBare` is true for an object with keys of an entry, and without anything that the entry says.
    init(unread text: RawText, isBare: Bool = false) {
        self.init(in: text)
        // A program may have copied what an entry says, but not its labels.
        if labels > 0 { messages = min(messages, labels) }
        guard !any else { return }
        isOfServices = ServicesReader.isIn(text) || ServicesReader.isPart(text)
        isUnknown = isOfServices || LostMarkers.mayBe(in: text, isBare: isBare)
    }

    init(in text: RawText) {
        guard add(markersIn: text) else { return }
        let plain = ByteCollector(MarkerCount.undoingEscapes(in: text))
        self = .none
        _ = add(markersIn: plain.text)
    }

    /// - Returns: True when escapes may spell more.
    private mutating func add(markersIn text: RawText) -> Bool {
        var mayBeEscaped = false
        MarkerHints.forEach(in: text) { hint, index in
            if hint == .escape { mayBeEscaped = true }
            guard hint == .marker else { return }
            if text[index - 1] == UInt8(ascii: "-") { labels += 1 } else { messages += 1 }
        }
        return mayBeEscaped
    }

    /// The escapes are undone one by one, in all places: text that is not JSON has no strings to look into.
    private static func undoingEscapes(in text: RawText) -> [UInt8] {
        var plain: [UInt8] = []
        var index = 0
        while index < text.count {
            var end = index
            while end < text.count, text[end] == .backslash { end += 1 }
            // In a string inside a string, several begin one escape.
            if end > index, let unit = asciiEscape(in: text, at: end - 1) {
                plain.append(unit)
                index = end + 5
            } else {
                let next = max(end, index + 1)
                plain.append(contentsOf: (index..<next).map { text[$0] })
                index = next
            }
        }
        return plain
    }

    private static func asciiEscape(in text: RawText, at index: Int) -> UInt8? {
        guard
            index + 6 <= text.count, text[index + 1] == UInt8(ascii: "u"), text[index + 2] == UInt8(ascii: "0"),
            text[index + 3] == UInt8(ascii: "0")
        else { return nil }
        return text.cut(index + 4..<index + 6).hexadecimalNumber.map(UInt8.init)
    }
}

/// The hints that were seen in a record while its end was looked for.
struct MarkerHints: OptionSet {
    let rawValue: UInt8

    static let marker = MarkerHints(rawValue: 1)
    /// An escape that could spell a character of a marker.
    static let escape = MarkerHints(rawValue: 2)
    /// `%2Fstderr`, the end of the name of generation 2's standard-error log.
    static let errorStream = MarkerHints(rawValue: 4)
    /// `%2Frequests`, the end of the name of generation 2's request log.
    static let requests = MarkerHints(rawValue: 8)
    /// `AppCheck token` or `validating token`, as SDKs write it next to a verification; `execution took`, as generation
    /// 1's platform writes it before an answer; or the key `verifications`.
    static let text = MarkerHints(rawValue: 16)
    static let unended = MarkerHints(rawValue: 32)

    /// True when the record must be parsed to know what it counts as.
    @inline(__always)
    var needsParsing: Bool { rawValue & 7 != 0 }
}

extension MarkerHints {
    init(in bytes: UnsafeBufferPointer<UInt8>) {
        self = []
        MarkerHints.forEach(in: unsafe RawText(bytes)) { hint, _ in formUnion(hint) }
    }

    @inline(__always)
    static func forEach(in text: RawText, _ body: (MarkerHints, Int) -> Void) {
        for block in stride(from: 0, to: text.count, by: 64) {
            // Safe: slack after the text allows a whole block, and what it looks ahead, to be loaded.
            var places = unsafe CByteMask_hints(text.start + block).candidate
            if text.count - block < 64 { places &= (1 << UInt64(text.count - block)) - 1 }
            while places != 0 {
                let index = block + places.trailingZeroBitCount
                places &= places - 1
                unsafe body(hint(in: text.start, at: index, from: 0, to: text.count), index)
            }
        }
    }

    /// Returns the hint of the candidate at `index`; it lies in a record that starts at `start`, in bytes up to `end`.
    @inline(__always)
    static func hint(in base: UnsafePointer<UInt8>, at index: Int, from start: Int, to end: Int) -> MarkerHints {
        // Safe: callers pass an index in the bytes, and each test checks how far it reads.
        switch unsafe base[index] {
        case UInt8(ascii: "v"):
            if unsafe Marker.stands(in: base, at: index, notBefore: start, end: end) { return .marker }
            let isText =
                unsafe stands("verifications\"", in: base, at: index, end)
                || stands("validating token: ", in: base, at: index, end)
            return isText ? .text : []
        case .backslash:
            return unsafe Marker.canBeSpelled(by: base, at: index, end: end) ? .escape : []
        case UInt8(ascii: "%"):
            if unsafe stands("%2Fstderr", in: base, at: index, end) { return .errorStream }
            return unsafe stands("%2Frequests", in: base, at: index, end) ? .requests : []
        case UInt8(ascii: "A"):
            return unsafe stands("AppCheck token", in: base, at: index, end) ? .text : []
        case UInt8(ascii: "e"):
            return unsafe stands("ecution took", in: base, at: index, end) ? .text : []
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
