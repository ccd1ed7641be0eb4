internal import CByteMask

/// Cuts plain bytes into lines, and looks for hints of a verification on the way: one pass over the bytes, 64 at a
/// time.
///
/// A line that lies in one chunk is handed on where it lies. One that does not is collected first, up to the limit;
/// a longer one is passed over in bounded memory. A line may open a value that is not one line: see ``OpenedValue``.
struct LineFramer: Framer, ~Copyable {
    private let limit: Int
    private let readsValues: Bool
    /// Reads everything from a value on that is longer than is looked ahead.
    private var values: ValueFramer?
    /// The number of bytes that must be known to look at an opened value again; 0 if there is none.
    private var awaited = 0
    /// The number of bytes looked ahead at in lines that turned out to be bad.
    private var wasted = 0
    /// The beginning of a line whose end has not come yet.
    private var collected = ByteCollector()
    private var isSkipping = false
    /// True while the line that is passed over shows nothing but white space: it is not a record then.
    private var isBlank = false
    /// Set after lost bytes, until the line ends that they were part of.
    private var isTorn = false
    private var lineStart = 0
    private var offset = 0

    /// The most bytes of a source's first line besides its record: a byte order mark and a carriage return.
    private static let trimmedBytes = 4

    init(limit: Int, readsValues: Bool = false) {
        (self.limit, self.readsValues) = (limit, readsValues)
    }

    mutating func consume(_ bytes: UnsafeBufferPointer<UInt8>, _ handler: inout some RecordHandler) {
        if values != nil { return unsafe values?.consume(bytes, &handler) ?? () }
        let chunkStart = offset
        offset += bytes.count
        if awaited > 0 { return unsafe wait(with: bytes, &handler) }
        var rest = unsafe bytes
        if isTorn || isSkipping || !collected.isEmpty {
            let end = unsafe RawText(bytes).index(of: 0x0A, from: 0)
            if isTorn {
                handler.handleLost(chunkStart..<chunkStart + (end ?? bytes.count))
            } else {
                unsafe collect(UnsafeBufferPointer(rebasing: bytes[..<(end ?? bytes.count)]), &handler)
            }
            guard let end else { return }
            unsafe rest = UnsafeBufferPointer(rebasing: bytes[end...])
            if values != nil { return unsafe values?.consume(rest, &handler) ?? () }
            if isTorn {
                isTorn = false
            } else if unsafe !isSkipping && mayOpenValue(collected.bytes) {
                return unsafe wait(with: rest, &handler)
            } else {
                finishCollected(at: chunkStart + end, &handler)
            }
            unsafe rest = UnsafeBufferPointer(rebasing: rest[1...])
            lineStart = chunkStart + end + 1
        }
        let taken = unsafe handleLines(of: rest, &handler)
        unsafe keep(UnsafeBufferPointer(rebasing: rest[taken...]), &handler)
    }

    private mutating func keep(_ rest: UnsafeBufferPointer<UInt8>, _ handler: inout some RecordHandler) {
        if awaited > 0 { unsafe collected.append(rest) } else { unsafe collect(rest, &handler) }
    }

    // MARK: Values

    @inline(__always)
    private func mayOpenValue(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        guard readsValues, let base = line.baseAddress, line.count > 0 else { return false }
        // Safe: the line has a first byte and a last one.
        if unsafe base[0] == .openBrace && base[line.count - 1] == .closeBrace { return false }
        return unsafe OpenedValue.mayBegin(RawText(line))
    }

    private mutating func wait(with bytes: UnsafeBufferPointer<UInt8>, _ handler: inout some RecordHandler) {
        unsafe collected.append(bytes)
        if collected.count >= awaited { readCollected(&handler) }
    }

    private mutating func readCollected(_ handler: inout some RecordHandler, isAll: Bool = false) {
        var whole = ByteCollector()
        swap(&whole, &collected)
        awaited = 0
        let taken = unsafe handleLines(of: whole.bytes, isAll: isAll, &handler)
        unsafe keep(UnsafeBufferPointer(rebasing: whole.bytes[taken...]), &handler)
    }

    /// Reads the value that opens with the first of the bytes, which begin with a line of `length` bytes.
    ///
    /// - Returns: How many bytes it takes up; 0 when the line is to be handed on, nil when what follows decides.
    private mutating func readValue(
        _ bytes: UnsafeBufferPointer<UInt8>, length: Int, isAll: Bool, _ handler: inout some RecordHandler
    ) -> Int? {
        // However many lines are bad, looking ahead takes no more than a multiple of the time.
        guard wasted <= 2 * (lineStart + 4 << 20) else { return 0 }
        let text = unsafe RawText(bytes)
        switch OpenedValue.outcome(of: text, isAll: isAll, limit: limit) {
        case .closes(let end):
            let next = end < text.count && text[end] == .comma ? end + 1 : end
            // Several values on one line are the line's.
            guard text.indexOfNonSpace(from: next) >= length else { return 0 }
            let value = unsafe UnsafeBufferPointer(rebasing: bytes[..<end])
            unsafe ValueFramer(limit: limit, offset: lineStart).readAll(value, &handler)
            return next
        case .runsOn:
            unsafe beginValues(with: bytes, &handler)
            return bytes.count
        case .isBad(let place):
            wasted += place
            return 0
        case .unknown:
            awaited = 2 * bytes.count
            return nil
        }
    }

    private mutating func beginValues(
        with bytes: UnsafeBufferPointer<UInt8>, _ handler: inout some RecordHandler
    ) {
        values = ValueFramer(limit: limit, offset: lineStart)
        unsafe values?.consume(bytes, &handler)
    }

    /// Goes on after lost bytes: neither the line that they end in nor the one that they began in is whole.
    mutating func resume(_ handler: inout some RecordHandler) {
        if awaited > 0 { readCollected(&handler, isAll: true) }
        if values != nil { return values?.resume(&handler) ?? () }
        dropTail(&handler)
        isTorn = true
    }

    mutating func finish(isDamaged: Bool, _ handler: inout some RecordHandler) {
        if unsafe awaited > 0 || !isDamaged && !isSkipping && mayOpenValue(collected.bytes) {
            readCollected(&handler, isAll: true)
        }
        if values != nil {
            values?.finish(isDamaged: isDamaged, &handler)
        } else if isDamaged {
            dropTail(&handler)
        } else if isSkipping || !collected.isEmpty {
            finishCollected(at: offset, isEnded: false, &handler)
        }
    }

    private mutating func dropTail(_ handler: inout some RecordHandler) {
        if isSkipping {
            handler.handleLost(lineStart..<offset)
        } else if !collected.isEmpty {
            unsafe handler.handleTail(collected.bytes, offset: lineStart)
        }
        isSkipping = false
        collected.removeAll()
    }

    private mutating func collect(_ bytes: UnsafeBufferPointer<UInt8>, _ handler: inout some RecordHandler) {
        if isSkipping {
            unsafe isBlank = isBlank && LineRecord.text(of: bytes) == nil
            return
        }
        unsafe collected.append(bytes)
        guard collected.count > min(limit, OpenedValue.longestLookahead) else { return }
        if readsValues, OpenedValue.runsOn(collected.text) {
            // A line of many records: the limit is one of each.
            unsafe beginValues(with: collected.bytes, &handler)
            return collected.removeAll()
        }
        guard collected.count > limit + LineFramer.trimmedBytes else { return }
        isSkipping = true
        unsafe isBlank = LineRecord.text(of: collected.bytes) == nil
        collected.removeAll()
    }

    private mutating func finishCollected(
        at end: Int, isEnded: Bool = true, _ handler: inout some RecordHandler
    ) {
        if isSkipping {
            if !isBlank { handler.handleOversized(lineStart..<end) }
            isSkipping = false
        } else {
            let line = unsafe collected.bytes
            let hints = unsafe MarkerHints(in: line).union(isEnded ? [] : .unended)
            unsafe handler.handleLine(line, hints: hints, offset: lineStart)
        }
        collected.removeAll()
    }

    /// Hands on the whole lines of `bytes`, and the values that they open, and returns how many bytes they take up.
    private mutating func handleLines(
        of bytes: UnsafeBufferPointer<UInt8>, isAll: Bool = false, _ handler: inout some RecordHandler
    ) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var start = 0
        var block = 0
        var hints: MarkerHints = []
        while block < bytes.count {
            // Safe: slack after the bytes allows a whole block, and what it looks ahead, to be loaded; no place is
            // behind the bytes.
            let found = unsafe CByteMask_nextPlaces(base, block, bytes.count)
            block = found.block
            var places = found.places
            var next = block + 64
            while places != 0 {
                var end = block + places.trailingZeroBitCount
                places &= places - 1
                // Safe: end < bytes.count.
                if unsafe base[end] != 0x0A {
                    unsafe hints.formUnion(.hint(in: base, at: end, from: start, to: bytes.count))
                    if !hints.needsParsing { continue }
                    // The first such hint has the line parsed, regardless of others: only its end is of interest now.
                    guard let lineFeed = unsafe RawText(bytes).index(of: 0x0A, from: end) else { return start }
                    end = lineFeed
                    next = end + 1
                    places = 0
                }
                // Safe: start <= end < bytes.count.
                let line = unsafe UnsafeBufferPointer(start: base + start, count: end - start)
                if unsafe mayOpenValue(line) {
                    let rest = unsafe UnsafeBufferPointer(rebasing: bytes[start...])
                    let taken = unsafe readValue(rest, length: line.count, isAll: isAll, &handler)
                    guard let taken else { return start }
                    if taken > 0 {
                        lineStart += taken
                        start += taken
                        hints = []
                        next = start
                        break
                    }
                }
                unsafe handler.handleLine(line, hints: hints, offset: lineStart)
                lineStart += end + 1 - start
                start = end + 1
                hints = []
            }
            block = next
        }
        // The last line of the source has no line feed.
        let rest = unsafe UnsafeBufferPointer(rebasing: bytes[start...])
        if isAll, unsafe mayOpenValue(rest) {
            let taken = unsafe readValue(rest, length: rest.count, isAll: true, &handler) ?? 0
            lineStart += taken
            start += taken
        }
        return start
    }
}

/// The part of a line that is the record.
enum LineRecord {
    /// The line without byte order mark and carriage return; nil when it is blank.
    ///
    /// Each of the files that were joined to one source may begin with such a mark.
    static func text(of line: UnsafeBufferPointer<UInt8>) -> RawText? {
        guard let base = line.baseAddress else { return nil }
        var text = unsafe RawText(start: base, count: line.count)
        if text.hasPrefix("\u{FEFF}") { text = text.cut(3..<text.count) }
        if text.count > 0, text[text.count - 1] == UInt8(ascii: "\r") { text = text.cut(0..<text.count - 1) }
        return text.indexOfNonSpace(from: 0) < text.count ? text : nil
    }

    /// The record without the comma after it, which the lines of an array have whose brackets are gone.
    static func withoutComma(_ line: RawText) -> RawText {
        let whole = line.withoutTrailingSpace
        guard whole.last == .comma else { return line }
        let record = whole.cut(0..<whole.count - 1).withoutTrailingSpace
        return record.last == .closeBrace ? record : line
    }
}
