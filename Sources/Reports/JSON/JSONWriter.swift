import Verifications

/// Writes one JSON document, from its start to its end, in order.
///
/// The writer keeps only its position. What it has written can be drained at any time, so that a long document never
/// has to fit in memory. Characters that could harm a terminal are written as escapes, which mean the same.
struct JSONWriter {
    enum Layout {
        case lines
        case inline
    }

    typealias Members = KeyValuePairs<String, any LeafValue>

    private struct Level {
        let layout: Layout
        var isEmpty = true
    }

    private var text = ""
    private var levels: [Level] = []

    /// Writes a whole document; what it has so far can be drained after each of many elements.
    static func write<Sink: TextOutputStream>(
        _ schema: String, to sink: inout Sink, members: (inout JSONWriter, inout Sink) -> Void
    ) {
        var json = JSONWriter()
        json.object(.lines) { json in
            json.member("schema", schema)
            members(&json, &sink)
        }
        json.drain(into: &sink)
    }

    mutating func drain(into sink: inout some TextOutputStream) {
        sink.write(text)
        text.removeAll(keepingCapacity: true)
    }

    mutating func object(_ layout: Layout, key: String? = nil, members: (inout JSONWriter) -> Void) {
        begin(key)
        nest(layout, "{", "}", members)
    }

    mutating func array(_ layout: Layout, key: String? = nil, elements: (inout JSONWriter) -> Void) {
        begin(key)
        nest(layout, "[", "]", elements)
    }

    /// An object of nothing but leaves, on one line; null where there is none.
    mutating func object(_ key: String? = nil, _ members: Members?) {
        guard let members else { return null(key ?? "") }
        object(.inline, key: key) { $0.add(members) }
    }

    /// An array of such objects, one a line.
    mutating func objects<Element>(_ key: String, _ elements: some Sequence<Element>, _ members: (Element) -> Members) {
        array(.lines, key: key) { json in
            for element in elements { json.object(nil, members(element)) }
        }
    }

    mutating func add(_ members: Members) {
        for (key, value) in members { member(key, value) }
    }

    /// Writes a member; decimal numbers in the fewest digits that read back as the same number.
    mutating func member(_ key: String, _ value: some LeafValue) {
        begin(key)
        switch value.leaf {
        case .number(let number): text += String(number)
        case .decimal(let decimal): text += decimal.description
        case .flag(let flag): text += flag ? "true" : "false"
        case .text(let string): JSONWriter.append(string, to: &text)
        case .day(let day): JSONWriter.append(day.description, to: &text)
        case .instant(let instant): JSONWriter.append(instant.description, to: &text)
        case .list(let texts): nest(.inline, "[", "]") { json in for text in texts { json.element(text) } }
        case .null: text += "null"
        }
    }

    mutating func null(_ key: String) { member(key, Leaf?.none) }

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
        // Keys are ours, with nothing to escape.
        if let key { text += "\"\(key)\": " }
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

    /// Appends a string literal (RFC 8259 §7), escaped scalar by scalar: a quote stays a quote under a combining mark.
    static func append(_ string: String, to text: inout String) {
        text += "\""
        text += string.utf8.allSatisfy(isPlain) ? string : string.spelling(escape)
        text += "\""
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7e).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        case _ where scalar.isInert: return nil
        default:
            return (UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter).map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }.joined()
        }
    }
}
