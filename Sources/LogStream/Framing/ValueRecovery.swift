/// How reading goes on after bytes that cannot be JSON: with the next place where a record can start, looked for from
/// the beginning of what was being read. Where the bytes stopped making sense may be far after the damage, because a
/// lost quote turns strings inside out.
///
/// One damaged byte costs the element around it. Between elements it costs at most the one after it: that is where
/// a page's opening is damaged, or an element's brace. A record before the damage is never lost, nor the third
/// one after it. What was passed over is reported once, where it starts, when it shows the marker.
extension ValueFramer {
    /// Gives up what is being read.
    ///
    /// - Returns: From where to look for the next record; nil when that, and the rest of the chunk, has been done.
    mutating func giveUp(in chunk: LookaheadChunk, at index: Int, _ handler: inout some RecordHandler) -> Int? {
        if state == .gap { return giveUpGap(in: chunk, at: index) }
        let origin: Resynchronizer.Origin = state == .element ? .element : state == .pageTail ? .pageTail : .gap
        if state == .pageTail { wrappers.removeLast() }
        readAgain += offset + index - begin
        // However many values are open at the damage, they are read again only so often.
        let isPassedOver = isOversized(at: index) || readAgain > 3 * (offset + index + 256 << 10)
        resynchronizer = Resynchronizer(
            origin, at: begin, damageEnd: offset + index, causeOfDamage(), indent: isPassedOver ? nil : elementIndent)
        state = .recovering
        if isPassedOver {
            resynchronizer.pass(collected.text)
            resynchronizer.pass(chunk.text.cut(start..<index))
            collected.removeAll()
            return index
        }
        guard !collected.isEmpty else { return start }
        indent = elementIndent
        reread(chunk, &handler)
        return nil
    }

    private mutating func giveUpGap(in chunk: LookaheadChunk, at index: Int) -> Int {
        var place = start
        while place <= index, place >= chunk.end || isGap(chunk, place..<place + 1) { place += 1 }
        if place > index { place = start }
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
    mutating func reread(_ chunk: LookaheadChunk, _ handler: inout some RecordHandler) {
        var whole = ByteCollector()
        swap(&whole, &collected)
        let end = whole.count + chunk.end
        whole.append(chunk.text)
        offset = begin
        read(LookaheadChunk(whole.text, end: end), &handler)
    }

    /// At the end of the source: an element that never ends may have swallowed others.
    mutating func endOpenElement(_ handler: inout some RecordHandler) {
        let nothing = LookaheadChunk(.empty, end: 0)
        while state == .element || state == .scalar {
            isCutOff = true
            if isOversized(at: 0) {
                handler.handleOversized(begin..<offset)
                beginGap(at: 0)
            } else if state == .scalar, !scalar.isString {
                // Words need nothing after them.
                _ = endScalar(in: nothing, at: 0, &handler)
            } else {
                _ = giveUp(in: nothing, at: 0, &handler)
            }
        }
    }

    /// Looks for the place where the next record starts, or else the chunk's end.
    mutating func recover(in chunk: LookaheadChunk, from: Int, _ handler: inout some RecordHandler) -> Int {
        let text = chunk.text
        if resynchronizer.origin == .element, offset + from == resynchronizer.start {
            resynchronizer.parse(text.cut(from..<text.count))
        }
        var index = resynchronizer.indent == nil ? max(from, resynchronizer.damageEnd - offset) : from
        while let place = text.index(of: .openBrace, from: index, before: chunk.end) {
            index = place + 1
            guard mayBeRecord(chunk, at: place) else { continue }
            var proof = Resynchronizer.Proof.record(0)
            if offset + place >= provenEnd {
                proof = resynchronizer.proof(text.cut(place..<text.count), isWhole: isEnding)
            }
            switch proof {
            case .part(let length): index = place + max(length, 1)
            case .record(let length):
                provenEnd = max(provenEnd, offset + place + length)
                resynchronizer.pass(text.cut(from..<place))
                reportLoss(upTo: offset + place, &handler)
                beginGap(at: place)
                depth = 0
                resetCarries()
                return place
            case .open:
                // The bytes that come next decide.
                resynchronizer.pass(text.cut(from..<place))
                begin = offset + place
                collected.append(text.cut(place..<chunk.end))
                undecided = 2 * collected.count
                return chunk.end
            }
        }
        if from < chunk.end { resynchronizer.pass(text.cut(from..<chunk.end)) }
        return chunk.end
    }

    /// True for a brace that opens an object as records do, and not in a place where only a part of one can be.
    private func mayBeRecord(_ chunk: LookaheadChunk, at place: Int) -> Bool {
        guard let key = chunk.text.firstKey(ofObjectAt: place),
            RecordKeys.contains(key) || key.hash(.fixed) == usualKey
        else { return false }
        let isElement = resynchronizer.origin == .element
        let before = byteBefore(place, in: chunk)
        // The emulator's lines are `>  {…}`.
        let isSpaced = place == 0 ? isAfterSpace : JSONCursor.isWhitespace(chunk[place - 1])
        let isPrompt = before == UInt8(ascii: ">") && isSpaced
        guard before != .colon, !isPrompt, offset + place > resynchronizer.start || !isElement else { return false }
        if offset + place >= resynchronizer.damageEnd { return true }
        guard let usual = resynchronizer.indent, let indent = indent(of: place, in: chunk) else { return false }
        return indent <= usual
    }

    mutating func resetCarries() {
        stringCarry = 0
        escapeCarry = 0
    }

    /// Reports what was passed over, if it was a record, or shows that it was one.
    mutating func reportLoss(upTo end: Int, _ handler: inout some RecordHandler) {
        resynchronizer.text.endLine()
        let range = resynchronizer.start..<end
        let (origin, lost, holdsMembers) = (resynchronizer.origin, resynchronizer.text, resynchronizer.holdsMembers)
        guard origin != .torn else { return handler.handleLost(range) }
        // How much of a longer one was kept depends on where chunks end.
        if resynchronizer.damageEnd - resynchronizer.start > limit { return handler.handleOversized(range) }
        let isText = lost.isConsole || !holdsMembers && lost.markers.any
        let isRecord = origin == .gap && !isAmongText ? resynchronizer.holdsText : holdsMembers && lost.markers.any
        if origin == .element || isRecord && !isText {
            handler.handleDamaged(
                resynchronizer.cause, markers: lost.markers, isObject: origin == .element || holdsMembers,
                isCutOff: isCutOff, range)
        } else {
            handler.handleText(markers: lost.markers, range)
        }
    }
}
