import Verifications

extension FunctionComparison {
    /// Whether a rate of this function can be compared at all.
    ///
    /// Not where it decides nothing (exempt, superseded), nor where the log does not show passes or failures.
    var hasRates: Bool {
        let unfit: Set<Verdict> = [.exempt, .superseded, .blind]
        let isFit = !unfit.contains(assessment.verdict) && !unfit.contains(before.verdict)
        let isWhole = !(assessment.reasons + before.findings).contains(where: \.isFailuresMissing)
        return isFit && isWhole && period.admitted > 0 && before.evidence.admitted > 0
    }

    /// Two-sided, not corrected for the other functions.
    var pValue: Double {
        RateComparison.pValue(
            .init(blocked: Double(before.evidence.blocked), requests: Double(before.evidence.admitted)),
            .init(blocked: period.blocked, requests: period.admitted), dispersion: dispersion)
    }

    /// Each period's φ is of its own days: a rate that moved from one to the other must not count as a burst.
    private var dispersion: Double {
        max(before.evidence.dispersion, period.dispersion)
    }

    /// The move, if the corrected p-value is low enough, and if a rise is not one client's burst.
    func rateChange(corrected pValue: Double, confidence: Double) -> RateChange? {
        guard pValue <= 1 - confidence, let window = before.evidence.window, let counted else { return nil }
        let change = RateChange(
            before: .init(window: window, blocked: before.evidence.blocked, admitted: before.evidence.admitted),
            now: .init(window: counted, blocked: Int(period.blocked), admitted: Int(period.admitted)),
            dispersion: dispersion, pValue: pValue)
        let hours = period.days.reduce(0) { $0 + $1.blockedHours }
        guard change.before.rate != change.now.rate, !change.isRise || hours >= Period.unstableHours else { return nil }
        return change
    }
}
