/// Text from a log or a command line, made safe to print on a terminal or to paste into a page.
///
/// Names in logs are untrusted: a control sequence in one could rewrite the screen, and a bidirectional override could
/// make it read as another name. Everything that is not inert is spelled out.
///
/// ```swift
/// DisplayText("add\u{202E}egasseM").text  // "add<U+202E>egasseM"
/// DisplayText("naïve", ascii: true).text  // "na<U+00EF>ve"
/// ```
package struct DisplayText: Hashable, Sendable {
    /// The most combining marks in a row that are printed as they are; a taller pile is spelled out.
    static let markLimit = 2

    /// The printable text: one line, no controls, no reordering, no mark that would sit on its neighbour.
    package let text: String

    /// Makes `raw` printable; with `ascii`, every scalar beyond ASCII is spelled out too.
    package init(_ raw: String, ascii: Bool = false) {
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
    package init(name: String, ascii: Bool = false) {
        self.init(name.isEmpty ? "\"\"" : name, ascii: ascii)
    }

    /// The text, cut in the middle when it is wider than `columns`: names differ at both ends.
    package func cut(to columns: Int, ellipsis: String) -> String {
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

/// The number of terminal columns that inert text takes.
///
/// Counted as most terminals do: every scalar by itself, combining marks and the inner parts of Hangul syllables as
/// none, East Asian wide and full-width ones and emoji as two.
func displayWidth(of text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + displayWidth(of: $1) }
}

private func displayWidth(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    if scalar.isCombining || innerJamo.contains(where: { $0.contains(scalar.value) }) { return 0 }
    let isWide = scalar.properties.isEmojiPresentation || wideBlocks.contains { $0.contains(scalar.value) }
    return isWide ? 2 : 1
}

/// Hangul vowels and final consonants, which join the leading consonant before them.
private let innerJamo: [ClosedRange<UInt32>] = [0x1160...0x11ff, 0xd7b0...0xd7ff]

/// The blocks whose characters have the East Asian Width W or F in Unicode 16 (`EastAsianWidth.txt`, UAX #11).
///
/// Emoji have a separate property; unassigned code points within a block are never printed.
private let wideBlocks: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x4dbf, 0x4e00...0xa4cf, 0xa960...0xa97f,
    0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f, 0xff01...0xff60, 0xffe0...0xffe6,
    0x16fe0...0x18dff, 0x1aff0...0x1b2ff, 0x1d300...0x1d376, 0x1f200...0x1f2ff, 0x20000...0x3fffd,
]

extension String {
    /// The text with some scalars in another spelling.
    ///
    /// Scalars, not characters: to Swift, a quotation mark under an accent is another character.
    func spelling(_ scalars: (Unicode.Scalar) -> String?) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if let spelling = scalars(scalar) { text += spelling } else { text.unicodeScalars.append(scalar) }
        }
    }
}

extension Unicode.Scalar {
    /// True when the scalar shows as itself wherever it is printed, and changes nothing around it.
    ///
    /// Not inert are controls (C0, DEL, C1), line and paragraph separators, every format character (bidirectional
    /// overrides and isolates, joiners, tags), invisible fillers and selectors, and everything without a glyph.
    var isInert: Bool {
        if (0x20...0x7e).contains(value) { return true }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: return false
        default: return !properties.isDefaultIgnorableCodePoint
        }
    }

    /// True for a mark that is drawn over, under or around the character before it and takes up no space.
    var isCombining: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    /// The spelling of a scalar that must not be printed: `<U+202E>`.
    var visibleSpelling: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "<U+\(String(repeating: "0", count: max(0, 4 - digits.utf8.count)))\(digits)>"
    }
}
