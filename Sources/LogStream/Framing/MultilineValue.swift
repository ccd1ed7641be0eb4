/// A value over several lines, in the middle of a source whose values are one line each.
///
/// ```
/// {"insertId":"1",…}
/// [
///   {
///     "insertId": "2",
/// ```
///
/// It is reported where it begins; its other lines belong to it and are not records of their own. Printers indent them
/// or end them in a comma; the bracket that closes it stands at the beginning of a line.
struct MultilineValue {
    private let isArray: Bool
    private var lastByte: UInt8
    /// True when the value has ended.
    private(set) var isOver = false

    /// The lines after `line`; nil when the value ends in it.
    init?(after line: RawText) {
        guard let last = line.withoutTrailingSpace.last, last.opensContainer || last == .comma else { return nil }
        isArray = line[line.indexOfNonSpace(from: 0)] == .openBracket
        lastByte = last
    }

    /// Adds the next line that is not blank.
    ///
    /// - Returns: False when the line is not part of the value any more.
    mutating func append(_ line: RawText) -> Bool {
        let first = line[0]
        if first == (isArray ? .closeBracket : .closeBrace) {
            isOver = true
            return true
        }
        let goesOn = lastByte == .comma || lastByte == .openBracket
        let belongs: Bool
        switch first {
        case .openBrace, .openBracket: belongs = isArray && goesOn
        case .closeBrace, .closeBracket, .comma, .quote: belongs = true
        default: belongs = JSONCursor.isWhitespace(first)
        }
        isOver = !belongs
        lastByte = line.withoutTrailingSpace.last ?? lastByte
        return belongs
    }

    /// True for a line that opens an array with objects in it, which may go on in the next lines.
    static func isArrayOfObjects(_ line: RawText) -> Bool {
        let start = line.indexOfNonSpace(from: line.indexOfNonSpace(from: 0) + 1)
        return start >= line.count || line[start].opensContainer
    }

    /// True for a line that only a value over several lines can have, or an array.
    static func isPartOfValue(_ line: RawText) -> Bool {
        let first = line[line.indexOfNonSpace(from: 0)]
        return first == .quote || (first == .openBracket && isArrayOfObjects(line))
    }
}
