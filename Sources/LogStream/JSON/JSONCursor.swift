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
    /// The block of 64 bytes whose ``stops`` are known: where it starts, a multiple of 64, or far after any record.
    private var block = Int.max
    /// The bytes of the block that a string cannot pass over.
    private var stops: UInt64 = 0

    /// - Parameters:
    ///   - base: The record's first byte, with slack after its last.
    ///   - count: The record's length in bytes.
    init(base: UnsafePointer<UInt8>, count: Int) {
        unsafe self.base = base
        self.end = count
    }

    /// - Parameter text: A record, or a part of one.
    init(_ text: RawText) {
        // Safe: texts are cut from records or from the scratch, which have slack after them.
        unsafe self.init(base: text.start, count: text.count)
    }

    var isAtEnd: Bool { position >= end }

    /// The byte at the position, 0 at the end (NUL is nowhere allowed in JSON text, so it needs no case of its own).
    @inline(__always)
    var current: UInt8 {
        // Safe: position < end, and the record has `end` bytes.
        position < end ? unsafe base[position] : 0
    }

    @inline(__always)
    mutating func advance(by count: Int = 1) { position += count }

    /// Moves over `byte`, or fails.
    @inline(__always)
    mutating func expect(_ byte: UInt8) throws(JSONFailure) {
        guard current == byte else { throw JSONFailure() }
        position += 1
    }

    /// Moves over space, tab, line feed and carriage return.
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
    /// A block is looked at once for all strings in it: the way from one string's end to the next one's is a few
    /// instructions then, and no load depends on it.
    @inline(__always)
    private mutating func firstStop(from start: Int) -> Int {
        if UInt(bitPattern: start &- block) < 64 {
            let rest = stops &>> UInt64(truncatingIfNeeded: start &- block)
            if rest != 0 { return start &+ rest.trailingZeroBitCount }
        }
        return firstStopAfterBlock(from: start)
    }

    @inline(never)
    private mutating func firstStopAfterBlock(from start: Int) -> Int {
        var place = start
        while place < end {
            if place & ~63 != block {
                block = place & ~63
                // Safe: the block starts inside the record, and the slack after the record is longer than a block.
                stops = unsafe CByteMask_stringStops(base + block)
            }
            let rest = stops &>> UInt64(truncatingIfNeeded: place &- block)
            if rest != 0 { return place &+ rest.trailingZeroBitCount }
            place = block &+ 64
        }
        return place
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
    /// stands around it; nil, without moving, otherwise.
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

    /// Moves over digits and returns how many there were.
    mutating func skipDigits() -> Int {
        let start = position
        while current &- UInt8(ascii: "0") <= 9 { position += 1 }
        return position - start
    }

    /// The bytes from `start` to the position.
    func text(from start: Int) -> RawText { unsafe RawText(start: base + start, count: position - start) }

    /// Moves back to a place that was visited before.
    mutating func rewind(to position: Int) {
        precondition(position >= 0 && position <= self.position)
        self.position = position
    }
}

/// One bit for each level of nesting.
struct NestingBits {
    private var words = [9 of UInt64](repeating: 0)

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
