/// A chunk of a source's plain bytes: those to be looked at now, and after them some that come next.
///
/// What is decided at a place may depend on the ``lookahead`` bytes after it and on no more: the next chunk shows them
/// again, so that the way a source is cut into chunks changes nothing.
@safe struct LookaheadChunk {
    /// How far ahead a decision may look: runs of white space around two brackets and a key in quotes.
    static let lookahead = 2 + 3 * longestGap + longestKey + 2
    private static let longestGap = 31
    private static let longestKey = 64

    /// All bytes that are known, with slack after them.
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
        let end = min(index + LookaheadChunk.longestGap, text.count)
        var index = index
        while index < end, JSONCursor.isWhitespace(text[index]) { index += 1 }
        return index < end ? index : nil
    }

    /// The key that opens at `index`, as it is spelled; nil when there is none, or none of a length that occurs.
    func key(at index: Int) -> RawText? {
        guard index < text.count, text[index] == .quote else { return nil }
        let start = index + 1
        let limit = min(start + LookaheadChunk.longestKey, text.count)
        guard let end = text.index(of: .quote, from: start, before: limit), let next = placeOfNext(from: end + 1),
            text[next] == .colon
        else { return nil }
        return text.cut(start..<end)
    }

    /// True when the array that opens at `bracket` begins with an entry, or a message.
    func holdsEntry(inArrayAt bracket: Int) -> Bool {
        guard let brace = placeOfNext(from: bracket + 1), text[brace] == .openBrace,
            let key = firstKey(ofObjectAt: brace)
        else { return false }
        return RecordKeys.areOnlyInEntries(key)
    }

    /// The first key of the object, as a trace.
    func keyHash(ofObjectAt brace: Int) -> KeyHash? { firstKey(ofObjectAt: brace).map(KeyHash.init) }

    /// The first key of the object that opens at `brace`.
    func firstKey(ofObjectAt brace: Int) -> RawText? { placeOfNext(from: brace + 1).flatMap { key(at: $0) } }
}

/// What is remembered of a key: enough to know it again, and nothing to allocate (FNV-1a, Fowler, Noll and Vo).
struct KeyHash: Equatable {
    private let hash: UInt64

    init(_ key: RawText) {
        hash = key.withSpan { bytes in
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
            return hash
        }
    }
}
