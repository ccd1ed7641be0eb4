internal import CByteMask

/// Cuts plain bytes into JSON values wherever they stand: in arrays and pages, pretty-printed, or glued to one another.
///
/// ```
/// [{"logName":…,"labels":{…}},        {"entries":[{…},{…}],"nextPageToken":"…"}
/// ^1^2                 ^3  ^4         ^5          ^6
/// ```
///
/// Only brackets outside of strings matter. An array (1) is a wrapper: the objects in it are the elements. An object
/// (2) is an element, ended (4) by the bracket that brings the depth back; what lies in it (3) is only counted. An
/// object whose `entries` or `receivedMessages` is an array (5, 6) is a page, hence a wrapper as well.
///
/// Bytes are looked at 64 at a time: one bit per byte says whether it lies in a string, so that only brackets, signs of
/// a verification and what cannot be JSON are looked at one by one. What cannot be JSON costs the element it stands in;
/// see `ValueFramer+Recovery`.
struct ValueFramer: Framer, ~Copyable {
    enum State {
        /// Between elements.
        case gap
        /// In an element that is an object.
        case element
        /// In one that is a number, a string or a literal.
        case scalar
        /// Behind the elements of a page, before its closing brace.
        case pageTail
        /// Looking for the next place where a record can start.
        case recovering
    }

    /// What elements can be wrapped in.
    enum Wrapper {
        case array
        case page
    }

    let limit: Int
    /// True when text may stand between elements, as Logs Explorer copies a line of summary before each entry.
    let isAmongText: Bool
    var state = State.gap
    var wrappers: [Wrapper] = []
    /// The open containers inside the element or page tail, 1 for an object.
    var containers = NestingBits()
    var depth = 0
    /// Where the element, or the gap, starts in the plain bytes of the source.
    var begin = 0
    /// How far the element is indented, when it is the first thing on its line.
    var elementIndent: Int?
    /// What was seen in the element.
    var signs: LineSigns = []
    /// The beginning of an element, or of a page's tail, that started in an earlier piece; empty beyond the limit.
    var collected = ByteCollector()
    /// What was read of an element that is no object.
    var scalar = Scalar(opening: 0)
    /// Set when a bracket cannot be taken because too many are open, for ``giveUp(in:at:_:)``.
    var isTooDeep = false
    /// What is being passed over while recovering.
    var loss = Loss(.gap, at: 0)
    /// The first key of the first element, and of the one being read.
    var usualKey: KeyTrace?
    var openingKey: KeyTrace?
    /// Where the piece starts in the plain bytes.
    var offset = 0
    /// Where in the piece the element, or the gap, starts; 0 when it started in an earlier one.
    ///
    /// It is computed because pieces are also read again, from inside one another: a stored place would be one in
    /// whichever piece was read last.
    var start: Int { max(0, begin - offset) }

    /// True when what is being read is longer than the limit where it has come to `index`, even if its bytes are all
    /// there: how a source is cut into pieces changes nothing.
    func isOversized(at index: Int) -> Bool { offset + index - begin > limit }

    /// The last byte before the piece that is no white space.
    var lastByte = UInt8(ascii: ",")
    /// How far the line is indented that goes on in the piece; nil when it holds something else than white space.
    var indent: Int? = 0
    /// All ones when the piece starts inside a string.
    var stringCarry: UInt64 = 0
    /// One when the piece's first byte is escaped.
    var escapeCarry: UInt64 = 0
    /// The last bytes, which are looked at when it is known what comes behind them.
    private var waiting = ByteCollector()

    /// - Parameters:
    ///   - limit: The longest element, in bytes.
    ///   - isAmongText: True when text between elements is no damage.
    ///   - offset: Where the bytes to come start in the plain bytes of the source.
    init(limit: Int, isAmongText: Bool = false, offset: Int = 0) {
        self.limit = limit
        self.isAmongText = isAmongText
        self.offset = offset
        begin = offset
    }

    /// Reads on; the bytes have slack behind them.
    mutating func consume(_ bytes: UnsafeBufferPointer<UInt8>, _ taker: inout some RecordTaker) {
        let kept = waiting.count
        let shown = min(bytes.count, Piece.lookahead)
        unsafe waiting.append(UnsafeBufferPointer(rebasing: bytes[..<shown]))
        let end = min(kept, waiting.count - Piece.lookahead)
        if end > 0 { read(Piece(unsafe RawText(waiting.bytes), end: end), &taker) }
        if shown < bytes.count {
            let rest = bytes.count - Piece.lookahead
            read(Piece(unsafe RawText(bytes), end: rest), &taker)
            waiting.removeAll()
            unsafe waiting.append(UnsafeBufferPointer(rebasing: bytes[rest...]))
        } else if end > 0 {
            waiting.removeFirst(end)
        }
    }

    /// Goes on behind lost bytes, which may have held the end of a record, whole ones, and the beginning of another.
    mutating func resume(_ taker: inout some RecordTaker) {
        readWaiting(&taker)
        if state == .recovering { reportLoss(&taker) }
        collected.removeAll()
        loss = Loss(.torn, at: offset)
        state = .recovering
    }

    private mutating func readWaiting(_ taker: inout some RecordTaker) {
        read(Piece(unsafe RawText(waiting.bytes), end: waiting.count), &taker)
        waiting.removeAll()
    }

    /// Ends the source; when it is damaged, bytes are missing behind the last ones.
    mutating func finish(isDamaged: Bool, _ taker: inout some RecordTaker) {
        readWaiting(&taker)
        if !isDamaged { endOpenElement(&taker) }
        if state == .recovering { reportLoss(&taker) }
        if !isDamaged && !wrappers.isEmpty { taker.noteUnterminated(offset: offset) }
        collected.removeAll()
        state = .gap
    }

    /// Looks at a piece, and keeps of it what is needed later.
    mutating func read(_ piece: Piece, _ taker: inout some RecordTaker) {
        var index = 0
        while index < piece.end {
            let next =
                switch state {
                case .recovering: recover(in: piece, from: index, &taker)
                case .scalar: readScalar(in: piece, from: index, &taker)
                case .gap, .element, .pageTail: scan(piece, from: index, &taker)
                }
            // What is left was looked at together with earlier pieces.
            guard let next else { return }
            index = next
        }
        close(piece)
    }

    /// Follows the brackets from `from` on.
    ///
    /// - Returns: Where to go on; nil when the rest of the piece has been read already.
    private mutating func scan(_ piece: Piece, from: Int, _ taker: inout some RecordTaker) -> Int? {
        // What is no object is noticed at once: to look for the next bracket each time would take the square of the
        // time.
        if state == .gap, let text = placeOfText(in: piece, from: from) { return giveUp(in: piece, at: text, &taker) }
        let base = unsafe piece.text.start
        var block = from
        while block < piece.end {
            // Safe: slack behind the bytes allows a whole block, and what it looks ahead, to be loaded.
            let found = unsafe CByteMask_structure(base + block)
            let hints = unsafe CByteMask_signs(base + block)
            let used = min(64, piece.end - block)
            let inString = stringMask(found.quote, found.backslash, used: used)
            let broken = (found.control & inString) | (found.letter & ~inString)
            let brackets = found.bracket & ~inString
            var places = broken | brackets | hints.marker | hints.escape | hints.errorStream
            if used < 64 { places &= (1 << UInt64(used)) - 1 }
            while places != 0 {
                let bit = places & (~places + 1)
                let index = block + places.trailingZeroBitCount
                places &= places - 1
                if brackets & bit != 0 {
                    if !takeBracket(in: piece, at: index, &taker) { return giveUp(in: piece, at: index, &taker) }
                } else if broken & bit != 0 {
                    return giveUp(in: piece, at: index, &taker)
                } else if state == .element {
                    unsafe signs.formUnion(LineSigns.sign(in: base, at: index, from: start, to: piece.text.count))
                }
            }
            block += 64
        }
        // Text without a bracket is noticed only here.
        if state == .gap, !isGap(piece, start..<piece.end) { return giveUp(in: piece, at: piece.end - 1, &taker) }
        return piece.end
    }

    /// A bit for each byte that lies in a string, its opening quote included; moves the carries on by a block.
    ///
    /// Escaped quotes are left out first: a run of backslashes escapes what follows it when its length is odd. Then a
    /// byte lies in a string when the number of quotes up to it is odd, which a prefix exclusive-or tells for all bytes
    /// at once (Langdale and Lemire, "Parsing Gigabytes of JSON per Second", 2019, section 3.1.1).
    private mutating func stringMask(_ quotes: UInt64, _ backslashes: UInt64, used: Int) -> UInt64 {
        var escaped = escapeCarry
        var overflow: UInt64 = 0
        var rest = backslashes & ~escaped
        while rest != 0 {
            let bit = rest & (~rest + 1)
            let next = bit << 1
            if next == 0 { overflow = 1 }
            escaped |= next
            rest &= ~(bit | next)
        }
        // A piece may end inside a block: what lies behind its end belongs to the next one.
        escapeCarry = used == 64 ? overflow : escaped >> UInt64(used) & 1
        var mask = quotes & ~escaped
        mask ^= mask << 1
        mask ^= mask << 2
        mask ^= mask << 4
        mask ^= mask << 8
        mask ^= mask << 16
        mask ^= mask << 32
        mask ^= stringCarry
        stringCarry = mask >> UInt64(used - 1) & 1 == 1 ? .max : 0
        return mask
    }
}
