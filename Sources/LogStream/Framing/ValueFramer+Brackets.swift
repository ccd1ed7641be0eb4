/// What a bracket outside of strings means: the beginning or the end of an element, of a wrapper, or of something
/// inside an element.
extension ValueFramer {
    /// Takes one bracket outside of strings.
    ///
    /// - Returns: False when JSON cannot have it there.
    @inline(__always)
    mutating func takeBracket(in piece: Piece, at index: Int, _ taker: inout some RecordTaker) -> Bool {
        let byte = piece[index]
        if state == .gap { return takeInGap(byte, in: piece, at: index) }
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { return open(byte, in: piece, at: index) }
        guard containers[depth] == (byte == UInt8(ascii: "}")) else { return false }
        depth -= 1
        guard depth == 0 else { return true }
        if state == .pageTail {
            wrappers.removeLast()
            beginGap(at: index + 1)
            return true
        }
        // A brace too many ends an element early: what follows then is one more of its members.
        guard !isFollowedByMember(piece, from: index + 1) else { return false }
        endElement(in: piece, at: index + 1, &taker)
        return true
    }

    private mutating func takeInGap(_ byte: UInt8, in piece: Piece, at index: Int) -> Bool {
        guard isGap(piece, start..<index) else { return false }
        switch byte {
        case UInt8(ascii: "{") where !opensNoObject(piece, at: index):
            beginObject(in: piece, at: index)
            return true
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            guard isRoom(in: wrappers.count) else { return false }
            wrappers.append(.array)
        case UInt8(ascii: "]"):
            // After damage the wrappers are not known, so that one too many is no damage of its own.
            if wrappers.last == .page {
                state = .pageTail
                depth = 1
                containers[1] = true
                elementIndent = nil
            } else {
                _ = wrappers.popLast()
            }
        default:
            guard wrappers.isEmpty else { return false }
        }
        begin = offset + index + 1
        return true
    }

    /// True for a brace in front of another bracket, which must have been one of an array.
    private func opensNoObject(_ piece: Piece, at index: Int) -> Bool {
        guard !isAmongText, let next = piece.placeOfNext(from: index + 1) else { return false }
        return piece[next] == UInt8(ascii: "{") || piece[next] == UInt8(ascii: "[")
    }

    mutating func beginGap(at index: Int) {
        state = .gap
        begin = offset + index
        collected.removeAll()
    }

    private mutating func beginObject(in piece: Piece, at index: Int) {
        beginElement(in: piece, at: index)
        openingKey = piece.keyTrace(ofObjectAt: index)
        state = .element
        depth = 1
        containers[1] = true
    }

    mutating func beginElement(in piece: Piece, at index: Int) {
        elementIndent = indent(of: index, in: piece)
        begin = offset + index
        signs = []
    }

    /// Opens a container inside an element or page tail, or finds that the element is a page.
    private mutating func open(_ byte: UInt8, in piece: Piece, at index: Int) -> Bool {
        let before = byteBefore(index, in: piece)
        if containers[depth] {
            guard before == UInt8(ascii: ":") else { return false }
        } else {
            guard before == UInt8(ascii: "[") || before == UInt8(ascii: ",") else { return false }
        }
        if byte == UInt8(ascii: "["), depth == 1, state == .element,
            isPage(piece, upTo: index) || piece.holdsEntry(inArrayAt: index)
        {
            guard isRoom(in: wrappers.count) else { return false }
            wrappers.append(.page)
            beginGap(at: index + 1)
            return true
        }
        guard isRoom(in: depth) else { return false }
        depth += 1
        containers[depth] = byte == UInt8(ascii: "{")
        return true
    }

    /// True when one more container may be open beside so many.
    private mutating func isRoom(in depth: Int) -> Bool {
        isTooDeep = depth >= JSONScanner.depthLimit
        return !isTooDeep
    }

    mutating func endElement(in piece: Piece, at end: Int, _ taker: inout some RecordTaker) {
        if usualKey == nil { usualKey = openingKey }
        if isOversized(at: end) {
            taker.takeOversized(offset: begin)
        } else if collected.isEmpty {
            unsafe taker.takeElement(piece.text.cut(start..<end).buffer, signs: signs, offset: begin)
        } else {
            unsafe collected.append(piece.text.cut(start..<end).buffer)
            // A sign may lie across the pieces.
            unsafe taker.takeElement(collected.bytes, signs: LineSigns(in: collected.bytes), offset: begin)
        }
        beginGap(at: end)
    }

    /// At a piece's end: keeps what is needed of it.
    mutating func close(_ piece: Piece) {
        switch state {
        case .element, .scalar, .pageTail:
            if isOversized(at: piece.end) {
                collected.removeAll()
            } else {
                unsafe collected.append(piece.text.cut(start..<piece.end).buffer)
            }
        case .gap, .recovering: break
        }
        indent = indent(of: piece.end, in: piece)
        lastByte = byteBefore(piece.end, in: piece)
        offset += piece.end
    }

    /// The last byte before `index` that is no white space.
    func byteBefore(_ index: Int, in piece: Piece) -> UInt8 {
        var index = index - 1
        while index >= 0, JSONCursor.isWhitespace(piece[index]) { index -= 1 }
        return index >= 0 ? piece[index] : lastByte
    }

    /// How much white space stands between the beginning of the line and `index`; nil when something else does.
    func indent(of index: Int, in piece: Piece) -> Int? {
        var place = index - 1
        while place >= 0, piece[place] != 0x0A {
            guard JSONCursor.isWhitespace(piece[place]) else { return nil }
            place -= 1
        }
        return place >= 0 ? index - 1 - place : indent.map { $0 + index }
    }

    /// True for bytes that may stand between elements.
    func isGap(_ piece: Piece, _ range: Range<Int>) -> Bool {
        range.allSatisfy { index in
            let byte = piece[index]
            // A byte order mark is one at the very start of the source only.
            return byte == UInt8(ascii: ",") || JSONCursor.isWhitespace(byte)
                || (offset + index < 3 && byte == [0xEF, 0xBB, 0xBF][offset + index])
        }
    }

    /// True when a comma and one more of the element's keys follow.
    ///
    /// The key that the element began with is that of the next one, which has lost its brace; and a page's key is that
    /// of the page, whose elements have lost their closing bracket.
    private func isFollowedByMember(_ piece: Piece, from end: Int) -> Bool {
        guard let comma = piece.placeOfNext(from: end), piece[comma] == UInt8(ascii: ","),
            let quote = piece.placeOfNext(from: comma + 1), let key = piece.key(at: quote)
        else { return false }
        return KeyTrace(key) != openingKey && !(wrappers.last == .page && Page.isKey(key))
    }

    /// True when the object, of which `index` is an inner bracket, is a page: the key there is `entries` or
    /// `receivedMessages`, and nothing but a page's other keys stands before it.
    private func isPage(_ piece: Piece, upTo index: Int) -> Bool {
        guard offset + index - begin <= Page.longestOpening, !isOversized(at: index) else { return false }
        if collected.isEmpty { return Page.opens(piece.text.cut(start..<index)) }
        var opening = ByteCollector()
        unsafe opening.append(collected.bytes)
        unsafe opening.append(piece.text.cut(start..<index).buffer)
        return unsafe Page.opens(RawText(opening.bytes))
    }
}
