import Readiness
import Verifications

extension Explanation {
    /// What the numbers show, in plain language; nothing about a log that does not show passes, nor about days before
    /// enforcement was on.
    var certaintySection: Document.Section? {
        let assessment = function.assessment
        let evidence = assessment.evidence
        guard assessment.verdict != .blind, assessment.verdict != .enforced, evidence.admitted > 0,
            let window = evidence.window
        else { return nil }
        return Document.Section(
            title: "How sure is this?",
            blocks: [
                .paragraph(Explanation.observed(evidence, window: window, policy: assessment.policy)),
                .paragraph(Explanation.bounds(evidence, assessment.policy.numbers)),
                .paragraph(
                    """
                    A request is not a person: one device that keeps retrying sends many, and the log names no users.
                    """),
            ])
    }

    private static func observed(_ evidence: Evidence, window: Window, policy: FunctionPolicy) -> Wording {
        let whose = policy.numbers.requiresAuth ? "signed-in requests" : "requests"
        return """
            In \(Figures.counted(window.dayCount, "day")), enforcement would have refused \
            \(Figures.grouped(evidence.blocked)) of \(Figures.grouped(evidence.admitted)) \(whose) \
            (\(Figures.rate(evidence.blockedRate ?? 0))). \(length(of: window, policy, admitted: evidence.admitted))
            """
    }

    /// Why the window is as long as it is.
    private static func length(of window: Window, _ policy: FunctionPolicy, admitted: Int) -> Wording {
        let numbers = policy.numbers
        if let since = policy.since, since == window.from {
            return "Days before \(CalendarText.day(since)) do not count (--since, or the policy)."
        }
        guard numbers.window < numbers.maxWindow else { return "" }
        let wanted = Figures.amount(numbers.enoughRequests, .up)
        if Double(admitted) >= numbers.enoughRequests {
            return window.dayCount <= numbers.window + 1
                ? "The last \(Figures.counted(numbers.window, "day")) were enough to reach \(wanted) requests."
                : "The window was extended until it held \(wanted) requests."
        }
        return "That is as far back as the log or --max-window goes, and still short of the usual \(wanted) requests."
    }

    private static func bounds(_ evidence: Evidence, _ numbers: VerdictPolicy) -> Wording {
        let limit = numbers.maxBlocked
        let upper = Figures.rate(evidence.blockedRateUpper, .up, against: limit)
        let lower = Figures.rate(evidence.blockedRateLower, .down, against: limit)
        let confidence = Figures.exactRate(numbers.confidence)
        let least: Wording = evidence.blocked == 0 ? "" : ", and at least \(lower) with the same confidence"
        return """
            The true share may differ from what was seen. With \(confidence) confidence it is at most \(upper) (the \
            limit is \(Figures.exactRate(limit)))
            """ + least + "." + spread(evidence)
    }

    private static func spread(_ evidence: Evidence) -> Wording {
        if evidence.blocked == 0 { return "" }
        guard evidence.dispersion >= 1.05 else { return " The days differ no more than chance would explain." }
        let effective = Figures.grouped(Int(Double(evidence.admitted) / evidence.dispersion))
        return """
             The days differ \(Figures.amount(evidence.dispersion)) times as much as chance would explain, because the \
            same clients send requests in bursts; the bounds allow for it by counting only \(effective) requests.
            """
    }
}
