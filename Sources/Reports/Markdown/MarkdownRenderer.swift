import Readiness

/// Writes documents in GitHub Flavored Markdown: for a comment on a pull request, a wiki page or a chat.
struct MarkdownRenderer {
    func write(_ document: Document, to sink: inout some TextOutputStream) {
        sink.write("### \(document.title.map(\.markdown).joined(separator: " · "))\n")
        for section in document.sections {
            if let title = section.title { sink.write("\n#### \(MarkdownText.words(title))\n") }
            write(section.blocks, to: &sink)
        }
    }

    private func write(_ blocks: [Document.Block], to sink: inout some TextOutputStream) {
        var wasItem = false
        for block in blocks where block.hasMarkdown {
            // List items follow each other; everything else is set apart.
            if !(wasItem && block.isItem) { sink.write("\n") }
            wasItem = block.isItem
            write(block, to: &sink)
        }
    }

    fileprivate func write(_ block: Document.Block, to sink: inout some TextOutputStream) {
        switch block {
        case .answer(let answer):
            let mark = answer.isMarked ? answer.tone.mark(unicode: true) + " " : ""
            sink.write("\(mark)**\(answer.conclusion.markdown)**\(answer.reason.markdown)\n")
            for line in answer.lines { sink.write("\n\(line.markdown)\n") }
        case .facts(let facts, _, _): sink.write(facts.map(\.markdown).joined(separator: " · ") + "\n")
        case .paragraph(let wording, let ink): sink.write(MarkdownRenderer.text(wording, ink) + "\n")
        case .item(let wording, _), .provenance(let wording): sink.write("- \(wording.markdown)\n")
        case .note(let note): sink.write("- \(note.isCaution ? "**Caution:** " : "")\(note.wording.markdown)\n")
        case .figures(let figures):
            for line in figures { sink.write("- **\(line.figure.markdown)** \(line.text.markdown)\n") }
        case .chart(let explanation):
            let chart = DayChart(explanation)
            sink.write(chart.legend(unicode: true).markdown + "\n\n")
            let lines = chart.lines(columns: 100, style: TerminalStyle())
            sink.write(MarkdownText.fenced(lines.map { $0.rendered(color: false) }, language: "text"))
        case .code(let lines, let language): sink.write(MarkdownText.fenced(lines, language: language))
        case .rollout(let history): write(history.table(last: 7), to: &sink)
        case .table(let table): write(table, to: &sink)
        case .legend: break
        case .folded(let summary, let blocks):
            sink.write("<details><summary>\(MarkdownText.words(summary))</summary>\n")
            write(blocks, to: &sink)
            sink.write("\n</details>\n")
        }
    }

    private static func text(_ wording: Wording, _ ink: Ink) -> String {
        ink == .strong ? "**\(wording.markdown)**" : wording.markdown
    }

    // MARK: Tables

    /// Marks are for terminals; everything else is shown here too.
    private func write(_ table: Table, to sink: inout some TextOutputStream) {
        let shown = table.columns.indices.filter { table.columns[$0].kind != .marks }
        func write(_ cell: (Int) -> String) {
            sink.write("| " + shown.map(cell).joined(separator: " | ") + " |\n")
        }
        write { MarkdownText.words(table.columns[$0].head) }
        write { table.columns[$0].kind == .number ? "---:" : ":---" }
        for row in table.groups.lazy.flatMap(\.rows) { write { MarkdownRenderer.text(row[$0]) } }
        if let total = table.total { write { MarkdownRenderer.text(total[$0]) } }
        let rest = table.groups.compactMap { group in
            group.rest.map { (group.heading.map { "\($0.lowercased()): " } ?? "") + $0.markdown }
        }
        if !rest.isEmpty { sink.write("\n" + rest.joined(separator: "; ") + "\n") }
    }

    private static func text(_ cell: Table.Cell) -> String {
        switch cell {
        case .empty, .days: ""
        case .verdict(let assessment):
            MarkdownText.words("\(assessment.mark(unicode: true)) \(assessment.word)")
        case .function(let function, let place):
            ([MarkdownText.code(function.name)] + place.map(\.markdown)).joined(separator: " ")
        case .words(let wording, let ink): text(wording, ink)
        case .number(let number, _): Figures.grouped(number)
        case .share(0, _): "0"
        case .share(let part, let whole):
            MarkdownText.words("\(Figures.grouped(part)) (\(Figures.percent(part, of: whole)))")
        }
    }
}

extension Document {
    /// The document as one text.
    var markdown: String {
        var text = ""
        MarkdownRenderer().write(self, to: &text)
        return text
    }
}

extension Document.Block {
    /// The block as one text.
    var markdown: String {
        var text = ""
        MarkdownRenderer().write(self, to: &text)
        return text
    }

    fileprivate var isItem: Bool {
        switch self {
        case .item, .provenance, .note: true
        default: false
        }
    }

    fileprivate var hasMarkdown: Bool {
        if case .legend = self { false } else { true }
    }
}
