import Readiness

/// Text as HTML that shows it and nothing else, as the content of an element and as a quoted attribute.
enum HTMLText {
    /// Makes any text inert.
    ///
    /// Works on scalars, not characters: to Swift a quotation mark under an accent is not the same character as a
    /// quotation mark. What ``DisplayText`` spells out is spelled out here too; combining marks are written as
    /// references, so that none sits on markup.
    ///
    /// ```swift
    /// HTMLText.escaped("<b>\u{301}")  // "&lt;b&gt;&#x301;"
    /// ```
    static func escaped(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isPlain) else { return text }
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

    static func name(_ raw: String) -> String {
        escaped(DisplayText(name: raw).text)
    }

    /// Printable ASCII except for the five characters that have a meaning in HTML.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
        default: (0x20...0x7e).contains(byte)
        }
    }
}

extension Wording {
    /// The sentences as HTML.
    var html: String {
        parts.map { part in
            switch part {
            case .words(let text): HTMLText.escaped(text)
            case .name(let text): "<b class=\"name\">\(HTMLText.name(text))</b>"
            case .code(let text): "<code>\(HTMLText.escaped(text))</code>"
            }
        }.joined()
    }
}

extension Assessment {
    /// The class that has the colours of a verdict.
    var pageTone: String {
        isLockout ? "lockout" : verdict.rawValue
    }
}
