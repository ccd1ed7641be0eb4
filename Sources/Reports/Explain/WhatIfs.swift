import Readiness
import Verifications

extension Explanation {
    /// When the function can be enforced if nothing is changed.
    var outlookSection: Document.Section? {
        let paragraphs = [function.assessment.outlookWording, function.outdatedWording("It")].compactMap { $0 }
        guard !paragraphs.isEmpty else { return nil }
        return Document.Section(title: "When it may be safe", blocks: paragraphs.map { .paragraph($0) })
    }

    /// What would change the answer; each line is the rule's own answer.
    var changeSection: Document.Section? {
        guard !whatIfs.isEmpty else { return nil }
        let lines = whatIfs.map { (figure: $0.change.label, text: text(of: $0)) }
        return Document.Section(
            title: "What would change the answer",
            blocks: [.figures(lines)] + (unavailable.map { [.paragraph($0)] } ?? []))
    }

    /// Why some changes cannot be tried.
    private var unavailable: Wording? {
        let verdict = function.assessment.verdict
        guard verdict == .wait || verdict == .investigate || verdict == .insufficient else { return nil }
        var since = false
        var window = false
        for whatIf in whatIfs {
            if case .since = whatIf.change { since = true }
            if case .window = whatIf.change { window = true }
        }
        var reasons: Wording = ""
        if !since, let lastBadDay {
            reasons = """
                \(code: "--since") does not help yet: the newest day, \(CalendarText.day(lastBadDay)), is a bad one. 
                """
        }
        if !window, let firstDay {
            reasons =
                reasons + "The window cannot be longer: the log begins on \(CalendarText.day(firstDay))."
        }
        return reasons.parts.isEmpty ? nil : reasons
    }

    private var firstDay: Day? {
        summary.projects[ExactName(function.identity.project)]?.coveredDays.min()
    }

    private func text(of whatIf: WhatIf) -> Wording {
        let assessment = whatIf.assessment
        let same = assessment.verdict == function.assessment.verdict ? "still " : ""
        return "\(same)\(assessment.word) (" + assessment.brief + "). " + whatIf.change.condition
    }
}

extension WhatIf.Change {
    /// What to type.
    fileprivate var label: Wording {
        switch self {
        case .requiresAuth: "\(code: "--requires-auth")"
        case .since(let day): "\(code: "--since \(day)")"
        case .window(let days): "\(code: "--window \(days)d")"
        case .assumeComplete: "\(code: "--assume-complete")"
        case .withoutAssumeComplete: "without \(code: "--assume-complete")"
        case .withoutExemption: "without \(code: "exempt:")"
        }
    }

    /// When it may be typed.
    fileprivate var condition: Wording {
        switch self {
        case .requiresAuth: "Right if the function rejects signed-out callers itself."
        case .since(let day):
            """
            Leaves out everything up to the last bad day, \(CalendarText.day(day.advanced(by: -1))). Right if its \
            cause is gone.
            """
        case .window: "Right if the older days are still like today."
        case .assumeComplete: "Right if you know that the export is complete."
        case .withoutAssumeComplete: "It was set, so the answer is based on your word."
        case .withoutExemption: "What the log alone says."
        }
    }
}
