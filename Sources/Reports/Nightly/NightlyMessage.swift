import Readiness
import Verifications

extension NightlyReport {
    /// The morning as a message in a chat: the answer in three lines, then what changed.
    ///
    /// Long lists are cut. Whatever is read, the message stays below ``messageLimit`` characters, which is what chats
    /// take. With `isFolding` all functions follow in a table that is folded away.
    func message(isFolding: Bool) -> Document {
        let day = summary.asOf.map { " · \(CalendarText.day($0.day))" } ?? ""
        var document = Document(title: ["App Check on callable functions\(day)"])
        let answer = answer
        document.add([
            .answer(
                Document.Answer(
                    mark: answer.mark, conclusion: NightlyReport.short(answer.conclusion),
                    lines: answer.lines.map(NightlyReport.short)))
        ])
        addChanges(to: &document)
        let cautions = summary.notes.count(where: \.isCaution)
        if cautions > 0 {
            let count = Figures.counted(cautions, "caution")
            document.add([.paragraph("The log gives \(count): see \(code: "callcheck report").")])
        }
        if isFolding, !summary.functions.isEmpty {
            let count = Figures.counted(summary.functions.count, "function")
            document.add([.folded(count, [.table(.ofMorning(self)), .paragraph(basis)])])
        }
        return document
    }

    /// Chats cut longer messages.
    static let messageLimit = 4000
    /// Longer names would fill the message.
    private static let widestName = 48
    /// So many changes of one urgency are listed.
    private static let listed = 8
    /// What is left for lines that are always there.
    private static let reserve = 300

    /// As many changes as there is room for, and how many more there are.
    private func addChanges(to document: inout Document) {
        var omitted = 0
        for group in changesByUrgency {
            var length = document.markdown.count
            var blocks: [Document.Block] = []
            for (index, block) in group.blocks.enumerated() {
                guard case .item(let wording, let mark) = block else {
                    blocks.append(block)
                    continue
                }
                let item = Document.Block.item(NightlyReport.short(wording), mark: mark)
                let (size, heading) = (item.markdown.count, group.urgency.heading.count)
                if index <= NightlyReport.listed,
                    size + heading < NightlyReport.messageLimit - NightlyReport.reserve - length
                {
                    blocks.append(item)
                    length += size
                } else {
                    omitted += 1
                }
            }
            if blocks.count > 1 { document.add(blocks) }
        }
        if omitted > 0 {
            document.add([.paragraph("And \(Figures.counted(omitted, "more change", plural: "more changes")).")])
        }
    }

    /// The sentences with their names cut in the middle.
    private static func short(_ wording: Wording) -> Wording {
        var short = wording
        short.parts = wording.parts.map { part in
            guard case .name(let name) = part else { return part }
            return .name(DisplayText(name: name).cut(to: widestName, ellipsis: "…"))
        }
        return short
    }
}
