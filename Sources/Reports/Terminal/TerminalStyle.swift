/// The capabilities of the place where a document is printed.
///
/// The caller finds out (terminal, locale, `--color`, `NO_COLOR`); the report only obeys.
package struct TerminalStyle: Hashable, Sendable {
    package var columns: Int
    /// Nil where what was printed does not scroll away.
    package var rows: Int?
    package var color: Bool
    package var unicode: Bool

    package init(columns: Int = 80, rows: Int? = nil, color: Bool = false, unicode: Bool = true) {
        self.columns = max(40, columns)
        self.rows = rows
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

    func line(_ wording: Wording) -> String {
        spelled(wording).text(ascii: !unicode)
    }

    func lines(_ wording: Wording, indent: Int = 0) -> [String] {
        spelled(wording).lines(columns: proseColumns - indent, ascii: !unicode)
    }

    /// callcheck's own signs have an ASCII form; all other characters beyond ASCII are spelled out.
    private func spelled(_ wording: Wording) -> Wording {
        guard !unicode else { return wording }
        var wording = wording
        wording.parts = wording.parts.map { part in
            guard case .words(let words) = part else { return part }
            return .words(
                words.replacing("≤", with: "<=").replacing("≥", with: ">=").replacing("–", with: "-")
                    .replacing("→", with: "->"))
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

extension Ink {
    /// The SGR parameter (ECMA-48 §8.3.117) that switches it on.
    fileprivate var parameter: String? {
        switch self {
        case .plain: nil
        case .strong: "1"
        case .faint: "2"
        case .good: "32"
        case .warning: "33"
        case .bad: "31"
        }
    }
}

/// One line for a terminal, or part of one, whose pieces know their own style.
///
/// Its text is always inert. Nothing else is ever written to a terminal, so no control character from a log can reach
/// one.
struct StyledText: Hashable, ExpressibleByStringLiteral {
    private struct Run: Hashable {
        let text: String
        let ink: Ink
    }

    private var runs: [Run] = []
    private(set) var width = 0

    init(_ text: String, _ ink: Ink = .plain) {
        append(text, ink)
    }

    init(stringLiteral value: String) {
        append(value, .plain)
    }

    var isEmpty: Bool {
        runs.isEmpty
    }

    mutating func append(_ text: String, _ ink: Ink = .plain) {
        guard !text.isEmpty else { return }
        let text = DisplayText(text).text
        if let last = runs.last, last.ink == ink {
            runs[runs.count - 1] = Run(text: last.text + text, ink: ink)
        } else {
            runs.append(Run(text: text, ink: ink))
        }
        width += displayWidth(of: text)
    }

    static func + (left: StyledText, right: StyledText) -> StyledText {
        var sum = left
        sum.runs += right.runs
        sum.width += right.width
        return sum
    }

    /// The text with spaces before or after it, up to a width.
    func padded(to columns: Int, _ alignment: Alignment) -> StyledText {
        let space = StyledText(String(repeating: " ", count: max(0, columns - width)))
        return alignment == .leading ? self + space : space + self
    }

    enum Alignment {
        case leading, trailing
    }

    func rendered(color: Bool) -> String {
        var line = ""
        var spaces = ""
        for run in runs {
            let trailing = run.text.reversed().prefix { $0 == " " }.count
            let body = run.text.dropLast(trailing)
            if body.isEmpty {
                spaces += run.text
                continue
            }
            line += spaces
            if color, let parameter = run.ink.parameter {
                line += "\u{1b}[\(parameter)m\(body)\u{1b}[0m"
            } else {
                line += body
            }
            spaces = String(repeating: " ", count: trailing)
        }
        return line
    }
}

extension StyledText {
    var html: String {
        runs.map { run in
            let text = HTMLText.escaped(run.text)
            return switch run.ink {
            case .bad: "<em>\(text)</em>"
            case .faint: "<span class=\"faint\">\(text)</span>"
            case .plain, .strong, .good, .warning: text
            }
        }.joined()
    }
}
