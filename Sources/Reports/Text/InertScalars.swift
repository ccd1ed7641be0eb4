extension Unicode.Scalar {
    /// True when the scalar shows as itself wherever it is printed, and changes nothing around it.
    ///
    /// Not inert are controls (C0, DEL, C1), line and paragraph separators, every format character (bidirectional
    /// overrides and isolates, joiners, tags), invisible fillers and selectors, and whatever has no assigned glyph.
    var isInert: Bool {
        if (0x20...0x7e).contains(value) { return true }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: return false
        default: return !properties.isDefaultIgnorableCodePoint
        }
    }

    /// True for a mark that is drawn over, under or around the character before it and takes no room of its own.
    var isCombining: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    /// The spelling that stands for a scalar that must not be printed: `<U+202E>`.
    var visibleSpelling: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "<U+\(String(repeating: "0", count: max(0, 4 - digits.utf8.count)))\(digits)>"
    }
}
