/// How reading goes on after bytes that cannot be JSON: with the next place where a record can start, looked for from
/// the beginning of what was being read. Where the bytes stopped making sense may be far behind the damage, because a
/// lost quote turns strings inside out.
extension ValueFramer {
    /// Gives up what is being read.
    ///
    /// - Returns: From where to look for the next record; nil when that, and the rest of the piece, has been done.
    mutating func giveUp(in piece: Piece, at index: Int, _ taker: inout some RecordTaker) -> Int? {
        switch state {
        case .element where isOversized:
            loss = Loss(.element, at: elementStart, passed: limit, depth: depth)
            state = .recovering
            return index
        case .element:
            loss = Loss(.element, at: elementStart, indent: elementIndent)
            state = .recovering
            guard !collected.isEmpty else { return start }
            read(again: piece, &taker)
            return nil
        case .pageTail:
            wrappers.removeLast()
            loss = Loss(.pageTail, at: offset + start)
        case .gap, .recovering:
            loss = Loss(.gap, at: offset + start)
        }
        state = .recovering
        return start
    }

    /// Reads what was collected of an element once more, and the piece in which it broke off.
    private mutating func read(again piece: Piece, _ taker: inout some RecordTaker) {
        var whole = ByteCollector()
        swap(&whole, &collected)
        let end = whole.count + piece.end
        unsafe whole.append(piece.text.buffer)
        offset = elementStart
        read(Piece(unsafe RawText(whole.bytes), end: end), &taker)
    }

    /// At the end of the source: an element that never ends may have swallowed others.
    mutating func endOpenElement(_ taker: inout some RecordTaker) {
        while state == .element {
            if isOversized {
                taker.takeOversized(offset: elementStart)
                beginGap(at: 0)
            } else {
                _ = giveUp(in: Piece(.empty, end: 0), at: 0, &taker)
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
        stringCarry = 0
        escapeCarry = 0
        return place
    }

    /// Reports what was passed over, if it was a record, or shows that it was one.
    mutating func reportLoss(_ taker: inout some RecordTaker) {
        loss.text.endLine()
        if loss.isTorn { return }
        if loss.isElement {
            taker.takeDamaged(showsMarker: loss.text.showsMarker, offset: loss.start)
        } else if loss.text.isConsole {
            taker.takeForeignText(offset: loss.start)
        } else if loss.holdsMembers, !isAmongText || loss.text.showsMarker {
            taker.takeDamaged(showsMarker: loss.text.showsMarker, offset: loss.start)
        }
    }
}
