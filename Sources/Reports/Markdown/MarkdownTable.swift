/// A table in GitHub Flavored Markdown, written row by row.
struct MarkdownTable {
    let columns: [MarkdownColumn]

    init(_ columns: [MarkdownColumn]) {
        self.columns = columns
    }

    func writeHead(to sink: inout some TextOutputStream) {
        sink.write(MarkdownTable.line(columns.map(\.head)))
        sink.write(MarkdownTable.line(columns.map { $0.isNumber ? "---:" : ":---" }))
    }

    func write(_ row: TableRow, to sink: inout some TextOutputStream) {
        sink.write(MarkdownTable.line(columns.map { $0.cell(row) }))
    }

    private static func line(_ cells: [String]) -> String {
        "| " + cells.joined(separator: " | ") + " |\n"
    }
}
