/// What is passed over after damage, until a place where a record can start.
///
/// Such a place is an opening brace before a key that records have at their top. Objects inside the damaged record
/// must not be taken for one, so that its brackets are counted on the way; and since a lost or added quote would turn
/// strings inside out, each quote is judged by its neighbours: one opens a string after `{ [ , :`, and closes one in
/// front of `, : } ]`. Only where that does not decide does a quote end what the one before it began.
struct Resynchronizer {
    /// What was being read.
    enum Origin {
        case element
        case gap
        case pageTail
        /// A record whose beginning was lost with a part of the stream: it is not a record any more.
        case torn
    }

    /// Where it starts in the plain bytes of the source.
    let start: Int
    var text = SkippedText()
    /// True once something has been seen that is neither a bracket nor a comma.
    private(set) var holdsText = false
    /// True once a key has been seen: what was lost is not just text.
    private(set) var holdsMembers = false

    let origin: Origin
    let cause: Malformation
    /// How far the damaged record is indented, when it is the first thing on its line.
    private let indent: Int?
    private var isInString = false
    /// What stood before the last string: a colon when it is a value.
    private var byteBeforeString: UInt8 = 0
    private var isEscaped = false
    /// Brackets opened less those closed.
    private var depth: Int
    /// How many brackets have been passed, and how many were open after the first one of an array, if no other bracket
    /// stood before it: what is lost may be the beginning of a page then.
    private var bracketCount = 0
    private var pageDepth: Int?
    /// The same as ``depth`` for what may be structure at the end of a string: it is, when the string has lost its
    /// closing quote.
    private var tailDepth = 0
    /// The last three bytes that were no white space, the latest first.
    private var last: (UInt8, UInt8, UInt8) = (0, 0, 0)
    private var isAfterSpace = false
    /// How far the line is indented, as long as it holds nothing else.
    private var lineIndent: Int?
    private var length: Int

    /// No LogEntry is longer (256 KiB, <https://cloud.google.com/logging/quotas>): after that, what looks like a
    /// record is not part of it.
    private static let longestEntry = 256 << 10

    /// - Parameters:
    ///   - origin: What was being read.
    ///   - start: Where it starts in the plain bytes of the source.
    ///   - cause: Why it is passed over.
    ///   - indent: How far its line is indented, when it is the first thing there.
    ///   - passed: How many of its bytes are gone already.
    ///   - depth: How many brackets were opened in those.
    init(
        _ origin: Origin, at start: Int, _ cause: Malformation = .notJSON, indent: Int? = nil, passed: Int = 0,
        depth: Int = 0
    ) {
        self.origin = origin
        self.start = start
        self.cause = cause
        self.indent = indent
        self.depth = depth
        length = passed
        bracketCount = depth
    }

    /// Passes over bytes.
    ///
    /// - Returns: Where the next record starts; nil when it is not among the bytes to be looked at now.
    mutating func nextRecord(in chunk: LookaheadChunk, from: Int, usualKey: KeyHash?) -> Int? {
        var index = from
        while index < chunk.end {
            if chunk[index] == .openBrace, length > 0 || origin != .element, !isEscaped,
                isRecord(in: chunk, at: index, usualKey)
            {
                text.append(chunk.text.cut(from..<index))
                return index
            }
            pass(chunk, index)
            index += 1
        }
        text.append(chunk.text.cut(from..<chunk.end))
        return nil
    }

    private mutating func pass(_ chunk: LookaheadChunk, _ index: Int) {
        let byte = chunk[index]
        length += 1
        if JSONCursor.isWhitespace(byte) {
            isAfterSpace = true
            if byte == 0x0A {
                // No string goes on in the next line.
                endString()
                lineIndent = 0
            } else {
                lineIndent = lineIndent.map { $0 + 1 }
            }
            isEscaped = false
            return
        }
        if isEscaped {
            isEscaped = false
            tailDepth = 0
        } else {
            read(byte, chunk, index)
        }
        last = (byte, last.0, last.1)
        isAfterSpace = false
        lineIndent = nil
    }

    private mutating func read(_ byte: UInt8, _ chunk: LookaheadChunk, _ index: Int) {
        switch byte {
        case .quote:
            readQuote(next: chunk.placeOfNext(from: index + 1).map { chunk[$0] })
        case .backslash where Resynchronizer.isEscape(chunk, index):
            // Outside of strings there are no escapes.
            isInString = true
            isEscaped = true
        case .openBrace, .openBracket:
            add(1)
            // A brace before an entry was an array's bracket.
            if origin != .torn, bracketCount == (origin == .element ? 1 : 0),
                byte == .openBracket || chunk.holdsEntry(inArrayAt: index)
            {
                pageDepth = openBrackets
            }
            bracketCount += 1
        case .closeBrace, .closeBracket: add(-1)
        case .comma: break
        case .colon:
            if !isInString && last.0 == .quote { holdsMembers = true }
        default: tailDepth = 0
        }
        if !byte.opensContainer, byte != .closeBrace, byte != .closeBracket, byte != .comma { holdsText = true }
    }

    /// True for a backslash before what JSON can escape.
    private static func isEscape(_ chunk: LookaheadChunk, _ index: Int) -> Bool {
        index + 1 < chunk.text.count && "\"\\/bfnrtu".utf8.contains(chunk[index + 1])
    }

    private mutating func readQuote(next: UInt8?) {
        let canOpen = Resynchronizer.opens(last.0)
        let canClose = next.map { Resynchronizer.closes($0) } ?? true
        let isOpening = canOpen == canClose ? !isInString : canOpen
        if isOpening {
            endString()
            isInString = true
            byteBeforeString = last.0
            tailDepth = 0
        } else {
            isInString = false
        }
    }

    /// Ends a string that has no closing quote: brackets at its end were not part of its text.
    private mutating func endString() {
        guard isInString else { return }
        isInString = false
        depth += tailDepth
    }

    private var openBrackets: Int { isInString ? depth + tailDepth : depth }

    private mutating func add(_ step: Int) { if isInString { tailDepth += step } else { depth += step } }

    /// True for the bytes that a string can follow.
    private static func opens(_ byte: UInt8) -> Bool { byte.opensContainer || byte == .comma || byte == .colon }

    /// True for the bytes that can follow a string.
    private static func closes(_ byte: UInt8) -> Bool {
        byte == .closeBrace || byte == .closeBracket || byte == .comma || byte == .colon
    }

    // MARK: Records

    /// True for an entry after another one, in what turns out to be a page that has lost its bracket.
    private func isInPage(_ key: RawText) -> Bool {
        depth == 1 && last.0 == .comma && RecordKeys.areOnlyInEntries(key)
    }

    /// True when the brace at `index` opens a record and not a part of what is lost.
    private func isRecord(in chunk: LookaheadChunk, at index: Int, _ usualKey: KeyHash?) -> Bool {
        let (before, second, third) = last
        guard before != .colon, let key = chunk.firstKey(ofObjectAt: index),
            RecordKeys.contains(key) || KeyHash(key) == usualKey
        else { return false }
        // The emulator's lines are `>  {…}`.
        if before == UInt8(ascii: ">") && isAfterSpace { return false }
        let open = openBrackets
        if open == pageDepth, Resynchronizer.opens(before) { return true }
        if before == .openBracket, second == .colon { return false }
        if open <= 0 || (open == 1 && PageKey(key) != nil) { return true }
        if let indent, let lineIndent, lineIndent <= indent || !isInPage(key) { return lineIndent <= indent }
        if open == 1 {
            // The record's closing brace may be damaged or lost; after a key it is the colon instead.
            let isAfterKey = before == .quote || second == .quote
            return before != .openBrace && second != .colon
                && (!isAfterKey || byteBeforeString == .colon)
        }
        if length > Resynchronizer.longestEntry && before == .comma { return true }
        // The record may have been cut off anywhere, and another one put after it; but a part of it may stand after a
        // key whose colon is damaged.
        switch before {
        case .openBracket: return second != .quote && third != .quote
        case .comma, .closeBrace, .closeBracket, .openBrace, .quote: return false
        default: return second != .quote
        }
    }
}

/// The text of what is passed over, looked at line by line.
struct SkippedText {
    /// True when a verification's marker was in it, however it is spelled.
    private(set) var showsMarker = false
    /// True when a line of it is one of those that consoles show, about a verification.
    private(set) var isConsole = false
    /// The line so far, or its end when it is long.
    private var line: [UInt8] = []

    private static let longestLine = 64 << 10
    /// A marker fits, every character of it spelled as an escape.
    private static let kept = 6 * Marker.length

    mutating func append(_ text: RawText) {
        text.withSpan { span in
            for index in span.indices {
                if span[index] == 0x0A {
                    endLine()
                } else {
                    line.append(span[index])
                    if line.count == SkippedText.longestLine { shorten() }
                }
            }
        }
    }

    /// Looks at the line that has come to its end.
    mutating func endLine() {
        guard !line.isEmpty else { return }
        var bytes = ByteCollector()
        unsafe line.withUnsafeBufferPointer { unsafe bytes.append($0) }
        let text = unsafe RawText(bytes.bytes)
        let first = TextLines(text).first
        // A line of summary stands before its entry, and says nothing that the entry does not.
        if Marker.shows(in: text), !(first.map(ExplorerText.isSummary) ?? false) {
            showsMarker = true
            if let first, ConsoleLine.isKnown(first) { isConsole = true }
        }
        line.removeAll()
    }

    private mutating func shorten() {
        let end = Array(line.suffix(SkippedText.kept))
        endLine()
        line = end
    }
}
