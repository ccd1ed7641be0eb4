/// A verification inside a record that is neither an entry itself nor one of the wrappers that are known.
///
/// ```
/// {"event":{"insertId":"68ac…","labels":{"firebase-log-type":"callable-request-verification"},…}}
/// {"log":"{\"insertId\":\"68ac…\",\"labels\":{\"firebase-log-type\":\"callable-request-verification\"},…}\n"}
/// "{\"insertId\":\"68ac…\",\"labels\":{\"firebase-log-type\":\"callable-request-verification\"},…}"
/// ```
///
/// Programs that pass logs on wrap them as they please. What they wrap is not counted, but it must not go unseen. The
/// payload of an entry is different: it may hold anything a client has sent.
struct StrayEntry {
    private let scratch = TextScratch()

    /// How many objects, or strings, around one another are looked into.
    private static let deepest = 16

    /// True when a record that was read, and is not a verification, holds one.
    static func isIn(_ record: RawText) -> Bool {
        let start = record.indexOfNonSpace(from: 0)
        guard start < record.count else { return false }
        return switch record[start] {
        case .openBrace where isEntry(record): false
        case .openBrace, .openBracket, .quote: isInText(in: record)
        // A line of a console is an application's own.
        default: false
        }
    }

    /// True if the text, which need not be JSON, contains a verification.
    static func isInText(in text: RawText) -> Bool { StrayEntry().isIn(text, levels: deepest) }

    /// True for an entry that a data frame has made flat: `jsonPayload.verifications.app` is a key at its top.
    ///
    /// Clients have no say in the keys of an entry.
    static func isFlattened(_ record: RawText) -> Bool {
        record.hasMember { key, _ in key.hasPrefix("jsonPayload.") || key.hasPrefix("jsonPayload_") }
            && Marker.shows(in: record)
    }

    /// True for an object with a key that entries and rows have at their top, for a message with data, and for a line
    /// of the SDK, which always gives its severity next to its text.
    static func isEntry(_ record: RawText) -> Bool {
        var (hasSeverity, hasText) = (false, false)
        return record.hasMember { key, scanner in
            if RecordKeys.areOnlyInEntries(key) { return true }
            switch EntryKey(key) {
            case .resource: return true
            case .severity: hasSeverity = true
            case .message where scanner.isAtObject():
                let message = record.cut(scanner.position..<record.count)
                return message.hasMember { key, _ in MessageKey(key) == .data }
            case .message: hasText = true
            default: break
            }
            return hasSeverity && hasText
        }
    }

    /// Looks at each byte once, except for those of strings and objects that show a marker.
    private func isIn(_ text: RawText, levels: Int) -> Bool {
        guard levels > 0, Marker.shows(in: text) else { return false }
        var scanner = JSONScanner(JSONCursor(text))
        var objects = OpenObjects()
        var sign = MarkerHints.place(in: text, from: 0)
        var (index, textEnd) = (0, 0)
        while index < text.count {
            switch text[index] {
            case .openBrace: objects.open(at: index)
            case .closeBrace:
                if let start = objects.close(), isVerification(text.cut(start..<index + 1)) { return true }
            case .quote where index >= textEnd:
                scanner.cursor.advance(by: index - scanner.position)
                guard let string = try? scanner.string() else {
                    // A quote that no string begins with is text, and so are those after it that it would escape.
                    textEnd = scanner.position
                    break
                }
                while sign < index { sign = MarkerHints.place(in: text, from: sign + 1) }
                if sign < scanner.position {
                    objects.mark()
                    if isIn(scratch.text(of: string), levels: levels - 1) { return true }
                }
                index = scanner.position - 1
            default: break
            }
            index += 1
        }
        return false
    }

    /// The objects around a place, as far as they are looked into.
    private struct OpenObjects {
        private var starts = InlineArray<17, Int>(repeating: 0)
        private var depth = 0
        /// A bit for the depth of each that shows a marker.
        private var marked: UInt32 = 0

        /// How far above its object a marker makes an entry: it may be a label of a payload.
        private static let reach = 3

        mutating func open(at place: Int) {
            depth += 1
            guard depth <= deepest else { return }
            starts[depth] = place
            marked &= ~(1 << UInt32(depth))
        }

        /// - Returns: Where the object starts that ends, if it may be a verification.
        mutating func close() -> Int? {
            guard depth > 0 else { return nil }
            defer { depth -= 1 }
            return depth <= deepest && marked >> UInt32(depth) & 1 == 1 ? starts[depth] : nil
        }

        mutating func mark() {
            for depth in max(1, depth - OpenObjects.reach)...max(1, depth) where depth <= deepest {
                marked |= 1 << UInt32(depth)
            }
        }
    }

    /// True when the text begins with an object that is a verification.
    private func isVerification(_ text: RawText) -> Bool {
        var reader = EntryReader(JSONCursor(text), scratch: scratch, longestInner: PubSub.longestEntry)
        guard (try? reader.readValue()) != nil else { return false }
        if case .notVerification = reader.conclude().finding { return false }
        return true
    }
}

extension EntryReader {
    /// True when the record has neither a payload nor a request.
    var saysNothing: Bool {
        fields.text.isAbsent && fields.payload.message.isAbsent && fields.payload.verifications.isEmpty
            && fields.line.message.isAbsent && fields.request.method.isAbsent
    }
}

/// Text among lines of JSON that hides its contents.
enum HiddenText {
    /// True for bytes that are no text, and for base64.
    static func isIn(_ line: RawText) -> Bool {
        if isBase64(line) { return true }
        // Text in an old encoding is not UTF-8 either, and has no control characters but these.
        let isPlain = line.allSatisfy { byte in byte >= 0x20 || [0x09, 0x0D, 0x1B].contains(byte) }
        return !isPlain && !line.isUTF8
    }

    /// No entry is shorter in base64.
    static let shortest = 64

    static func beginsBase64(_ text: RawText) -> Bool {
        switch text.first {
        case UInt8(ascii: "e"):
            text.hasPrefix("eyJ") || text.hasPrefix("ewo") || text.hasPrefix("ew0") || text.hasPrefix("eyA")
        case UInt8(ascii: "W"): text.hasPrefix("W3") || text.hasPrefix("Wwo")
        case UInt8(ascii: "H"): text.hasPrefix("H4sI")
        default: false
        }
    }

    /// True for a line that spells an object in base64, or gzip; a token has dots.
    static func isBase64(_ line: RawText) -> Bool {
        beginsBase64(line)
            && line.allSatisfy { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ".") }
    }
}
