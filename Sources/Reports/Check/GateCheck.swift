package import Readiness
import Verifications

/// What `check` was asked, in addition to the summary: enough to put the outcome into words.
package struct GateCheck: Hashable, Sendable {
    package var gate: Gate
    /// True when anything that was not read fails the check (`--strict`).
    package var isStrict: Bool
    package var policyFile: String?

    package init(_ gate: Gate, isStrict: Bool = false, policyFile: String? = nil) {
        self.gate = gate
        self.isStrict = isStrict
        self.policyFile = policyFile
    }

    func terms(_ summary: Summary) -> Wording {
        let file: Wording = policyFile.map { "; exceptions in \(name: $0)" } ?? ""
        return summary.policy.terms + file + "."
    }

    /// True when not everything could be read, so that nothing it shows can be a pass.
    func isIncomplete(_ summary: Summary) -> Bool {
        !summary.input.faults.isEmpty || isStrict && !summary.input.isWhole
    }
}

extension GateCheck {
    enum Outcome {
        case passes, fails
        /// It lets the gate pass, although it is not known to be safe.
        case undecided
    }

    func outcome(of function: FunctionSummary) -> Outcome {
        switch gate.standing(of: function.assessment) {
        case .clear: .passes
        case .lockedOut: gate.failOn == .lockout ? .fails : .passes
        case .notSafe: gate.failOn == .lockout ? .undecided : .fails
        case .unsure: gate.failOn == .unsure ? .fails : .undecided
        }
    }

    /// Who is refused now, whatever the gate asks; nil where nobody is, and where that is the gate's own answer.
    func lockouts(_ summary: Summary) -> Wording? {
        gate.failOn == .lockout ? nil : summary.lockouts
    }

    func hasPassed(_ summary: Summary) -> Bool {
        gate.answer(to: summary) == .passed && !isIncomplete(summary)
    }

    /// The answer, then every function, those against it first; on a page the title is not right above the answer.
    func document(_ summary: Summary, _ view: TableView, isPage: Bool = false) -> Document {
        var document = Document(title: ["App Check gate"])
        let lockouts = lockouts(summary)
        document.add([
            .answer(
                Document.Answer(
                    tone: lockouts == nil ? tone(summary) : .wait,
                    statements: [lockouts, conclusion(summary, isPage: isPage)], view,
                    lines: next(summary).map { [$0] } ?? []))
        ])
        guard !view.isBrief else { return document.brief(summary.missingEntries.map(\.wording)) }
        document.sections += summary.listing(gate: gate, view).prefix(1)
        document.add(
            [.provenance(summary.provenance), .provenance(terms(summary))] + summary.notes.map { .note($0) })
        return document
    }
}
