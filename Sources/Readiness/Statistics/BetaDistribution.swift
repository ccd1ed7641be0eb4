import Platform

/// The beta distribution: the regularised incomplete beta function and its inverse, for real parameters.
///
/// The parameters `a` and `b` are above 0; anything else is a programming error and stops the program. They count as
/// 1e-100 below and as 1e100 above these limits, so that no product of them leaves the range of a double. No argument
/// gives NaN.
package enum BetaDistribution {
    /// I_x(a, b), the probability of a value of at most `x`.
    ///
    /// It is 0 for x ≤ 0 and 1 for x ≥ 1. The definition is NIST DLMF 8.17.2; it is computed by a continued fraction
    /// while `a` or `b` is small, and by Gauss–Legendre quadrature when both are large. Right of the mode it is right
    /// to some 1e-16 as a number; left of it, to nearly as much of itself, however small it is.
    package static func cumulative(_ x: Double, a: Double, b: Double) -> Double {
        precondition(!x.isNaN, "a value of a beta distribution is a number")
        guard x > 0 else { return 0 }
        guard x < 1 else { return 1 }
        let beta = LogOddsBeta(a: parameter(a), b: parameter(b))
        return min(exp(beta.lowerTail(x: x, y: 1 - x).logProbability), 1)
    }

    /// The x at which I_x(a, b) is `p`, for `p` in 0...1.
    ///
    /// A `p` outside 0...1 is a programming error and stops the program.
    package static func quantile(_ p: Double, a: Double, b: Double) -> Double {
        quantile(lower: p, upper: 1 - p, a: a, b: b)
    }

    /// The x that has probability `lower` below it and `upper` above it, which add up to 1.
    ///
    /// Both are passed in because a caller may know the small one to more digits than 1 minus the large one has.
    static func quantile(lower: Double, upper: Double, a: Double, b: Double) -> Double {
        precondition(lower >= 0 && upper >= 0, "a probability is between 0 and 1")
        let (a, b) = (parameter(a), parameter(b))
        guard lower > 0 else { return 0 }
        guard upper > 0 else { return 1 }
        if a == 1 { return -expm1((lower < upper ? log1p(-lower) : log(upper)) / b) }
        if b == 1 { return exp((upper < lower ? log1p(-upper) : log(lower)) / a) }
        if lower <= upper { return point(withLowerTail: lower, of: LogOddsBeta(a: a, b: b)).x }
        return point(withLowerTail: upper, of: LogOddsBeta(a: b, b: a)).y
    }

    /// Newton's method for ln P(t) = ln p, with t the log-odds of x and p at most ½.
    ///
    /// ln P is concave and rises in t, so each of its tangents lies above it. A step from any t therefore ends left of
    /// the root, and every later one moves right and stays left of it: the iteration converges from everywhere, and
    /// quadratically. It needs no bracket; the straight line that ln P approaches on the left (``LogOddsBeta``) bounds
    /// the only step that can be far too long, the first.
    private static func point(withLowerTail p: Double, of beta: LogOddsBeta) -> (x: Double, y: Double) {
        let logTarget = log(p)
        let leftmost = (logTarget + beta.logLeftScale) / beta.a
        // Here ln P is the line itself to the last digit, and x = eᵗ.
        guard leftmost > -700 else { return (exp(leftmost), 1) }

        var odds = exp(max(leftmost, normalGuess(p, of: beta)))
        for _ in 0..<100 {
            let (x, y) = (1 / (1 + 1 / odds), 1 / (1 + odds))
            guard y > 0 else { return (1, 0) }
            let (logProbability, derivative) = beta.lowerTail(x: x, y: y)
            let step = (logTarget - logProbability) / derivative
            odds = max(odds * exp(step), exp(leftmost))
            // What Newton's method leaves is (ln P)″/(ln P)′·step²/2, and (ln P)″/(ln P)′ = (ln f)′ − f/P.
            let curvature = beta.slope(x: x, y: y) - derivative
            if curvature.magnitude * step * step < 1e-16 { break }
        }
        return (1 / (1 + 1 / odds), 1 / (1 + odds))
    }

    /// The log-odds of the quantile by the first terms of Cornish and Fisher (1938), with approximate cumulants.
    private static func normalGuess(_ p: Double, of beta: LogOddsBeta) -> Double {
        let (a, b) = (beta.a - 0.5, beta.b - 0.5)
        guard a > 0.5, b > 0.5 else { return -.infinity }
        let z = NormalDistribution.quantile(p)
        return log(a / b) + z * (1 / a + 1 / b).squareRoot() + (z * z - 1) / 6 * (1 / b - 1 / a)
    }

    private static func parameter(_ value: Double) -> Double {
        precondition(value > 0, "a parameter of a beta distribution is above 0")
        return min(max(value, 1e-100), 1e100)
    }
}
