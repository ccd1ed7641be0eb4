public import Readiness

/// All the evidence on one function, as a page of text.
public struct ExplainReport: Sendable {
    private let style: TerminalStyle
    private let policyFile: String?

    /// - Parameters:
    ///   - policyFile: The policy file's name; nil without one.
    ///   - style: What may be printed.
    public init(policyFile: String? = nil, style: TerminalStyle) {
        self.policyFile = policyFile
        self.style = style
    }

    /// Writes the page to a sink, which keeps its own errors.
    public func write(_ explanation: Explanation, to sink: inout some TextOutputStream) {
        let page = explanation.page(policyFile: policyFile)
        let title = page.title.enumerated().map { index, part in
            StyledText(part.text(ascii: !style.unicode), index == 0 ? .strong : .plain)
        }
        for line in style.lines(of: title, startingWith: "", indent: "") { prose.write(line, to: &sink) }
        let verdict = "\(page.verdict.verdict.rawValue): " + page.brief
        let mark = StyledText(page.verdict.mark(unicode: style.unicode), page.verdict.ink)
        prose.write(verdict, mark: mark, ink: page.verdict.ink, to: &sink)
        for section in page.sections {
            sink.write("\n")
            prose.write("\(section.title)", ink: .strong, to: &sink)
            for block in section.blocks { write(block, to: &sink) }
        }
        sink.write("\n")
        for foundation in page.foundations { prose.write(foundation, ink: .faint, to: &sink) }
        if !page.notes.isEmpty { sink.write("\n") }
        prose.write(page.notes, to: &sink)
    }

    private var prose: Prose {
        Prose(style)
    }

    private static let indent = StyledText("  ")

    private func write(_ block: Page.Block, to sink: inout some TextOutputStream) {
        switch block {
        case .paragraph(let wording): prose.write(wording, margin: ExplainReport.indent, to: &sink)
        case .item(let wording):
            prose.write(
                wording, mark: ExplainReport.indent + StyledText(style.unicode ? "•" : "-", .faint), to: &sink)
        case .figures(let lines): write(lines, to: &sink)
        case .days(let chart): write(chart, to: &sink)
        case .code(let lines, _):
            for line in lines {
                let text = DisplayText(line, ascii: !style.unicode).text
                prose.write(StyledText("      ") + StyledText(text, .accent), to: &sink)
            }
        }
    }

    /// Figures in a column of their own; sentences hang below each other behind them.
    private func write(_ lines: [(figure: Wording, text: Wording)], to sink: inout some TextOutputStream) {
        let figures = lines.map { StyledText($0.figure.text(ascii: !style.unicode), .strong) }
        let width = figures.map(\.width).max() ?? 0
        let alignment: StyledText.Alignment = lines.allSatisfy(\.figure.isNumber) ? .trailing : .leading
        for (figure, line) in zip(figures, lines) {
            prose.write(
                line.text, mark: ExplainReport.indent + figure.padded(to: width, alignment) + " ", to: &sink)
        }
    }

    private func write(_ chart: DayChart, to sink: inout some TextOutputStream) {
        prose.write(chart.legend(unicode: style.unicode), ink: .faint, margin: ExplainReport.indent, to: &sink)
        let columns = min(style.columns, Prose.widestLine) - ExplainReport.indent.width
        for line in chart.lines(columns: columns, style: style) {
            prose.write(ExplainReport.indent + line, to: &sink)
        }
    }
}

extension Wording {
    /// True for a figure, which belongs to the right of its column.
    fileprivate var isNumber: Bool {
        if case .words(let text)? = parts.first { text.first?.isNumber == true } else { false }
    }
}
