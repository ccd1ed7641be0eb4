public import Readiness
import Verifications

/// The morning page in Markdown, short enough for a message in a chat.
///
/// The answer in three lines, then what changed, each list cut where it gets long. Whatever is read, the message stays
/// below ``messageLimit`` characters, which is what chats take. GitHub shows more: all functions in a table, folded.
public struct NightlyMarkdown: NightlyPage {
    /// Chats cut longer messages.
    static let messageLimit = 4000
    /// Longer names would fill the message.
    private static let widestName = 48
    /// So many changes of one urgency are told.
    private static let listed = 8
    /// What is left for lines that are always there.
    private static let reserve = 300

    private let isFolding: Bool

    /// - Parameter isFolding: True where `<details>` folds a table away, as on GitHub; other places would show the
    ///   tags.
    public init(isFolding: Bool) {
        self.isFolding = isFolding
    }

    public func write(_ report: NightlyReport, to sink: inout some TextOutputStream) {
        sink.write(message(report))
        guard isFolding, !report.summary.functions.isEmpty else { return }
        let count = Figures.counted(report.summary.functions.count, "function")
        sink.write("\n<details><summary>\(count)</summary>\n\n")
        let table = MarkdownTable(NightlyMarkdown.columns(report))
        table.writeHead(to: &sink)
        for function in report.functionsInOrder { table.write(TableRow(function), to: &sink) }
        sink.write("\n\(report.summary.basis.markdown) \(report.method.markdown)\n\n</details>\n")
    }

    private func message(_ report: NightlyReport) -> String {
        let answer = NightlyAnswer(report)
        let day = report.summary.asOf.map { " · \(CalendarText.day($0.day))" } ?? ""
        let lines = answer.lines.map(short)
        var text = "### App Check on callable functions\(day)\n\n"
        text += "\(answer.mark.mark(unicode: true)) **\(lines[0])**\n"
        for line in lines.dropFirst() { text += "\n\(line)\n" }

        let words = ChangeWording(report)
        var untold = 0
        for urgency in Change.Urgency.allCases {
            let changes = report.changes.filter { $0.urgency == urgency }
            var list = ""
            for (index, change) in changes.enumerated() {
                let item = "- \(short(words.sentences(change)))\n"
                let room = NightlyMarkdown.messageLimit - NightlyMarkdown.reserve - text.count - list.count
                if index < NightlyMarkdown.listed, item.count + urgency.heading.count < room {
                    list += item
                } else {
                    untold += 1
                }
            }
            if !list.isEmpty { text += "\n**\(urgency.heading)**\n\n\(list)" }
        }
        if untold > 0 { text += "\nAnd \(Figures.counted(untold, "more change", plural: "more changes")).\n" }
        let cautions = report.summary.notes.count(where: \.isCaution)
        if cautions > 0 {
            let noun = cautions == 1 ? "caution" : "cautions"
            text +=
                "\nThe log gives \(Figures.grouped(cautions)) \(noun): see \(MarkdownText.code("callcheck report")).\n"
        }
        return text
    }

    /// Sentences with the names in them cut.
    private func short(_ wording: Wording) -> String {
        wording.cuttingNames(to: NightlyMarkdown.widestName).markdown
    }

    private static func columns(_ report: NightlyReport) -> [MarkdownColumn] {
        MarkdownColumn.identity(report.summary.commonPlace) + [
            MarkdownColumn(head: "ready") { row in row.function.flatMap(report.readyDay)?.text ?? "" },
            MarkdownColumn(head: "why") { $0.function?.brief.markdown ?? "" },
        ]
    }
}

extension Wording {
    /// The same with every name cut in the middle that is wider than so many columns.
    fileprivate func cuttingNames(to columns: Int) -> Wording {
        var wording = self
        wording.parts = parts.map { part in
            guard case .name(let name) = part else { return part }
            return .name(DisplayText(name: name).cut(to: columns, ellipsis: "…"))
        }
        return wording
    }
}
