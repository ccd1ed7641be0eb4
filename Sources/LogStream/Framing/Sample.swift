/// The beginning of a source, and the questions that ``Container`` asks about it.
struct Sample {
    /// From the first byte that is neither white space nor a byte order mark.
    let text: RawText

    /// - Parameter bytes: At least the first ``Container/sampleBytes`` of a source, or all, with slack behind the last.
    init(beginningOf bytes: UnsafeBufferPointer<UInt8>) {
        let bytes = unsafe RawText(UnsafeBufferPointer(rebasing: bytes.prefix(Container.sampleBytes)))
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let hasMark = bytes.count >= 3 && mark.indices.allSatisfy { bytes[$0] == mark[$0] }
        text = bytes.cut(bytes.indexOfNonSpace(from: hasMark ? 3 : 0)..<bytes.count)
    }

    var isBlank: Bool { text.isEmpty }

    /// The lines that are not blank; the last may be cut off.
    var lines: TextLines { TextLines(text) }

    func starts(_ bytes: UInt8...) -> Bool {
        text.count >= bytes.count && bytes.indices.allSatisfy { text[$0] == bytes[$0] }
    }

    func starts(_ prefix: StaticString) -> Bool {
        text.hasPrefix(prefix)
    }

    func holds(_ literal: StaticString, at index: Int) -> Bool {
        index < text.count && text.cut(index..<text.count).hasPrefix(literal)
    }

    // MARK: JSON

    /// The text from the first object on, which may stand in an array; empty when something else comes first.
    var firstObject: RawText {
        let start = starts("[") ? text.indexOfNonSpace(from: 1) : 0
        guard start < text.count, text[start] == UInt8(ascii: "{") else { return .empty }
        return text.cut(start..<text.count)
    }

    /// True when an array opens the source, and not a line of text in brackets.
    var startsArray: Bool { isArray(at: 0) }

    /// True when an object opens the source that is not one line alone.
    var startsSpreadObject: Bool { starts("{") && isSpreadObject(at: 0) }

    /// True when, behind some text, a line opens a record that is not one line alone.
    var holdsSpreadRecord: Bool {
        guard let place = placeOfRecord else { return false }
        return text[place] == UInt8(ascii: "[") || isSpreadObject(at: place)
    }

    /// True when, behind some text, a line opens a record.
    var holdsRecordLine: Bool { placeOfRecord != nil }

    /// Where the first line starts that opens a record, in an array or not.
    private var placeOfRecord: Int? {
        var lines = self.lines
        while let line = lines.next() {
            let place = lines.lineStart
            let piece = Piece(text, end: text.count)
            let brace = line[0] == UInt8(ascii: "[") ? text.indexOfNonSpace(from: place + 1) : place
            if brace < text.count, text[brace] == UInt8(ascii: "{"), let key = piece.firstKey(ofObjectAt: brace),
                RecordKeys.contains(key)
            {
                return place
            }
        }
        return nil
    }

    private func isArray(at start: Int) -> Bool {
        guard text.count > start, text[start] == UInt8(ascii: "[") else { return false }
        var index = text.indexOfNonSpace(from: start + 1)
        guard index < text.count else { return true }
        switch text[index] {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\""): return true
        default:
            // A number or a literal, up to what ends it.
            let first = index
            while index < text.count, Sample.isScalarByte(text[index]) { index += 1 }
            index = text.indexOfNonSpace(from: index)
            return index > first && index < text.count
                && (text[index] == UInt8(ascii: ",") || text[index] == UInt8(ascii: "]"))
        }
    }

    private static func isScalarByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Tells by where the object ends, and by what follows.
    ///
    /// A first line that is broken must not turn a file of lines into something else: an object that goes on behind the
    /// line's end is pretty-printed only when the next line does not start one of its own. Empty pages say nothing.
    private func isSpreadObject(at start: Int) -> Bool {
        var start = start
        while start < text.count, text[start] == UInt8(ascii: "{") {
            switch shape(ofObjectAt: start) {
            case .spread: return true
            case .line: return false
            case .emptyPage(let end): start = text.indexOfNonSpace(from: end)
            }
        }
        return false
    }

    private enum Shape {
        case spread
        case line
        /// A line that says nothing about the next ones.
        case emptyPage(end: Int)
    }

    private func shape(ofObjectAt start: Int) -> Shape {
        var depth = 0
        var isInString = false
        var index = start
        while index < text.count {
            let byte = text[index]
            if isInString {
                if byte == UInt8(ascii: "\\") { index += 1 }
                if byte == UInt8(ascii: "\"") { isInString = false }
                if byte == 0x0A { return .line }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "["):
                    if depth == 1, Page.opens(text.cut(start..<index)) { return .spread }
                    depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    if depth == 0 { return shape(ofLine: start..<index + 1) }
                case 0x0A:
                    let goesOn = index + 1 == text.count || text[index + 1] != UInt8(ascii: "{")
                    return goesOn ? .spread : .line
                default: break
                }
            }
            index += 1
        }
        return .line
    }

    private func shape(ofLine object: Range<Int>) -> Shape {
        let next = text.indexOfNonSpace(from: object.upperBound)
        let isGlued =
            next < text.count && !text.cut(object.upperBound..<next).contains(0x0A)
            && [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ",")].contains(text[next])
        if isGlued { return .spread }
        return Page.isEmpty(text.cut(object)) ? .emptyPage(end: object.upperBound) : .line
    }
}
