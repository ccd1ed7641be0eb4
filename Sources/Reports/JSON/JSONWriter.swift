/// Writes one JSON document, from its start to its end, in order.
///
/// The writer keeps only its position. What it has written can be drained at any time, so that a long document never
/// has to fit in memory. Characters that could harm a terminal are written as escapes, which mean the same.
struct JSONWriter {
    /// How the members of an object or array are laid out.
    enum Layout {
        /// Each on a line of its own.
        case lines
        /// All on the line of the opening bracket.
        case inline
    }

    private struct Level {
        let layout: Layout
        var isEmpty = true
    }

    private var text = ""
    private var levels: [Level] = []

    /// Hands over what was written since the last call.
    mutating func drain(into sink: inout some TextOutputStream) {
        sink.write(text)
        text.removeAll(keepingCapacity: true)
    }

    /// Writes an object: the whole document, an element, or with a key a member.
    mutating func object(_ layout: Layout, key: String? = nil, members: (inout JSONWriter) -> Void) {
        begin(key)
        nest(layout, "{", "}", members)
    }

    /// Writes an array: an element, or with a key a member.
    mutating func array(_ layout: Layout, key: String? = nil, elements: (inout JSONWriter) -> Void) {
        begin(key)
        nest(layout, "[", "]", elements)
    }

    /// Writes a member with a string, or null.
    mutating func member(_ key: String, _ value: String?) {
        begin(key)
        if let value { JSONWriter.append(value, to: &text) } else { text += "null" }
    }

    /// Writes a member with an integer, or null.
    mutating func member(_ key: String, _ value: Int?) {
        begin(key)
        text += value.map(String.init) ?? "null"
    }

    /// Writes a member with a number in the fewest digits that read back as the same number; null when not finite.
    mutating func member(_ key: String, _ value: Double?) {
        begin(key)
        if let value, value.isFinite { text += value.description } else { text += "null" }
    }

    mutating func member(_ key: String, _ value: Bool) {
        begin(key)
        text += value ? "true" : "false"
    }

    /// Writes a member that is null.
    mutating func null(_ key: String) {
        begin(key)
        text += "null"
    }

    /// Writes a string as the element of an array.
    mutating func element(_ value: String) {
        begin(nil)
        JSONWriter.append(value, to: &text)
    }

    private mutating func begin(_ key: String?) {
        if let level = levels.last {
            if !level.isEmpty { text += "," }
            switch level.layout {
            case .lines: startLine()
            case .inline: if !level.isEmpty { text += " " }
            }
            levels[levels.count - 1].isEmpty = false
        }
        if let key {
            JSONWriter.append(key, to: &text)
            text += ": "
        }
    }

    private mutating func nest(_ layout: Layout, _ open: String, _ close: String, _ body: (inout JSONWriter) -> Void) {
        text += open
        levels.append(Level(layout: layout))
        body(&self)
        let level = levels.removeLast()
        if level.layout == .lines, !level.isEmpty { startLine() }
        text += close
        if levels.isEmpty { text += "\n" }
    }

    private mutating func startLine() {
        text += "\n"
        text += String(repeating: "  ", count: levels.count)
    }
}

extension JSONWriter {
    /// Appends a string literal (RFC 8259 §7), escaped scalar by scalar: a quote stays a quote under a combining mark.
    static func append(_ string: String, to text: inout String) {
        text += "\""
        if string.utf8.allSatisfy(isPlain) {
            text += string
        } else {
            for scalar in string.unicodeScalars { append(scalar, to: &text) }
        }
        text += "\""
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7e).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case _ where scalar.isInert: text.unicodeScalars.append(scalar)
        default:
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }
        }
    }
}
