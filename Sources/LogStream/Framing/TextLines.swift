/// The non-blank lines of a text, without carriage returns and leading or trailing spaces.
struct TextLines: Sequence, IteratorProtocol {
    private let text: RawText
    private var position = 0
    /// Where in the text the last line starts.
    private(set) var lineStart = 0

    init(_ text: RawText) {
        self.text = text
    }

    /// The first line; nil in a blank text.
    var first: RawText? {
        var copy = self
        return copy.next()
    }

    mutating func next() -> RawText? {
        while position < text.count {
            let lineEnd = text.index(of: 0x0A, from: position) ?? text.count
            var (start, end) = (position, lineEnd)
            position = lineEnd + 1
            while start < end, JSONCursor.isWhitespace(text[start]) { start += 1 }
            while end > start, JSONCursor.isWhitespace(text[end - 1]) { end -= 1 }
            lineStart = start
            if start < end { return text.cut(start..<end) }
        }
        return nil
    }
}
