/// How reading goes on after bytes that cannot be JSON: with the next place where a record can start, looked for from
/// the beginning of what was being read. Where the bytes stopped making sense may be far after the damage, because a
/// lost quote turns strings inside out.
///
/// One damaged byte costs the element it stands in. Between elements it costs at most the one after it: that is where
/// a page's opening is damaged, or an element's brace. A record before the damage is never lost, nor the second
/// one after it. What was passed over is reported once, where it starts, when it shows the marker.
extension ValueFramer {
    /// Gives up what is being read.
    ///
    /// - Returns: From where to look for the next record; nil when that, and the rest of the chunk, has been done.
    mutating func giveUp(in chunk: LookaheadChunk, at index: Int, _ handler: inout some RecordHandler) -> Int? {
        if state == .gap { return giveUpGap(in: chunk, at: index) }
        let isElement = state == .element
        let origin: Resynchronizer.Origin = isElement ? .element : state == .pageTail ? .pageTail : .gap
        if state == .pageTail { wrappers.removeLast() }
        state = .recovering
        if isOversized(at: index) {
            collected.removeAll()
            let passed = offset + index - begin
            resynchronizer = Resynchronizer(
                origin, at: begin, causeOfDamage(), passed: passed, depth: isElement ? depth : 0)
            return index
        }
        resynchronizer = Resynchronizer(origin, at: begin, causeOfDamage(), indent: isElement ? elementIndent : nil)
        guard !collected.isEmpty else { return start }
        read(again: chunk, &handler)
        return nil
    }

    private mutating func giveUpGap(in chunk: LookaheadChunk, at index: Int) -> Int {
        let place = (start...index).first { $0 < chunk.end && !isGap(chunk, $0..<$0 + 1) } ?? start
        // What is not an object may be another value.
        if !isAmongText, place < chunk.end, Scalar.canOpen(with: chunk[place]) {
            beginScalar(in: chunk, at: place)
        } else {
            resynchronizer = Resynchronizer(.gap, at: offset + place, causeOfDamage())
            state = .recovering
        }
        return place
    }

    private mutating func causeOfDamage() -> Malformation {
        defer { isTooDeep = false }
        return isTooDeep ? .tooDeep : .notJSON
    }

    /// Reads what was collected of an element once more, and the chunk in which it broke off.
    private mutating func read(again chunk: LookaheadChunk, _ handler: inout some RecordHandler) {
        var whole = ByteCollector()
        swap(&whole, &collected)
        let end = whole.count + chunk.end
        unsafe whole.append(chunk.text.buffer)
        offset = begin
        indent = elementIndent
        read(LookaheadChunk(unsafe RawText(whole.bytes), end: end), &handler)
    }

    /// At the end of the source: an element that never ends may have swallowed others.
    mutating func endOpenElement(_ handler: inout some RecordHandler) {
        let nothing = LookaheadChunk(.empty, end: 0)
        while state == .element || state == .scalar {
            if isOversized(at: 0) {
                handler.handleOversized(offset: begin)
                beginGap(at: 0)
            } else if state == .scalar, !scalar.isString {
                // Words need nothing after them.
                _ = endScalar(in: nothing, at: 0, &handler)
            } else {
                _ = giveUp(in: nothing, at: 0, &handler)
            }
        }
    }

    /// Looks for the next record.
    ///
    /// - Returns: Where it starts, or the chunk's end.
    mutating func recover(in chunk: LookaheadChunk, from index: Int, _ handler: inout some RecordHandler) -> Int? {
        let place = resynchronizer.nextRecord(in: chunk, from: index, usualKey: usualKey)
        guard let place else { return chunk.end }
        reportLoss(&handler)
        beginGap(at: place)
        depth = 0
        resetCarries()
        return place
    }

    /// Starts anew outside of strings.
    mutating func resetCarries() {
        stringCarry = 0
        escapeCarry = 0
    }

    /// Reports what was passed over, if it was a record, or shows that it was one.
    mutating func reportLoss(_ handler: inout some RecordHandler) {
        resynchronizer.text.endLine()
        let showsMarker = resynchronizer.text.showsMarker
        let isRecord =
            switch resynchronizer.origin {
            case .element: true
            case .gap where !isAmongText: resynchronizer.holdsText
            case .gap, .pageTail: resynchronizer.holdsMembers && showsMarker
            case .torn: false
            }
        if resynchronizer.text.isConsole, resynchronizer.origin == .gap || resynchronizer.origin == .pageTail {
            handler.handleConsoleText(offset: resynchronizer.start)
        } else if isRecord {
            let isObject = resynchronizer.origin == .element || resynchronizer.holdsMembers
            handler.handleDamaged(
                resynchronizer.cause, showsMarker: showsMarker, isObject: isObject, offset: resynchronizer.start)
        }
    }
}
