import Platform

/// The standard normal distribution.
enum NormalDistribution {
    /// Φ(z), the probability of a value of at most `z`: erfc(−z/√2)/2 (Abramowitz and Stegun 1964, section 26.2).
    static func cumulative(_ z: Double) -> Double {
        0.5 * erfc(-z * 0.5.squareRoot())
    }

    /// The z at which Φ(z) is `p`: −∞ for 0, ∞ for 1.
    ///
    /// A `p` outside 0...1 is a programming error and stops the program; one below the smallest normal double, 2e-308,
    /// counts as that.
    static func quantile(_ p: Double) -> Double {
        precondition(p >= 0 && p <= 1, "a probability is between 0 and 1")
        guard p > 0 else { return -.infinity }
        guard p < 1 else { return .infinity }
        return p <= 0.5 ? lowerQuantile(p) : -lowerQuantile(1 - p)
    }

    /// Newton's method for ln Φ(z) = ln p, with p at most ½.
    ///
    /// ln Φ is concave, so that from a point left of the root every step moves right and stays left of it. Such a point
    /// follows from Φ(z) ≤ exp(−z²/2)/2 for z ≤ 0.
    private static func lowerQuantile(_ p: Double) -> Double {
        let p = max(p, .leastNormalMagnitude)
        let logTarget = log(p)
        var z = -(-2 * log(2 * p)).squareRoot()
        for _ in 0..<100 {
            let derivative = density(z) / cumulative(z)
            let step = (logTarget - log(cumulative(z))) / derivative
            z += step
            // What Newton's method leaves is (ln Φ)″/(ln Φ)′·step²/2, and (ln Φ)″/(ln Φ)′ = −z − φ/Φ.
            if (z + derivative) * step * step < 1e-17 { break }
        }
        // Near the middle ln Φ is too coarse for a z close to 0; there Φ(z) − ½ = erf(z/√2)/2 and p − ½ are exact.
        guard z > -1 else { return z }
        return z - (0.5 * erf(z * 0.5.squareRoot()) - (p - 0.5)) / density(z)
    }

    private static func density(_ z: Double) -> Double {
        exp(-0.5 * z * z) / (2 * Double.pi).squareRoot()
    }
}
