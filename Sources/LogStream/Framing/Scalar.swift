/// A value that is neither an object nor an array, where records are looked for: `1`, `"text"`, `null`.
///
/// It is a record as every value is, though never a verification.
struct Scalar {
    enum Step {
        case inside
        case end
        case ended
        case broken
    }

    let isString: Bool
    private var isEscaped = false

    init(opening byte: UInt8) { isString = byte == .quote }
    static func canOpen(with byte: UInt8) -> Bool { byte == .quote || isInWord(byte) }

    mutating func take(_ byte: UInt8) -> Step {
        guard isString else { return Scalar.isInWord(byte) ? .inside : .ended }
        if isEscaped {
            isEscaped = false
        } else if byte == .quote {
            return .end
        } else {
            isEscaped = byte == .backslash
        }
        return byte < 0x20 ? .broken : .inside
    }

    static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    static func isValue(_ text: RawText) -> Bool {
        var scanner = JSONScanner(JSONCursor(text))
        return (try? scanner.skipValue()) != nil && scanner.isAtEnd()
    }
}

/// How values are read that are not objects. They are rare, so that this goes byte by byte.
extension ValueFramer {
    /// Returns the place of anything but a bracket in the gap that goes on at `from`; nil if a bracket comes first.
    func placeOfText(in chunk: LookaheadChunk, from: Int) -> Int? {
        guard let place = (from..<chunk.end).first(where: { !isGap(chunk, $0..<$0 + 1) }) else { return nil }
        switch chunk[place] {
        case .openBrace, .closeBrace, .openBracket, .closeBracket: return nil
        default: return place
        }
    }

    mutating func beginScalar(in chunk: LookaheadChunk, at index: Int) {
        beginElement(in: chunk, at: index)
        state = .scalar
        scalar = Scalar(opening: chunk[index])
    }

    /// Reads on in a value that began at or before `from`.
    ///
    /// - Returns: Where to go on; nil when the rest of the chunk has been read already.
    mutating func readScalar(in chunk: LookaheadChunk, from: Int, _ handler: inout some RecordHandler) -> Int? {
        // The opening byte was taken when the value began.
        var index = offset + from == begin ? from + 1 : from
        while index < chunk.end {
            switch scalar.take(chunk[index]) {
            case .inside: index += 1
            case .end: return endScalar(in: chunk, at: index + 1, &handler)
            case .ended: return endScalar(in: chunk, at: index, &handler)
            case .broken: return giveUp(in: chunk, at: index, &handler)
            }
        }
        return index
    }

    /// Ends the value, unless it turns out to be none: text, or a key that has lost its object.
    mutating func endScalar(in chunk: LookaheadChunk, at end: Int, _ handler: inout some RecordHandler) -> Int? {
        let isKey = chunk.text.placeOfNext(from: end).map { chunk[$0] == .colon } ?? false
        guard !isKey, isValue(chunk, upTo: end) else { return giveUp(in: chunk, at: end, &handler) }
        // Nothing that is looked for fits into less.
        if collected.isEmpty, end - start > 4 { hints = unsafe MarkerHints(in: chunk.text.cut(start..<end).buffer) }
        endElement(in: chunk, at: end, &handler)
        resetCarries()
        return end
    }

    private func isValue(_ chunk: LookaheadChunk, upTo end: Int) -> Bool {
        scalar.isString || isOversized(at: end) || withElement(in: chunk, upTo: end, Scalar.isValue)
    }
}
