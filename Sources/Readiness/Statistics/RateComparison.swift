/// Whether two rates differ by more than chance explains.
///
/// The test is the conditional one of Przyborowski and Wilenski (Biometrika 31, 1940) for rare events: given how many
/// requests were blocked in both periods together, those of the second are binomial with the second period's share of
/// all requests, if the rates are one. It is exact for small counts. Of rates that are not small the true spread is
/// smaller (hypergeometric), so that the test errs to the safe side; where more than half is blocked, the requests that
/// were not are counted instead.
///
/// Requests come in bursts: all counts are divided by a dispersion φ first (``Dispersion``, ``HourOccupancy``).
public enum RateComparison {
    /// One period's requests; 0 ≤ `blocked` ≤ `requests`.
    public struct Sample: Hashable, Sendable {
        public var blocked: Double
        public var requests: Double

        public init(blocked: Double, requests: Double) {
            self.blocked = blocked
            self.requests = requests
        }
    }

    /// The two-sided p-value: twice the smaller tail, at most 1; also 1 when either period has no request.
    ///
    /// P(X ≥ x) = I_q(x, m − x + 1) and P(X ≤ x) = I_{1−q}(m − x, x + 1) (NIST DLMF 8.17.5), for real counts as well.
    ///
    /// The dispersion φ is at least 1.
    public static func pValue(_ old: Sample, _ new: Sample, dispersion: Double) -> Double {
        precondition(dispersion >= 1, "a dispersion is at least 1")
        guard old.requests > 0, new.requests > 0 else { return 1 }
        let requests = old.requests + new.requests
        let isMostlyBlocked = old.blocked + new.blocked > requests / 2
        func events(_ sample: Sample) -> Double {
            (isMostlyBlocked ? sample.requests - sample.blocked : sample.blocked) / dispersion
        }
        let (first, second) = (events(old), events(new))
        let share = new.requests / requests
        let atLeast = second > 0 ? BetaDistribution.cumulative(share, a: second, b: first + 1) : 1
        let atMost = first > 0 ? BetaDistribution.cumulative(old.requests / requests, a: first, b: second + 1) : 1
        return min(1, 2 * min(atLeast, atMost))
    }
}
