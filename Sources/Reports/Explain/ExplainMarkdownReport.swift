public import Readiness

/// All the evidence on one function in GitHub Flavored Markdown, saying what the page of text says.
public struct ExplainMarkdownReport: Sendable {
    private let policyFile: String?

    /// - Parameter policyFile: The policy file's name; nil without one.
    public init(policyFile: String? = nil) {
        self.policyFile = policyFile
    }

    /// Writes the page to a sink, which keeps its own errors.
    public func write(_ explanation: Explanation, to sink: inout some TextOutputStream) {
        let page = explanation.page(policyFile: policyFile)
        sink.write("### \(page.title.map(\.markdown).joined(separator: " · "))\n\n")
        let verdict = "\(page.verdict.mark(unicode: true)) **\(page.verdict.verdict.rawValue)**"
        sink.write("\(verdict): \(page.brief.markdown)\n")
        for section in page.sections {
            sink.write("\n#### \(MarkdownText.words(section.title))\n\n")
            for (index, block) in section.blocks.enumerated() {
                // A list goes on; everything else stands apart.
                if index > 0, !(block.isItem && section.blocks[index - 1].isItem) { sink.write("\n") }
                write(block, to: &sink)
            }
        }
        sink.write("\n")
        for foundation in page.foundations { sink.write("- \(foundation.markdown)\n") }
        for note in page.notes { sink.write("- \(note.markdown)\n") }
    }

    private func write(_ block: Page.Block, to sink: inout some TextOutputStream) {
        switch block {
        case .paragraph(let wording): sink.write(wording.markdown + "\n")
        case .item(let wording): sink.write("- \(wording.markdown)\n")
        case .figures(let lines):
            for line in lines { sink.write("- **\(line.figure.markdown)** \(line.text.markdown)\n") }
        case .days(let chart):
            sink.write(chart.legend(unicode: true).markdown + "\n\n")
            fence(
                chart.lines(columns: 100, style: TerminalStyle()).map { $0.rendered(color: false) },
                "text", &sink)
        case .code(let lines, let language): fence(lines, language, &sink)
        }
    }

    /// Lines as they are; they hold no name but what is made of letters, digits and a few signs.
    private func fence(_ lines: [String], _ language: String, _ sink: inout some TextOutputStream) {
        sink.write("```\(language)\n\(lines.joined(separator: "\n"))\n```\n")
    }
}

extension Page.Block {
    fileprivate var isItem: Bool {
        if case .item = self { true } else { false }
    }
}
