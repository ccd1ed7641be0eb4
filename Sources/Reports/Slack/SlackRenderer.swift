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
            case .chart(let series):
                let lines = DayChart(series).lines(columns: 80, style: TerminalStyle())
                message.add(SlackText.fenced(lines.map { $0.rendered(color: false) }))
            case .code(let lines, _): message.add(SlackText.fenced(lines))
            case .rollout(let history): add(history.table(last: 7), to: &message)
            case .table(let table): add(table, to: &message)
            case .legend: break
            }
        }
    }

    private func add(_ table: Table, to message: inout SlackMessage) {
        let shown = table.columns.indices.filter { table.columns[$0].kind != .marks }
        for group in table.groups {
            message.beginBlock()
            if let heading = group.heading { message.add("*\(SlackText.escaped(heading))*") }
            for row in group.rows {
                let cells = shown.map { place -> String in
                    // The heading has the verdict.
                    if case .verdict(let verdict) = row[place] { return verdict.mark(unicode: true) }
                    return row[place].text(\.slack)
                }
                message.add(cells.filter { !$0.isEmpty }.joined(separator: " · "))
            }
            if let rest = group.rest { message.add(rest.slack) }
        }
    }
}

extension Document {
    fileprivate var conclusion: Wording? {
        for case .answer(let answer) in sections.flatMap(\.blocks) { return answer.conclusion }
        return nil
    }
}

/// A Block Kit message that Slack accepts, regardless of its content.
///
/// Slack rejects a whole message if it exceeds any limit: 50 blocks, 3,000 characters in a text, 150 in a header
/// (docs.slack.dev/reference/block-kit), and about 13,000 characters in all, which is documented nowhere. So lines that
/// do not fit are left out, and the last block counts them.
struct SlackMessage {
    enum Kind: String {
        case header, section
        case context
    }

    struct Block {
        let kind: Kind
        var text: String
    }

    static let mostBlocks = 50
    static let longestText = 3000
    static let longestHeader = 150
    static let longestMessage = 12_000

    private let summary: String
    private var blocks: [Block] = []
    private var length = 0
    private var omitted = 0
    private var isApart = true

    /// The summary is shown where blocks are not, as in a notification; a title that is too long is cut in the middle.
    init(summary: String, title: String) {
        self.summary = summary
        let widths = stride(from: SlackMessage.longestHeader, to: 0, by: -1)
        let titles = widths.lazy.map { SlackText.escaped(DisplayText(title).cut(to: $0, ellipsis: "…")) }
        let header = titles.first { $0.utf16.count <= SlackMessage.longestHeader } ?? ""
        blocks.append(Block(kind: .header, text: header))
        length = header.utf16.count
    }

    mutating func beginBlock() { isApart = true }

    /// Adds a line of markup, never broken, to the last block or to a new one.
    mutating func add(_ line: String, as kind: Kind = .section) {
        let size = line.utf16.count + 1
        guard size <= SlackMessage.longestText, length + size <= SlackMessage.longestMessage else {
            omitted += 1
            return
        }
        let last = blocks.count - 1
        let isFull = blocks[last].text.utf16.count + size > SlackMessage.longestText
        if isApart || isFull || blocks[last].kind != kind {
            // The last block is for the count of what is left out.
            guard blocks.count < SlackMessage.mostBlocks - 1 else {
                omitted += 1
                return
            }
            blocks.append(Block(kind: kind, text: line))
        } else {
            blocks[last].text += "\n" + line
        }
        isApart = false
        length += size
    }

    func write(to sink: inout some TextOutputStream) {
        var json = JSONWriter()
        json.object(.lines) { json in
            json.member("text", summary)
            json.array(.lines, key: "blocks") { json in
                for block in blocks { json.add(block) }
                if omitted > 0 {
                    let lines = Figures.counted(omitted, "line has", plural: "lines have")
                    json.add(Block(kind: .context, text: "\(lines) no room in this message."))
                }
            }
        }
        json.drain(into: &sink)
    }
}

extension JSONWriter {
    fileprivate mutating func add(_ block: SlackMessage.Block) {
        object(.inline) { json in
            json.member("type", block.kind.rawValue)
            switch block.kind {
            case .header:
                json.object("text", ["type": "plain_text", "text": block.text, "emoji": false])
            case .section: json.object("text", JSONWriter.markup(block.text))
            case .context: json.array(.inline, key: "elements") { $0.object(nil, JSONWriter.markup(block.text)) }
            }
        }
    }

    /// Markup in which text that only looks like a link or a mention stays text.
    private static func markup(_ text: String) -> Members {
        ["type": "mrkdwn", "text": text, "verbatim": true]
    }
}

enum SlackText {
    /// Every link, mention and command of Slack's markup begins with one of the three characters that are escaped.
    ///
    /// Words of a sentence need no backtick, which could begin code.
    static func escaped(_ text: String, backtick: String = "'") -> String {
        text.spelling { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "`": backtick
            default: nil
            }
        }
    }

    static func code(_ raw: String) -> String {
        "`\(escaped(DisplayText(name: raw).text, backtick: "&lt;U+0060&gt;"))`"
    }

    static func fenced(_ lines: [String]) -> String {
        "```\n\(lines.map { escaped(DisplayText($0).text) }.joined(separator: "\n"))\n```"
    }
}

extension Wording {
    private static let widestName = 48

    var slack: String {
        parts.map { part in
            switch part {
            case .words(let text): SlackText.escaped(DisplayText(text).text)
            case .name(let text): SlackText.code(DisplayText(name: text).cut(to: Wording.widestName, ellipsis: "…"))
            case .code(let text): SlackText.code(text)
            }
        }.joined()
    }
}
