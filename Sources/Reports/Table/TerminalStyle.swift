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
}
