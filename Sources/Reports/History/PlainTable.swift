/// Rows of text under heads, in columns as wide as they need to be; the last one takes what is left.
struct PlainTable {
    private let heads: [String]
    /// How many of the columns are numbers, which stand on the right; they come first.
    private let numbers: Int
    private var rows: [[String]] = []

    init(numbers: [String], texts: [String]) {
        heads = numbers + texts
        self.numbers = numbers.count
    }

    mutating func add(_ row: [String]) {
        rows.append(row)
    }

    func write(to sink: inout some TextOutputStream) {
        let widths = heads.indices.map { column in
            ([heads] + rows).reduce(0) { max($0, displayWidth(of: $1[column])) }
        }
        for row in [heads] + rows {
            var line = ""
            for (column, text) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - displayWidth(of: text))
                let isLast = column == row.count - 1
                line += column < numbers ? padding + text : text + (isLast ? "" : padding)
                if !isLast { line += "  " }
            }
            while line.last == " " { line.removeLast() }
            sink.write(line + "\n")
        }
    }
}
