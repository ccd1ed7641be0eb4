import Glibc

/// A beta distribution seen in its log-odds t = ln(x/(1 − x)).
///
/// In t the density is f = xᵃ(1 − x)ᵇ/B(a, b). It is log-concave for all a, b > 0, and therefore so are both of its tails
/// (Prékopa 1973), which is what makes the search for a quantile safe. A point is given as `x` and `y` = 1 − x, each to
/// its own full precision, so that nothing is lost at either end.
struct LogOddsBeta {
    let a: Double
    let b: Double
    private let logScale: Double

    init(a: Double, b: Double) {
        self.a = a
        self.b = b
        let sum = a + b
        logScale =
            0.5 * log(a / (2 * .pi) * (b / sum))
            + (stirlingRemainder(sum) - stirlingRemainder(a) - stirlingRemainder(b))
    }

    /// The distribution of 1 − X.
    var mirrored: LogOddsBeta {
        LogOddsBeta(a: b, b: a, logScale: logScale)
    }

    private init(a: Double, b: Double, logScale: Double) {
        self.a = a
        self.b = b
        self.logScale = logScale
    }

    /// ln(a·B(a, b)), the distance of the tail at t → −∞ from its asymptote a·t.
    var logLeftScale: Double {
        log(a) - logScale - a * log1p(b / a) - b * log1p(a / b)
    }

    /// ln f.
    ///
    /// With x₀ = a/(a + b), xᵃyᵇ is x₀ᵃy₀ᵇ times the exponential of a·[ln(1 + u) − u] + b·[ln(1 + v) − v], where
    /// u = x/x₀ − 1, v = y/y₀ − 1 and a·u + b·v = 0: two terms of one sign, so nothing cancels (the "saddle-point" form
    /// of DiDonato and Morris 1992, section 5, and Loader 2000). Stirling's formula takes the rest.
    func logDensity(x: Double, y: Double) -> Double {
        let sum = a + b
        let lambda = slope(x: x, y: y)
        return logScale + a * logarithmRemainder(-lambda / a, ratio: x / a * sum)
            + b * logarithmRemainder(lambda / b, ratio: y / b * sum)
    }

    /// The derivative of ln f with respect to t: a·y − b·x.
    func slope(x: Double, y: Double) -> Double {
        a * y - b * x
    }

    /// The lower tail P = I_x(a, b) at a point.
    ///
    /// The tail that begins on this side of the mode is computed directly; the other one is its complement.
    func lowerTail(x: Double, y: Double) -> (logProbability: Double, hazard: Double) {
        let logDensity = logDensity(x: x, y: y)
        if isLeftOfMode(x: x) {
            let ratio = tailRatio(x: x, y: y)
            return (logDensity + log(ratio), 1 / ratio)
        }
        let upper = exp(logDensity) * mirrored.tailRatio(x: y, y: x)
        return (log1p(-min(upper, 1)), exp(logDensity) / (1 - upper))
    }

    func isLeftOfMode(x: Double) -> Bool {
        x * (a + b + 2) <= a + 1
    }

    /// P/f, left of the mode.
    func tailRatio(x: Double, y: Double) -> Double {
        min(a, b) < 150 ? continuedFraction(x: x) / a : integratedRatio(x: x, y: y)
    }

    /// The continued fraction of I_x(a, b)·a·B(a, b)/(xᵃyᵇ) (NIST DLMF 8.17.22), by Lentz's method as Thompson and
    /// Barnett (1986) changed it.
    private func continuedFraction(x: Double) -> Double {
        let tiny = 1e-300
        var denominator = 1 - (a + b) * x / (a + 1)
        if denominator.magnitude < tiny { denominator = tiny }
        denominator = 1 / denominator
        var numerator = 1.0
        var fraction = denominator
        var m = 1.0
        while m < 10_000 {
            var factor = 1.0
            let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            denominator = 1 + even * denominator
            if denominator.magnitude < tiny { denominator = tiny }
            numerator = 1 + even / numerator
            if numerator.magnitude < tiny { numerator = tiny }
            denominator = 1 / denominator
            factor = denominator * numerator
            fraction *= factor
            let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            denominator = 1 + odd * denominator
            if denominator.magnitude < tiny { denominator = tiny }
            numerator = 1 + odd / numerator
            if numerator.magnitude < tiny { numerator = tiny }
            denominator = 1 / denominator
            factor = denominator * numerator
            fraction *= factor
            if (factor - 1).magnitude < 1e-16 { break }
            m += 1
        }
        return fraction
    }

    /// The integral of f(t − s)/f(t) over s > 0, for large a and b.
    private func integratedRatio(x: Double, y: Double) -> Double {
        let sum = a + b
        let slope = slope(x: x, y: y)
        let curvature = sum * x * y
        let end = 1.25 * 92 / (slope + (slope * slope + 92 * curvature).squareRoot())
        return GaussLegendre.standard.integral(to: end) { s in
            exp(-a * s - sum * log1p(x * expm1(-s)))
        }
    }
}
