/// A Block Kit message that Slack accepts, whatever is put into it.
///
/// Slack rejects a whole message if it exceeds any limit: 50 blocks, 3,000 characters in a text, 150 in a header
/// (docs.slack.dev/reference/block-kit), and about 13,000 characters in all, which is documented nowhere. So lines that
/// do not fit are left out, and the last block counts them.
struct SlackMessage {
    enum Kind: String {
        case header, section
        /// Small and grey.
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

    /// What a notification shows.
    private let summary: String
    private var blocks: [Block] = []
    private var length = 0
    private var omitted = 0
    private var isApart = true

    /// - Parameters:
    ///   - summary: Shown where blocks are not, such as in a notification.
    ///   - title: Plain text; cut in the middle where it is too long.
    init(summary: String, title: String) {
        self.summary = summary
        let widths = stride(from: SlackMessage.longestHeader, to: 0, by: -1)
        let titles = widths.lazy.map { SlackText.escaped(DisplayText(title).cut(to: $0, ellipsis: "…")) }
        let header = titles.first { $0.utf16.count <= SlackMessage.longestHeader } ?? ""
        blocks.append(Block(kind: .header, text: header))
        length = header.utf16.count
    }

    /// Puts the next line into a block of its own.
    mutating func beginBlock() {
        isApart = true
    }

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
                json.object(.inline, key: "text") { json in
                    json.member("type", "plain_text")
                    json.member("text", block.text)
                    json.member("emoji", false)
                }
            case .section: json.object(.inline, key: "text") { $0.addMarkup(block.text) }
            case .context:
                json.array(.inline, key: "elements") { json in json.object(.inline) { $0.addMarkup(block.text) } }
            }
        }
    }

    /// Adds markup in which text that only looks like a link or a mention stays text.
    private mutating func addMarkup(_ text: String) {
        member("type", "mrkdwn")
        member("text", text)
        member("verbatim", true)
    }
}

/// Text as Slack's markup that shows it and nothing else.
enum SlackText {
    /// Every link, mention and command of Slack's markup begins with one of the three characters that are escaped.
    ///
    /// Words of a sentence need no backtick, which could begin code.
    static func escaped(_ text: String, backtick: String = "'") -> String {
        var escaped = ""
        // By scalars: to Character, `<` and a mark that attaches to it are one.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "`": escaped += backtick
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A name or a command, in which nothing is markup.
    static func code(_ raw: String) -> String {
        "`\(escaped(DisplayText(name: raw).text, backtick: "&lt;U+0060&gt;"))`"
    }

    /// Lines as they are.
    static func fenced(_ lines: [String]) -> String {
        "```\n\(lines.map { escaped(DisplayText($0).text) }.joined(separator: "\n"))\n```"
    }
}

extension Wording {
    /// Longer names would fill the message.
    private static let widestName = 48

    /// The sentences as one line of Slack's markup.
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
