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
        for block in blocks {
            if case .legend = block { continue }
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
            if !answer.lines.isEmpty { sink.write("\n") }
            for line in answer.lines { sink.write("- \(line.markdown)\n") }
        case .facts(let facts, _, _): sink.write(facts.map(\.markdown).joined(separator: " · ") + "\n")
        case .paragraph(let wording, .strong): sink.write("**\(wording.markdown)**\n")
        case .paragraph(let wording, _): sink.write(wording.markdown + "\n")
        case .item(let wording, _), .provenance(let wording): sink.write("- \(wording.markdown)\n")
        case .note(let note): sink.write("- \(note.isCaution ? "**Caution:** " : "")\(note.sentence.markdown)\n")
        case .figures(let figures):
            for line in figures { sink.write("- **\(line.figure.markdown)** \(line.text.markdown)\n") }
        case .chart(let series):
            let chart = DayChart(series)
            sink.write(chart.legend(unicode: true).markdown + "\n\n")
            let lines = chart.lines(columns: 100, style: TerminalStyle())
            sink.write(MarkdownText.fenced(lines.map { $0.rendered(color: false) }, language: "text"))
        case .code(let lines, let language): sink.write(MarkdownText.fenced(lines, language: language))
        case .table(let table): write(table, to: &sink)
        case .legend, .footer: break
        }
    }

    /// Marks are for terminals; everything else is shown here too.
    private func write(_ table: Table, to sink: inout some TextOutputStream) {
        let shown = table.columns.indices.filter { table.columns[$0].kind != .marks }
        func write(_ cell: (Int) -> String) {
            sink.write("| " + shown.map(cell).joined(separator: " | ") + " |\n")
        }
        write { MarkdownText.words(table.columns[$0].head) }
        write { table.columns[$0].kind == .number ? "---:" : ":---" }
        for row in table.groups.lazy.flatMap(\.rows) { write { row[$0].text(\.markdown) } }
        if let total = table.total { write { total[$0].text(\.markdown) } }
        let rest = table.groups.compactMap { group in
            group.rest.map { (group.heading.map { "\($0.lowercased()): " } ?? "") + $0.markdown }
        }
        if !rest.isEmpty { sink.write("\n" + rest.joined(separator: "; ") + "\n") }
    }
}

extension Document {
    var markdown: String {
        var text = ""
        MarkdownRenderer().write(self, to: &text)
        return text
    }
}

extension Document.Block {
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
}

/// Text as GitHub Flavored Markdown that shows it and nothing else.
enum MarkdownText {
    /// A name or a command as a code span, in which markup, HTML, links and mentions are plain text.
    ///
    /// The characters that could end a span, split a table cell or open a formula (backtick, pipe, backslash, dollar)
    /// do not occur in function names; they are spelled out, as are spaces at either end, which a span would swallow.
    static func code(_ raw: String) -> String {
        let scalars = DisplayText(name: raw).text.unicodeScalars
        var span = "`"
        for index in scalars.indices {
            let scalar = scalars[index]
            let isEdge = index == scalars.startIndex || scalars.index(after: index) == scalars.endIndex
            switch scalar {
            case "`", "|", "\\", "$": span += scalar.visibleSpelling
            case " " where isEdge: span += scalar.visibleSpelling
            default: span.unicodeScalars.append(scalar)
            }
        }
        return span + "`"
    }

    /// Words of a sentence, with every character that could begin markup or a link escaped.
    static func words(_ raw: String) -> String {
        let scalars = Array(DisplayText(raw).text.unicodeScalars)
        var text = ""
        for (index, scalar) in scalars.enumerated() {
            switch scalar {
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "&": text += "&amp;"
            case "\\", "`", "*", "_", "[", "]", "|", "~", "$", "@": text += "&#\(scalar.value);"
            // GitHub makes links of `https://` and `www.`, in all places.
            case ":" where scalars[(index + 1)...].starts(with: "//".unicodeScalars): text += "&#58;"
            case "." where scalars[..<index].suffix(3).map(\.properties.lowercaseMapping) == ["w", "w", "w"]:
                text += "&#46;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Lines as they are, with nothing in them that could end the block.
    static func fenced(_ lines: [String], language: String) -> String {
        let body = lines.map { DisplayText($0).text.replacing("```", with: "<U+0060><U+0060><U+0060>") }
        return "```\(language)\n\(body.joined(separator: "\n"))\n```\n"
    }
}

extension Wording {
    var markdown: String {
        parts.map { part in
            switch part {
            case .words(let text): MarkdownText.words(text)
            case .name(let text), .code(let text): MarkdownText.code(text)
            }
        }.joined()
    }
}
