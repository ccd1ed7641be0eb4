public import Readiness

/// A table for a pull-request comment or a wiki page, in GitHub Flavored Markdown.
///
/// It says what the terminal's table says, in the same order.
public struct MarkdownReport: Report {
    public init() {}

    public func write(_ summary: Summary, to sink: inout some TextOutputStream) {
        sink.write("### App Check on callable functions\n\n")
        sink.write(summary.context(dash: "–").map(\.markdown).joined(separator: " · ") + "\n")
        if !summary.functions.isEmpty {
            sink.write("\n")
            writeTable(summary, to: &sink)
        }
        let notes = summary.notes
        if !notes.isEmpty { sink.write("\n") }
        for note in notes {
            sink.write("- \(note.isCaution ? "**Caution:** " : "")\(note.wording.markdown)\n")
        }
    }

    private func writeTable(_ summary: Summary, to sink: inout some TextOutputStream) {
        let total = TableRow(totalOf: summary.functions)
        let columns = MarkdownColumn.columns(summary, total: total)
        sink.write(MarkdownReport.line(columns.map(\.head)))
        sink.write(MarkdownReport.line(columns.map { $0.isNumber ? "---:" : ":---" }))
        for function in summary.functionsByRequests {
            let row = TableRow(function)
            sink.write(MarkdownReport.line(columns.map { $0.cell(row) }))
        }
        if summary.functions.count > 1 { sink.write(MarkdownReport.line(columns.map { $0.cell(total) })) }
        if let plan = summary.plan { sink.write("\n**\(plan.markdown)**\n\n\(summary.basis.markdown)\n") }
    }

    private static func line(_ cells: [String]) -> String {
        "| " + cells.joined(separator: " | ") + " |\n"
    }
}
