/// A piece of a source's plain bytes: those to be looked at now, and behind them some that come next.
///
/// What is decided at a place may depend on the ``lookahead`` bytes behind it and on no more: the next piece shows them
/// again, so that the way a source is cut into pieces changes nothing.
@safe struct Piece {
    /// How far ahead a decision may look: a run of white space, a key in quotes, and another run.
    static let lookahead = 1 + longestGap + longestKey + 2 + longestGap
    private static let longestGap = 31
    private static let longestKey = 64

    /// All bytes that are known, with slack behind them.
    let text: RawText
    /// Where the bytes to be looked at now end; at least ``lookahead`` bytes follow, unless the source ends there.
    let end: Int

    init(_ text: RawText, end: Int) {
        precondition(end <= text.count)
        self.text = text
        self.end = end
    }

    subscript(index: Int) -> UInt8 { text[index] }

    /// The first place from `index` on that holds no white space; nil when none is near.
    func placeOfNext(from index: Int) -> Int? {
        let end = min(index + Piece.longestGap, text.count)
        var index = index
        while index < end, JSONCursor.isWhitespace(text[index]) { index += 1 }
        return index < end ? index : nil
    }

    /// The key that opens at `index`, as it is spelled; nil when there is none, or none of a length that occurs.
    func key(at index: Int) -> RawText? {
        guard index < text.count, text[index] == UInt8(ascii: "\"") else { return nil }
        let start = index + 1
        let limit = min(start + Piece.longestKey, text.count)
        var end = start
        while end < limit, text[end] != UInt8(ascii: "\"") { end += 1 }
        guard end < limit, let next = placeOfNext(from: end + 1), text[next] == UInt8(ascii: ":") else { return nil }
        return text.cut(start..<end)
    }

    /// The first key of the object that opens at `brace`.
    func firstKey(ofObjectAt brace: Int) -> RawText? {
        placeOfNext(from: brace + 1).flatMap { key(at: $0) }
    }
}
