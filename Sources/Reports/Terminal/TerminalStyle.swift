/// What the place where a document is printed can show.
///
/// The caller finds out (terminal, locale, `--color`, `NO_COLOR`); the report only obeys.
package struct TerminalStyle: Hashable, Sendable {
    /// The width that lines are fitted to, at least 40.
    package var columns: Int
    /// True when ANSI colour sequences may be written.
    package var color: Bool
    /// True when characters beyond ASCII are shown.
    package var unicode: Bool

    package init(columns: Int = 80, color: Bool = false, unicode: Bool = true) {
        self.columns = max(40, columns)
        self.color = color
        self.unicode = unicode
    }

    var ellipsis: String { unicode ? "…" : "..." }
    var dash: String { unicode ? "–" : "-" }
    var rule: String { unicode ? "─" : "-" }
    private var separator: String { unicode ? " · " : " | " }

    /// Long lines of prose are hard to read, however wide the terminal is.
    private static let widestProse = 100

    var proseColumns: Int { min(columns, TerminalStyle.widestProse) }

    /// The sentences on one line.
    func line(_ wording: Wording) -> String {
        spelled(wording).text(ascii: !unicode)
    }

    /// The sentences broken into lines.
    func lines(_ wording: Wording, indent: Int = 0) -> [String] {
        spelled(wording).lines(columns: proseColumns - indent, ascii: !unicode)
    }

    /// callcheck's own signs have an ASCII form; all other characters beyond ASCII are spelled out.
    private func spelled(_ wording: Wording) -> Wording {
        guard !unicode else { return wording }
        var wording = wording
        wording.parts = wording.parts.map { part in
            guard case .words(let words) = part else { return part }
            return .words(words.replacing("≤", with: "<=").replacing("≥", with: ">=").replacing("–", with: "-"))
        }
        return wording
    }

    /// Puts parts on as few lines as possible, with a separator between two on one line.
    func lines(of parts: [StyledText]) -> [StyledText] {
        let separator = StyledText(separator, .faint)
        return parts.reduce(into: []) { lines, part in
            guard let line = lines.last, line.width + separator.width + part.width <= columns else {
                return lines.append(part)
            }
            lines[lines.count - 1] = line + separator + part
        }
    }
}
