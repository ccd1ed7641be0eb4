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
        /// In an element.
        case element
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
    let allowsText: Bool
    var state = State.gap
    var wrappers: [Wrapper] = []
    /// The open containers inside the element or page tail, 1 for an object.
    var containers = NestingBits()
    var depth = 0
    /// Where the element starts in the plain bytes of the source.
    var elementStart = 0
    /// What was seen in the element, or in what was passed over while recovering.
    var signs: LineSigns = []
    /// The beginning of an element that started in an earlier chunk.
    var collected = ByteCollector()
    /// Set when the element is longer than the limit; its bytes are then gone.
    var isOversized = false
    /// True while a damaged element has not been reported yet.
    var owesRecord = false
    /// Where the chunk starts in the plain bytes.
    var offset = 0
    /// Where in the chunk the element, or the gap, starts; 0 when it started in an earlier one.
    var start = 0
    /// The last byte before the chunk that is no white space.
    var lastByte = UInt8(ascii: ",")
    /// All ones when the chunk starts inside a string.
    var stringCarry: UInt64 = 0
    /// One when the chunk's first byte is escaped.
    var escapeCarry: UInt64 = 0

    /// - Parameters:
    ///   - limit: The longest element, in bytes.
    ///   - allowsText: True when text between elements is no damage.
    ///   - offset: Where the bytes to come start in the plain bytes of the source.
    init(limit: Int, allowsText: Bool = false, offset: Int = 0) {
        self.limit = limit
        self.allowsText = allowsText
        self.offset = offset
    }

    /// Reads on; the bytes have slack behind them.
    mutating func consume(_ bytes: UnsafeBufferPointer<UInt8>, _ taker: inout some RecordTaker) {
        start = 0
        var index = 0
        if offset == 0, unsafe hasByteOrderMark(bytes) {
            index = 3
            start = 3
        }
        while index < bytes.count {
            if state == .recovering {
                guard let place = unsafe nextStart(in: bytes, from: index) else {
                    unsafe signs.formUnion(LineSigns(in: UnsafeBufferPointer(rebasing: bytes[index...])))
                    break
                }
                unsafe signs.formUnion(LineSigns(in: UnsafeBufferPointer(rebasing: bytes[index..<place])))
                endRecovery(at: place, &taker)
                index = place
            }
            index = unsafe scan(bytes, from: index, &taker)
        }
        unsafe closeChunk(bytes)
    }

    /// Ends the source; when it is damaged, bytes are missing behind the last ones.
    mutating func finish(isDamaged: Bool, _ taker: inout some RecordTaker) {
        switch state {
        case .element where !isDamaged:
            if isOversized {
                taker.takeOversized(offset: elementStart)
            } else {
                let showsMarker = unsafe Marker.shows(in: RawText(collected.bytes))
                taker.takeDamaged(showsMarker: showsMarker, offset: elementStart)
            }
        case .recovering:
            reportLoss(&taker)
        default:
            break
        }
        if !isDamaged && !wrappers.isEmpty { taker.noteUnterminated(offset: offset) }
        collected.removeAll()
    }

    /// Follows the brackets from `from` on.
    ///
    /// - Returns: Where to go on: the chunk's end, or the place from which to look for the next record.
    private mutating func scan(
        _ bytes: UnsafeBufferPointer<UInt8>, from: Int, _ taker: inout some RecordTaker
    ) -> Int {
        guard let base = bytes.baseAddress else { return bytes.count }
        var block = from
        while block < bytes.count {
            // Safe: slack behind the bytes allows a whole block, and what it looks ahead, to be loaded.
            let found = unsafe CByteMask_structure(base + block)
            let hints = unsafe CByteMask_signs(base + block)
            let used = min(64, bytes.count - block)
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
                    if unsafe !takeBracket(in: bytes, at: index, &taker) { return beginRecovery(from: index) }
                } else if broken & bit != 0 {
                    return beginRecovery(from: index)
                } else if state == .element {
                    unsafe signs.formUnion(LineSigns.sign(in: base, at: index, from: start, to: bytes.count))
                }
            }
            block += 64
        }
        return bytes.count
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
        // A chunk may end inside a block; the slack behind it holds neither quotes nor backslashes.
        escapeCarry = used == 64 ? overflow : escaped >> UInt64(used) & 1
        var mask = quotes & ~escaped
        mask ^= mask << 1
        mask ^= mask << 2
        mask ^= mask << 4
        mask ^= mask << 8
        mask ^= mask << 16
        mask ^= mask << 32
        mask ^= stringCarry
        stringCarry = mask >> 63 == 1 ? .max : 0
        return mask
    }

    private func hasByteOrderMark(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // Safe: the count is checked first.
        unsafe bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
    }
}
