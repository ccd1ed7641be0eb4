/// The beginning of a source, and the questions that ``Container`` asks about it.
struct Sample {
    /// From the first byte that is neither white space nor a byte order mark.
    let text: RawText

    /// - Parameter bytes: At least the first ``Container/sampleBytes`` of a source, or all, with slack after the last.
    init(beginningOf bytes: UnsafeBufferPointer<UInt8>) {
        let bytes = unsafe RawText(UnsafeBufferPointer(rebasing: bytes.prefix(Container.sampleBytes)))
        let hasMark = bytes.hasPrefix("\u{FEFF}")
        text = bytes.cut(bytes.indexOfNonSpace(from: hasMark ? 3 : 0)..<bytes.count)
    }

    var isBlank: Bool { text.isEmpty }
    var isBinary: Bool { LostMarkers.isBinary(text) }

    /// The lines that are not blank; the last may be cut off.
    var lines: TextLines { TextLines(text) }

    func starts(_ bytes: UInt8...) -> Bool {
        text.count >= bytes.count && bytes.indices.allSatisfy { text[$0] == bytes[$0] }
    }

    func starts(_ prefix: StaticString) -> Bool { text.hasPrefix(prefix) }

    func holds(_ literal: StaticString, at index: Int) -> Bool {
        index < text.count && text.cut(index..<text.count).hasPrefix(literal)
    }

    // MARK: JSON

    /// The text from the first object on, which may be in an array; empty when something else comes first.
    var firstObject: RawText {
        let start = starts("[") ? text.indexOfNonSpace(from: 1) : 0
        guard start < text.count, text[start] == .openBrace else { return .empty }
        return text.cut(start..<text.count)
    }

    /// True when an array opens the source, and not a line of text in brackets.
    var startsArray: Bool {
        guard starts("[") else { return false }
        let first = text.indexOfNonSpace(from: 1)
        guard first < text.count else { return true }
        switch text[first] {
        case .openBrace, .openBracket, .closeBracket, .quote: return true
        default:
            // A number or a literal, up to what ends it; or one byte that is damaged.
            let end = (first..<text.count).first { !Scalar.isInWord(text[$0]) } ?? text.count
            let next = text.indexOfNonSpace(from: end)
            if end > first, next < text.count, text[next] == .comma || text[next] == .closeBracket { return true }
            return text.firstKey(ofObjectAt: first) != nil
                || (first + 1 < text.count && text[first + 1] == .openBrace
                    && text.firstKey(ofObjectAt: first + 1) != nil)
        }
    }

    var startsSpreadObject: Bool { starts("{") && isSpreadObject(at: 0) }

    var holdsSpreadRecord: Bool {
        guard let place = placeOfRecord else { return false }
        return text[place] == .openBracket || isSpreadObject(at: place)
    }

    var holdsRecordLine: Bool { placeOfRecord != nil }

    private var placeOfRecord: Int? {
        var lines = self.lines
        while let line = lines.next() {
            let place = lines.lineStart
            let brace = line[0] == .openBracket ? text.indexOfNonSpace(from: place + 1) : place
            if brace < text.count, text[brace] == .openBrace, text.holdsRecord(at: brace) { return place }
        }
        return nil
    }

    /// Tells by where the object ends, and by what follows.
    ///
    /// A first line that is broken must not turn a file of lines into something else, nor the other way round: neither
    /// it nor an empty page says anything, and the next line decides.
    private func isSpreadObject(at start: Int) -> Bool {
        var start = start
        while start < text.count, text[start] == .openBrace {
            switch shape(ofObjectAt: start) {
            case .spread: return true
            case .line: return false
            case .unknown(let end): start = text.indexOfNonSpace(from: end)
            }
        }
        return holdsGluedRecord
    }

    private enum Shape {
        case spread
        case line
        case unknown(end: Int)
    }

    private func shape(ofObjectAt start: Int) -> Shape {
        let first = text.indexOfNonSpace(from: start + 1)
        // Nothing is known of an object that the sample cuts off here, and values are found in lines as well. In front
        // of another bracket the brace was an array's.
        if first >= text.count || text[first].opensContainer { return .spread }
        var depth = 0
        var isInString = false
        var index = start
        while index < text.count {
            let byte = text[index]
            if isInString {
                if byte == .backslash { index += 1 }
                if byte == .quote { isInString = false }
                if byte == 0x0A { return .unknown(end: index) }
            } else {
                switch byte {
                case .quote: isInString = true
                case .openBrace: depth += 1
                case .openBracket:
                    if depth == 1, opensPage(from: start, at: index) { return .spread }
                    depth += 1
                case .closeBrace, .closeBracket:
                    depth -= 1
                    if depth == 0 { return shape(ofLine: start..<index + 1) }
                case 0x0A: return goesOn(from: start, after: index) ? .spread : .unknown(end: index)
                default: break
                }
            }
            index += 1
        }
        return .unknown(end: index)
    }

    private func opensPage(from start: Int, at bracket: Int) -> Bool {
        ResponsePage.opens(text.cut(start..<bracket), holdsEntry: text.holdsEntry(inArrayAt: bracket))
    }

    /// True when an object that has not ended at a line feed goes on in the next line.
    ///
    /// The next line of a log of lines starts a new object, and its lines end neither in a comma nor in their
    /// first byte.
    private func goesOn(from start: Int, after lineFeed: Int) -> Bool {
        let last = text.endOfNonSpace(before: lineFeed) - 1
        return last == start || text[last] == .comma || lineFeed + 1 == text.count
            || text[lineFeed + 1] != .openBrace
    }

    private func shape(ofLine object: Range<Int>) -> Shape {
        let lineEnd = text.index(of: 0x0A, from: object.upperBound) ?? text.count
        let next = text.indexOfNonSpace(from: object.upperBound)
        if next >= lineEnd {
            return ResponsePage.isEmpty(text.cut(object)) ? .unknown(end: object.upperBound) : .line
        }
        // A key after a comma shows that the object has lost a bracket, and ends too early.
        let second = text[next] == .comma ? text.indexOfNonSpace(from: next + 1) : next
        return second >= text.count || text[second].opensContainer ? .spread : .unknown(end: lineEnd)
    }

    /// True when somewhere in a line a record opens after the end of another one.
    ///
    /// This is asked only of text that is damaged or cut off: strings are not told from what is between them.
    var holdsGluedRecord: Bool {
        var last: UInt8 = 0
        for index in 0..<text.count where text[index] != .comma {
            let isGlued = text[index] == .openBrace && (last == .closeBrace || last == .openBracket)
            if isGlued, text.holdsRecord(at: index) { return true }
            last = text[index]
        }
        return false
    }
}

/// The non-blank lines of a text, without carriage returns and leading or trailing spaces.
struct TextLines: Sequence, IteratorProtocol {
    private let text: RawText
    private var position = 0
    private(set) var lineStart = 0

    init(_ text: RawText) { self.text = text }

    var first: RawText? {
        var copy = self
        return copy.next()
    }

    mutating func next() -> RawText? {
        lineStart = text.indexOfNonSpace(from: position)
        guard lineStart < text.count else { return nil }
        let lineEnd = text.index(of: 0x0A, from: lineStart) ?? text.count
        position = lineEnd + 1
        return text.cut(lineStart..<text.endOfNonSpace(before: lineEnd))
    }
}
