public import Readiness
import Verifications

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
        guard summary.functions.count > 1 else { return }
        sink.write(MarkdownReport.line(columns.map { $0.cell(total) }))
    }

    private static func line(_ cells: [String]) -> String {
        "| " + cells.joined(separator: " | ") + " |\n"
    }
}

/// A column of the Markdown table: its head, and its cell in a row.
private struct MarkdownColumn {
    let head: String
    var isNumber = false
    let cell: (TableRow) -> String

    static func columns(_ summary: Summary, total: TableRow) -> [MarkdownColumn] {
        let place = summary.commonPlace
        var columns = [
            MarkdownColumn(head: "function") { row in
                row.identity == nil ? "**\(row.name)**" : MarkdownText.code(row.name)
            }
        ]
        if place.project == nil { columns.append(.place("project", \.project)) }
        if place.region == nil { columns.append(.place("region", \.region)) }
        if place.generation == nil {
            columns.append(
                MarkdownColumn(head: "gen", isNumber: true) { row in
                    row.identity.map { $0.generation.map { String($0.rawValue) } ?? FunctionIdentity.unknown } ?? ""
                })
        }
        columns.append(MarkdownColumn(head: "requests", isNumber: true) { Figures.grouped($0.counts.total) })
        return columns + total.shownStatuses.map(status)
    }

    private static func place(_ head: String, _ text: @escaping (FunctionIdentity) -> String) -> MarkdownColumn {
        MarkdownColumn(head: head) { $0.identity.map { MarkdownText.code(text($0)) } ?? "" }
    }

    private static func status(_ status: TokenStatus) -> MarkdownColumn {
        MarkdownColumn(head: status.name, isNumber: true) { row in
            let number = row.counts.total(app: status)
            let share = number == 0 ? "" : " (\(Figures.percent(number, of: row.counts.total)))"
            return MarkdownText.words(Figures.grouped(number) + share)
        }
    }
}
