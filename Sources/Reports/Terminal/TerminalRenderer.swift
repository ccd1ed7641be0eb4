import Readiness

struct TerminalRenderer {
    private let style: TerminalStyle
    private var layout: TerminalTable?
    private var lines = LineCount()

    /// The days that are drawn on the lowest screen, and the lines below them with the prompt.
    private static let (fewestDays, below) = (3, 3)

    /// A class, as every method that writes a line counts it.
    private final class LineCount {
        var written = 0
        /// The lines of the first statement.
        var answer: [StyledText]?
    }

    static func write(_ document: Document, _ style: TerminalStyle, to sink: inout some TextOutputStream) {
        var renderer = TerminalRenderer(style: style)
        renderer.write(document, to: &sink)
    }

    private mutating func write(_ document: Document, to sink: inout some TextOutputStream) {
        if document.isTitledOnTerminals { write(.facts(document.title, first: .strong), to: &sink) }
        for (index, section) in document.sections.enumerated() {
            if index > 0 { sink.write("\n") }
            if let title = section.title { write(style.lines("\(title)"), ink: .strong, to: &sink) }
            var hasProvenance = false
            for block in section.blocks {
                // Doubts are set apart from what everything is based on.
                if case .note = block, hasProvenance { sink.write("\n") }
                if case .provenance = block { hasProvenance = true } else { hasProvenance = false }
                write(block, margin: section.title == nil ? "" : "  ", to: &sink)
            }
        }
        // Where the beginning has scrolled away, the answer is the last line as well.
        if let rows = style.rows, lines.written >= rows { lines.answer?.forEach { write($0, to: &sink) } }
    }

    private mutating func write(
        _ block: Document.Block, margin: StyledText = "", to sink: inout some TextOutputStream
    ) {
        switch block {
        case .answer(let answer): write(answer, to: &sink)
        case .facts(let facts, let first, let rest):
            let parts = facts.enumerated().map { StyledText(style.line($1), $0 == 0 ? first : rest) }
            for line in style.lines(of: parts) { write(line, to: &sink) }
        case .paragraph(let wording, let ink): write(wording, margin: margin, ink: ink, to: &sink)
        case .item(let wording, let mark):
            let bullet = StyledText(style.unicode ? "•" : "-", .faint)
            write(wording, mark: margin + (mark.map(self.mark) ?? bullet), to: &sink)
        case .figures(let figures): write(figures, margin: margin, to: &sink)
        case .provenance(let wording): write(wording, margin: margin, ink: .faint, to: &sink)
        case .note(let note):
            let mark = note.isCaution ? StyledText("!", .warning) : StyledText(style.unicode ? "·" : "-", .faint)
            write(note.sentence, mark: margin + mark, to: &sink)
        case .code(let lines, _):
            let indent = StyledText(String(repeating: " ", count: margin.width + 4))
            for line in lines { write(indent + StyledText(style.line("\(code: line)")), to: &sink) }
        case .chart(let series):
            let chart = DayChart(series)
            write(chart.legend(unicode: style.unicode), margin: margin, ink: .faint, to: &sink)
            let days = chart.lines(columns: style.proseColumns - margin.width, style: style)
            // On a screen of its own, what stands above must not scroll away.
            let room = margin.width > 0 ? nil : style.rows.map { max(Self.fewestDays, $0 - lines.written - Self.below) }
            for line in days.suffix(room ?? .max) { write(margin + line, to: &sink) }
        case .table(let table): write(table, to: &sink)
        case .legend:
            if let legend = layout?.legend, style.lines(legend).count == 1 { write(legend, ink: .faint, to: &sink) }
        case .footer(let facts): write(.facts([layout?.briefLegend].compactMap(\.self) + facts), to: &sink)
        }
    }

    // MARK: Blocks

    private func write(_ answer: Document.Headline, to sink: inout some TextOutputStream) {
        let mark = answer.isMarked ? self.mark(answer.tone) + " " : ""
        let sentence = style.lines(answer.conclusion + answer.reason, indent: mark.width).enumerated().map {
            index, line in
            (index == 0 ? mark : StyledText(String(repeating: " ", count: mark.width))) + StyledText(line, .strong)
        }
        if lines.answer == nil { lines.answer = sentence }
        for line in sentence { write(line, to: &sink) }
        for line in answer.lines { write(line, margin: answer.isMarked ? "  " : "", to: &sink) }
    }

    /// Figures in a separate column; sentences next to them, with a hanging indent.
    private func write(
        _ lines: [(figure: Wording, text: Wording)], margin: StyledText, to sink: inout some TextOutputStream
    ) {
        let figures = lines.map { StyledText(style.line($0.figure), .strong) }
        let width = figures.map(\.width).max() ?? 0
        let alignment: StyledText.Alignment = lines.allSatisfy(\.figure.isNumber) ? .trailing : .leading
        for (figure, line) in zip(figures, lines) {
            write(line.text, mark: margin + figure.padded(to: width, alignment) + " ", to: &sink)
        }
    }

    private mutating func write(_ table: Table, to sink: inout some TextOutputStream) {
        let layout = TerminalTable(table, style: style)
        self.layout = layout
        for (index, group) in table.groups.enumerated() {
            let head = layout.head(group)
            if index == 0 || group.heads != table.groups[index - 1].heads {
                if !head.isEmpty, !group.rows.isEmpty { write(head, to: &sink) }
            } else if let heading = group.heading {
                write(StyledText(heading, .strong), to: &sink)
            }
            if let project = group.project { write(project, ink: .faint, to: &sink) }
            for row in group.rows { write(layout.line(row), to: &sink) }
            if let rest = group.rest { write(rest, margin: "  ", ink: .faint, to: &sink) }
        }
        guard let total = table.total else { return }
        write(StyledText(String(repeating: style.rule, count: layout.width), .faint), to: &sink)
        write(layout.line(total), to: &sink)
    }

    // MARK: Lines

    private func mark(_ verdict: Verdict) -> StyledText {
        StyledText(verdict.mark(unicode: style.unicode), verdict.ink)
    }

    private func write(
        _ wording: Wording, margin: StyledText = "", ink: Ink = .plain, to sink: inout some TextOutputStream
    ) {
        write(style.lines(wording, indent: margin.width), margin: margin, ink: ink, to: &sink)
    }

    private func write(
        _ lines: [String], margin: StyledText = "", ink: Ink = .plain, to sink: inout some TextOutputStream
    ) {
        for line in lines { write(margin + StyledText(line, ink), to: &sink) }
    }

    private func write(
        _ wording: Wording, mark: StyledText, ink: Ink = .plain, to sink: inout some TextOutputStream
    ) {
        for (index, line) in style.lines(wording, indent: mark.width + 1).enumerated() {
            let margin = index == 0 ? mark : StyledText(String(repeating: " ", count: mark.width))
            write(margin + " " + StyledText(line, ink), to: &sink)
        }
    }

    private func write(_ line: StyledText, to sink: inout some TextOutputStream) {
        lines.written += 1
        sink.write(line.rendered(color: style.color) + "\n")
    }
}

extension Document {
    /// Writes the document for a terminal or a log: no colours, and tables as wide as they are.
    func writeLines(to sink: inout some TextOutputStream) {
        TerminalRenderer.write(self, TerminalStyle(columns: .max), to: &sink)
    }
}

extension Wording {
    fileprivate var isNumber: Bool {
        if case .words(let text)? = parts.first { text.first?.isNumber == true } else { false }
    }
}
