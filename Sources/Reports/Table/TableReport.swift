public import Readiness
import Verifications

/// The report that people see first: functions with most requests first, their counts, and what would mislead.
///
/// Above the table stands what was read, below it notes in plain words. Everything fits the given number of columns;
/// what comes out of logs is made inert before it is printed.
public struct TableReport: Report {
    private let style: TerminalStyle

    public init(style: TerminalStyle) {
        self.style = style
    }

    public func write(_ summary: Summary, to sink: inout some TextOutputStream) {
        for line in contextLines(summary) { prose.write(line, to: &sink) }
        if !summary.functions.isEmpty {
            sink.write("\n")
            writeTable(summary, to: &sink)
        }
        let notes = summary.notes
        if !notes.isEmpty { sink.write("\n") }
        prose.write(notes, to: &sink)
    }

    private var prose: Prose {
        Prose(style)
    }

    private func writeTable(_ summary: Summary, to sink: inout some TextOutputStream) {
        let total = TableRow(totalOf: summary.functions)
        let layout = TableLayout(summary, total: total, style: style)
        func write(_ row: TableRow) {
            prose.write(layout.columns.line(row), to: &sink)
            for line in layout.details(of: row) { prose.write(line, to: &sink) }
        }
        prose.write(layout.columns.head, to: &sink)
        for function in summary.functionsByRequests { write(TableRow(function)) }
        if summary.functions.count > 1 {
            prose.write(StyledText(String(repeating: style.rule, count: layout.columns.width), .faint), to: &sink)
            write(total)
        }
        if let plan = summary.plan {
            sink.write("\n")
            prose.write(plan, ink: .strong, to: &sink)
            prose.write(summary.basis, ink: .faint, to: &sink)
        }
        if let sparkline = layout.sparkline {
            sink.write("\n")
            prose.write(
                sparkline.legend(head: layout.sparklineHead, of: summary, style: style), ink: .faint, to: &sink)
        }
    }

    private func contextLines(_ summary: Summary) -> [StyledText] {
        let parts = summary.context(dash: style.dash).enumerated().map { index, part in
            StyledText(part.text(ascii: !style.unicode), index == 0 ? .strong : .plain)
        }
        return style.lines(of: parts, startingWith: "", indent: "")
    }
}
