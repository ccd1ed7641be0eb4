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
}
