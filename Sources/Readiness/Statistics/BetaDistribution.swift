import Glibc

/// The beta distribution: the regularised incomplete beta function and its inverse, for real parameters.
public enum BetaDistribution {
    /// The regularised incomplete beta function I_x(a, b): the probability of a value of at most `x`.
    public static func cumulative(_ x: Double, a: Double, b: Double) -> Double {
        precondition(a > 0 && b > 0 && a.isFinite && b.isFinite, "parameters of a beta distribution are above 0")
        precondition(!x.isNaN)
        guard x > 0 else { return 0 }
        guard x < 1 else { return 1 }
        let beta = LogOddsBeta(a: a, b: b)
        if beta.isLeftOfMode(x: x) { return exp(beta.lowerTail(x: x, y: 1 - x).logProbability) }
        return -expm1(beta.mirrored.lowerTail(x: 1 - x, y: x).logProbability)
    }

    /// The inverse of ``cumulative(_:a:b:)``: the x at which I_x(a, b) is `p`.
    public static func quantile(_ p: Double, a: Double, b: Double) -> Double {
        precondition(p >= 0 && p <= 1, "a probability is between 0 and 1")
        return quantile(lower: p, upper: 1 - p, a: a, b: b)
    }

    static func quantile(lower: Double, upper: Double, a: Double, b: Double) -> Double {
        precondition(a > 0 && b > 0 && a.isFinite && b.isFinite, "parameters of a beta distribution are above 0")
        guard lower > 0 else { return 0 }
        guard upper > 0 else { return 1 }
        if a == 1 { return -expm1(log(upper) / b) }
        if b == 1 { return exp(log(lower) / a) }
        if lower <= upper { return root(lower: lower, of: LogOddsBeta(a: a, b: b)).x }
        return root(lower: upper, of: LogOddsBeta(a: b, b: a)).y
    }

    private static func root(lower p: Double, of beta: LogOddsBeta) -> (x: Double, y: Double) {
        let logTarget = log(p)
        let leftmost = (logTarget + beta.logLeftScale) / beta.a
        guard leftmost > -700 else { return (exp(leftmost), 1) }
        var t = leftmost
        if beta.a > 1, beta.b > 1 {
            let centre = log((beta.a - 0.5) / (beta.b - 0.5))
            let spread = (1 / (beta.a - 0.5) + 1 / (beta.b - 0.5)).squareRoot()
            t = max(t, centre + NormalDistribution.quantile(p) * spread)
        }
        var odds = exp(t)
        for _ in 0..<100 {
            let y = 1 / (1 + odds)
            let x = odds / (1 + odds)
            guard y > 0, x > 0, odds.isFinite else { break }
            let (logProbability, hazard) = beta.lowerTail(x: x, y: y)
            let step = (logTarget - logProbability) / hazard
            odds = max(odds * exp(step), exp(leftmost))
            if (beta.slope(x: x, y: y) - hazard).magnitude * step * step < 1e-16 { break }
        }
        return odds.isFinite ? (odds / (1 + odds), 1 / (1 + odds)) : (1, 0)
    }
}
