/// How values are read that are no objects. They are rare, so that this goes byte by byte.
extension ValueFramer {
    /// Where something else than a bracket stands in the gap that goes on at `from`; nil when a bracket comes first.
    func placeOfText(in piece: Piece, from: Int) -> Int? {
        guard let place = (from..<piece.end).first(where: { !isGap(piece, $0..<$0 + 1) }) else { return nil }
        switch piece[place] {
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"): return nil
        default: return place
        }
    }

    /// Begins with the byte at `index`, where no object opens.
    mutating func beginScalar(in piece: Piece, at index: Int) {
        beginElement(in: piece, at: index)
        state = .scalar
        scalar = Scalar(opening: piece[index])
    }

    /// Reads on in a value that began at or before `from`.
    ///
    /// - Returns: Where to go on; nil when the rest of the piece has been read already.
    mutating func readScalar(in piece: Piece, from: Int, _ taker: inout some RecordTaker) -> Int? {
        // The opening byte was taken when the value began.
        var index = offset + from == begin ? from + 1 : from
        while index < piece.end {
            switch scalar.take(piece[index]) {
            case .inside: index += 1
            case .end: return endScalar(in: piece, at: index + 1, &taker)
            case .ended: return endScalar(in: piece, at: index, &taker)
            case .broken: return giveUp(in: piece, at: index, &taker)
            }
        }
        return index
    }

    /// Ends the value, unless it turns out to be none: text, or a key that has lost its object.
    mutating func endScalar(in piece: Piece, at end: Int, _ taker: inout some RecordTaker) -> Int? {
        let isKey = piece.placeOfNext(from: end).map { piece[$0] == UInt8(ascii: ":") } ?? false
        guard !isKey, isValue(piece, upTo: end) else { return giveUp(in: piece, at: end, &taker) }
        if collected.isEmpty { signs = unsafe LineSigns(in: piece.text.cut(start..<end).buffer) }
        endElement(in: piece, at: end, &taker)
        resetCarries()
        return end
    }

    /// False for words that are no numbers and no literals.
    private func isValue(_ piece: Piece, upTo end: Int) -> Bool {
        if scalar.isString || isOversized(at: end) { return true }
        if collected.isEmpty { return Scalar.isValue(piece.text.cut(start..<end)) }
        var whole = ByteCollector()
        unsafe whole.append(collected.bytes)
        unsafe whole.append(piece.text.cut(start..<end).buffer)
        return unsafe Scalar.isValue(RawText(whole.bytes))
    }
}
