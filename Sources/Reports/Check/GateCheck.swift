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

    private func functions(_ outcome: Gate.Outcome, of summary: Summary) -> [FunctionSummary] {
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
        if view.isBrief {
            let isPass = gate.answer(to: summary) == .passed
            // How to roll back comes with the first one; what was not looked at is named beside every pass.
            let first = isPass ? .max : summary.lockedOut.isEmpty ? 1 : 2
            func counted(inALine: Bool) -> [Wording] {
                summary.cautions(failOn: gate.failOn, areCounted: true, inALine: inALine)
            }
            func statements(inALine: Bool) -> [Wording] {
                let reasons = reasons(summary, inALine: inALine).prefix(first)
                // Nothing qualifies a failure but limits that somebody set.
                if inALine, gate.answer(to: summary) == .failed {
                    let lockouts = summary.lockoutsInALine.map { [label(summary) + ": " + $0[0]] + $0.dropFirst() }
                    let failing = lockouts == nil ? summary.failing.map { $0 + "." } : nil
                    return (lockouts ?? Array(reasons))
                        + [failing, summary.policy.settings?.wording].compactMap(\.self)
                }
                return reasons + conditions(summary, inALine: inALine) + (isPass ? counted(inALine: inALine) : [])
            }
            let others = isPass ? [] : reasons(summary).dropFirst(first) + counted(inALine: false)
            return .brief(
                document.title, [statements(inALine: false), statements(inALine: true)], qualifying: others)
        }
        if !view.isVerbose { return screen(summary, view) }
        var statements = statements(summary, isPage: isPage)
        let said = Set(statements.map { $0.text(ascii: false) })
        // The section on who is refused has the commands to roll back.
        if summary.showsRefusals { statements.removeAll { $0 == EnforcementCode.rollback(summary.lockedOut) } }
        let next = [next(summary)].compactMap(\.self)
        document.add([.answer(Document.Headline(tone: tone(summary), statements: statements, lines: next))])
        document.sections += summary.refusals + summary.listing(gate: gate, view).prefix(1)
        let notes = notes(summary).filter { !said.contains($0.inBrief.sentence.text(ascii: false)) }
        document.add([.provenance(summary.provenance), .provenance(terms(summary))] + notes.map { .note($0) })
        return document
    }

    private func notes(_ summary: Summary) -> [Statement] {
        summary.notes.filter { !$0.finding.isOfNothing || nothing(summary) == nil }
    }

    /// Lists what blocks, one line each, the most harmful first; then what has no answer, then what passes.
    private func screen(_ summary: Summary, _ view: TableView) -> Document {
        let all = summary.functions.filter(\.isFunction)
        let unsure = functions(.undecided, of: summary)
        let doubts = classes(summary).filter { gate.outcome(of: $0.0) == .unclear }
        let failing = failing(summary)
        let answer = gate.answer(to: summary)
        var (conclusion, notes) = (conclusion(summary), notes(summary))
        if answer != .failed || isIncomplete(summary) {
            // The conclusion has them.
            notes.removeAll { $0.finding.display.contains(.inAnswers) }
        } else {
            let isOne = failing.count == 1
            let fault =
                gate.failOn == .lockout && !failing.isEmpty
                ? "\(isOne ? "refuses" : "refuse") \(failing.refusedUsers)"
                : "\(isOne ? "blocks" : "block") this deployment"
            conclusion =
                "FAILED\(summary.judgedAt): \(GateCheck.count(failing.count, of: all.count, summary.noun)) \(fault) (exit 1)"
        }
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
                "\(list: summary.names(of: functions)): \(GateCheck.doubt(gateClass, functions[0]))",
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
        if answer == .failed, !isIncomplete(summary), let settings = summary.policy.settings {
            document.add([.paragraph(settings.wording, .warning)])
        }
        return document
    }
}

extension Summary {
    /// `, as of 14 Oct 2026`.
    fileprivate var judgedAt: String { asOf.map { ", as of \(CalendarText.day($0.day))" } ?? "" }
}

extension SettingsEffect {
    var wording: Wording {
        let looser: Wording? = loosened.isEmpty ? nil : "loosens \(loosened.map(\.name).joined(separator: ", "))"
        let selecting: Wording? = selectsFunctions ? "selects the functions" : nil
        let parts = [looser, selecting].compactMap(\.self)
        guard let first = parts.first else { return "\(name: file) sets limits, none of them looser than usual." }
        return "\(name: file) " + parts.dropFirst().reduce(first) { $0 + " and " + $1 } + "."
    }
}

extension Summary {
    /// The selected names that no function has, and the inputs that may be why; nil without any.
    func missing(_ log: String) -> Wording? {
        let missing = functions.filter { !$0.isFunction }
        guard !missing.isEmpty else { return nil }
        let names: Wording = "\(names: missing.map(\.name))"
        let causes = causesOfMissing
        if !causes.isEmpty, input.records == 0 { return "\(list: causes), so nothing is known of \(names)." }
        let suggestions = missing.compactMap { function -> String? in
            if case .unmatched(let suggestion?, _) = function.listing { suggestion } else { nil }
        }
        let meant: Wording = suggestions.isEmpty ? "" : " Did you mean \(names: suggestions)?"
        guard missing.contains(where: { $0.listing != .withoutEntries }) else {
            return """
                \(log) has requests to \(names), but no App Check entry of \(missing.count == 1 ? "it" : "them"): a filter \
                by severity drops passed requests, and what is not callable has none.
                """
        }
        let place = selection.hidesPlaces ? " in the selected projects and regions" : ""
        return "\(log) has no function called \(names)\(place)" + (causes.isEmpty ? "." : ", but \(list: causes).")
            + meant
    }

    fileprivate var causesOfMissing: [Wording] {
        for function in functions {
            if case .unmatched(_, let inputs) = function.listing { return inputs.map(\.wording) }
        }
        return []
    }

    /// Returns the cautions of every short answer: what was not read, what it depends on, where policy and log differ.
    ///
    /// A gate that looks for lock-outs does not ask whether enforcement can be switched on.
    /// Cautions that are counted where there is no room qualify an answer, and never change it.
    func cautions(
        failOn: Gate.FailOn = .unsure, areCounted: Bool = false, inALine: Bool = false, except: Finding.Code? = nil
    ) -> [Wording] {
        let said = notes.filter {
            $0.finding.display.contains(.inAnswers) && $0.finding.display.contains(.countedOnly) == areCounted
                && (failOn != .lockout || !$0.finding.display.contains(.ofReadiness)) && $0.finding.code != except
                // Whoever asks for one of these functions is told so already.
                && ($0.finding.code != .withoutEntries || functions.allSatisfy { $0.listing != .withoutEntries })
        }
        // Where a function was not found, its inputs are named with it.
        let endings = areCounted ? [] : input.endings(naming: functions.allSatisfy(\.isFunction))
        return said.map { inALine ? $0.short : $0.inBrief.sentence } + endings
    }
}

extension InputSummary {
    /// Names the inputs that had nothing to read, or that end before the log does, or within a record.
    fileprivate func endings(naming namesUnused: Bool) -> [Wording] {
        let unused = problems.entries.filter { $0.kind == .unsupportedFormat }.compactMap(\.source)
            .map { $0 == "-" ? "standard input" : "\(name: $0)" as Wording }
        func inputs(_ kind: Problem.Kind, _ one: Wording, _ many: Wording) -> Wording? {
            let count = problems.entries.count { $0.kind == kind }
            return count == 0 ? nil : "\(Figures.counted(count, "input")) " + (count == 1 ? one : many) + "."
        }
        return [
            unused.isEmpty || !namesUnused ? nil : "Nothing was read from \(list: unused).",
            inputs(.cutPull, "is a pull that stopped early: export more", "are pulls that stopped early: export more"),
            inputs(.incompleteRecord, "ends in the middle of a record", "end in the middle of a record"),
        ].compactMap(\.self)
    }
}

extension GateCheck {
    func conclusion(_ summary: Summary) -> Wording {
        statements(summary).reduce("") { $0.parts.isEmpty ? $1 : $0 + " " + $1 }
    }

    /// The answer in a sentence; then what else to know, those that only qualify it last.
    func statements(_ summary: Summary, isPage: Bool = false) -> [Wording] {
        reasons(summary, isPage: isPage) + conditions(summary) + summary.cautions(failOn: gate.failOn, areCounted: true)
    }

    /// The answer, and why.
    private func reasons(_ summary: Summary, isPage: Bool = false, inALine: Bool = false) -> [Wording] {
        let label = label(summary, isPage: isPage)
        if let nothing = nothing(summary) {
            return [label + ". " + (inALine ? nothing.short : nothing.sentence)]
        }
        let reasons = reasons(for: gate.answer(to: summary), summary)
        return [reasons.first.map { label + ": " + $0 } ?? label + "."] + reasons.dropFirst()
    }

    /// Returns the conditions of the answer, and what may change it.
    private func conditions(_ summary: Summary, inALine: Bool = false) -> [Wording] {
        guard nothing(summary) == nil else { return [] }
        let isPass = gate.answer(to: summary) == .passed
        let conditions = [
            isPass ? summary.policy.assumeComplete.setting.map { "This is based on \($0)." } : nil,
            isPass && !classes(summary).contains { $0.0 == .unsure } ? summary.oldLog() : nil,
            summary.failing.map { $0 + "." },
            gate.answer(to: summary) == .nothingSelected ? nil : summary.policy.settings?.wording,
        ]
        // Its reason says so.
        let classes = Set(classes(summary).map(\.0))
        let said: Finding.Code? =
            classes.contains(.contradicted)
            ? .policyContradicted : classes.contains(.signedOutServed) ? .authContradicted : nil
        return conditions.compactMap(\.self)
            + summary.cautions(failOn: gate.failOn, inALine: inALine, except: said)
    }

    private func label(_ summary: Summary, isPage: Bool = false) -> Wording {
        switch gate.answer(to: summary) {
        case .passed where isIncomplete(summary):
            "Not passed, as not all input could be read. On the readable data"
        case .passed: "\(isPage ? "Gate passed" : "Passed")\(summary.judgedAt)"
        case .failed: "\(isPage ? "Gate failed" : "Failed")\(summary.judgedAt)"
        case .unsure where functions(.undecided, of: summary).isEmpty && !functions(.unclear, of: summary).isEmpty:
            "Not decided\(summary.judgedAt)"
        case .unsure: "No answer yet\(summary.judgedAt)"
        case .nothingSelected: "Nothing was checked"
        }
    }

    /// Why there is nothing to check, where that is not for the names that were selected.
    private func nothing(_ summary: Summary) -> Statement? {
        guard gate.answer(to: summary) == .nothingSelected, summary.functions.isEmpty else { return nil }
        return summary.nothing
    }

    func tone(_ summary: Summary) -> Verdict {
        switch gate.answer(to: summary) {
        case .passed: isIncomplete(summary) ? .insufficient : .enforce
        case .failed: .wait
        case .unsure, .nothingSelected: .insufficient
        }
    }

    /// Why, in sentences, the first of which answers: one for each kind of function that does not simply pass.
    private func reasons(for answer: Gate.Result, _ summary: Summary) -> [Wording] {
        var sentences = classes(summary).flatMap { self.sentences($0, $1, summary) }
        if answer == .passed { sentences.insert(passed(summary, isSure: sentences.isEmpty), at: 0) }
        sentences += summary.missing("the log").map { [$0] } ?? []
        // Where nothing is against it, the answer itself says so.
        if answer == .nothingSelected, sentences.isEmpty, summary.input.records > 0 {
            sentences = ["no function matches the selection."]
        }
        let rollback = summary.refusing == nil ? [] : [EnforcementCode.rollback(summary.lockedOut)]
        return sentences.prefix(1) + rollback + sentences.dropFirst().map(\.capitalized)
    }

    /// Functions that do not simply pass, the most harmful first.
    private func classes(_ summary: Summary) -> [(GateClass, [FunctionSummary])] {
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

    private func sentences(_ gateClass: GateClass, _ functions: [FunctionSummary], _ summary: Summary) -> [Wording] {
        let total = summary.functions.count(where: \.isFunction)
        let (names, some) = (summary.names(of: functions), GateCheck.count(functions.count, of: total, summary.noun))
        let (isOne, first) = (functions.count == 1, functions[0])
        switch gateClass {
        case .lockedOut: return [summary.refusing].compactMap(\.self)
        case .notSafe:
            if total == 1 { return [first.fact(names[0]) + "."] }
            let refused = zip(names, functions).map { name, function -> Wording in
                function.assessment.decidingPlatforms.map { "\(name) (\($0))" } ?? name
            }
            return ["\(some) \(isOne ? "is" : "are") not safe to enforce: \(list: refused)."]
        case .unsure:
            if let oldLog = summary.oldLog("the log") { return [oldLog] }
            if functions.allSatisfy({ $0.assessment.verdict == .blind && !$0.identity.isService }) {
                let whose: Wording = total > 1 ? "\(some): \(list: names)" : "\(names[0]) (\(first.brief))"
                return [
                    "the log is incomplete: it lacks passed requests of \(whose). Export it without a severity filter."
                ]
            }
            if total > 1 { return ["there is not enough data on \(some): \(list: names)."] }
            let isAlmost = first.assessment.word == Assessment.almostReady
            let lead: Wording = isAlmost ? "\(names[0]) is almost ready" : "there is not enough data on \(names[0])"
            return [lead + " (" + first.brief + ")."]
        case .switchUnclear, .contradicted, .signedOutServed, .unconfirmed, .enforcedByLog, .expired:
            let day = gateClass == .switchUnclear ? first.assessment.reasons[.switchUnclear]?.days.first : nil
            let writing = day.map { " Write it into the policy, such as \(code: "enforced: \($0)T09:00Z")." as Wording }
            let advice: Wording =
                gateClass == .contradicted && !first.identity.isService
                ? """
                 Deploy with \(code: "enforceAppCheck: true"), or take \(code: "enforced:") out of the policy.
                """ : writing ?? ""
            return ["\(list: names): \(GateCheck.doubt(gateClass, first))." + advice]
        case .clear: return []
        }
    }

    /// Why no gate lets a function pass though nothing is against it.
    private static func doubt(_ gateClass: GateClass, _ first: FunctionSummary) -> Wording {
        switch gateClass {
        case .contradicted where first.identity.isService: first.assessment.brief
        case .switchUnclear: "the log does not show the time of the switch"
        case .contradicted: "enforced by policy, but off as the log shows"
        case .signedOutServed: "requires-auth is set, but the log shows that signed-out requests are served"
        case .unconfirmed: "enforced by policy alone, which the log does not confirm, and not ready"
        case .enforcedByLog: "enforced as the log shows, but not by policy"
        default: "the policy's entry has expired"
        }
    }

    private func passed(_ summary: Summary, isSure: Bool) -> Wording {
        if gate.failOn == .lockout { return GateCheck.refusals(summary) }
        return isSure ? "\(GateCheck.clear(summary))." : "no function is known to be unsafe."
    }

    func next(_ summary: Summary) -> Wording? {
        let listed = failing(summary) + [.unclear, .undecided].flatMap { functions($0, of: summary) }
        let first = listed.first { $0.name != FunctionIdentity.unknown }
        guard let first, first.assessment.isLockout || summary.oldLog() == nil else { return nil }
        return summary.explaining(first)
    }

    /// `all 4 functions can be enforced`, or what else they are.
    private static func clear(_ summary: Summary) -> String {
        var counts = [
            (Verdict.enforce, "can be enforced", "can be enforced"), (.exempt, "is exempt", "are exempt"),
            (.enforced, "is enforced already", "are enforced already"),
            (.superseded, "is replaced", "are replaced"),
        ].map { verdict, one, several in
            let count = summary.functions.count { $0.assessment.verdict == verdict }
            return (count: count, words: count == 1 ? one : several)
        }
        counts.removeAll { $0.count == 0 }
        if counts.count == 1, let only = counts.first { return "\(every(only.count, summary.noun)) \(only.words)" }
        let total = Figures.counted(
            summary.functions.count(where: \.isFunction), summary.noun.one, plural: summary.noun.many)
        let parts = counts.map { "\(Figures.grouped($0.count)) \($0.words)" }
        return "of \(total), \(parts.dropLast().joined(separator: ", ")) and \(parts.last ?? "")"
    }

    /// Describes what a gate for lock-outs lets pass: of the enforced functions, the one that refuses most.
    private static func refusals(_ summary: Summary) -> Wording {
        let enforced = summary.functions.filter(\.assessment.enforcement.isOn)
        func rate(_ function: FunctionSummary) -> Double { function.assessment.aftermath?.refusedSignedInUpper ?? 0 }
        guard let worst = enforced.max(by: { rate($0) < rate($1) }) else {
            return """
                no \(summary.noun.one) is known to be enforced, so there was nothing to check. If one is, write \
                \(code: "enforced: TIME") into the policy.
                """
        }
        let counts = worst.assessment.aftermath?.signedIn
        let (refused, all) = (counts?.refused ?? 0, counts?.requests ?? 0)
        let requests = enforced.refusedUsers == "users" ? "requests" : "signed-in requests"
        let lead: Wording =
            enforced.count == 1
            ? "\(summary.names[worst]) is enforced and refuses"
            : "\(Figures.grouped(enforced.count)) \(summary.noun.many) are enforced; \(summary.names[worst]) refuses most:"
        return lead + """
             \(Figures.grouped(refused)) of \(Figures.grouped(all)) \(requests) \
            (limit \(Figures.exactRate(worst.assessment.policy.numbers.maxBlocked))).
            """
    }

    /// `the function`, `all 4 functions`.
    private static func every(_ count: Int, _ noun: (one: String, many: String)) -> String {
        count == 1 ? "the \(noun.one)" : "all \(Figures.grouped(count)) \(noun.many)"
    }

    /// `8 of 17 functions`, `the function` when there is only one.
    private static func count(_ count: Int, of total: Int, _ noun: (one: String, many: String)) -> String {
        total == 1 ? "the \(noun.one)" : "\(Figures.grouped(count)) of \(Figures.grouped(total)) \(noun.many)"
    }
}
