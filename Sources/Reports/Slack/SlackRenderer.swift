import Readiness

/// Writes documents as messages for Slack: the JSON that an incoming webhook accepts.
///
/// ```json
/// {
///   "text": "Ready to enforce: `addMessage`.",
///   "blocks": [
///     {"type": "header", "text": {"type": "plain_text", "text": "App Check gate", "emoji": false}},
///     {"type": "section", "text": {"type": "mrkdwn", "text": "✓ *Ready to enforce: `addMessage`.*", "verbatim": true}}
///   ]
/// }
/// ```
struct SlackRenderer {
    func write(_ document: Document, to sink: inout some TextOutputStream) {
        let title = document.title.map { $0.text(ascii: false) }.joined(separator: " · ")
        var message = SlackMessage(summary: document.conclusion?.slack ?? SlackText.escaped(title), title: title)
        for section in document.sections {
            message.beginBlock()
            if let title = section.title { message.add("*\(SlackText.escaped(title))*") }
            add(section.blocks, to: &message)
        }
        message.write(to: &sink)
    }

    private func add(_ blocks: [Document.Block], to message: inout SlackMessage) {
        for block in blocks {
            switch block {
            case .answer(let answer):
                message.beginBlock()
                let mark = answer.isMarked ? answer.tone.mark(unicode: true) + " " : ""
                message.add("\(mark)*\(answer.conclusion.slack)*\(answer.reason.slack)")
                for line in answer.lines { message.add(line.slack) }
            case .facts(let facts, _, _): message.add(facts.map(\.slack).joined(separator: " · "), as: .context)
            case .paragraph(let wording, .strong): message.add("*\(wording.slack)*")
            case .paragraph(let wording, .faint), .provenance(let wording): message.add(wording.slack, as: .context)
            case .paragraph(let wording, _): message.add(wording.slack)
            case .item(let wording, _): message.add("• \(wording.slack)")
            case .note(let note) where note.isCaution: message.add("*Caution:* \(note.wording.slack)")
            case .note(let note): message.add(note.wording.slack, as: .context)
            case .figures(let figures):
                for line in figures { message.add("• *\(line.figure.slack)* \(line.text.slack)") }
            case .chart(let explanation):
                let lines = DayChart(explanation).lines(columns: 80, style: TerminalStyle())
                message.add(SlackText.fenced(lines.map { $0.rendered(color: false) }))
            case .code(let lines, _): message.add(SlackText.fenced(lines))
            case .rollout(let history): add(history.table(last: 7), to: &message)
            case .table(let table): add(table, to: &message)
            case .legend: break
            case .folded(let summary, _): message.add(SlackText.escaped(summary), as: .context)
            }
        }
    }

    private func add(_ table: Table, to message: inout SlackMessage) {
        let shown = table.columns.indices.filter { table.columns[$0].kind != .marks }
        for group in table.groups {
            message.beginBlock()
            if let heading = group.heading { message.add("*\(SlackText.escaped(heading))*") }
            for row in group.rows {
                let cells = shown.map { SlackRenderer.text(row[$0]) }.filter { !$0.isEmpty }
                message.add(cells.joined(separator: " · "))
            }
            if let rest = group.rest { message.add(rest.slack) }
        }
    }

    private static func text(_ cell: Table.Cell) -> String {
        switch cell {
        case .empty, .days: ""
        case .verdict(let assessment): "\(assessment.mark(unicode: true)) \(assessment.word)"
        case .words(let wording, _): wording.slack
        case .function(let function, let place):
            ([("\(name: function.name)" as Wording).slack] + place.map(\.slack)).joined(separator: " ")
        case .number(let number, _): Figures.grouped(number)
        case .share(let part, let whole): "\(Figures.grouped(part)) (\(Figures.percent(part, of: whole)))"
        }
    }
}

extension Document {
    /// The answer in one sentence; nil where there is none.
    fileprivate var conclusion: Wording? {
        for case .answer(let answer) in sections.flatMap(\.blocks) { return answer.conclusion }
        return nil
    }
}
