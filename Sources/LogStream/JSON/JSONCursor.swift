internal import CByteMask

/// Signals text that is not JSON, or not what is read; where it went wrong is the cursor's position.
struct JSONFailure: Error {
    var cause = Malformation.notJSON
}

/// The read position in one record: the only thing that moves it, and the only thing that reads bytes.
///
/// The record lies in one piece in a buffer that ends in ``CByteMask_slack`` bytes more than the record has, so that a
/// block may be loaded at any position; what lies after the record is never acted on.
@safe struct JSONCursor {
    private let base: UnsafePointer<UInt8>
    private let end: Int
    private(set) var position = 0
    /// The start of the blocks whose ``stops`` are known; far after any record if none are.
    private var window = Int.max
    /// For each block of 64 bytes, those that a string cannot pass over.
    ///
    /// Its bits for blocks after the record are arbitrary; the last one, after the window, never has any. The zeros are
    /// spelled out: `repeating:` makes them elsewhere, to be copied for each record.
    private var stops: [17 of UInt64] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    private static let windowBytes = 16 * 64

    @inline(__always)
    init(base: UnsafePointer<UInt8>, count: Int) {
        unsafe self.base = base
        self.end = count
    }

    @inline(__always)
    init(_ text: RawText) {
        // Safe: texts are cut from records or from the scratch, which have slack after them.
        unsafe self.init(base: text.start, count: text.count)
    }

    var text: RawText { unsafe RawText(start: base, count: end) }
    var isAtEnd: Bool { position >= end }

    /// The byte at the position, 0 at the end (NUL is nowhere allowed in JSON text, so it needs no separate case).
    @inline(__always)
    var current: UInt8 {
        // Safe: position < end, and the record has `end` bytes.
        position < end ? unsafe base[position] : 0
    }

    @inline(__always)
    mutating func advance(by count: Int = 1) { position += count }

    @inline(__always)
    mutating func expect(_ byte: UInt8) throws(JSONFailure) {
        guard current == byte else { throw JSONFailure() }
        position += 1
    }

    @inline(__always)
    mutating func skipWhitespace() {
        // Compact JSON, the common case, has none.
        guard current <= 0x20 else { return }
        while JSONCursor.isWhitespace(current) { position += 1 }
    }

    @inline(__always)
    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Moves to the next byte that ends or complicates a string: quote, backslash, control character or non-ASCII.
    mutating func skipPlainStringBytes() { position = min(firstStop(from: position), end) }

    /// The next such byte's place, at or after `start`; the record's end, or a place after it, when there is none.
    ///
    /// Most records are looked at once, for all strings in them: the way from one string's end to the next one's is a
    /// few instructions then, and no load depends on it.
    @inline(__always)
    private mutating func firstStop(from start: Int) -> Int {
        let place = UInt(bitPattern: start &- window)
        if place < JSONCursor.windowBytes {
            let block = Int(place &>> 6)
            // Safe: block < 16, and there are 17.
            let rest = unsafe stops[unchecked: block] &>> UInt64(place & 63)
            if rest != 0 { return start &+ rest.trailingZeroBitCount }
            let next = unsafe stops[unchecked: block &+ 1]
            if next != 0 { return window &+ (block &+ 1) &* 64 &+ next.trailingZeroBitCount }
        }
        return firstStopAfterBlock(from: start)
    }

    @inline(never)
    private mutating func firstStopAfterBlock(from start: Int) -> Int {
        var place = start
        while place < end {
            if UInt(bitPattern: place &- window) >= JSONCursor.windowBytes { look(from: place & ~63) }
            let rest = stops[(place &- window) >> 6] &>> UInt64(place & 63)
            if rest != 0 { return place &+ rest.trailingZeroBitCount }
            place = (place & ~63) &+ 64
        }
        return place
    }

    private mutating func look(from start: Int) {
        window = start
        let count = min((end - start + 63) / 64, stops.count - 1)
        var span = stops.mutableSpan
        unsafe span.withUnsafeMutableBufferPointer { stops in
            // Safe: the last block starts inside the record, and the slack after the record is longer than a block;
            // `stops` has room for as many blocks.
            unsafe CByteMask_stringStopsInRow(base + start, count, stops.baseAddress)
        }
    }

    // MARK: Compact text

    /// Moves over a string that has neither escapes nor non-ASCII characters; nil, without moving, when there is none.
    @inline(__always)
    mutating func plainString() -> RawText? {
        // Safe: position <= end, and slack lies after the record.
        guard unsafe base[position] == .quote else { return nil }
        let start = position &+ 1
        let stop = firstStop(from: start)
        // Safe: stop < end.
        guard stop < end, unsafe base[stop] == .quote else { return nil }
        position = stop &+ 1
        return unsafe RawText(start: base + start, count: stop &- start)
    }

    /// Moves over `,"key":`, or `"key":` when it is the object's first, if the key is such a string and no white space
    /// is around it; nil, without moving, otherwise.
    @inline(__always)
    mutating func compactKey(isFirst: Bool) -> RawText? {
        var start = position
        // Safe: position <= end, and slack lies after the record, here and for the quote.
        if !isFirst {
            guard unsafe base[start] == .comma else { return nil }
            start &+= 1
        }
        guard unsafe base[start] == .quote else { return nil }
        start &+= 1
        let stop = firstStop(from: start)
        // Safe: stop + 1 < end.
        guard stop &+ 1 < end, unsafe base[stop] == .quote, unsafe base[stop &+ 1] == .colon
        else { return nil }
        position = stop &+ 2
        return unsafe RawText(start: base + start, count: stop &- start)
    }

    mutating func skipDigits() -> Int {
        let start = position
        while current.isDigit { position += 1 }
        return position - start
    }

    // MARK: Numbers and words

    mutating func number() throws(JSONFailure) {
        if current == UInt8(ascii: "-") { advance() }
        if current == UInt8(ascii: "0") {
            advance()
        } else if skipDigits() == 0 {
            throw JSONFailure()
        }
        if current == UInt8(ascii: ".") {
            advance()
            if skipDigits() == 0 { throw JSONFailure() }
        }
        if current | 0x20 == UInt8(ascii: "e") {
            advance()
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { advance() }
            if skipDigits() == 0 { throw JSONFailure() }
        }
    }

    mutating func literal(_ word: StaticString) throws(JSONFailure) {
        // Safe: the index stays inside the literal.
        for index in 0..<word.utf8CodeUnitCount { try expect(unsafe word.utf8Start[index]) }
    }

    // MARK: Places

    func text(from start: Int) -> RawText { unsafe RawText(start: base + start, count: position - start) }

    mutating func rewind(to position: Int) {
        precondition(position >= 0 && position <= self.position)
        self.position = position
    }
}

/// One bit for each level of nesting.
struct NestingBits {
    private var words: [9 of UInt64] = [0, 0, 0, 0, 0, 0, 0, 0, 0]

    subscript(level: Int) -> Bool {
        get { words[level >> 6] >> UInt64(level & 63) & 1 == 1 }
        set {
            let bit: UInt64 = 1 << UInt64(level & 63)
            if newValue { words[level >> 6] |= bit } else { words[level >> 6] &= ~bit }
        }
    }
}

func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
}
