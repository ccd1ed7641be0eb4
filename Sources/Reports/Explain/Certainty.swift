import Readiness
import Verifications

extension Explanation {
    /// What the numbers allow to say, in plain language; nothing of a log that does not show what passes, nor of days
    /// from before enforcement was on.
    var certaintySection: Document.Section? {
        let assessment = function.assessment
        let evidence = assessment.evidence
        guard assessment.verdict != .blind, assessment.verdict != .enforced, evidence.admitted > 0,
            let window = evidence.window
        else { return nil }
        return Document.Section(
            title: "How sure that is",
            blocks: [
                .paragraph(Explanation.observed(evidence, window: window, policy: assessment.policy)),
                .paragraph(Explanation.bounds(evidence, assessment.policy.numbers)),
                .paragraph(
                    """
                    Requests are not people: one device that tries again and again makes many of them, and these log \
                    entries name no user.
                    """),
            ])
    }

    private static func observed(_ evidence: Evidence, window: Window, policy: FunctionPolicy) -> Wording {
        let whose = policy.numbers.requiresAuth ? "signed-in requests" : "requests"
        return """
            Enforcement would have refused \(Figures.grouped(evidence.blocked)) of \
            \(Figures.grouped(evidence.admitted)) \(whose) \
            (\(Figures.rate(evidence.blockedRate ?? 0))) in \(Figures.counted(window.dayCount, "day")). \
            \(length(of: window, policy, admitted: evidence.admitted))
            """
    }

    /// Why the window is as long as it is.
    private static func length(of window: Window, _ policy: FunctionPolicy, admitted: Int) -> Wording {
        let numbers = policy.numbers
        if let since = policy.since, since == window.from {
            return "Earlier days do not count: the log is judged since \(CalendarText.day(since))."
        }
        guard numbers.window < numbers.maxWindow else { return "" }
        let wanted = Figures.amount(numbers.enoughRequests, .up)
        if Double(admitted) >= numbers.enoughRequests {
            return window.dayCount <= numbers.window + 1
                ? "The last \(Figures.counted(numbers.window, "day")) have the \(wanted) requests that a window should have."
                : "The window was made longer until it had \(wanted) requests."
        }
        return "A window should have \(wanted) requests; this is as long as it may get, or as the log reaches back."
    }

    private static func bounds(_ evidence: Evidence, _ numbers: VerdictPolicy) -> Wording {
        let limit = numbers.maxBlocked
        let upper = Figures.rate(evidence.blockedRateUpper, .up, against: limit)
        let lower = Figures.rate(evidence.blockedRateLower, .down, against: limit)
        let confidence = Figures.exactRate(numbers.confidence)
        let least: Wording =
            evidence.blocked == 0 ? "" : " Asked the other way, one can be as sure that it is at least \(lower)."
        return """
            The true share may be higher or lower than what was seen. One can be \(confidence) sure that it is at most \
            \(upper) (allowed: \(Figures.exactRate(limit))).
            """ + least + " " + spread(evidence)
    }

    private static func spread(_ evidence: Evidence) -> Wording {
        if evidence.blocked == 0 { return "Nothing was blocked, so no day differs from another." }
        guard evidence.dispersion >= 1.05 else { return "Days do not differ more than chance would make them." }
        let effective = Figures.grouped(Int(Double(evidence.admitted) / evidence.dispersion))
        return """
            Days differ \(Figures.amount(evidence.dispersion)) times more than chance would make them, as requests come \
            in bursts from the same clients; so the bounds are widened as if there had been \(effective) requests.
            """
    }
}
