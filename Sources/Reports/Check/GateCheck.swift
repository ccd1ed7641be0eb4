package import Readiness
package import Verifications

/// The question that `check` was asked, in addition to the summary: enough to put the outcome into words.
package struct GateCheck: Hashable, Sendable {
    package var gate: Gate
    /// True when anything that was not read fails the check (`--strict`).
    package var isStrict: Bool
    package var policyFile: String?
    /// The lines of lists that name functions: annotations point there.
    package var lines: [Line] = []

    package struct Line: Hashable, Sendable {
        let pattern: Glob
        let file: String
        let number: Int

        package init(pattern: Glob, file: String, number: Int) {
            (self.pattern, self.file, self.number) = (pattern, file, number)
        }
    }

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

    func functions(_ outcome: Gate.Outcome, of summary: Summary) -> [FunctionSummary] {
        summary.functions.filter { $0.isFunction && gate.outcome(of: $0.assessment) == outcome }
    }

    /// Returns the functions that fail the gate, the most harmful first.
    func failing(_ summary: Summary) -> [FunctionSummary] {
        functions(.against, of: summary).sorted { left, right in
            let (first, second) = (left.assessment.isLockout, right.assessment.isLockout)
            return first != second ? first : (left.shownRate ?? 0) > (right.shownRate ?? 0)
        }
    }

    func hasPassed(_ summary: Summary) -> Bool {
        gate.answer(to: summary) == .passed && !isIncomplete(summary)
    }

    /// The answer, then every function, those against it first; on a page the title is not right above the answer.
    func document(_ summary: Summary, _ view: TableView, isPage: Bool = false) -> Document {
        var document = Document(title: ["App Check gate"])
        let statements = GateStatements(self, of: summary, isPage: isPage)
        if view.isBrief {
            let (lines, counted) = statements.brief(gate.answer(to: summary))
            return .brief(document.title, lines, qualifying: counted)
        }
        if !view.isVerbose { return screen(statements, summary, view) }
        var sentences = statements.all
        let said = Set(sentences.map { $0.text(ascii: false) })
        // The section on who is refused has the commands to roll back.
        if summary.showsRefusals { sentences.removeAll { $0 == statements.rollback } }
        let next = [next(summary)].compactMap(\.self)
        document.add([.answer(Document.Headline(tone: tone(summary), statements: sentences, lines: next))])
        document.sections += summary.refusals + summary.listing(gate: gate, view).prefix(1)
        let notes = notes(summary).filter { !said.contains($0.inBrief.sentence.text(ascii: false)) }
        document.add([.provenance(summary.provenance), .provenance(terms(summary))] + notes.map { .note($0) })
        return document
    }

    private func notes(_ summary: Summary) -> [Statement] {
        summary.notes.filter { !$0.finding.isOfNothing || nothing(summary) == nil }
    }

    /// Lists what blocks, one line each, the most harmful first; then what has no answer, then what passes.
    private func screen(_ statements: GateStatements, _ summary: Summary, _ view: TableView) -> Document {
        let all = summary.functions.filter(\.isFunction)
        let unsure = functions(.undecided, of: summary)
        let doubts = classes(summary).filter { gate.outcome(of: $0.gateClass) == .unclear }
        let failing = failing(summary)
        let answer = gate.answer(to: summary)
        let isFailure = answer == .failed && !isIncomplete(summary)
        var notes = notes(summary)
        // The conclusion has them.
        if !isFailure { notes.removeAll { $0.finding.display.contains(.inAnswers) } }
        let conclusion = isFailure ? failure(failing, summary) : statements.all.joined
        var document = Document(title: [])
        document.add([.answer(Document.Headline(tone: tone(summary), conclusion: conclusion))])
        let shown = failing.prefix(view.limit ?? .max)
        var blocks = shown.flatMap { function -> [Document.Block] in
            let name = summary.names.place(of: function).reduce("\(name: function.name)") { $0 + " " + $1 }
            let isBack = function.assessment.isLockout
            let mark = function.assessment.isLockout ? .wait : function.assessment.verdict
            return [.item(name + ": " + function.fact, mark: mark)]
                + (isBack ? function.briefRollback : [])
        }
        if failing.count > view.limit ?? .max {
            blocks.append(
                .paragraph("\(Figures.grouped(failing.count - (view.limit ?? 0))) more: \(code: "--limit all")", .faint)
            )
        }
        if !unsure.isEmpty, answer == .failed || !doubts.isEmpty {
            blocks.append(
                .item(
                    "\(Figures.grouped(unsure.count)) without enough data: \(list: summary.names(of: unsure))",
                    mark: .insufficient))
        }
        let ready = all.filter { $0.assessment.verdict == .enforce }
        if !ready.isEmpty {
            blocks.append(
                .item("\(Figures.grouped(ready.count)) ready: \(list: summary.names(of: ready))", mark: .enforce))
        }
        blocks += doubts.map { gateClass, functions in
            .item(
                "\(list: summary.names(of: functions)): \(gateClass.doubt(functions[0]))",
                mark: .insufficient
            )
        }
        let settled = all.count { function in
            function.assessment.isSettled && [.passed, .notAsked].contains(gate.outcome(of: function.assessment))
        }
        if settled > 0 {
            blocks.append(.item("\(Figures.grouped(settled)) enforced, exempt or replaced", mark: .exempt))
        }
        document.add(blocks)
        document.add(Summary.footer(notes, next: next(summary)))
        if isFailure, let settings = summary.policy.settings {
            document.add([.paragraph(settings.wording, .warning)])
        }
        return document
    }

    func tone(_ summary: Summary) -> Verdict {
        switch gate.answer(to: summary) {
        case .passed: isIncomplete(summary) ? .insufficient : .enforce
        case .failed: .wait
        case .unsure, .nothingSelected: .insufficient
        }
    }

    /// Functions that do not simply pass, the most harmful first.
    func classes(_ summary: Summary) -> [(gateClass: GateClass, functions: [FunctionSummary])] {
        let asked = summary.functions.filter {
            $0.isFunction && ![.passed, .notAsked].contains(gate.outcome(of: $0.assessment))
        }
        let groups = Dictionary(grouping: asked) { function in
            let isUnclear = gate.outcome(of: function.assessment) == .unclear
            return isUnclear && function.assessment.enforcement.isContradicted
                ? .contradicted : function.assessment.gateClass
        }
        return GateClass.allCases.compactMap { gateClass in groups[gateClass].map { (gateClass, $0) } }
    }

    func next(_ summary: Summary) -> Wording? {
        let listed = failing(summary) + [.unclear, .undecided].flatMap { functions($0, of: summary) }
        let first = listed.first { $0.name != FunctionIdentity.unknown }
        guard let first, first.assessment.isLockout || summary.oldLog() == nil else { return nil }
        return summary.explaining(first)
    }
}
