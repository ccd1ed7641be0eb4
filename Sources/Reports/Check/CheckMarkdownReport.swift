public import Readiness

/// The answer of a gate as a comment on a pull request, in GitHub Flavored Markdown.
///
/// The conclusion comes first, then what speaks against it; functions with nothing against them are folded away when
/// there are many.
public struct CheckMarkdownReport: Report {
    private let check: GateCheck

    public init(_ check: GateCheck) {
        self.check = check
    }

    public func write(_ summary: Summary, to sink: inout some TextOutputStream) {
        let mark = check.mark(summary).mark(unicode: true)
        sink.write("### App Check gate\n\n\(mark) **\(check.conclusion(summary).markdown)**\n")
        if let next = check.next(summary) { sink.write("\n\(next.markdown)\n") }
        let functions = summary.functionsByStanding(for: check.gate)
        let clear = functions.filter { check.gate.standing(of: $0.assessment) == .clear }
        let isFolded = clear.count > CheckMarkdownReport.unfolded && clear.count < functions.count
        write(isFolded ? Array(functions.dropLast(clear.count)) : functions, summary, to: &sink)
        if isFolded {
            sink.write("\n<details><summary>\(clear.count) functions with nothing against them</summary>\n")
            write(clear, summary, to: &sink)
            sink.write("\n</details>\n")
        }
        sink.write("\n")
        for foundation in [summary.provenance, check.terms(summary)] { sink.write("- \(foundation.markdown)\n") }
        for note in summary.notes { sink.write("- \(note.markdown)\n") }
    }

    /// Up to so many functions with nothing against them stand in the open, beside those that have something.
    private static let unfolded = 5

    private func write(_ functions: [FunctionSummary], _ summary: Summary, to sink: inout some TextOutputStream) {
        guard !functions.isEmpty else { return }
        sink.write("\n")
        let table = MarkdownTable(CheckMarkdownReport.columns(summary))
        table.writeHead(to: &sink)
        for function in functions { table.write(TableRow(function), to: &sink) }
    }

    private static func columns(_ summary: Summary) -> [MarkdownColumn] {
        MarkdownColumn.identity(summary.tellingPlace) + [
            MarkdownColumn(head: "rule") { row in
                row.function.map { MarkdownText.words($0.outcome(unicode: true).rule) } ?? ""
            },
            MarkdownColumn(head: "measured") { $0.function?.outcome(unicode: true).measured.markdown ?? "" },
        ]
    }
}
