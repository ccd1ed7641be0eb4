internal import CByteMask
internal import Platform

/// Cuts plain bytes into lines, and looks for hints of a verification on the way: one pass over the bytes, 64 at a
/// time.
///
/// A line that lies in one chunk is handed on where it lies. One that does not is collected first, up to the limit;
/// a longer one is passed over in bounded memory.
struct LineFramer: Framer, ~Copyable {
    private let limit: Int
    /// The beginning of a line whose end has not come yet.
    private var collected = ByteCollector()
    /// Set while a line beyond the limit is passed over.
    private var isSkipping = false
    /// True while the line that is passed over shows nothing but white space: it is not a record then.
    private var isBlank = false
    /// Set after lost bytes, until the line ends that they were part of.
    private var isTorn = false
    /// Where the line being read starts in the plain bytes.
    private var lineStart = 0
    /// Where the next chunk starts in the plain bytes.
    private var offset = 0

    /// What the first line of a source may have more than its record: a byte order mark and a carriage return.
    private static let trimmedBytes = 4

    /// - Parameter limit: The longest record, in bytes.
    init(limit: Int) { self.limit = limit }

    mutating func consume(_ bytes: UnsafeBufferPointer<UInt8>, _ handler: inout some RecordHandler) {
        var rest = unsafe bytes
        if isTorn {
            guard let end = unsafe firstLineFeed(in: bytes) else {
                offset += bytes.count
                return
            }
            isTorn = false
            unsafe rest = UnsafeBufferPointer(rebasing: bytes[(end + 1)...])
            offset += end + 1
            lineStart = offset
        } else if isSkipping || !collected.isEmpty {
            guard let end = unsafe firstLineFeed(in: bytes) else {
                unsafe collect(bytes)
                offset += bytes.count
                return
            }
            unsafe collect(UnsafeBufferPointer(rebasing: bytes[..<end]))
            finishCollected(&handler)
            unsafe rest = UnsafeBufferPointer(rebasing: bytes[(end + 1)...])
            offset += end + 1
            lineStart = offset
        }
        let taken = unsafe handleLines(of: rest, &handler)
        offset += rest.count
        unsafe collect(UnsafeBufferPointer(rebasing: rest[taken...]))
    }

    /// Goes on after lost bytes: neither the line that they end in nor the one that they began in is whole.
    mutating func resume(_ handler: inout some RecordHandler) {
        dropTail(&handler)
        isTorn = true
    }

    mutating func finish(isDamaged: Bool, _ handler: inout some RecordHandler) {
        if isDamaged {
            dropTail(&handler)
        } else if isSkipping || !collected.isEmpty {
            finishCollected(&handler)
        }
    }

    private mutating func dropTail(_ handler: inout some RecordHandler) {
        if !isSkipping && !collected.isEmpty { unsafe handler.handleTail(collected.bytes, offset: lineStart) }
        isSkipping = false
        collected.removeAll()
    }

    private mutating func collect(_ bytes: UnsafeBufferPointer<UInt8>) {
        if isSkipping {
            unsafe isBlank = isBlank && LineRecord.text(of: bytes, at: offset) == nil
            return
        }
        unsafe collected.append(bytes)
        guard collected.count > limit + LineFramer.trimmedBytes else { return }
        isSkipping = true
        unsafe isBlank = LineRecord.text(of: collected.bytes, at: lineStart) == nil
        collected.removeAll()
    }

    private mutating func finishCollected(_ handler: inout some RecordHandler) {
        if isSkipping {
            if !isBlank { handler.handleOversized(offset: lineStart) }
            isSkipping = false
        } else {
            let line = unsafe collected.bytes
            unsafe handler.handleLine(line, hints: MarkerHints(in: line), offset: lineStart)
        }
        collected.removeAll()
    }

    /// Hands on the whole lines of `bytes` and returns how many bytes they take up.
    private mutating func handleLines(
        of bytes: UnsafeBufferPointer<UInt8>, _ handler: inout some RecordHandler
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
                    if !hints.mayClass { continue }
                    // The first such hint has the line parsed, whatever else it shows: only its end is of interest now.
                    guard let lineFeed = unsafe firstLineFeed(in: bytes, from: end) else { return start }
                    end = lineFeed
                    next = end + 1
                    places = 0
                }
                // Safe: start <= end < bytes.count.
                let line = unsafe UnsafeBufferPointer(start: base + start, count: end - start)
                unsafe handler.handleLine(line, hints: hints, offset: lineStart)
                lineStart += end + 1 - start
                start = end + 1
                hints = []
            }
            block = next
        }
        return start
    }

    private func firstLineFeed(in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        // Safe: memchr reads the bytes from `start` on and returns a place among them.
        guard let place = unsafe memchr(base + start, 0x0A, bytes.count - start) else { return nil }
        return unsafe UnsafeRawPointer(place) - UnsafeRawPointer(base)
    }
}

/// What of a line is the record.
enum LineRecord {
    /// The line without byte order mark and carriage return; nil when it is blank.
    ///
    /// `offset` is its place in the plain bytes of the source: only at the very start there is a byte order mark.
    static func text(of line: UnsafeBufferPointer<UInt8>, at offset: Int) -> RawText? {
        guard let base = line.baseAddress else { return nil }
        var text = unsafe RawText(start: base, count: line.count)
        if offset == 0, text.hasPrefix("\u{FEFF}") { text = text.cut(3..<text.count) }
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
