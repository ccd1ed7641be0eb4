/// A chunk of a source's plain bytes: those to be looked at now, and after them some that come next.
///
/// A decision at a place may depend on the ``lookahead`` bytes after it and on no more: the next chunk shows them
/// again, so that the way a source is cut into chunks changes nothing.
@safe struct LookaheadChunk {
    /// How far ahead a decision may look: runs of white space around two brackets and a key in quotes.
    static let lookahead = 2 + 3 * longestGap + longestKey + 2
    fileprivate static let longestGap = 31
    fileprivate static let longestKey = 64

    /// All bytes that are known, with slack after them.
    let text: RawText
    /// The end of the bytes to be looked at now; at least ``lookahead`` bytes follow, unless the source ends there.
    let end: Int

    init(_ text: RawText, end: Int) {
        precondition(end <= text.count)
        (self.text, self.end) = (text, end)
    }

    subscript(index: Int) -> UInt8 { text[index] }
}

/// Views of the text near a place, no further ahead than ``LookaheadChunk/lookahead``.
extension RawText {
    /// The first place from `index` on that holds no white space; nil when none is near.
    func placeOfNext(from index: Int) -> Int? {
        let end = min(index + LookaheadChunk.longestGap, count)
        var index = index
        while index < end, JSONCursor.isWhitespace(self[index]) { index += 1 }
        return index < end ? index : nil
    }

    /// The key that opens at `index`, as it is spelled; nil when there is none, or none of a length that occurs.
    func key(at index: Int) -> RawText? {
        guard index < count, self[index] == .quote else { return nil }
        let start = index + 1
        guard let end = self.index(of: .quote, from: start, before: start + LookaheadChunk.longestKey),
            let next = placeOfNext(from: end + 1), self[next] == .colon
        else { return nil }
        return cut(start..<end)
    }

    /// True when the array that opens at `bracket` begins with an entry, or a message.
    func holdsEntry(inArrayAt bracket: Int) -> Bool {
        guard let brace = placeOfNext(from: bracket + 1), self[brace] == .openBrace else { return false }
        return firstKey(ofObjectAt: brace).map(RecordKeys.areOnlyInEntries) ?? false
    }

    func firstKey(ofObjectAt brace: Int) -> RawText? { placeOfNext(from: brace + 1).flatMap { key(at: $0) } }
    func holdsRecord(at brace: Int) -> Bool { firstKey(ofObjectAt: brace).map(RecordKeys.contains) ?? false }
}
