/// Too little was seen to be sure.
package enum SampleSize: Hashable, Sendable {
    /// The upper bound exceeds the maximum and the lower one does not: that many more clean requests would do.
    case tooFewRequests(missing: Int, upper: Double, limit: Double, admitted: Int)
    /// The function's log is younger than the policy requires.
    case tooFewDays(age: Int, limit: Int)
    case tooFewActiveDays(days: Int, limit: Int)

    var facts: Finding {
        switch self {
        case .tooFewRequests(let missing, _, _, _): .init("too-few-requests", .doubt, value: Double(missing))
        case .tooFewDays(let age, let limit):
            .init("too-few-days", .doubt, value: Double(age), limit: Double(limit))
        case .tooFewActiveDays(let days, let limit):
            .init("too-few-active-days", .doubt, value: Double(days), limit: Double(limit))
        }
    }
}

extension SampleSize {
    static func findTooFewRequests(_ evaluation: Evaluation) -> [Reason] {
        let (period, limit) = (evaluation.period, evaluation.numbers.maxBlocked)
        guard evaluation.few == nil, period.upperExceeds(limit), !period.lowerExceeds(limit) else { return [] }
        return [
            .sample(
                .tooFewRequests(
                    missing: period.cleanRequestsMissing(below: limit), upper: period.upper, limit: limit,
                    admitted: Int(period.admitted)))
        ]
    }

    static func findTooFewDays(_ evaluation: Evaluation) -> [Reason] {
        var findings: [Reason] = []
        // The nights before confirm that the answer lasts; that the function is old enough is asked once.
        if evaluation.isNow, evaluation.isTooYoung {
            findings.append(.sample(.tooFewDays(age: evaluation.ageDays, limit: evaluation.numbers.minDays)))
        }
        let activeDays = evaluation.period.activeDays
        if activeDays < Evaluation.minimumActiveDays {
            findings.append(.sample(.tooFewActiveDays(days: activeDays, limit: Evaluation.minimumActiveDays)))
        }
        return findings
    }
}

extension Period {
    /// The least k ≥ 0 such that k more clean requests bring the upper bound down to the rate:
    /// upper(b/φ, (n + k)/φ) ≤ rate.
    ///
    /// The bound falls as k grows, so doubling finds a k that is enough and halving the least one.
    fileprivate func cleanRequestsMissing(below rate: Double) -> Int {
        func isEnough(_ more: Int) -> Bool {
            let requests = admitted + Double(more)
            guard requests > 0 else { return false }
            return ClopperPearson.upper(
                blocked: blocked / dispersion, requests: requests / dispersion, confidence: confidence) <= rate
        }
        if isEnough(0) { return 0 }
        var tooFew = 0
        var enough = 1
        while !isEnough(enough) {
            tooFew = enough
            enough *= 2
        }
        while enough - tooFew > 1 {
            let middle = tooFew + (enough - tooFew) / 2
            if isEnough(middle) { enough = middle } else { tooFew = middle }
        }
        return enough
    }
}
