extension Finding.Code {
    /// The upper bound exceeds the maximum and the lower one does not: that many more clean requests would do.
    package static let tooFewRequests = Finding.Code("too-few-requests", .doubt, nil, .needsMore)
    /// The function's log is younger than the policy requires.
    package static let tooFewDays = Finding.Code("too-few-days", .doubt, nil, .needsMore)
    package static let tooFewActiveDays = Finding.Code("too-few-active-days", .doubt, nil, .needsMore)
}

/// Too little was seen to be sure.
package enum SampleSize {
    static func findTooFewRequests(_ evaluation: Evaluation) -> [Finding] {
        let (period, limit) = (evaluation.period, evaluation.numbers.maxBlocked)
        guard evaluation.few == nil, period.upperExceeds(limit), !period.lowerExceeds(limit) else { return [] }
        let (missing, perDay) = (period.cleanRequestsMissing(below: limit), evaluation.requestsPerDay)
        return [
            Finding(
                code: .tooFewRequests, value: Double(missing), total: period.admitted,
                counts: perDay > 0 ? [Int((Double(missing) / perDay).rounded(.up))] : [], rate: period.upper)
        ]
    }

    static func findTooFewDays(_ evaluation: Evaluation) -> [Finding] {
        func finding(_ code: Finding.Code, _ days: Int, _ limit: Int) -> Finding {
            Finding(code: code, value: Double(days), limit: Double(limit))
        }
        var findings: [Finding] = []
        // The nights before confirm that the answer lasts; that the function is old enough is asked once.
        if evaluation.isNow, evaluation.isTooYoung {
            findings.append(finding(.tooFewDays, evaluation.ageDays, evaluation.numbers.minDays))
        }
        let activeDays = evaluation.period.activeDays
        if activeDays < Evaluation.minimumActiveDays {
            findings.append(finding(.tooFewActiveDays, activeDays, Evaluation.minimumActiveDays))
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
            let requests = requests + Double(more)
            guard requests > 0 else { return false }
            return ClopperPearson.upper(
                blocked: blockedRequests / dispersion, requests: requests / dispersion, confidence: confidence) <= rate
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
