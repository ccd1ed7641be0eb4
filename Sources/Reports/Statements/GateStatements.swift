import Readiness
import Verifications

/// What a gate says about a summary, each part made once: its outputs choose from the parts, and keep their order.
struct GateStatements {
    /// The answer with its first reason, and how to undo what is refused now.
    let (answer, rollback): (Wording, Wording?)
    /// The same where there is no room.
    let (shortAnswer, shortRollback): (Wording, Wording?)
    /// Why else, a sentence for each class of functions, the most harmful first.
    let reasons: [Wording]
    /// What the answer depends on.
    let conditions: [Wording]
    /// What is failing now, and the settings of a repository that set limits.
    let (failing, settings): (Wording?, Wording?)
    /// What may change the answer.
    let cautions: [Statement]
    /// The inputs that had nothing to read, or that end early.
    let endings: [Wording]
    /// What only qualifies the answer.
    let qualifying: [Statement]

    init(_ check: GateCheck, of summary: Summary, isPage: Bool = false) {
        let (answer, outcome) = (check.gate.answer(to: summary), check.outcome(summary, isPage: isPage))
        qualifying = summary.qualifying(failOn: check.gate.failOn)
        if let nothing = check.nothing(summary) {
            (self.answer, shortAnswer) = (outcome + ". " + nothing.sentence, outcome + ". " + nothing.short)
            (rollback, shortRollback, failing, settings) = (nil, nil, nil, nil)
            (reasons, conditions, cautions, endings) = ([], [], [], [])
            return
        }
        let classes = check.classes(summary)
        var found = classes.compactMap { $0.sentence(on: $1, summary) }
        if answer == .passed { found.insert(check.passed(summary, isSure: found.isEmpty), at: 0) }
        found += [summary.missing("the log")].compactMap(\.self)
        // Where nothing is against it, the answer itself says so.
        if answer == .nothingSelected, found.isEmpty, summary.input.records > 0 {
            found = ["no function matches the selection."]
        }
        self.answer = found.first.map { outcome + ": " + $0 } ?? outcome + "."
        rollback = summary.refusing == nil ? nil : EnforcementCode.rollback(summary.lockedOut)
        shortAnswer = summary.lockoutsInALine.map { outcome + ": " + $0[0] } ?? self.answer
        shortRollback = summary.lockoutsInALine?[1]
        reasons = found.dropFirst().map(\.capitalized)
        let kinds = Set(classes.map(\.0))
        failing = summary.failing.map { $0 + "." }
        settings = answer == .nothingSelected ? nil : summary.policy.settings?.wording
        conditions = [
            answer == .passed ? summary.policy.assumeComplete.setting.map { "This is based on \($0)." } : nil,
            answer == .passed && !kinds.contains(.unsure) ? summary.oldLog() : nil,
        ].compactMap(\.self)
        // A reason says these.
        cautions = summary.cautions(failOn: check.gate.failOn).filter {
            !($0.finding.code == .policyContradicted && kinds.contains(.contradicted))
                && !($0.finding.code == .authContradicted && kinds.contains(.signedOutServed))
        }
        endings = summary.endings
    }

    /// Everything, those that only qualify the answer last.
    var all: [Wording] { first + reasons + qualifiers + qualifying.sentences }
    private var first: [Wording] { [answer, rollback].compactMap(\.self) }
    private var qualifiers: [Wording] { limits + cautions.sentences + endings }
    private var limits: [Wording] { conditions + [failing, settings].compactMap(\.self) }

    /// Returns the answer for a line, then for a shorter one; and what is counted where it does not fit.
    ///
    /// What was not looked at is named beside every pass. Nothing qualifies a failure but what is failing, unless that
    /// is refused now, and settings of the repository.
    func brief(_ answer: Gate.Result) -> (lines: [[Wording]], counted: [Wording]) {
        let shorts = limits + cautions.shorts + endings
        if answer == .passed { return ([all, [shortAnswer] + reasons + shorts + qualifying.shorts], []) }
        let failing = shortRollback == nil ? failing : nil
        let shortest =
            answer == .failed
            ? [shortAnswer, shortRollback, failing, settings].compactMap(\.self) : [shortAnswer] + shorts
        // The room is for how to roll back.
        return ([first + qualifiers, shortest], reasons + (shortRollback == nil ? qualifying.sentences : []))
    }
}

extension GateCheck {
    /// `Passed, as of 14 Oct 2026`.
    fileprivate func outcome(_ summary: Summary, isPage: Bool) -> Wording {
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

    /// The first line of a screen that lists what failed: `FAILED, as of 14 Oct 2026: 3 of 17 functions block this
    /// deployment (exit 1)`.
    func failure(_ failing: [FunctionSummary], _ summary: Summary) -> Wording {
        let (isOne, isRefusing) = (failing.count == 1, gate.failOn == .lockout && !failing.isEmpty)
        let fault =
            isRefusing
            ? "\(isOne ? "refuses" : "refuse") \(failing.refusedUsers)"
            : "\(isOne ? "blocks" : "block") this deployment"
        return "FAILED\(summary.judgedAt): \(summary.share(failing.count)) \(fault) (exit 1)"
    }

    /// Why there is nothing to check, where that is not for the names that were selected.
    func nothing(_ summary: Summary) -> Statement? {
        guard gate.answer(to: summary) == .nothingSelected, summary.functions.isEmpty else { return nil }
        return summary.nothing
    }

    fileprivate func passed(_ summary: Summary, isSure: Bool) -> Wording {
        if gate.failOn == .lockout { return summary.mostRefused }
        return isSure ? "\(summary.clear)." : "no function is known to be unsafe."
    }
}

extension GateClass {
    /// The sentence on functions of the class, without its capital; nil where there is nothing to say.
    fileprivate func sentence(on functions: [FunctionSummary], _ summary: Summary) -> Wording? {
        let total = summary.functions.count(where: \.isFunction)
        let (names, some) = (summary.names(of: functions), summary.share(functions.count))
        let (isOne, first) = (functions.count == 1, functions[0])
        switch self {
        case .lockedOut: return summary.refusing
        case .notSafe:
            if total == 1 { return first.fact(names[0]) + "." }
            let refused = zip(names, functions).map { name, function -> Wording in
                function.assessment.decidingPlatforms.map { "\(name) (\($0))" } ?? name
            }
            return "\(some) \(isOne ? "is" : "are") not safe to enforce: \(list: refused)."
        case .unsure:
            if let oldLog = summary.oldLog("the log") { return oldLog }
            if functions.allSatisfy({ $0.assessment.verdict == .blind && !$0.identity.isService }) {
                let whose: Wording = total > 1 ? "\(some): \(list: names)" : "\(names[0]) (\(first.brief))"
                return """
                    the log is incomplete: it lacks passed requests of \(whose). Export it without a severity filter.
                    """
            }
            if total > 1 { return "there is not enough data on \(some): \(list: names)." }
            let isAlmost = first.assessment.word == Assessment.almostReady
            let lead: Wording = isAlmost ? "\(names[0]) is almost ready" : "there is not enough data on \(names[0])"
            return lead + " (" + first.brief + ")."
        case .switchUnclear, .contradicted, .signedOutServed, .unconfirmed, .enforcedByLog, .expired:
            let day = self == .switchUnclear ? first.assessment.reasons[.switchUnclear]?.days.first : nil
            let writing = day.map { " Write it into the policy, such as \(code: "enforced: \($0)T09:00Z")." as Wording }
            let advice: Wording =
                self == .contradicted && !first.identity.isService
                ? """
                 Deploy with \(code: "enforceAppCheck: true"), or take \(code: "enforced:") out of the policy.
                """ : writing ?? ""
            return "\(list: names): \(doubt(first))." + advice
        case .clear: return nil
        }
    }

    /// Why no gate lets a function pass though nothing is against it.
    func doubt(_ first: FunctionSummary) -> Wording {
        switch self {
        case .contradicted where first.identity.isService: first.assessment.brief
        case .switchUnclear: "the log does not show the time of the switch"
        case .contradicted: "enforced by policy, but off as the log shows"
        case .signedOutServed: "requires-auth is set, but the log shows that signed-out requests are served"
        case .unconfirmed: "enforced by policy alone, which the log does not confirm, and not ready"
        case .enforcedByLog: "enforced as the log shows, but not by policy"
        default: "the policy's entry has expired"
        }
    }
}

extension Summary {
    /// `, as of 14 Oct 2026`.
    fileprivate var judgedAt: String { asOf.map { ", as of \(CalendarText.day($0.day))" } ?? "" }

    /// `8 of 17 functions`, `the function` when there is only one.
    fileprivate func share(_ count: Int) -> String {
        let total = functions.count(where: \.isFunction)
        return total == 1 ? "the \(noun.one)" : "\(Figures.grouped(count)) of \(Figures.grouped(total)) \(noun.many)"
    }

    /// `all 4 functions can be enforced`, or what else they are.
    fileprivate var clear: String {
        var counts = [
            (Verdict.enforce, "can be enforced", "can be enforced"), (.exempt, "is exempt", "are exempt"),
            (.enforced, "is enforced already", "are enforced already"),
            (.superseded, "is replaced", "are replaced"),
        ].map { verdict, one, several in
            let count = functions.count { $0.assessment.verdict == verdict }
            return (count: count, words: count == 1 ? one : several)
        }
        counts.removeAll { $0.count == 0 }
        if counts.count == 1, let only = counts.first {
            let every = only.count == 1 ? "the \(noun.one)" : "all \(Figures.grouped(only.count)) \(noun.many)"
            return "\(every) \(only.words)"
        }
        let total = Figures.counted(functions.count(where: \.isFunction), noun.one, plural: noun.many)
        let parts = counts.map { "\(Figures.grouped($0.count)) \($0.words)" }
        return "of \(total), \(parts.dropLast().joined(separator: ", ")) and \(parts.last ?? "")"
    }

    /// What a gate for lock-outs lets pass: of the enforced functions, the one that refuses most.
    fileprivate var mostRefused: Wording {
        let enforced = functions.filter(\.assessment.enforcement.isOn)
        func rate(_ function: FunctionSummary) -> Double { function.assessment.aftermath?.askedUpper ?? 0 }
        guard let worst = enforced.max(by: { rate($0) < rate($1) }) else {
            return """
                no \(noun.one) is known to be enforced, so there was nothing to check. If one is, write \
                \(code: "enforced: TIME") into the policy.
                """
        }
        let aftermath = worst.assessment.aftermath
        let (refused, all) = (aftermath?.asked.refused ?? 0, aftermath?.asked.requests ?? 0)
        let asksSignedIn = aftermath?.asksSignedIn ?? true && !worst.identity.isService
        let requests = asksSignedIn ? "signed-in requests" : "requests"
        let unknown = aftermath?.unknownOrigin ?? 0
        let besides: Wording = unknown > 0 ? ", besides \(Figures.grouped(unknown)) of unknown origin" : ""
        let lead: Wording =
            enforced.count == 1
            ? "\(names[worst]) is enforced and refuses"
            : "\(Figures.grouped(enforced.count)) \(noun.many) are enforced; \(names[worst]) refuses most:"
        return lead + """
             \(Figures.grouped(refused)) of \(Figures.grouped(all)) \(requests) \
            (limit \(Figures.exactRate(worst.assessment.policy.numbers.maxBlocked)))\(besides).
            """
    }
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

    /// Returns the statements that every short answer has: what was not read, what it depends on, where policy and log
    /// differ.
    func cautions(failOn: Gate.FailOn = .unsure) -> [Statement] {
        notes(failOn: failOn).filter { $0.isOfAnswer(self) && !$0.finding.display.contains(.countedOnly) }
    }

    /// Returns the statements that qualify an answer and never change it: they are counted where there is no room.
    func qualifying(failOn: Gate.FailOn = .unsure) -> [Statement] {
        notes(failOn: failOn).filter { $0.isOfAnswer(self) && $0.finding.display.contains(.countedOnly) }
    }

    /// The inputs that had nothing to read, or that end early; where a function was not found, they are named with it.
    var endings: [Wording] { input.endings(naming: functions.allSatisfy(\.isFunction)) }
}

extension Statement {
    fileprivate func isOfAnswer(_ summary: Summary) -> Bool {
        finding.display.contains(.inAnswers)
            // Whoever asks for one of these functions is told so already.
            && (finding.code != .withoutEntries || summary.functions.allSatisfy { $0.listing != .withoutEntries })
    }
}

extension [Statement] {
    var sentences: [Wording] { map(\.inBrief.sentence) }
    var shorts: [Wording] { map(\.short) }
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
