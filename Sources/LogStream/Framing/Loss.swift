/// What is passed over after damage, until a place where a record can start.
///
/// Such a place is an opening brace in front of a key that records have at their top. Objects inside the damaged record
/// must not be taken for one, so that its brackets are counted on the way; and since a lost or added quote would turn
/// strings inside out, each quote is told by its neighbours: one opens a string behind `{ [ , :`, and closes one in
/// front of `, : } ]`. Only where that does not decide does a quote end what the one before it began.
struct Loss {
    /// What was being read.
    enum Origin {
        case element
        case gap
        case pageTail
        /// A record whose beginning was lost with a part of the stream: it is none any more.
        case torn
    }

    /// Where it starts in the plain bytes of the source.
    let start: Int
    var text = LostText()
    /// True once something has been seen that is no bracket and no comma.
    private(set) var holdsText = false
    /// True once a key has been seen: what was lost is not just text.
    private(set) var holdsMembers = false

    let origin: Origin
    let cause: Malformation
    /// How far the damaged record is indented, when it is the first thing on its line.
    private let indent: Int?
    private var isInString = false
    /// What stood before the last string: a colon when it is a value.
    private var stringBehind: UInt8 = 0
    private var isEscaped = false
    /// Brackets opened less those closed.
    private var depth: Int
    /// How many brackets have been passed, and how many were open behind the first one of an array, if no other bracket
    /// stood before it: what is lost may be the beginning of a page then.
    private var bracketCount = 0
    private var pageDepth: Int?
    /// The same as ``depth`` for what may be structure at the end of a string: it is, when the string has lost its
    /// closing quote.
    private var tailDepth = 0
    /// The last three bytes that were no white space, the latest first.
    private var last: (UInt8, UInt8, UInt8) = (0, 0, 0)
    private var isBehindSpace = false
    /// How far the line is indented, as long as it holds nothing else.
    private var lineIndent: Int?
    private var length: Int

    /// No LogEntry is longer (256 KiB, <https://cloud.google.com/logging/quotas>): behind that, what looks like a
    /// record is none of its parts.
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
    mutating func nextRecord(in piece: Piece, from: Int, usualKey: KeyTrace?) -> Int? {
        var index = from
        while index < piece.end {
            if piece[index] == UInt8(ascii: "{"), length > 0 || origin != .element, !isEscaped,
                isRecord(in: piece, at: index, usualKey)
            {
                text.append(piece.text.cut(from..<index))
                return index
            }
            pass(piece, index)
            index += 1
        }
        text.append(piece.text.cut(from..<piece.end))
        return nil
    }

    private mutating func pass(_ piece: Piece, _ index: Int) {
        let byte = piece[index]
        length += 1
        if JSONCursor.isWhitespace(byte) {
            isBehindSpace = true
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
            read(byte, piece, index)
        }
        last = (byte, last.0, last.1)
        isBehindSpace = false
        lineIndent = nil
    }

    private mutating func read(_ byte: UInt8, _ piece: Piece, _ index: Int) {
        switch byte {
        case UInt8(ascii: "\""):
            readQuote(next: piece.placeOfNext(from: index + 1).map { piece[$0] })
        case UInt8(ascii: "\\") where Loss.isEscape(piece, index):
            // There are none outside of strings.
            isInString = true
            isEscaped = true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            add(1)
            // A brace in front of an entry was an array's bracket.
            if origin != .torn, bracketCount == (origin == .element ? 1 : 0),
                byte == UInt8(ascii: "[") || piece.holdsEntry(inArrayAt: index)
            {
                pageDepth = openBrackets
            }
            bracketCount += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): add(-1)
        case UInt8(ascii: ","): break
        case UInt8(ascii: ":"):
            if !isInString && last.0 == UInt8(ascii: "\"") { holdsMembers = true }
        default: tailDepth = 0
        }
        if !Loss.isPunctuation(byte) { holdsText = true }
    }

    private static func isPunctuation(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","): true
        default: false
        }
    }

    /// True for a backslash that something follows which JSON can spell so.
    private static func isEscape(_ piece: Piece, _ index: Int) -> Bool {
        guard index + 1 < piece.text.count else { return false }
        return switch piece[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "u"):
            true
        default: false
        }
    }

    private mutating func readQuote(next: UInt8?) {
        let canOpen = Loss.opens(last.0)
        let canClose = next.map { Loss.closes($0) } ?? true
        let isOpening = canOpen == canClose ? !isInString : canOpen
        if isOpening {
            endString()
            isInString = true
            stringBehind = last.0
            tailDepth = 0
        } else {
            isInString = false
        }
    }

    /// Ends a string that has no closing quote: brackets at its end were none of its text.
    private mutating func endString() {
        guard isInString else { return }
        isInString = false
        depth += tailDepth
    }

    private var openBrackets: Int { isInString ? depth + tailDepth : depth }

    private mutating func add(_ step: Int) {
        if isInString { tailDepth += step } else { depth += step }
    }

    private static func opens(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
    }

    private static func closes(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
    }

    // MARK: Records

    /// True for an entry behind another one, in what turns out to be a page that has lost its bracket.
    private func isInPage(_ key: RawText) -> Bool {
        depth == 1 && last.0 == UInt8(ascii: ",") && RecordKeys.areOnlyInEntries(key)
    }

    /// True when the brace at `index` opens a record and not a part of what is lost.
    private func isRecord(in piece: Piece, at index: Int, _ usualKey: KeyTrace?) -> Bool {
        let (before, second, third) = last
        guard before != UInt8(ascii: ":"), let key = piece.firstKey(ofObjectAt: index),
            RecordKeys.contains(key) || KeyTrace(key) == usualKey
        else { return false }
        // The emulator's lines are `>  {…}`.
        if before == UInt8(ascii: ">") && isBehindSpace { return false }
        let open = openBrackets
        if open == pageDepth, Loss.opens(before) { return true }
        if before == UInt8(ascii: "["), second == UInt8(ascii: ":") { return false }
        if open <= 0 || (open == 1 && Page.isKey(key)) { return true }
        if let indent, let lineIndent, lineIndent <= indent || !isInPage(key) { return lineIndent <= indent }
        if open == 1 {
            // The record's closing brace may be damaged or lost; behind a key it is the colon instead.
            let isBehindKey = before == UInt8(ascii: "\"") || second == UInt8(ascii: "\"")
            return before != UInt8(ascii: "{") && second != UInt8(ascii: ":")
                && (!isBehindKey || stringBehind == UInt8(ascii: ":"))
        }
        if length > Loss.longestEntry && before == UInt8(ascii: ",") { return true }
        // The record may have been cut off anywhere, and another one put behind it; but a part of it may stand behind a
        // key whose colon is damaged.
        let quote = UInt8(ascii: "\"")
        switch before {
        case UInt8(ascii: "["): return second != quote && third != quote
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "{"), quote: return false
        default: return second != quote
        }
    }
}
