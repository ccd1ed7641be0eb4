import TestSupport

@testable import LogStream

/// Verdicts of our scanner on whole documents, and seeded documents to judge.
enum JSONText {
    /// True when the bytes are one JSON value, as the scanner passes over what nobody wants.
    static func isOneValue(_ bytes: [UInt8]) -> Bool {
        unsafe withSlack(bytes) { buffer in
            guard let base = buffer.baseAddress else { return false }
            var scanner = unsafe JSONScanner(JSONCursor(base: base, count: buffer.count))
            do throws(JSONFailure) {
                try scanner.skipValue()
                return scanner.isAtEnd()
            } catch {
                return false
            }
        }
    }

    /// True when the bytes are one JSON value, as a record is read.
    static func isOneRecord(_ bytes: [UInt8]) -> Bool {
        unsafe withSlack(bytes) { buffer in
            guard let base = buffer.baseAddress else { return false }
            let scratch = TextScratch()
            var reader = unsafe EntryReader(
                JSONCursor(base: base, count: buffer.count), scratch: scratch, longestInner: 1 << 20)
            do throws(JSONFailure) {
                try reader.readValue()
                return reader.scanner.isAtEnd()
            } catch {
                return false
            }
        }
    }

    /// A document with up to `depth` levels, in which wanted keys are as common as others.
    static func document(depth: Int, using random: inout SeededGenerator) -> [UInt8] {
        let space = whitespace(using: &random)
        return space + value(depth: depth, using: &random) + whitespace(using: &random)
    }

    /// The document with one to three small changes, most of which make it something else than JSON.
    static func mutated(_ document: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = document
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.remove(at: place)
            case 1: bytes[place] = tricky.randomElement(using: &random) ?? 0
            case 2: bytes.insert(tricky.randomElement(using: &random) ?? 0, at: place)
            case 3: bytes.removeLast(bytes.count - place)
            case 4: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
            default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        }
        return bytes
    }

    private static let tricky: [UInt8] =
        Array("{}[]\",:\\/ \t\n\r0123456789+-.eEuntfrlasd".utf8) + [
            0x00, 0x01, 0x1F, 0x7F, 0x80, 0xC0, 0xED, 0xF4, 0xFF,
        ]

    private static let keys = [
        "labels", "jsonPayload", "resource", "verifications", "app", "auth", "appCheck", "message", "timestamp", "type",
        "firebase-log-type", "logging.googleapis.com/labels", "project_id", "x", "", "é", #"\u0061pp"#,
    ]

    private static func value(depth: Int, using random: inout SeededGenerator) -> [UInt8] {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &random) {
        case 0: return Array((["null", "true", "false"].randomElement(using: &random) ?? "null").utf8)
        case 1, 2: return number(using: &random)
        case 3, 4: return string(using: &random)
        case 5, 6:
            let elements = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                whitespace(using: &random) + value(depth: depth - 1, using: &random) + whitespace(using: &random)
            }
            return Array("[".utf8) + elements.joined(separator: Array(",".utf8)) + Array("]".utf8)
        default:
            let members = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                let key = Array("\"\(keys.randomElement(using: &random) ?? "")\"".utf8)
                let head = whitespace(using: &random) + key + whitespace(using: &random) + Array(":".utf8)
                return head + whitespace(using: &random) + value(depth: depth - 1, using: &random)
            }
            let body = Array(members.joined(separator: Array(",".utf8)))
            return Array("{".utf8) + body + whitespace(using: &random) + Array("}".utf8)
        }
    }

    private static func number(using random: inout SeededGenerator) -> [UInt8] {
        var text = Bool.random(using: &random) ? "" : "-"
        text += Bool.random(using: &random) ? "0" : String(Int.random(in: 1...999_999, using: &random))
        if Bool.random(using: &random) { text += "." + String(Int.random(in: 0...9999, using: &random)) }
        if Bool.random(using: &random) {
            text += ["e", "E", "e+", "E-"].randomElement(using: &random) ?? "e"
            text += String(Int.random(in: 0...30, using: &random))
        }
        return Array(text.utf8)
    }

    private static func string(using random: inout SeededGenerator) -> [UInt8] {
        let parts = [
            "a", "callable-request-verification", "é", "日本", "😀", #"\""#, #"\\"#, #"\/"#, #"\b\f\n\r\t"#, #"\u00e9"#,
            #"\ud83d\ude00"#, #"\u0000"#, "\u{7F}", "0123456789abcdef", " ", "'", "\u{2028}",
        ]
        let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
        return Array("\"\(text.joined())\"".utf8)
    }

    private static func whitespace(using random: inout SeededGenerator) -> [UInt8] {
        guard Int.random(in: 0..<4, using: &random) == 0 else { return [] }
        return Array(([" ", "\t", "\n", "\r\n", "  "].randomElement(using: &random) ?? " ").utf8)
    }
}
