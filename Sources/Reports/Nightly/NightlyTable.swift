public import Readiness

/// The morning page for a terminal: the answer in three lines, what changed, then every function.
public struct NightlyTable: NightlyPage {
    private let style: TerminalStyle

    public init(style: TerminalStyle) {
        self.style = style
    }

    public func write(_ report: NightlyReport, to sink: inout some TextOutputStream) {
        let prose = Prose(style)
        let parts = report.summary.context(dash: style.dash).map { StyledText($0.text(ascii: !style.unicode), .faint) }
        for line in style.lines(of: parts, startingWith: "", indent: "") { prose.write(line, to: &sink) }
        sink.write("\n")
        let answer = NightlyAnswer(report)
        for (index, line) in answer.lines.enumerated() {
            let mark = index == 0 ? StyledText(answer.mark.mark(unicode: style.unicode), answer.mark.ink) : " "
            prose.write(line, mark: mark, ink: index == 0 ? .strong : .plain, to: &sink)
        }
        writeChanges(report, prose, to: &sink)
        if !report.summary.functions.isEmpty { writeFunctions(report, prose, to: &sink) }
        let notes = report.summary.notes
        if !notes.isEmpty { sink.write("\n") }
        prose.write(notes, to: &sink)
    }

    private func writeChanges(_ report: NightlyReport, _ prose: Prose, to sink: inout some TextOutputStream) {
        let words = ChangeWording(report)
        for urgency in Change.Urgency.allCases {
            let changes = report.changes.filter { $0.urgency == urgency }
            guard !changes.isEmpty else { continue }
            sink.write("\n")
            prose.write(StyledText(urgency.heading, .strong), to: &sink)
            let mark = StyledText(urgency.mark.mark(unicode: style.unicode), urgency.mark.ink)
            for change in changes { prose.write(words.sentences(change), mark: mark, to: &sink) }
        }
    }

    private func writeFunctions(_ report: NightlyReport, _ prose: Prose, to sink: inout some TextOutputStream) {
        let layout = NightlyColumns(report, style: style)
        sink.write("\n")
        prose.write(layout.columns.head, to: &sink)
        for function in report.functionsInOrder {
            let row = TableRow(function)
            prose.write(layout.columns.line(row), to: &sink)
            for line in layout.details(of: row) { prose.write(line, to: &sink) }
        }
        sink.write("\n")
        prose.write(report.summary.basis + " " + report.method, ink: .faint, to: &sink)
        if let sparkline = layout.sparkline {
            let legend = sparkline.legend(head: layout.sparklineHead, of: report.summary, style: style)
            prose.write(legend, ink: .faint, to: &sink)
        }
    }
}
