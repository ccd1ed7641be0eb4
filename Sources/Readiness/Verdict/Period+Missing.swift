extension Period {
    /// The least k ≥ 0 such that k more clean requests bring the upper bound down to the rate:
    /// upper(b/φ, (n + k)/φ) ≤ rate.
    ///
    /// The bound falls as k grows, so doubling finds a k that is enough and halving the least one.
    func cleanRequestsMissing(below rate: Double) -> Int {
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
