public import Readiness

/// The answer of a gate for a terminal or the log of a pipeline: a line per function, then the conclusion in words.
///
/// What speaks against it stands first. Below the conclusion stands what it rests on, and whatever makes that doubtful.
public struct CheckReport: Report {
    private let check: GateCheck
    private let style: TerminalStyle

    public init(_ check: GateCheck, style: TerminalStyle) {
        self.check = check
        self.style = style
    }

    public func write(_ summary: Summary, to sink: inout some TextOutputStream) {
        let prose = Prose(style)
        if !summary.functions.isEmpty {
            let layout = CheckColumns(summary, style: style)
            prose.write(layout.columns.head, to: &sink)
            for function in summary.functionsByStanding(for: check.gate) {
                let row = TableRow(function)
                prose.write(layout.columns.line(row), to: &sink)
                for line in layout.details(of: row) { prose.write(line, to: &sink) }
            }
            sink.write("\n")
        }
        let mark = check.mark(summary)
        prose.write(
            check.conclusion(summary), mark: StyledText(mark.mark(unicode: style.unicode), mark.ink), ink: .strong,
            to: &sink)
        if let next = check.next(summary) { prose.write(next, mark: " ", to: &sink) }
        sink.write("\n")
        for foundation in [summary.provenance, check.terms(summary)] { prose.write(foundation, ink: .faint, to: &sink) }
        let notes = summary.notes
        if !notes.isEmpty { sink.write("\n") }
        prose.write(notes, to: &sink)
    }
}
