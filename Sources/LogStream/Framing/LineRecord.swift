/// What of a line is the record.
enum LineRecord {
    /// The line without byte order mark and carriage return; nil when it is blank.
    ///
    /// `offset` is its place in the plain bytes of the source: only at the very start there is a byte order mark.
    static func text(of line: UnsafeBufferPointer<UInt8>, at offset: Int) -> RawText? {
        guard let base = line.baseAddress else { return nil }
        var text = unsafe RawText(start: base, count: line.count)
        if offset == 0, text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF {
            text = text.cut(3..<text.count)
        }
        if text.count > 0, text[text.count - 1] == UInt8(ascii: "\r") { text = text.cut(0..<text.count - 1) }
        var index = 0
        while index < text.count, JSONCursor.isWhitespace(text[index]) { index += 1 }
        return index < text.count ? text : nil
    }

    /// The record without the comma behind it, which the lines of an array have whose brackets are gone.
    static func withoutComma(_ line: RawText) -> RawText {
        var end = line.count
        while end > 0, JSONCursor.isWhitespace(line[end - 1]) { end -= 1 }
        guard end > 1, line[end - 1] == UInt8(ascii: ",") else { return line }
        end -= 1
        while end > 0, JSONCursor.isWhitespace(line[end - 1]) { end -= 1 }
        return end > 0 && line[end - 1] == UInt8(ascii: "}") ? line.cut(0..<end) : line
    }
}
