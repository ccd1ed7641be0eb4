/// What the place can show that a table is printed on.
///
/// The caller finds out (terminal, locale, `--color`, `NO_COLOR`); the report only obeys.
public struct TerminalStyle: Hashable, Sendable {
    /// The width that lines are fitted to, at least 40.
    public var columns: Int
    /// True when ANSI colour sequences may be written.
    public var color: Bool
    /// True when characters beyond ASCII are shown.
    public var unicode: Bool

    public init(columns: Int = 80, color: Bool = false, unicode: Bool = true) {
        self.columns = max(40, columns)
        self.color = color
        self.unicode = unicode
    }

    var ellipsis: String { unicode ? "…" : "..." }
    var separator: String { unicode ? " · " : " | " }
    var dash: String { unicode ? "–" : "-" }
    var rule: String { unicode ? "─" : "-" }

    /// A name, safe and printable here.
    func display(_ name: String) -> DisplayText {
        DisplayText(name: name, ascii: !unicode)
    }

    /// Puts parts on as few lines as they fit on, with a separator between two on one line.
    func lines(of parts: [StyledText], startingWith start: StyledText, indent: StyledText) -> [StyledText] {
        let separator = StyledText(separator, .faint)
        var lines = [start]
        var isFresh = true
        for part in parts {
            let line = lines[lines.count - 1]
            if isFresh {
                lines[lines.count - 1] = line + part
            } else if line.width + separator.width + part.width <= columns {
                lines[lines.count - 1] = line + separator + part
            } else {
                lines.append(indent + part)
            }
            isFresh = false
        }
        return lines
    }
}
