/// Handles brackets outside of strings: the beginning or the end of an element, of a wrapper, or of something
/// inside an element.
extension ValueFramer {
    /// Takes one bracket outside of strings; false when JSON cannot have it there.
    @inline(__always)
    mutating func readBracket(in chunk: LookaheadChunk, at index: Int, _ handler: inout some RecordHandler) -> Bool {
        let byte = chunk[index]
        if state == .gap { return readBracketInGap(byte, in: chunk, at: index, &handler) }
        if byte.opensContainer { return open(byte, in: chunk, at: index) }
        guard containers[depth] == (byte == .closeBrace) else { return false }
        depth -= 1
        guard depth == 0 else { return true }
        if state == .pageTail {
            switch pages {
            case .entries:
                let namesNext =
                    namesNextPage || withElement(in: chunk, upTo: index, ResponsePage.namesNext(afterElements:))
                handler.handlePageEnd(namesNext: namesNext)
            case .series:
                var page = ByteCollector(opening + Array("[]".utf8))
                unsafe page.append(collected.bytes)
                page.append(chunk.text.cut(start..<index + 1))
                unsafe handler.handleElement(page.bytes, hints: [], offset: begin)
            }
            wrappers.removeLast()
            beginGap(at: index + 1)
            return true
        }
        // A brace too many ends an element early: what follows then is one more of its members.
        guard !isFollowedByMember(chunk, from: index + 1) else { return false }
        endElement(in: chunk, at: index + 1, &handler)
        return true
    }

    private mutating func readBracketInGap(
        _ byte: UInt8, in chunk: LookaheadChunk, at index: Int, _ handler: inout some RecordHandler
    ) -> Bool {
        guard isGap(chunk, start..<index) else { return false }
        switch byte {
        case .openBrace where !opensNoObject(chunk, at: index):
            beginObject(in: chunk, at: index)
            return true
        case .openBracket, .openBrace:
            guard isRoom(in: wrappers.count) else { return false }
            if wrappers.isEmpty {
                elements = 0
                handler.handleArrayStart()
            }
            wrappers.append(.array)
        case .closeBracket:
            // After damage the wrappers are not known, so that one too many is not another damage.
            if wrappers.last == .page {
                state = .pageTail
                depth = 1
                containers[1] = true
                elementIndent = nil
            } else if wrappers.popLast() != nil, wrappers.isEmpty {
                handler.handleArrayEnd(elements: elements)
            }
        default:
            guard wrappers.isEmpty else { return false }
        }
        begin = offset + index + 1
        return true
    }

    /// True for a brace before another bracket, which must have been one of an array.
    private func opensNoObject(_ chunk: LookaheadChunk, at index: Int) -> Bool {
        guard !isAmongText, let next = chunk.text.placeOfNext(from: index + 1) else { return false }
        return chunk[next].opensContainer
    }

    mutating func beginGap(at index: Int) {
        state = .gap
        begin = offset + index
        collected.removeAll()
    }

    private mutating func beginObject(in chunk: LookaheadChunk, at index: Int) {
        beginElement(in: chunk, at: index)
        if usualKey == nil { openingKey = chunk.text.firstKey(ofObjectAt: index)?.hash(.fixed) }
        state = .element
        depth = 1
        containers[1] = true
    }

    mutating func beginElement(in chunk: LookaheadChunk, at index: Int) {
        elementIndent = indent(of: index, in: chunk)
        begin = offset + index
        hints = []
    }

    /// Opens a container inside an element or page tail, or finds that the element is a page.
    private mutating func open(_ byte: UInt8, in chunk: LookaheadChunk, at index: Int) -> Bool {
        let before = byteBefore(index, in: chunk)
        if containers[depth] {
            guard before == .colon else { return false }
        } else {
            guard before == .openBracket || before == .comma else { return false }
        }
        if byte == .openBracket, depth == 1, state == .element, isPage(chunk, upTo: index) {
            guard isRoom(in: wrappers.count) else { return false }
            switch pages {
            case .entries: namesNextPage = withElement(in: chunk, upTo: index, ResponsePage.namesNext(in:))
            case .series:
                opening = unsafe Array(collected.bytes) + Array(chunk.text.cut(start..<index).buffer)
            }
            wrappers.append(.page)
            beginGap(at: index + 1)
            return true
        }
        guard isRoom(in: depth) else { return false }
        depth += 1
        containers[depth] = byte == .openBrace
        return true
    }

    private mutating func isRoom(in depth: Int) -> Bool {
        isTooDeep = depth >= JSONScanner.depthLimit
        return !isTooDeep
    }

    mutating func endElement(in chunk: LookaheadChunk, at end: Int, _ handler: inout some RecordHandler) {
        if usualKey == nil { usualKey = openingKey }
        if wrappers.count == 1 { elements += 1 }
        if isOversized(at: end) {
            handler.handleOversized(begin..<offset + end)
        } else if collected.isEmpty {
            unsafe handler.handleElement(chunk.text.cut(start..<end).buffer, hints: hints, offset: begin)
        } else {
            collected.append(chunk.text.cut(start..<end))
            // A hint may lie across the chunks.
            unsafe handler.handleElement(collected.bytes, hints: MarkerHints(in: collected.bytes), offset: begin)
        }
        beginGap(at: end)
    }

    /// At a chunk's end: keeps what is needed of it.
    mutating func close(_ chunk: LookaheadChunk) {
        switch state {
        case .element, .scalar, .pageTail:
            if isOversized(at: chunk.end) {
                collected.removeAll()
            } else {
                collected.append(chunk.text.cut(start..<chunk.end))
            }
        case .gap, .recovering: break
        }
        let end = state == .recovering && !collected.isEmpty ? start : chunk.end
        indent = indent(of: end, in: chunk)
        lastByte = byteBefore(end, in: chunk)
        if end > 0 { isAfterSpace = JSONCursor.isWhitespace(chunk[end - 1]) }
        offset += chunk.end
    }

    func byteBefore(_ index: Int, in chunk: LookaheadChunk) -> UInt8 {
        var index = index - 1
        while index >= 0, JSONCursor.isWhitespace(chunk[index]) { index -= 1 }
        return index >= 0 ? chunk[index] : lastByte
    }

    /// How much white space is between the beginning of the line and `index`; nil when something else does.
    func indent(of index: Int, in chunk: LookaheadChunk) -> Int? {
        var place = index - 1
        while place >= 0, chunk[place] != 0x0A {
            guard JSONCursor.isWhitespace(chunk[place]) else { return nil }
            place -= 1
        }
        return place >= 0 ? index - 1 - place : indent.map { $0 + index }
    }

    func isGap(_ chunk: LookaheadChunk, _ range: Range<Int>) -> Bool {
        range.allSatisfy { index in
            let byte = chunk[index]
            // A byte order mark is one at the very start of the source only.
            return byte == .comma || JSONCursor.isWhitespace(byte)
                || (offset + index < 3 && byte == [0xEF, 0xBB, 0xBF][offset + index])
        }
    }

    /// True when a comma and one more of the element's keys follow.
    ///
    /// A key that the element has already is that of the next one, which has lost its beginning, as is one that records
    /// do not have; and a page's key is that of the page, whose elements have lost their closing bracket.
    private func isFollowedByMember(_ chunk: LookaheadChunk, from end: Int) -> Bool {
        guard let comma = chunk.text.placeOfNext(from: end), chunk[comma] == .comma,
            let key = chunk.text.firstKey(ofObjectAt: comma)
        else { return false }
        return RecordKeys.contains(key) && !(wrappers.last == .page && PageKey(key) != nil)
            && !withElement(in: chunk, upTo: end) { $0.hasMember { name, _ in name == key } }
    }

    func withElement(in chunk: LookaheadChunk, upTo end: Int, _ body: (RawText) -> Bool) -> Bool {
        if collected.isEmpty { return body(chunk.text.cut(start..<end)) }
        var whole = ByteCollector()
        unsafe whole.append(collected.bytes)
        whole.append(chunk.text.cut(start..<end))
        return body(whole.text)
    }

    private func isPage(_ chunk: LookaheadChunk, upTo index: Int) -> Bool {
        guard offset + index - begin <= ResponsePage.longestOpening, !isOversized(at: index) else { return false }
        if pages == .series { return withElement(in: chunk, upTo: index, ServicesReader.opensPage) }
        let holdsEntry = chunk.text.holdsEntry(inArrayAt: index)
        return withElement(in: chunk, upTo: index) { ResponsePage.opens($0, holdsEntry: holdsEntry) }
    }
}
