/// One column of a table: its head, its width, and its cell in a row.
///
/// Rows are made one at a time, so that a table of many thousand functions takes no memory of its own.
struct TableColumn {
    let head: String
    let alignment: StyledText.Alignment
    let width: Int
    let cell: (TableRow) -> StyledText

    /// Spaces between two columns.
    static let gap = 2

    /// A column that is at least as wide as its head.
    init(_ head: String, _ alignment: StyledText.Alignment, width: Int, cell: @escaping (TableRow) -> StyledText) {
        self.head = head
        self.alignment = alignment
        self.width = max(width, displayWidth(of: head))
        self.cell = cell
    }
}

extension [TableColumn] {
    /// Columns of the whole line, gaps included.
    var width: Int {
        reduce(0) { $0 + $1.width } + TableColumn.gap * Swift.max(0, count - 1)
    }

    var head: StyledText {
        line { StyledText($0.head, .strong) }
    }

    func line(_ row: TableRow) -> StyledText {
        line { $0.cell(row) }
    }

    private func line(_ cell: (TableColumn) -> StyledText) -> StyledText {
        let gap = StyledText(String(repeating: " ", count: TableColumn.gap))
        var line = StyledText("")
        for (index, column) in enumerated() {
            if index > 0 { line = line + gap }
            line = line + cell(column).padded(to: column.width, column.alignment)
        }
        return line
    }
}
