import Platform

/// Quantiles of the beta distribution, for real parameters above 0.
///
/// In the log-odds t = ln(x/(1 − x)) the density is f = xᵃ(1 − x)ᵇ/B(a, b). Its logarithm is concave, and so is that of
/// its lower tail P (Prékopa 1973), which is below eᵃᵗ/(a·B(a, b)) everywhere.
enum BetaDistribution {
    /// The x that has probability `lower` below it and `upper` above it, which add up to 1.
    ///
    /// Both are passed in because a caller may know the small one to more digits than 1 minus the large one has.
    static func quantile(lower: Double, upper: Double, a: Double, b: Double) -> Double {
        (lower, a) <= (upper, b)
            ? 1 / (1 + 1 / odds(below: lower, a: a, b: b)) : 1 / (1 + odds(below: upper, a: b, b: a))
    }

    /// The odds eᵗ with a lower tail of `p`, at most ½, by Newton's method for ln P(t) = ln p.
    ///
    /// The tangents of ln P lie above it, so every step ends left of the root, and from there on they move right. The
    /// first guess is that of Cornish and Fisher (1938), or where the bound of P is `p`.
    private static func odds(below p: Double, a: Double, b: Double) -> Double {
        if b == 1 { return 1 / expm1(-log(p) / a) }
        let sum = a + b
        let logPeak = log(a / (2 * .pi) * (b / sum)) / 2 + logGammaRest(sum) - logGammaRest(a) - logGammaRest(b)
        let leftmost = exp((log(p) + log(a) - logPeak - a * log1p(b / a) - b * log1p(a / b)) / a)
        guard leftmost > .leastNormalMagnitude else { return leftmost }
        var odds = leftmost
        if min(a, b) > 1 {
            let (z, a, b) = (NormalDistribution.quantile(p), a - 0.5, b - 0.5)
            let shift = z * (1 / a + 1 / b).squareRoot() + (z * z - 1) / 6 * (1 / b - 1 / a)
            odds = max(odds, a / b * exp(min(0, shift)))
        }
        for _ in 0..<100 where odds < .infinity {
            let (x, y) = (1 / (1 + 1 / odds), 1 / (1 + odds))
            let slope = a * y - b * x
            // From the peak of f on, where large terms do not cancel (Loader 2000).
            let logDensity =
                logPeak + a * logarithm(x / a * sum, excess: -slope / a) + b * logarithm(y / b * sum, excess: slope / b)
            let ratio = densityOverTail(x: x, y: y, a: a, b: b)
            let step = (log(p) - logDensity + log(ratio)) / ratio
            odds = max(odds * exp(step), leftmost)
            // What Newton's method leaves is (ln P)″/(ln P)′·step²/2, and (ln P)″/(ln P)′ = (ln f)′ − f/P.
            if (slope - ratio).magnitude * step * step < 1e-15 { break }
        }
        return odds
    }

    /// f/P by the continued fraction of Aroian (1941), written with the slope of ln f, so that nothing cancels.
    private static func densityOverTail(x: Double, y: Double, a: Double, b: Double) -> Double {
        let rise = 1 + a * y - b * x
        var value = a / (a + 1) * rise
        // Ratios of successive numerators and denominators, which do not overflow (Lentz 1976).
        var (upper, lower, factor, n) = (value, 0.0, 0.0, 1.0)
        while (factor - 1).magnitude > 1e-15, n < 100_000 {
            let odd = a + 2 * n - 1
            let weight = n * (b - n) * x / odd
            let numerator = (a + n - 1) * ((a + b + n - 1) / odd) * weight * x
            let denominator = n + weight + (a + n) / (odd + 2) * (rise + n * (1 + y))
            upper = denominator + numerator / upper
            lower = 1 / (denominator + numerator * lower)
            factor = upper * lower
            value *= factor
            n += 1
        }
        return value
    }

    /// ln Γ(z) without the terms of Stirling's formula that cancel in a beta function.
    private static func logGammaRest(_ z: Double) -> Double {
        guard z > 15 else { return lgamma(z).0 - ((z - 0.5) * log(z) - z + log(2 * Double.pi) / 2) }
        let w = 1 / (z * z)
        let series = w * (1.0 / 360 - w * (1.0 / 1260 - w * (1.0 / 1680 - w / 1188)))
        return (1.0 / 12 - series) / z
    }

    /// The logarithm of a number, given its excess over 1 as well, which has more digits near 0.
    private static func logarithm(_ number: Double, excess: Double) -> Double {
        excess.magnitude < 0.5 ? log1p(excess) : log(number)
    }
}
