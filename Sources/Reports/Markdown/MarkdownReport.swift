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
        for note in notes { sink.write("- \(note.markdown)\n") }
    }

    private func writeTable(_ summary: Summary, to sink: inout some TextOutputStream) {
        let total = TableRow(totalOf: summary.functions)
        let table = MarkdownTable(MarkdownColumn.counts(summary, total: total))
        table.writeHead(to: &sink)
        for function in summary.functionsByRequests { table.write(TableRow(function), to: &sink) }
        if summary.functions.count > 1 { table.write(total, to: &sink) }
        if let plan = summary.plan { sink.write("\n**\(plan.markdown)**\n\n\(summary.basis.markdown)\n") }
    }
}

extension Note {
    /// The note as an item of a list.
    var markdown: String {
        (isCaution ? "**Caution:** " : "") + wording.markdown
    }
}
