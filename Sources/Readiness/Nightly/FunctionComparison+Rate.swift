import Verifications

extension FunctionComparison {
    /// Whether a rate of this function can be compared at all.
    ///
    /// Not where it decides nothing (exempt, superseded), nor where the log does not show passes or failures.
    var hasRates: Bool {
        let unfit: Set<Verdict> = [.exempt, .superseded, .blind]
        let isFit = !unfit.contains(assessment.verdict) && !unfit.contains(before.verdict)
        let isWhole = !(assessment.reasons + before.findings).contains { $0.kind == .incomplete(.failures) }
        return isFit && isWhole && period.admitted > 0 && before.period.admitted > 0
    }

    /// Two-sided, not corrected for the other functions.
    var pValue: Double {
        RateComparison.pValue(before.period.sample, period.sample, dispersion: dispersion)
    }

    /// The largest of what the days and the hours of either period show: each period by itself, as a rate that moved
    /// from one to the other must not count as a burst.
    private var dispersion: Double {
        [before.period, period].reduce(1) { max($0, $1.dispersion, $1.burst) }
    }

    /// The move, if the corrected p-value is low enough, and if a rise is not one client's burst.
    func rateChange(corrected pValue: Double, confidence: Double) -> RateChange? {
        guard pValue <= 1 - confidence, let window = before.window, let counted else { return nil }
        let change = RateChange(
            before: .init(window: window, blocked: Int(before.period.blocked), admitted: Int(before.period.admitted)),
            now: .init(window: counted, blocked: Int(period.blocked), admitted: Int(period.admitted)),
            dispersion: dispersion, pValue: pValue)
        let hours = period.days.reduce(0) { $0 + $1.blockedHours.nonzeroBitCount }
        guard change.before.rate != change.now.rate, !change.isRise || hours >= Period.unstableHours else { return nil }
        return change
    }
}

extension Period {
    fileprivate var sample: RateComparison.Sample {
        .init(blocked: blocked, requests: admitted)
    }

    fileprivate var burst: Double {
        HourOccupancy.burst(of: days.map { .init(blocked: $0.blocked, hours: $0.blockedHours.nonzeroBitCount) })
    }
}
