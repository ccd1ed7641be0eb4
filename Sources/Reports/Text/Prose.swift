import Readiness

/// Writes sentences and lines to a terminal.
struct Prose {
    private let style: TerminalStyle

    /// Long lines of prose are hard to read, however wide the terminal.
    static let widestLine = 100

    init(_ style: TerminalStyle) {
        self.style = style
    }

    /// Sentences broken into lines.
    func lines(_ wording: Wording, indent: Int = 0) -> [String] {
        wording.lines(columns: min(style.columns, Prose.widestLine) - indent, ascii: !style.unicode)
    }

    func write(_ line: StyledText, to sink: inout some TextOutputStream) {
        sink.write(line.rendered(color: style.color) + "\n")
    }

    func write(
        _ wording: Wording, ink: Ink = .plain, margin: StyledText = "", to sink: inout some TextOutputStream
    ) {
        for line in lines(wording, indent: margin.width) { write(margin + StyledText(line, ink), to: &sink) }
    }

    /// Sentences behind a mark, which hang below each other.
    func write(_ wording: Wording, mark: StyledText, ink: Ink = .plain, to sink: inout some TextOutputStream) {
        for (index, line) in lines(wording, indent: mark.width + 1).enumerated() {
            let margin = index == 0 ? mark : StyledText(String(repeating: " ", count: mark.width))
            write(margin + " " + StyledText(line, ink), to: &sink)
        }
    }

    /// Notes, one below the other, those that would mislead marked.
    func write(_ notes: [Note], to sink: inout some TextOutputStream) {
        for note in notes {
            let mark = note.isCaution ? StyledText("!", .warning) : StyledText(style.unicode ? "·" : "-", .faint)
            write(note.wording, mark: mark, to: &sink)
        }
    }
}
