/// Finds, after damage, the next place where a record starts.
///
/// The damage is somewhere between the beginning of what was being read and the place where that cannot be JSON any
/// more. What comes behind that place is whole, and whole text says by itself how deep it lies: an object inside a
/// record is followed, sooner or later, by brackets that no wrapper has.
///
/// ```
/// [{…},{"insertId":"2",[["list":[{"message":"a"},{"message":"b"}]},{"insertId":"3",…},{…}]
///      ^1              ^2       ^3                               ^4^5
/// ```
///
/// From 1 on, a parser gets to 2. The first object behind it whose key is a record's is at 3, but at 4 its array
/// closes inside of an object, so that it is a part of what is lost. What follows 5 can only be records.
///
/// Text before 2 may be a list in the damaged record, and is not taken for records; nor can it go unnoticed, as
/// all that is passed over is looked at. A quote before a key would show that a string has lost its quote.
struct Resynchronizer {
    enum Origin {
        case element
        case gap
        case pageTail
        /// A record whose beginning was lost with a part of the stream: it is not a record any more.
        case torn
    }

    enum Proof: Equatable {
        /// It is a record, as are those up to the place that is so far behind it.
        case record(Int)
        /// It is part of something that goes on so far behind it.
        case part(Int)
        case open
    }

    let start: Int
    var text = SkippedText()
    /// True once something has been seen that is neither a bracket nor a comma.
    private(set) var holdsText = false
    /// True once a key has been seen: what was lost is not just text.
    private(set) var holdsMembers = false

    let origin: Origin
    let cause: Malformation
    /// How far the damaged record is indented, when it is the first thing on its line: records below it are as well.
    let indent: Int?
    /// The damage lies before this place in the plain bytes, as far as is known.
    private(set) var damageEnd: Int
    private var lastByte: UInt8 = 0

    /// No LogEntry is longer (256 KiB, <https://cloud.google.com/logging/quotas>): after that, what looks like a
    /// record is not part of it.
    static let longestEntry = 256 << 10

    init(
        _ origin: Origin, at start: Int, damageEnd: Int? = nil, _ cause: Malformation = .notJSON, indent: Int? = nil
    ) {
        (self.origin, self.start, self.damageEnd) = (origin, start, damageEnd ?? start)
        (self.cause, self.indent) = (cause, indent)
    }

    /// Finds out how far the record is JSON, up to where the framer has come.
    mutating func parse(_ record: RawText) {
        var scanner = JSONScanner(JSONCursor(record.cut(0..<min(record.count, Resynchronizer.longestEntry))))
        try? scanner.skipValue()
        var end = max(scanner.position, 1)
        // A string that has lost its closing quote ends before the next record's first key.
        if end > 1, record[end - 1] == .quote {
            let brace = record.endOfNonSpace(before: end - 1) - 1
            if brace > 0, record[brace] == .openBrace { end = brace }
        }
        damageEnd = min(damageEnd, start + end)
    }

    mutating func pass(_ skipped: RawText) {
        text.append(skipped)
        skipped.withSpan { bytes in
            for index in bytes.indices where !JSONCursor.isWhitespace(bytes[index]) {
                switch bytes[index] {
                case .openBrace, .openBracket, .closeBrace, .closeBracket, .comma: break
                case .colon where lastByte == .quote: (holdsMembers, holdsText) = (true, true)
                default: holdsText = true
                }
                lastByte = bytes[index]
            }
        }
    }

    /// Classifies an object, as far as the text after it shows; nothing comes after the text if it is whole.
    func proof(_ text: RawText, isWhole: Bool) -> Proof {
        let isLong = text.count >= Resynchronizer.longestEntry
        let text = text.cut(0..<min(text.count, Resynchronizer.longestEntry))
        let end = isWhole && !isLong ? text.count : text.count - LookaheadChunk.lookahead
        var scanner = JSONScanner(JSONCursor(text))
        var count = 0
        var closing: UInt8?
        var isAfterComma = false
        while true {
            scanner.cursor.skipWhitespace()
            let place = scanner.position
            if place >= end { return isLong || isWhole ? .record(place) : .open }
            // Inside of a record, a list ends before what no wrapper has; without its end, there is other damage.
            let otherwise = count < 2 || closing != nil ? Proof.part(place) : .record(place)
            let byte = scanner.cursor.current
            switch byte {
            case .comma, .closeBracket:
                scanner.cursor.advance()
                isAfterComma = byte == .comma
                if !isAfterComma { closing = byte }
                continue
            case .closeBrace:
                // A page ends after its elements.
                guard closing == .closeBracket, !isAfterComma else { return otherwise }
                scanner.cursor.advance()
                closing = byte
                continue
            case .openBrace where closing == .closeBrace && isAfterComma:
                guard let key = text.firstKey(ofObjectAt: place), PageKey(key) != nil else { return otherwise }
            default: break
            }
            do throws(JSONFailure) {
                let value = try scanner.value()
                scanner.cursor.skipWhitespace()
                if byte == .quote, scanner.cursor.current == .colon {
                    guard closing == .closeBracket, PageKey(value.text) == .sibling else { return otherwise }
                    scanner.cursor.advance()
                    try scanner.skipValue()
                } else {
                    closing = nil
                }
            } catch {
                if scanner.position >= end { return isLong || isWhole ? .record(place) : .open }
                return count == 0 && origin == .element ? .part(scanner.position) : .record(place)
            }
            count += 1
            isAfterComma = false
        }
    }
}

/// The text of what is passed over, looked at line by line.
struct SkippedText {
    private(set) var markers = MarkerCount.none
    private(set) var isConsole = false
    /// The line so far, or its end when it is long.
    private var line: [UInt8] = []

    private static let longestLine = 64 << 10
    /// In a shorter one neither a marker nor two statuses fit: most lines that nobody can read are of brackets alone.
    private static let shortestLine = LostMarkers.shortest
    /// A marker fits, every character of it spelled as an escape.
    private static let kept = 6 * Marker.length

    init(_ text: RawText = .empty) { append(text) }

    mutating func append(_ text: RawText) {
        var start = 0
        while start < text.count {
            let longest = min(text.count, start + SkippedText.longestLine - line.count)
            let lineFeed = text.index(of: 0x0A, from: start, before: longest)
            if let lineFeed, line.isEmpty, lineFeed - start < SkippedText.shortestLine {
                start = lineFeed + 1
                continue
            }
            unsafe line.append(contentsOf: text.cut(start..<(lineFeed ?? longest)).buffer)
            start = lineFeed.map { $0 + 1 } ?? longest
            if lineFeed != nil {
                endLine()
            } else if line.count == SkippedText.longestLine {
                endLine(keeping: SkippedText.kept)
            }
        }
    }

    /// The markers, those of the last line among them.
    var wholeMarkers: MarkerCount {
        var text = self
        text.endLine()
        return text.markers
    }

    /// Looks at the line that has come to its end, or of which the end is kept to be looked at with what follows.
    mutating func endLine(keeping kept: Int = 0) {
        let count = line.count
        guard count >= SkippedText.shortestLine else {
            if kept == 0 { line.removeAll(keepingCapacity: true) }
            return
        }
        line.append(contentsOf: repeatElement(0, count: byteSlack))
        // Safe: slack follows the text, which is gone before the line changes.
        unsafe line.withUnsafeBufferPointer { bytes in
            let text = unsafe RawText(UnsafeBufferPointer(rebasing: bytes[..<count]))
            guard let line = TextLines(text).first else { return }
            let found = kept == 0 ? MarkerCount(unread: line) : MarkerCount(in: text)
            // A line of summary precedes its entry, and repeats it.
            guard found.any, !ExplorerText.isSummary(line) else { return }
            markers += found
            markers -= MarkerCount(in: text.cut(count - kept..<count))
            if ConsoleLine.isKnown(line) { isConsole = true }
        }
        line.removeLast(line.count - count)
        line.removeFirst(count - kept)
    }
}
