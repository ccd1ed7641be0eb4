internal import CByteMask
internal import Glibc

/// Cuts plain bytes into lines, and looks for signs of a verification on the way: one pass over the bytes, 64 at a
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
    /// True while the line that is passed over shows nothing but white space: it is no record then.
    private var isBlank = false
    /// Set behind lost bytes, until the line ends that they were part of.
    private var isTorn = false
    /// Where the line being read starts in the plain bytes.
    private var lineStart = 0
    /// Where the next chunk starts in the plain bytes.
    private var offset = 0

    /// What the first line of a source may have more than its record: a byte order mark and a carriage return.
    private static let trimmedBytes = 4

    /// - Parameter limit: The longest record, in bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// Reads on; the bytes have slack behind them.
    mutating func consume(_ bytes: UnsafeBufferPointer<UInt8>, _ taker: inout some RecordTaker) {
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
            finishCollected(&taker)
            unsafe rest = UnsafeBufferPointer(rebasing: bytes[(end + 1)...])
            offset += end + 1
            lineStart = offset
        }
        let taken = unsafe takeLines(of: rest, &taker)
        offset += rest.count
        unsafe collect(UnsafeBufferPointer(rebasing: rest[taken...]))
    }

    /// Goes on behind lost bytes: neither the line that they end in nor the one that they began in is whole.
    mutating func resume(_ taker: inout some RecordTaker) {
        dropTail(&taker)
        isTorn = true
    }

    /// Ends the source; when it is damaged, a line without a line feed may have lost its end.
    mutating func finish(isDamaged: Bool, _ taker: inout some RecordTaker) {
        if isDamaged {
            dropTail(&taker)
        } else if isSkipping || !collected.isEmpty {
            finishCollected(&taker)
        }
    }

    private mutating func dropTail(_ taker: inout some RecordTaker) {
        if !isSkipping && !collected.isEmpty { unsafe taker.takeTail(collected.bytes, offset: lineStart) }
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

    private mutating func finishCollected(_ taker: inout some RecordTaker) {
        if isSkipping {
            if !isBlank { taker.takeOversized(offset: lineStart) }
            isSkipping = false
        } else {
            let line = unsafe collected.bytes
            unsafe taker.takeLine(line, signs: LineSigns(in: line), offset: lineStart)
        }
        collected.removeAll()
    }

    /// Hands on the whole lines of `bytes` and returns how many bytes they take up.
    private mutating func takeLines(of bytes: UnsafeBufferPointer<UInt8>, _ taker: inout some RecordTaker) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var start = 0
        var block = 0
        while block < bytes.count {
            // Safe: slack behind the bytes allows a whole block, and what it looks ahead, to be loaded.
            let found = unsafe CByteMask_signs(base + block)
            var places = found.newline | found.marker | found.escape | found.errorStream
            if bytes.count - block < 64 { places &= (1 << UInt64(bytes.count - block)) - 1 }
            var next = block + 64
            while places != 0 {
                var end = block + places.trailingZeroBitCount
                places &= places - 1
                var signs: LineSigns = []
                // Safe: end < bytes.count.
                if unsafe base[end] != 0x0A {
                    unsafe signs = .sign(in: base, at: end, from: start, to: bytes.count)
                    if signs.isEmpty { continue }
                    // The first sign has the line parsed, whatever else it shows: only its end is of interest now.
                    guard let lineFeed = unsafe firstLineFeed(in: bytes, from: end) else { return start }
                    end = lineFeed
                    next = end + 1
                    places = 0
                }
                // Safe: start <= end < bytes.count.
                let line = unsafe UnsafeBufferPointer(start: base + start, count: end - start)
                unsafe taker.takeLine(line, signs: signs, offset: lineStart)
                lineStart += end + 1 - start
                start = end + 1
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
