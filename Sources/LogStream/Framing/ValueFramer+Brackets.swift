extension ValueFramer {
    /// Takes one bracket outside of strings.
    ///
    /// - Returns: False when JSON cannot have it there.
    @inline(__always)
    mutating func takeBracket(
        in bytes: UnsafeBufferPointer<UInt8>, at index: Int, _ taker: inout some RecordTaker
    ) -> Bool {
        // Safe: the index is that of a bit found in the bytes.
        let byte = unsafe bytes[index]
        if state == .gap { return unsafe takeInGap(byte, in: bytes, at: index) }
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
            return unsafe open(byte, in: bytes, at: index)
        }
        guard containers[depth] == (byte == UInt8(ascii: "}")) else { return false }
        depth -= 1
        guard depth == 0 else { return true }
        if state == .pageTail {
            wrappers.removeLast()
            state = .gap
            start = index + 1
            return true
        }
        return unsafe endElement(in: bytes, at: index + 1, &taker)
    }

    private mutating func takeInGap(_ byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard unsafe isGap(UnsafeBufferPointer(rebasing: bytes[start..<index])) else { return false }
        start = index + 1
        switch byte {
        case UInt8(ascii: "{"):
            state = .element
            depth = 1
            containers[1] = true
            elementStart = offset + index
            start = index
            signs = []
            isOversized = false
        case UInt8(ascii: "["):
            guard wrappers.count < JSONScanner.depthLimit else { return false }
            wrappers.append(.array)
        case UInt8(ascii: "]"):
            // After damage the wrappers are not known, so that one too many is no damage of its own.
            guard let wrapper = wrappers.last else { return true }
            if wrapper == .page {
                state = .pageTail
                depth = 1
                containers[1] = true
            } else {
                wrappers.removeLast()
            }
        default:
            return wrappers.isEmpty
        }
        return true
    }

    /// Opens a container inside an element or page tail, or finds that the element is a page.
    private mutating func open(_ byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        let before = unsafe byteBefore(index, in: bytes)
        if containers[depth] {
            guard before == UInt8(ascii: ":") else { return false }
        } else {
            guard before == UInt8(ascii: "[") || before == UInt8(ascii: ",") else { return false }
        }
        if byte == UInt8(ascii: "["), depth == 1, state == .element, unsafe isPage(bytes, upTo: index) {
            guard wrappers.count < JSONScanner.depthLimit else { return false }
            wrappers.append(.page)
            state = .gap
            collected.removeAll()
            start = index + 1
            return true
        }
        guard depth < JSONScanner.depthLimit else { return false }
        depth += 1
        containers[depth] = byte == UInt8(ascii: "{")
        return true
    }

    private mutating func endElement(
        in bytes: UnsafeBufferPointer<UInt8>, at end: Int, _ taker: inout some RecordTaker
    ) -> Bool {
        // A brace too many ends an element early: what follows then is no element.
        guard unsafe isFollowedByElement(bytes, from: end) else { return false }
        if isOversized {
            taker.takeOversized(offset: elementStart)
        } else if collected.isEmpty {
            unsafe taker.takeElement(
                UnsafeBufferPointer(rebasing: bytes[start..<end]), signs: signs, offset: elementStart)
        } else {
            unsafe collected.append(UnsafeBufferPointer(rebasing: bytes[..<end]))
            // A sign may lie across the chunks.
            unsafe taker.takeElement(collected.bytes, signs: LineSigns(in: collected.bytes), offset: elementStart)
            collected.removeAll()
        }
        state = .gap
        start = end
        return true
    }

    /// At a chunk's end: keeps what is needed of it.
    mutating func closeChunk(_ bytes: UnsafeBufferPointer<UInt8>) {
        switch state {
        case .element where !isOversized:
            unsafe collected.append(UnsafeBufferPointer(rebasing: bytes[start...]))
            if collected.count > limit {
                isOversized = true
                collected.removeAll()
            }
        case .gap:
            if unsafe !isGap(UnsafeBufferPointer(rebasing: bytes[start...])) { _ = beginRecovery(from: start) }
        default:
            break
        }
        var index = bytes.count - 1
        while index >= 0, JSONCursor.isWhitespace(unsafe bytes[index]) { index -= 1 }
        if index >= 0 { lastByte = unsafe bytes[index] }
        offset += bytes.count
    }

    /// The last byte before `index` that is no white space.
    func byteBefore(_ index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt8 {
        var index = index - 1
        while index >= 0, JSONCursor.isWhitespace(unsafe bytes[index]) { index -= 1 }
        return index >= 0 ? unsafe bytes[index] : lastByte
    }

    /// True for bytes that may stand between elements.
    private func isGap(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe bytes.allSatisfy { $0 == UInt8(ascii: ",") || JSONCursor.isWhitespace($0) }
    }

    /// False when, as far as the chunk shows, a comma behind the element leads to something that is no element.
    private func isFollowedByElement(_ bytes: UnsafeBufferPointer<UInt8>, from end: Int) -> Bool {
        var index = end
        while index < bytes.count, JSONCursor.isWhitespace(unsafe bytes[index]) { index += 1 }
        guard index < bytes.count, unsafe bytes[index] == UInt8(ascii: ",") else { return true }
        repeat { index += 1 } while index < bytes.count && JSONCursor.isWhitespace(unsafe bytes[index])
        return unsafe index >= bytes.count || bytes[index] != UInt8(ascii: "\"")
    }

    /// True when the object, of which `index` is the first inner bracket, is a page: the key there is `entries` or
    /// `receivedMessages`, and nothing but a page's other keys stands before it.
    private mutating func isPage(_ bytes: UnsafeBufferPointer<UInt8>, upTo index: Int) -> Bool {
        if collected.isEmpty {
            return unsafe Page.opens(RawText(UnsafeBufferPointer(rebasing: bytes[start..<index])))
        }
        // Rare, and the element starts anew where the page's first element does: the copy is dropped either way.
        guard collected.count < Page.longestOpening else { return false }
        var opening = ByteCollector()
        unsafe opening.append(collected.bytes)
        unsafe opening.append(UnsafeBufferPointer(rebasing: bytes[..<index]))
        return unsafe Page.opens(RawText(opening.bytes))
    }
}
