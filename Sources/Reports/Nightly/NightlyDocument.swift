import Readiness
import Rollout
import Verifications

extension NightlyReport {
    /// The morning report: the answer, what changed, then every function.
    func document(_ view: TableView, rollouts: [RolloutHistory] = []) -> Document {
        var document = Document(title: ["App Check on callable functions"])
        document.add([.answer(answer(view)), .facts(summary.context, rest: .faint)])
        guard !view.isBrief else { return document.brief }
        for group in changesByUrgency { document.add(group.blocks) }
        document.sections += summary.listing(view) + rollouts.map(\.section)
        document.add(summary.notes.map { .note($0) })
        return document
    }

    /// What can be enforced, and how many changes there are.
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
            let items = changes.map { Document.Block.item(words.sentences($0), mark: urgency.mark) }
            return (urgency, [.paragraph("\(urgency.heading)", .strong)] + items)
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
            return count == 0 ? nil : "\(Figures.grouped(count)) \(urgency.noun)"
        }
        return "Since \(day): \(counts.joined(separator: ", "))."
    }
}

extension Change.Urgency {
    fileprivate var noun: String {
        switch self {
        case .act: "to act on"
        case .worse: "worse"
        case .better: "better"
        case .neutral: "otherwise changed"
        }
    }
}
