/// One-sided confidence bounds of a rate, from blocked requests among independent ones.
///
/// They are those of Clopper and Pearson (Biometrika 26, 1934), which hold with at least the stated confidence for
/// every true rate; the quantile of the beta distribution replaces the binomial sum (NIST DLMF 8.17.5). The counts
/// are real numbers, because both may have been divided by the ``Dispersion``.
///
/// Valid are 0 ≤ `blocked` ≤ `requests`, finite, and a `confidence` between 0 and 1, both excluded; anything else is a
/// programming error and stops the program. From one blocked request on the bounds are right to about 15 digits; below,
/// the lower bound loses as many as 1/`blocked` has.
package enum ClopperPearson {
    /// The largest rate at which no more blocked requests are not yet too unlikely.
    ///
    /// Beta⁻¹(confidence; blocked + 1, requests − blocked); 1 when every request was blocked, and without requests.
    package static func upper(blocked: Double, requests: Double, confidence: Double) -> Double {
        requireValid(blocked, requests, confidence)
        guard blocked < requests else { return 1 }
        return BetaDistribution.quantile(
            lower: confidence, upper: 1 - confidence, a: blocked + 1, b: requests - blocked)
    }

    /// The smallest rate at which this many blocked requests are not yet too unlikely.
    ///
    /// Beta⁻¹(1 − confidence; blocked, requests − blocked + 1); 0 when no request was blocked.
    package static func lower(blocked: Double, requests: Double, confidence: Double) -> Double {
        requireValid(blocked, requests, confidence)
        guard blocked > 0 else { return 0 }
        return BetaDistribution.quantile(
            lower: 1 - confidence, upper: confidence, a: blocked, b: requests - blocked + 1)
    }

    private static func requireValid(_ blocked: Double, _ requests: Double, _ confidence: Double) {
        precondition(blocked >= 0 && blocked <= requests && requests.isFinite, "0 <= blocked <= requests")
        precondition(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1")
    }
}
