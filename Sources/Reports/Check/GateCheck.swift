package import Readiness
import Verifications

/// What `check` was asked, beside the summary: enough to say in words what came of it.
package struct GateCheck: Hashable, Sendable {
    package var gate: Gate
    /// True when a malformed record alone fails the check (`--strict`).
    package var isStrict: Bool
    /// The policy file's name, printable; nil without one.
    package var policyFile: String?

    package init(_ gate: Gate, isStrict: Bool = false, policyFile: String? = nil) {
        self.gate = gate
        self.isStrict = isStrict
        self.policyFile = policyFile
    }

    /// What the functions were held against.
    func terms(_ summary: Summary) -> Wording {
        let file: Wording = policyFile.map { "; exceptions by \(name: $0)" } ?? ""
        return summary.policy.terms + file + "."
    }

    /// True when what was read is not all that there is, so that nothing it shows can be a pass.
    func isIncomplete(_ summary: Summary) -> Bool {
        !summary.input.faults.isEmpty || isStrict && summary.input.malformed > 0
    }
}

extension GateCheck {
    /// The answer for a terminal or the log of a pipeline: a line per function, those against it first, then the
    /// conclusion.
    func terminalDocument(_ summary: Summary) -> Document {
        var document = Document(title: GateCheck.title)
        let functions = summary.functionsByStanding(for: gate)
        if !functions.isEmpty { document.add([.table(.ofClauses(summary, functions))]) }
        document.add([answer(summary)])
        document.add(basis(summary))
        return document
    }

    /// The answer for a comment on a pull request: the conclusion, then what speaks against it.
    ///
    /// Functions with nothing against them are folded away when there are many.
    func commentDocument(_ summary: Summary) -> Document {
        var document = Document(title: GateCheck.title)
        document.add([answer(summary)])
        let functions = summary.functionsByStanding(for: gate)
        let clear = functions.filter { gate.standing(of: $0.assessment) == .clear }
        let isFolded = clear.count > GateCheck.unfolded && clear.count < functions.count
        let shown = functions.dropLast(isFolded ? clear.count : 0)
        if !shown.isEmpty { document.add([.table(.ofClauses(summary, shown))]) }
        if isFolded {
            let title = "\(clear.count) functions with nothing against them"
            document.add([.folded(title, [.table(.ofClauses(summary, clear))])])
        }
        document.add(basis(summary))
        return document
    }

    private static let title: [Wording] = ["App Check gate"]
    /// Up to so many functions with nothing against them stand in the open, next to those that have something.
    private static let unfolded = 5

    private func answer(_ summary: Summary) -> Document.Block {
        .answer(
            Document.Answer(
                mark: mark(summary), conclusion: conclusion(summary), lines: next(summary).map { [$0] } ?? []))
    }

    /// What the answer is based on, and whatever makes that doubtful.
    private func basis(_ summary: Summary) -> [Document.Block] {
        [.provenance(summary.provenance), .provenance(terms(summary))] + summary.notes.map { .note($0) }
    }
}
