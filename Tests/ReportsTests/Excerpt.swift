/// What a reader can check of a long text: its head, rows and blocks of each kind, its foot.
///
/// A line counts the rows or blocks that are left out.
struct Excerpt {
    private var lines: [Substring]

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    var text: String {
        lines.joined(separator: "\n")
    }

    /// Keeps the first few and the last few of each run of rows.
    ///
    /// `run` names a row's run, and is nil for other lines.
    mutating func cutRows(keeping count: Int = 1, run: (Substring) -> String?) {
        var shortened: [Substring] = []
        var rows: [Substring] = []
        var name: String?
        func cut() -> [Substring] {
            let rest = rows.count - 2 * count
            return rest < 2 ? rows : rows.prefix(count) + ["… \(rest) more"] + rows.suffix(count)
        }
        for line in lines {
            let next = run(line)
            if next != name || next == nil { (shortened, rows) = (shortened + cut(), []) }
            name = next
            if next == nil { shortened.append(line) } else { rows.append(line) }
        }
        lines = shortened + cut()
    }

    /// Leaves out blocks, counted from 1, from a line that begins with `start` to the next that begins with `end`.
    mutating func cutBlocks(from start: String, to end: String, keeping kept: (Int) -> Bool) {
        var shortened: [Substring] = []
        var (number, skipped) = (0, 0)
        var isInside = false
        for line in lines {
            if !isInside, line.hasPrefix(start) { (number, isInside) = (number + 1, true) }
            let isLeftOut = isInside && !kept(number)
            if isLeftOut {
                if line.hasPrefix(end) { skipped += 1 }
            } else {
                if skipped > 0 { shortened.append("… \(skipped) more") }
                skipped = 0
                shortened.append(line)
            }
            if isInside, line.hasPrefix(end) { isInside = false }
        }
        lines = shortened
    }
}

extension Excerpt {
    /// A page without its style sheet and its script, with some cards, one chart, and the ends of its tables.
    static func page(_ page: PageSample, cards: [Int]) -> String {
        var excerpt = Excerpt(page.variableText)
        excerpt.cutBlocks(from: "<article ", to: "</article>") { cards.contains($0) }
        excerpt.cutBlocks(from: "<svg class=\"chart\"", to: "<text x=\"42\" y=\"227\"") { $0 == 1 }
        excerpt.cutRows { $0.contains(#/^<tr><td>[A-Z][a-z]{2} [ 0-9][0-9] /#) ? "day" : nil }
        excerpt.cutRows { $0.hasPrefix("<tr role=\"row\" data-card=") ? "function" : nil }
        return excerpt.text.replacing(#/ d="([^"]{40})[^"]{40,}([^"]{20})"/#) { " d=\"\($0.1)…\($0.2)\"" }
    }

    /// A JSON report with its first functions and its last, of whose days the first and the last.
    static func json(_ text: String, functions: [Int]) -> String {
        var excerpt = Excerpt(text)
        let start = excerpt.lines.firstIndex(of: "  \"functions\": [") ?? excerpt.lines.endIndex
        var rest = Excerpt("")
        rest.lines = Array(excerpt.lines[start...])
        rest.cutBlocks(from: "    {", to: "    }") { functions.contains($0) }
        excerpt.lines = excerpt.lines[..<start] + rest.lines
        excerpt.cutRows { $0.hasPrefix("        {\"date\":") ? "day" : nil }
        return excerpt.text
    }

    /// Metrics of the first function and of the last.
    static func metrics(_ text: String) -> String {
        var excerpt = Excerpt(text)
        let labels = excerpt.lines.map { $0.firstMatch(of: #/{(project=.*,generation="[^"]*")/#)?.1 }
        let ends = [labels.compactMap { $0 }.first, labels.compactMap { $0 }.last]
        let isMiddle = Dictionary(zip(excerpt.lines, labels.map { $0 != nil && !ends.contains($0) })) { first, _ in
            first
        }
        excerpt.cutRows(keeping: 0) { isMiddle[$0] == true ? String($0.prefix { $0 != "{" }) : nil }
        return excerpt.text
    }
}
