import Readiness
import Verifications

extension Explanation {
    /// When the answer would become `enforce` by itself.
    var outlookSection: Document.Section? {
        function.assessment.outlookWording.map {
            Document.Section(title: "When it may be safe", blocks: [.paragraph($0)])
        }
    }

    /// What would change the answer, each line the rule's own answer.
    var changeSection: Document.Section? {
        guard !variations.isEmpty else { return nil }
        let lines = variations.map { variation in
            (figure: variation.change.label, text: text(of: variation))
        }
        return Document.Section(
            title: "What would change the answer",
            blocks: [.figures(lines)] + (unavailable.map { [.paragraph($0)] } ?? []))
    }

    /// Why some changes cannot be tried where one would like to.
    private var unavailable: Wording? {
        let verdict = function.assessment.verdict
        guard verdict == .wait || verdict == .investigate || verdict == .insufficient else { return nil }
        var since = false
        var window = false
        for variation in variations {
            if case .since = variation.change { since = true }
            if case .window = variation.change { window = true }
        }
        var reasons: Wording = ""
        if !since, let lastBadDay {
            reasons = """
                No \(code: "--since") helps yet: \(CalendarText.day(lastBadDay)), the newest day, is itself a bad one. 
                """
        }
        if !window, let firstDay {
            reasons =
                reasons + "No longer window can be tried: the log begins on \(CalendarText.day(firstDay))."
        }
        return reasons.parts.isEmpty ? nil : reasons
    }

    private var firstDay: Day? {
        summary.projects[ExactName(function.identity.project)]?.coveredDays.min()
    }

    private func text(of variation: Variation) -> Wording {
        let assessment = variation.assessment
        let same = assessment.verdict == function.assessment.verdict ? "still " : ""
        let number = assessment.decidingReason?.brief(assessment.evidence) ?? Assessment.pooled
        return "\(same)\(assessment.verdict.rawValue) (" + number + "). " + variation.change.condition
    }
}

extension Variation.Change {
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
        case .requiresAuth: "Right if the function refuses signed-out callers itself."
        case .since(let day):
            """
            Leaves out the last bad day, \(CalendarText.day(day.advanced(by: -1))), and all before it: right if its \
            cause is gone.
            """
        case .window: "Right if the older days are still like today."
        case .assumeComplete: "Right if you know that the export is complete."
        case .withoutAssumeComplete: "It was given, so the answer rests on your word."
        case .withoutExemption: "What the log alone says."
        }
    }
}
