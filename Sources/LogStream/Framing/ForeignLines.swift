/// A value over several lines, in the middle of a source whose values are one line each.
///
/// ```
/// {"insertId":"1",…}
/// [
///   {
///     "insertId": "2",
/// ```
///
/// It is reported where it begins; its other lines belong to it and are no records of their own. Printers indent them
/// or end them in a comma; the bracket that closes it stands at the beginning of a line.
struct ForeignLines {
    private let isArray: Bool
    private var lastByte: UInt8
    /// True when the value has ended.
    private(set) var isOver = false

    /// The lines behind `line`; nil when the value ends in it.
    init?(behind line: RawText) {
        var end = line.count
        while end > 0, JSONCursor.isWhitespace(line[end - 1]) { end -= 1 }
        guard end > 0, [UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ",")].contains(line[end - 1]) else {
            return nil
        }
        isArray = line[line.indexOfNonSpace(from: 0)] == UInt8(ascii: "[")
        lastByte = line[end - 1]
    }

    /// Takes the next line that is not blank.
    ///
    /// - Returns: False when the line does not belong to the value any more.
    mutating func take(_ line: RawText) -> Bool {
        let first = line[0]
        if first == (isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")) {
            isOver = true
            return true
        }
        let goesOn = lastByte == UInt8(ascii: ",") || lastByte == UInt8(ascii: "[")
        let belongs: Bool
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["): belongs = isArray && goesOn
        case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: "\""): belongs = true
        default: belongs = JSONCursor.isWhitespace(first)
        }
        isOver = !belongs
        var end = line.count
        while end > 1, JSONCursor.isWhitespace(line[end - 1]) { end -= 1 }
        lastByte = line[end - 1]
        return belongs
    }

    /// True for a line that opens an array with objects in it, which may go on in the next lines.
    static func isArrayOfObjects(_ line: RawText) -> Bool {
        let start = line.indexOfNonSpace(from: line.indexOfNonSpace(from: 0) + 1)
        return start >= line.count || line[start] == UInt8(ascii: "{") || line[start] == UInt8(ascii: "[")
    }

    /// True for a line that only a value over several lines can have, or an array.
    static func isPartOfValue(_ line: RawText) -> Bool {
        let first = line[line.indexOfNonSpace(from: 0)]
        return first == UInt8(ascii: "\"") || (first == UInt8(ascii: "[") && isArrayOfObjects(line))
    }
}
