/// How reading goes on after bytes that cannot be JSON: with the next place where a record can start, looked for from
/// the beginning of what was being read. Where the bytes stopped making sense may be far behind the damage, because a
/// lost quote turns strings inside out.
///
/// One damaged byte costs the element it stands in. Between elements it costs at most the one behind it: that is where
/// a page's opening is damaged, or an element's brace. A record in front of the damage is never lost, nor the second
/// one behind it. What was passed over is reported once, where it starts, when it shows the marker.
extension ValueFramer {
    /// Gives up what is being read.
    ///
    /// - Returns: From where to look for the next record; nil when that, and the rest of the piece, has been done.
    mutating func giveUp(in piece: Piece, at index: Int, _ taker: inout some RecordTaker) -> Int? {
        if state == .gap { return giveUpGap(in: piece, at: index) }
        let isElement = state == .element
        let origin: Loss.Origin = isElement ? .element : state == .pageTail ? .pageTail : .gap
        if state == .pageTail { wrappers.removeLast() }
        state = .recovering
        if isOversized(at: index) {
            collected.removeAll()
            let passed = offset + index - begin
            loss = Loss(origin, at: begin, causeOfDamage(), passed: passed, depth: isElement ? depth : 0)
            return index
        }
        loss = Loss(origin, at: begin, causeOfDamage(), indent: isElement ? elementIndent : nil)
        guard !collected.isEmpty else { return start }
        read(again: piece, &taker)
        return nil
    }

    private mutating func giveUpGap(in piece: Piece, at index: Int) -> Int {
        let place = (start...index).first { $0 < piece.end && !isGap(piece, $0..<$0 + 1) } ?? start
        // What is no object may be another value.
        if !isAmongText, place < piece.end, Scalar.canOpen(with: piece[place]) {
            beginScalar(in: piece, at: place)
        } else {
            loss = Loss(.gap, at: offset + place, causeOfDamage())
            state = .recovering
        }
        return place
    }

    private mutating func causeOfDamage() -> Malformation {
        defer { isTooDeep = false }
        return isTooDeep ? .tooDeep : .notJSON
    }

    /// Reads what was collected of an element once more, and the piece in which it broke off.
    private mutating func read(again piece: Piece, _ taker: inout some RecordTaker) {
        var whole = ByteCollector()
        swap(&whole, &collected)
        let end = whole.count + piece.end
        unsafe whole.append(piece.text.buffer)
        offset = begin
        indent = elementIndent
        read(Piece(unsafe RawText(whole.bytes), end: end), &taker)
    }

    /// At the end of the source: an element that never ends may have swallowed others.
    mutating func endOpenElement(_ taker: inout some RecordTaker) {
        let nothing = Piece(.empty, end: 0)
        while state == .element || state == .scalar {
            if isOversized(at: 0) {
                taker.takeOversized(offset: begin)
                beginGap(at: 0)
            } else if state == .scalar, !scalar.isString {
                // Words need nothing behind them.
                _ = endScalar(in: nothing, at: 0, &taker)
            } else {
                _ = giveUp(in: nothing, at: 0, &taker)
            }
        }
    }

    /// Looks for the next record.
    ///
    /// - Returns: Where it starts, or the piece's end.
    mutating func recover(in piece: Piece, from index: Int, _ taker: inout some RecordTaker) -> Int? {
        let place = loss.nextRecord(in: piece, from: index, usualKey: usualKey)
        guard let place else { return piece.end }
        reportLoss(&taker)
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
    mutating func reportLoss(_ taker: inout some RecordTaker) {
        loss.text.endLine()
        let showsMarker = loss.text.showsMarker
        let isRecord =
            switch loss.origin {
            case .element: true
            case .gap where !isAmongText: loss.holdsText
            case .gap, .pageTail: loss.holdsMembers && showsMarker
            case .torn: false
            }
        if loss.text.isConsole, loss.origin == .gap || loss.origin == .pageTail {
            taker.takeForeignText(offset: loss.start)
        } else if isRecord {
            let isObject = loss.origin == .element || loss.holdsMembers
            taker.takeDamaged(loss.cause, showsMarker: showsMarker, isObject: isObject, offset: loss.start)
        }
    }
}
