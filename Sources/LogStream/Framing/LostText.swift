/// The text of what is passed over, looked at line by line.
struct LostText {
    /// True when a verification's marker was in it, however it is spelled.
    private(set) var showsMarker = false
    /// True when a line of it is one of those that consoles show, about a verification.
    private(set) var isConsole = false
    /// The line so far, or its end when it is long.
    private var line: [UInt8] = []

    private static let longestLine = 64 << 10
    /// A marker fits, every character of it spelled as an escape.
    private static let kept = 6 * Marker.length

    mutating func append(_ text: RawText) {
        text.withSpan { span in
            for index in span.indices {
                if span[index] == 0x0A {
                    endLine()
                } else {
                    line.append(span[index])
                    if line.count == LostText.longestLine { shorten() }
                }
            }
        }
    }

    /// Looks at the line that has come to its end.
    mutating func endLine() {
        guard !line.isEmpty else { return }
        var bytes = ByteCollector()
        unsafe line.withUnsafeBufferPointer { unsafe bytes.append($0) }
        let text = unsafe RawText(bytes.bytes)
        let first = TextLines(text).first
        // A line of summary stands in front of its entry, and says nothing that the entry does not.
        if Marker.shows(in: text), !(first.map(ExplorerText.isSummary) ?? false) {
            showsMarker = true
            if let first, ConsoleLine.isKnown(first) { isConsole = true }
        }
        line.removeAll()
    }

    private mutating func shorten() {
        let end = Array(line.suffix(LostText.kept))
        endLine()
        line = end
    }
}
