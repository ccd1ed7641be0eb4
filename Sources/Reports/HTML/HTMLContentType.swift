internal import Mustache

/// Makes any text inert in HTML, as the content of an element and as a quoted attribute.
///
/// The template engine's own escaping compares characters, and to Swift a quotation mark under an accent is another
/// character than a quotation mark. This one looks at scalars. What ``DisplayText`` would spell out is spelled out here
/// too, so that no variable of a template can be forgotten; combining marks are written as references, so that none
/// sits on markup.
///
/// ```swift
/// HTMLContentType().escapeText("<b>\u{301}")  // "&lt;b&gt;&#x301;"
/// ```
struct HTMLContentType: MustacheContentType {
    func escapeText(_ text: String) -> String {
        guard !text.utf8.allSatisfy(HTMLContentType.isPlain) else { return text }
        var escaped = ""
        for scalar in DisplayText(text).text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case _ where scalar.isCombining: escaped += "&#x\(String(scalar.value, radix: 16));"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Printable ASCII but for the five characters that mean something.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
        default: (0x20...0x7e).contains(byte)
        }
    }
}
