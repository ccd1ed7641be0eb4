import Readiness
import Rollout
import Verifications

extension NightlyReport {
    func document(_ view: TableView, rollouts: [RolloutHistory] = []) -> Document {
        let changes = changesByUrgency.map { Document.Section(blocks: $0.blocks) }
        return summary.document(view, answer: answer(view), after: changes, before: rollouts.map(\.section))
    }

    func answer(_ view: TableView) -> Document.Answer {
        var answer = summary.answer(view)
        answer.lines.append(changesLine)
        return answer
    }

    /// The changes, grouped by what the reader has to do: a heading, and a sentence for each change.
    var changesByUrgency: [(urgency: Change.Urgency, blocks: [Document.Block])] {
        let words = ChangeWording(self)
        return Change.Urgency.allCases.compactMap { urgency in
            let changes = changes.filter { $0.urgency == urgency }
            guard !changes.isEmpty else { return nil }
            let items = changes.map { Document.Block.item(words.sentences($0), mark: urgency.words.mark) }
            return (urgency, [.paragraph("\(urgency.words.heading)", .strong)] + items)
        }
    }

    var changesLine: Wording {
        guard let comparedTo else {
            let start = firstDay.map { ": the log begins on \(CalendarText.day($0))" } ?? ""
            return "Nothing to compare with\(start)."
        }
        let day = CalendarText.day(comparedTo)
        guard !changes.isEmpty else { return "Nothing has changed since \(day)." }
        let counts = Change.Urgency.allCases.compactMap { urgency -> String? in
            let count = changes.count { $0.urgency == urgency }
            return count == 0 ? nil : "\(Figures.grouped(count)) \(urgency.words.noun)"
        }
        return "Since \(day): \(counts.joined(separator: ", "))."
    }
}

extension NightlyReport {
    /// The morning report as a chat message: the answer, what changed, the functions, and every caution.
    ///
    /// Long lists are cut. Whatever was read, the message stays below `limit` characters of Markdown.
    /// With `isFolding`, a collapsed table of all functions follows where some were left out.
    func message(isFolding: Bool, limit: Int, _ view: TableView) -> Document {
        let day = summary.asOf.map { " · \(CalendarText.day($0.day))" } ?? ""
        var document = Document(title: ["App Check on callable functions\(day)"])
        var answer = answer(view)
        answer.conclusion = NightlyReport.short(answer.conclusion)
        answer.lines = answer.lines.map(NightlyReport.short)
        document.add([.answer(answer), .facts(summary.context.map(NightlyReport.short))])
        guard !view.isBrief else { return document.brief(summary.cautions) }
        let chatLimit = NightlyReport.messageLimit - NightlyReport.reserve
        for (_, blocks) in changesByUrgency {
            let items = blocks.dropFirst().map(NightlyReport.short)
            document.add(items, under: blocks.first, most: NightlyReport.listed, limit: chatLimit, "more change")
        }
        let cautions = summary.notes.filter(\.isCaution).map { Document.Block.note($0) }
        // Rows give way to cautions, but not to the last of many.
        let reserve = min(cautions.reduce(NightlyReport.reserve) { $0 + $1.markdown.count }, limit / 3)
        let listed = [20, 10, 5, 3, 1, 0].lazy.map { top -> [Document.Section] in
            var view = view
            view.top = min(top, view.top ?? top)
            return summary.listing(view)
        }.first { document.adding($0).markdown.count + reserve < limit }
        document = document.adding(listed ?? [])
        // In full: a chat has no page to look them up on.
        document.add(cautions, limit: limit - NightlyReport.reserve, "more caution")
        if isFolding, listed?.leavesOutFunctions ?? !summary.functions.isEmpty {
            let count = Figures.counted(summary.functions.count, "function")
            document.add([.folded(count, [.table(.ofVerdicts(summary, view))])])
        }
        return document
    }

    /// Chats cut longer messages.
    static let messageLimit = 4000
    /// Slack accepts more.
    static let slackLimit = 10_000
    private static let widestName = 48
    private static let listed = 8
    /// What is left for lines that are always there.
    private static let reserve = 300

    private static func short(_ block: Document.Block) -> Document.Block {
        if case .item(let wording, let mark) = block { .item(short(wording), mark: mark) } else { block }
    }

    private static func short(_ wording: Wording) -> Wording {
        var short = wording
        short.parts = wording.parts.map { part in
            guard case .name(let name) = part else { return part }
            return .name(DisplayText(name: name).cut(to: widestName, ellipsis: "…"))
        }
        return short
    }
}

extension [Document.Section] {
    fileprivate var leavesOutFunctions: Bool {
        flatMap(\.blocks).contains { block in
            if case .table(let table) = block { table.groups.contains { $0.rest != nil } } else { false }
        }
    }
}

extension Document {
    fileprivate func adding(_ more: [Section]) -> Document {
        var document = self
        document.sections += more
        return document
    }

    /// Adds as many of the blocks as fit into so many characters of Markdown, and says how many more there are.
    fileprivate mutating func add(
        _ blocks: [Block], under heading: Block? = nil, most: Int = .max, limit: Int, _ noun: String
    ) {
        let heading = heading.map { [$0] } ?? []
        var length = heading.reduce(markdown.count) { $0 + $1.markdown.count }
        var shown = blocks.prefix(most).filter { block in
            let size = block.markdown.count
            guard length + size < limit else { return false }
            length += size
            return true
        }
        let omitted = blocks.count - shown.count
        if omitted > 0 { shown.append(.paragraph("And \(Figures.counted(omitted, noun)).")) }
        if !shown.isEmpty { add(heading + shown) }
    }
}
