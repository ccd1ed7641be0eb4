import Readiness
import Verifications

extension NightlyReport {
    /// The morning report as a chat message: the answer, what changed, what is not safe, and every caution.
    ///
    /// Long lists are cut. Whatever was read, the message stays below ``messageLimit`` characters, which chats accept.
    /// With `isFolding` a collapsed table of all functions follows.
    func message(isFolding: Bool, _ view: TableView) -> Document {
        let day = summary.asOf.map { " · \(CalendarText.day($0.day))" } ?? ""
        var document = Document(title: ["App Check on callable functions\(day)"])
        var answer = answer(view)
        answer.conclusion = NightlyReport.short(answer.conclusion)
        answer.lines = (answer.lines + notSafe).map(NightlyReport.short)
        document.add([.answer(answer)])
        guard !view.isBrief else { return document.brief }
        addChanges(to: &document)
        addCautions(to: &document)
        if isFolding, !summary.functions.isEmpty {
            let count = Figures.counted(summary.functions.count, "function")
            document.add([.folded(count, [.table(.ofVerdicts(summary, view)), .paragraph(summary.basis)])])
        }
        return document
    }

    /// The functions that are not safe, by name.
    private var notSafe: [Wording] {
        let functions = summary.functions.filter { $0.assessment.standing == .notSafe }
        return functions.isEmpty ? [] : ["Not safe: \(names: summary.names(of: functions), limit: 10)."]
    }

    /// As many cautions as there is room for, in full: a chat has no page to look them up on.
    private func addCautions(to document: inout Document) {
        var length = document.markdown.count
        var blocks: [Document.Block] = []
        let cautions = summary.notes.filter(\.isCaution)
        for note in cautions {
            length += Document.Block.note(note).markdown.count
            if length < NightlyReport.messageLimit - NightlyReport.reserve { blocks.append(.note(note)) }
        }
        if blocks.count < cautions.count {
            let count = Figures.counted(cautions.count - blocks.count, "more caution", plural: "more cautions")
            blocks.append(.paragraph("And \(count)."))
        }
        document.add(blocks)
    }

    /// Chats cut longer messages.
    static let messageLimit = 4000
    /// Longer names would fill the message.
    private static let widestName = 48
    /// How many changes of one urgency are listed.
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
