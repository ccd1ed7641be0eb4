/// One-sided confidence bounds of a binomial proportion (Clopper and Pearson 1934).
///
/// The counts are real: they may have been divided by a dispersion.
public enum ClopperPearson {
    /// The rate above which so few blocked requests would be seen with probability at most 1 − confidence.
    ///
    /// It is Beta⁻¹(confidence; blocked + 1, requests − blocked), and 1 when all requests were blocked or there were none.
    public static func upper(blocked: Double, requests: Double, confidence: Double) -> Double {
        check(blocked: blocked, requests: requests, confidence: confidence)
        guard blocked < requests else { return 1 }
        return BetaDistribution.quantile(
            lower: confidence, upper: 1 - confidence, a: blocked + 1, b: requests - blocked)
    }

    /// The rate below which so many blocked requests would be seen with probability at most 1 − confidence.
    ///
    /// It is Beta⁻¹(1 − confidence; blocked, requests − blocked + 1), and 0 when no request was blocked.
    public static func lower(blocked: Double, requests: Double, confidence: Double) -> Double {
        check(blocked: blocked, requests: requests, confidence: confidence)
        guard blocked > 0 else { return 0 }
        return BetaDistribution.quantile(
            lower: 1 - confidence, upper: confidence, a: blocked, b: requests - blocked + 1)
    }

    private static func check(blocked: Double, requests: Double, confidence: Double) {
        precondition(blocked >= 0 && blocked <= requests && requests.isFinite, "0 <= blocked <= requests")
        precondition(confidence > 0 && confidence < 1, "a confidence is between 0 and 1")
    }
}
