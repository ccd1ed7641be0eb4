import Glibc

/// The standard normal distribution.
public enum NormalDistribution {
    /// Φ(z): the probability of a value of at most `z`, by the complementary error function (NIST DLMF 7.18).
    public static func cumulative(_ z: Double) -> Double {
        0.5 * erfc(-z * 0.5.squareRoot())
    }

    /// The inverse of ``cumulative(_:)``.
    public static func quantile(_ p: Double) -> Double {
        precondition(p >= 0 && p <= 1, "a probability is between 0 and 1")
        if p > 0.5 { return -lowerQuantile(1 - p) }
        return lowerQuantile(p)
    }

    private static func lowerQuantile(_ p: Double) -> Double {
        guard p > 0 else { return -.infinity }
        let logTarget = log(p)
        var z = -(-2 * log(2 * p)).squareRoot()
        for _ in 0..<50 {
            let probability = cumulative(z)
            let density = exp(-0.5 * z * z) / (2 * Double.pi).squareRoot()
            let step = (logTarget - log(probability)) * probability / density
            z += step
            if (z + density / probability).magnitude * step * step < 1e-17 { break }
        }
        guard z > -1 else { return z }
        let residual = 0.5 * erf(z * 0.5.squareRoot()) - (p - 0.5)
        return z - residual * (2 * Double.pi).squareRoot() * exp(0.5 * z * z)
    }
}
