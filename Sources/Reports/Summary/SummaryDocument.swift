import Readiness
import Verifications

extension Summary {
    /// What people see first: functions with most requests first, what to do, and what would mislead.
    var document: Document {
        var document = Document(title: ["App Check on callable functions"])
        document.add([.facts(context, first: .strong)])
        if !functions.isEmpty {
            document.add([.table(.ofCounts(self))])
            if let plan { document.add([.paragraph(plan, .strong), .paragraph(basis, .faint)]) }
            if span != nil { document.add([.legend]) }
        }
        document.add(notes.map { .note($0) })
        return document
    }

    /// Counts of all functions together.
    var totals: StatusMatrix {
        functions.reduce(into: StatusMatrix()) { $0.merge($1.tally.totals) }
    }

    /// The functions with most requests first; among equals in the order of every other report.
    var functionsByRequests: some Sequence<FunctionSummary> {
        let order = functions.enumerated().map { (index: $0, count: $1.tally.totals.total) }
        return order.sorted { ($1.count, $0.index) < ($0.count, $1.index) }.lazy.map { functions[$0.index] }
    }

    /// The functions as a gate lists them: those that speak against it first, each kind in the usual order.
    func functionsByStanding(for gate: Gate = Gate(failOn: .unsure)) -> [FunctionSummary] {
        [Standing.lockedOut, .notSafe, .unsure, .clear].flatMap { standing in
            functions.filter { gate.standing(of: $0.assessment) == standing }
        }
    }

    /// Lock-outs first, then what is ready, in the order in which to enforce it, then the rest.
    var functionsInOrder: [FunctionSummary] {
        let rest = functionsByStanding().filter { $0.assessment.verdict != .enforce }
        return rest.filter(\.assessment.isLockout) + ready + rest.filter { !$0.assessment.isLockout }
    }

    /// The names of some functions, each once, with the region where several have one name.
    func names(of some: [FunctionSummary]) -> [String] {
        var regions: [ExactName: Set<ExactName>] = [:]
        for function in functions {
            regions[ExactName(function.name), default: []].insert(ExactName(function.identity.region))
        }
        var seen: Set<ExactName> = []
        return some.map { function in
            let isShared = (regions[ExactName(function.name)]?.count ?? 0) > 1
            return isShared ? "\(function.name) in \(function.identity.region)" : function.name
        }.filter { seen.insert(ExactName($0)).inserted }
    }
}
