/// Text from a log or a command line, made safe to print on a terminal or to paste into a page.
///
/// Names in logs are untrusted: a control sequence in one could rewrite the screen, a bidirectional override could make
/// it read as another name. What is not inert is spelled out.
///
/// ```swift
/// DisplayText("add\u{202E}egasseM").text  // "add<U+202E>egasseM"
/// DisplayText("naïve", ascii: true).text  // "na<U+00EF>ve"
/// ```
public struct DisplayText: Hashable, Sendable {
    /// How many combining marks in a row are printed as they are; a taller pile is spelled out.
    static let markLimit = 2

    /// The printable text: one line, no controls, no reordering, no mark that would sit on its neighbour.
    public let text: String

    /// Makes `raw` printable; with `ascii`, every scalar beyond ASCII is spelled out too.
    public init(_ raw: String, ascii: Bool = false) {
        if raw.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) {
            text = raw
            return
        }
        var shown = ""
        var marks = DisplayText.markLimit
        for scalar in raw.unicodeScalars {
            marks = scalar.isCombining ? marks + 1 : 0
            let isPrintable = scalar.isInert && marks <= DisplayText.markLimit && (scalar.isASCII || !ascii)
            if isPrintable {
                shown.unicodeScalars.append(scalar)
            } else {
                shown += scalar.visibleSpelling
            }
        }
        text = shown
    }

    /// Makes a name printable; an empty one is two quotes, so that it does not look like nothing.
    public init(name: String, ascii: Bool = false) {
        self.init(name.isEmpty ? "\"\"" : name, ascii: ascii)
    }

    /// The text, cut in the middle when it is wider than `columns`: both ends of a name tell names apart.
    func cut(to columns: Int, ellipsis: String) -> String {
        guard displayWidth(of: text) > columns else { return text }
        let room = columns - displayWidth(of: ellipsis)
        guard room > 0 else { return String(ellipsis.prefix(max(0, columns))) }
        let head = DisplayText.prefix(of: Array(text), columns: (room + 1) / 2)
        let tail = DisplayText.prefix(of: text.reversed(), columns: room / 2)
        return String(head) + ellipsis + String(tail.reversed())
    }

    private static func prefix(of characters: [Character], columns: Int) -> ArraySlice<Character> {
        var used = 0
        return characters.prefix { character in
            used += displayWidth(of: String(character))
            return used <= columns
        }
    }
}
