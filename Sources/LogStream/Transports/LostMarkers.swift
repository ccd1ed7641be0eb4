/// Requests without a marker: an export has left out what the statuses are about, so that their number is unknown.
///
/// ```
/// {"ts":"2025-08-25T13:32:04Z","fn":"add","app":"MISSING","auth":"VALID"}
/// 2025-08-25T13:32:04Z  add  MISSING  VALID
/// eyJpbnNlcnRJZCI6IjY4YWM2NWQ0MDAwYWVhNzg0M2U3Y2YzMSIs…                       base64
/// ```
enum LostMarkers {
    static let shortest = "VALID,VALID".utf8.count
    private static let shortestBase64 = 64

    /// True for a line, or a record, that may hold some; a piece of an entry, which may say anything, is none.
    static func mayBe(in text: RawText, isBare: Bool) -> Bool {
        let text = text.cut(text.indexOfNonSpace(from: 0)..<text.count)
        guard text.count >= shortest else { return false }
        switch text[0] {
        case .openBrace: return (isBare || RecordOpening.isUnknown(text)) && holdsWords(text, isObject: true)
        case .openBracket, .quote, .closeBrace, .closeBracket: return false
        default: return holdsWords(text, isObject: false)
        }
    }

    /// True for an object that must be parsed to know whether it has lost the marker.
    static func hold(in object: RawText) -> Bool { object.holds("MISSING\"") || object.holds("VALID\"") }

    /// True for the statuses of two tokens, or for an object or gzip in base64; one value of an object is enough.
    private static func holdsWords(_ text: RawText, isObject: Bool) -> Bool {
        var (statuses, start) = (0, 0)
        for end in 0...text.count where end == text.count || !isOfWord(text[end]) {
            let word = text.cut(start..<end)
            let isWhole = start > 0 && end < text.count && text[start - 1] == .quote && text[end] == .quote
            if isStatus(word), isObject ? isWhole && !isKey(text, endingAt: end) : true { statuses += 1 }
            if isBase64(word), isObject ? isWhole : start == 0 && end == text.count { return true }
            start = end + 1
        }
        return statuses >= (isObject ? 1 : 2)
    }

    private static func isStatus(_ word: RawText) -> Bool { word == "VALID" || word == "MISSING" || word == "INVALID" }

    private static func isKey(_ text: RawText, endingAt quote: Int) -> Bool {
        let next = text.indexOfNonSpace(from: quote + 1)
        return next < text.count && text[next] == .colon
    }

    private static func isBase64(_ word: RawText) -> Bool {
        guard word.count >= shortestBase64 else { return false }
        let beginnings: [StaticString] = ["eyJ", "ewo", "ew0", "eyA", "W3", "Wwo", "H4sI"]
        return beginnings.contains { word.hasPrefix($0) }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): true
        default: byte.isLetterOrDigit
        }
    }

    /// True for bytes that are no text: text in an old encoding is not UTF-8 either, but has no control characters.
    static func isBinary(_ line: RawText) -> Bool {
        !line.allSatisfy { $0 >= 0x20 || [0x09, 0x0D, 0x1B].contains($0) } && !line.isUTF8
    }
}
