import Readiness

/// Between which shares the blocked rate of the judged days lies, as far as they allow to say.
struct RateBounds {
    let lower: Double
    /// Nil where only the lower one is asked for.
    let upper: Double?
    /// The days that they are of, where these are not those that were judged first: the last ones alone.
    let window: Window?
    /// True when the verdict rests on the lower one: surely more than is allowed.
    let isExceeded: Bool

    /// Nil where nothing is known, or nothing that is known means anything.
    init?(_ assessment: Assessment) {
        let evidence = assessment.evidence
        // Of many functions together there is no reason, and nothing is known.
        guard assessment.verdict != .blind, !assessment.reasons.isEmpty else { return nil }
        for reason in assessment.reasons {
            switch reason {
            case .settled(.lockout(let lower, _, _, _)):
                (self.lower, upper, self.window, isExceeded) = (lower, nil, nil, true)
            case .excess(.tooManyBlocked(let lower, _, _, _, let window)) where assessment.verdict != .enforced:
                let isRecent = window != evidence.window
                self.lower = lower
                upper = isRecent ? nil : evidence.blockedRateUpper
                self.window = isRecent ? window : nil
                isExceeded = true
            default: continue
            }
            return
        }
        guard assessment.verdict != .enforced, evidence.admitted > 0 else { return nil }
        (lower, upper, window, isExceeded) = (evidence.blockedRateLower, evidence.blockedRateUpper, nil, false)
    }

    /// The one that the verdict rests on.
    var deciding: Double {
        isExceeded ? lower : upper ?? 1
    }

    /// `≤ 0.46%`, `≥ 15%`.
    func label(limit: Double) -> String {
        isExceeded
            ? "≥ \(Figures.rate(lower, .down, against: limit))"
            : "≤ \(Figures.rate(deciding, .up, against: limit))"
    }

    /// `at most 0.46%`, `at least 15%`.
    func words(limit: Double) -> String {
        let days = window.map { " in the last \(Figures.counted($0.dayCount, "day"))" } ?? ""
        return isExceeded
            ? "at least \(Figures.rate(lower, .down, against: limit))\(days)"
            : "at most \(Figures.rate(deciding, .up, against: limit))"
    }
}
