internal import CByteMask

/// Cuts plain bytes into JSON values: in arrays and pages, pretty-printed, or glued to one another.
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
/// Bytes are looked at 64 at a time: one bit per byte says whether it lies in a string, so that only brackets, hints of
/// a verification and what cannot be JSON are looked at one by one. What cannot be JSON costs the element around it;
/// see `ValueRecovery`.
struct ValueFramer: Framer, ~Copyable {
    enum State {
        case gap
        /// In an element that is an object.
        case element
        case scalar
        /// After the elements of a page, before its closing brace.
        case pageTail
        case recovering
    }

    enum Wrapper {
        case array
        case page
    }

    /// What the pages of a source wrap.
    enum Pages {
        case entries
        /// Series of Cloud Monitoring. What stands around them is handed on as a page without any.
        case series
    }

    let limit: Int
    let pages: Pages
    /// The beginning of a page of series, up to the bracket that opens them.
    var opening: [UInt8] = []
    /// True if text may separate elements, as Logs Explorer copies a line of summary before each entry.
    let isAmongText: Bool
    var state = State.gap
    var wrappers: [Wrapper] = []
    /// Number of elements in the outermost array so far.
    var elements = 0
    /// True where the page names the next one before its elements.
    var namesNextPage = false
    /// The open containers inside the element or page tail, 1 for an object.
    var containers = NestingBits()
    var depth = 0
    var begin = 0
    /// How far the element is indented, when it is the first thing on its line.
    var elementIndent: Int?
    var hints: MarkerHints = []
    /// The beginning of an element, or of a page's tail, that started in an earlier chunk; empty beyond the limit.
    var collected = ByteCollector()
    var isCutOff = false
    var scalar = Scalar(opening: 0)
    /// Set when a bracket cannot be taken because too many are open, for ``giveUp(in:at:_:)``.
    var isTooDeep = false
    /// Up to where records are known to be, regardless of damage next to them.
    var provenEnd = 0
    /// The number of bytes to collect before one more look at them.
    var undecided = 0
    /// The number of bytes that were read again after damage.
    var readAgain = 0
    /// True when what is missing of the source will not come.
    var isEnding = false
    var resynchronizer = Resynchronizer(.gap, at: 0)
    /// A hash of the first key of the first element, and, before that has ended, of the one being read.
    var usualKey: UInt64?
    var openingKey: UInt64?
    var offset = 0
    /// The place in the chunk where the element, or the gap, starts; 0 if it started in an earlier one.
    ///
    /// It is computed because chunks are also read again, from inside one another: a stored place would be one in
    /// whichever chunk was read last.
    var start: Int { max(0, begin - offset) }

    /// True when what is being read is longer than the limit where it has come to `index`, even if its bytes are all
    /// there: how a source is cut into chunks changes nothing.
    func isOversized(at index: Int) -> Bool { offset + index - begin > limit }

    var lastByte = UInt8.comma
    var isAfterSpace = false
    /// How far the line is indented that goes on in the chunk; nil when it holds something else than white space.
    var indent: Int? = 0
    /// All ones when the chunk starts inside a string.
    var stringCarry: UInt64 = 0
    /// One when the chunk's first byte is escaped.
    var escapeCarry: UInt64 = 0
    /// The last bytes, which are looked at when it is known what comes after them.
    private var waiting = ByteCollector()

    init(limit: Int, pages: Pages = .entries, isAmongText: Bool = false, offset: Int = 0) {
        (self.limit, self.pages, self.isAmongText) = (limit, pages, isAmongText)
        (self.offset, begin) = (offset, offset)
    }

    mutating func consume(_ bytes: UnsafeBufferPointer<UInt8>, _ handler: inout some RecordHandler) {
        let kept = waiting.count
        let shown = min(bytes.count, LookaheadChunk.lookahead)
        unsafe waiting.append(UnsafeBufferPointer(rebasing: bytes[..<shown]))
        let end = min(kept, waiting.count - LookaheadChunk.lookahead)
        if end > 0 { read(LookaheadChunk(waiting.text, end: end), &handler) }
        if shown < bytes.count {
            let rest = bytes.count - LookaheadChunk.lookahead
            read(LookaheadChunk(unsafe RawText(bytes), end: rest), &handler)
            waiting.removeAll()
            unsafe waiting.append(UnsafeBufferPointer(rebasing: bytes[rest...]))
        } else if end > 0 {
            waiting.removeFirst(end)
        }
    }

    /// Goes on after lost bytes, which may have held the end of a record, whole ones, and the beginning of another.
    mutating func resume(_ handler: inout some RecordHandler) {
        isEnding = true
        readWaiting(&handler)
        isEnding = false
        if state == .recovering { reportLoss(upTo: offset, &handler) }
        collected.removeAll()
        resynchronizer = Resynchronizer(.torn, at: state == .recovering ? offset : begin)
        state = .recovering
    }

    private mutating func readWaiting(_ handler: inout some RecordHandler) {
        read(LookaheadChunk(waiting.text, end: waiting.count), &handler)
        waiting.removeAll()
    }

    mutating func finish(isDamaged: Bool, _ handler: inout some RecordHandler) {
        isEnding = true
        readWaiting(&handler)
        if isDamaged, state != .recovering, state != .gap {
            handler.handleLost(begin..<offset)
        } else {
            endOpenElement(&handler)
        }
        if state == .recovering { reportLoss(upTo: offset, &handler) }
        if !isDamaged && !wrappers.isEmpty { handler.handleUnterminated(offset: offset) }
        collected.removeAll()
        state = .gap
    }

    mutating func read(_ chunk: LookaheadChunk, _ handler: inout some RecordHandler) {
        if state == .recovering, !collected.isEmpty {
            if isEnding || collected.count + chunk.end >= undecided { return reread(chunk, &handler) }
            collected.append(chunk.text.cut(0..<chunk.end))
            offset += chunk.end
            return
        }
        var index = 0
        while index < chunk.end {
            let next =
                switch state {
                case .recovering: recover(in: chunk, from: index, &handler)
                case .scalar: readScalar(in: chunk, from: index, &handler)
                case .gap, .element, .pageTail: scan(chunk, from: index, &handler)
                }
            // What is left was looked at together with earlier chunks.
            guard let next else { return }
            index = next
        }
        close(chunk)
    }

    /// Follows the brackets from `from` on.
    ///
    /// - Returns: Where to go on; nil when the rest of the chunk has been read already.
    private mutating func scan(_ chunk: LookaheadChunk, from: Int, _ handler: inout some RecordHandler) -> Int? {
        // What is not an object is noticed at once: to look for the next bracket each time would take the square of the
        // time.
        if state == .gap, let text = placeOfText(in: chunk, from: from) { return giveUp(in: chunk, at: text, &handler) }
        let base = unsafe chunk.text.start
        var block = from
        while block < chunk.end {
            // Safe: slack after the bytes allows a whole block, and what it looks ahead, to be loaded.
            let found = unsafe CByteMask_structure(base + block)
            let candidates = unsafe CByteMask_hints(base + block).candidate
            let used = min(64, chunk.end - block)
            let inString = stringMask(found.quote, found.backslash, used: used)
            let broken = (found.control & inString) | (found.letter & ~inString)
            let brackets = found.bracket & ~inString
            var places = broken | brackets | candidates
            if used < 64 { places &= (1 << UInt64(used)) - 1 }
            while places != 0 {
                let bit = places & (~places + 1)
                let index = block + places.trailingZeroBitCount
                places &= places - 1
                if brackets & bit != 0 {
                    if !readBracket(in: chunk, at: index, &handler) { return giveUp(in: chunk, at: index, &handler) }
                } else if broken & bit != 0 {
                    return giveUp(in: chunk, at: index, &handler)
                } else if state == .element {
                    unsafe hints.formUnion(MarkerHints.hint(in: base, at: index, from: start, to: chunk.text.count))
                }
            }
            block += 64
        }
        // Text without a bracket is noticed only here.
        if state == .gap, !isGap(chunk, start..<chunk.end) { return giveUp(in: chunk, at: chunk.end - 1, &handler) }
        return chunk.end
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
        // A chunk may end inside a block: what lies after its end belongs to the next one.
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
