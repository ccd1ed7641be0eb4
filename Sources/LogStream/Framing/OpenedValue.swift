/// A value that a line opens and does not end, in a source whose values are one line each.
///
/// For example, `cat` makes one of several files:
///
/// ```
/// {"insertId":"1",…}
/// [
///   {
///     "insertId": "2",
/// ```
///
/// It is read as a value when what it opens closes. Otherwise the line is a bad one and ends at its line feed: a
/// bracket too many swallows nothing of the lines after it.
enum OpenedValue {
    enum Outcome {
        case closes(Int)
        /// Its elements go on for longer than is looked ahead, or to the end of the source.
        case runsOn
        /// The line is a bad one, as this place shows.
        case isBad(Int)
        case unknown
    }

    /// How far is looked ahead for the end of an array or a page.
    static let longestLookahead = 1 << 20

    /// True for a line that may open a value over several lines, or holds an array of records.
    static func mayBegin(_ line: RawText) -> Bool {
        let line = line.withoutTrailingSpace
        let start = line.indexOfNonSpace(from: 0)
        guard start < line.count, line[start].opensContainer else { return false }
        if line[line.count - 1].opensContainer { return true }
        let record = LineRecord.withoutComma(line)
        guard line[start] == .openBracket || record.last != .closeBrace else { return false }
        var brace = start
        while brace < line.count, line[brace] == .openBracket || JSONCursor.isWhitespace(line[brace]) { brace += 1 }
        guard brace < line.count, line[brace] == .openBrace else { return false }
        return line.holdsRecord(at: brace)
    }

    /// True for a line that has no end so far and holds an array of records.
    static func runsOn(_ line: RawText) -> Bool {
        guard mayBegin(line) else { return false }
        switch outcome(of: line, isAll: false, limit: 0) {
        case .runsOn, .unknown: return true
        case .closes, .isBad: return false
        }
    }

    /// Returns the outcome of the value that opens at the beginning of a text, which is all there is if `isAll` is set.
    ///
    /// An object may be as long as `limit`.
    static func outcome(of text: RawText, isAll: Bool, limit: Int) -> Outcome {
        let start = text.indexOfNonSpace(from: 0)
        let holdsElements = text[start] == .openBracket || RecordOpening(text) == .page
        let longest = holdsElements ? longestLookahead : limit
        let end = min(isAll ? text.count : text.count - LookaheadChunk.lookahead, longest)
        var containers = NestingBits()
        var (depth, index) = (0, start)
        var (isInString, hasElement) = (false, false)
        var last: UInt8 = 0
        while index < end {
            let byte = text[index]
            if isInString {
                // No string goes on in the next line.
                if byte == 0x0A { return .isBad(index) }
                if byte == .quote { isInString = false }
                if byte == .backslash, index + 1 < end, text[index + 1] != 0x0A { index += 1 }
            } else if byte == .quote {
                isInString = true
            } else if byte.opensContainer {
                let isLine = index > start && text[index - 1] == 0x0A && byte == .openBrace
                if isLine, text.holdsRecord(at: index), last != .openBracket, last != .comma || containers[depth] {
                    return .isBad(index)
                }
                guard depth < JSONScanner.depthLimit else { return .isBad(index) }
                depth += 1
                containers[depth] = byte == .openBrace
            } else if byte == .closeBrace || byte == .closeBracket {
                guard containers[depth] == (byte == .closeBrace) else { return hasElement ? .runsOn : .isBad(index) }
                depth -= 1
                if depth == 0 { return .closes(index + 1) }
                if byte == .closeBrace { hasElement = holdsElements }
            }
            if !JSONCursor.isWhitespace(byte) { last = byte }
            index += 1
        }
        if index >= longest || isAll { return hasElement || holdsElements && !isAll ? .runsOn : .isBad(index) }
        return .unknown
    }

    static func isArrayOfObjects(_ line: RawText) -> Bool {
        let start = line.indexOfNonSpace(from: line.indexOfNonSpace(from: 0) + 1)
        return start >= line.count || line[start].opensContainer
    }
}
