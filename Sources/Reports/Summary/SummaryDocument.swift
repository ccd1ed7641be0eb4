import Readiness
import Verifications

extension Summary {
    /// The answer in one line, every function grouped by what can be done with it, and what would mislead.
    func document(_ view: TableView) -> Document {
        var document = Document(title: ["App Check on callable functions"])
        document.add(functions.isEmpty ? [.facts(context)] : [.answer(answer(view)), .facts(context, rest: .faint)])
        guard !view.isBrief else { return document.brief }
        document.sections += listing(view)
        document.add(notes.map { .note($0) })
        return document
    }

    /// How many functions can be enforced, and what comes before that.
    func answer(_ view: TableView) -> Document.Answer {
        let tone: Verdict =
            functions.contains(where: \.assessment.isLockout) ? .wait : ready.isEmpty ? .insufficient : .enforce
        return Document.Answer(tone: tone, isMarked: false, conclusion: headline, lines: advice)
    }

    /// The table, what its marks and verdicts mean, and what to do next; nothing without functions.
    func listing(gate: Gate? = nil, _ view: TableView) -> [Document.Section] {
        guard !functions.isEmpty else { return [] }
        if view.showsCounts { return [Document.Section(blocks: [.table(.ofCounts(self, view))])] }
        let legend: [Document.Block] = span == nil ? [] : [.legend]
        return [
            Document.Section(blocks: [.table(.ofVerdicts(self, gate: gate, view))]),
            Document.Section(blocks: legend + [.paragraph(basis, .faint)] + hints.map { .paragraph($0) }),
        ]
    }

    /// Counts of all functions together.
    var totals: StatusMatrix {
        functions.reduce(into: StatusMatrix()) { $0.merge($1.totals) }
    }

    /// The names of some functions, each once, with the region where several have one name.
    func names(of some: [FunctionSummary]) -> [String] {
        var regions: [ExactName: ExactName] = [:]
        var shared: Set<ExactName> = []
        for function in functions {
            let (name, region) = (ExactName(function.name), ExactName(function.identity.region))
            if let other = regions.updateValue(region, forKey: name), other != region { shared.insert(name) }
        }
        var seen: Set<ExactName> = []
        return some.map { function in
            let isShared = shared.contains(ExactName(function.name))
            return isShared ? "\(function.name) in \(function.identity.region)" : function.name
        }.filter { seen.insert(ExactName($0)).inserted }
    }
}
