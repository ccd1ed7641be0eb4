import Platform

/// A beta distribution of X, seen in the log-odds t = ln(x/(1 − x)).
///
/// In t its density is f = xᵃ(1 − x)ᵇ/B(a, b), which is log-concave for all a, b > 0; then so are both of its tails
/// (Prékopa 1973). A point is given as `x` and `y` = 1 − x, each to its own full precision and both above 0, so that
/// neither end of the interval loses digits.
struct LogOddsBeta {
    let a: Double
    let b: Double
    /// ln f at its mode x = a/(a + b); by Stirling's formula ½·ln(ab/(2π(a + b))) and three remainders.
    private let logPeak: Double

    init(a: Double, b: Double) {
        let remainders = stirlingRemainder(a + b) - stirlingRemainder(a) - stirlingRemainder(b)
        self.init(a: a, b: b, logPeak: 0.5 * log(a / (2 * .pi) * (b / (a + b))) + remainders)
    }

    private init(a: Double, b: Double, logPeak: Double) {
        self.a = a
        self.b = b
        self.logPeak = logPeak
    }

    /// The distribution of 1 − X.
    var mirrored: LogOddsBeta {
        LogOddsBeta(a: b, b: a, logPeak: logPeak)
    }

    /// ln(a·B(a, b)).
    ///
    /// As f < eᵃᵗ/B(a, b), the lower tail is below eᵃᵗ/(a·B(a, b)) everywhere, and close to it far to the left.
    var logLeftScale: Double {
        log(a) - logPeak - a * log1p(b / a) - b * log1p(a / b)
    }

    /// ln f.
    ///
    /// With u = x·(a + b)/a − 1 and v = y·(a + b)/b − 1, a·u + b·v = 0, so that ln f is `logPeak` + a·[ln(1 + u) − u]
    /// + b·[ln(1 + v) − v]: both terms are negative and vanish at the mode, so that nothing cancels even where a and b
    /// are 10⁹. This is BRCOMP of DiDonato and Morris (1992), and Loader's (2000) saddle-point form.
    func logDensity(x: Double, y: Double) -> Double {
        let excess = slope(x: x, y: y)
        return logPeak + a * logarithmRemainder(-excess / a, ratio: x / a * (a + b))
            + b * logarithmRemainder(excess / b, ratio: y / b * (a + b))
    }

    /// The derivative of ln f with respect to t: a·y − b·x.
    func slope(x: Double, y: Double) -> Double {
        a * y - b * x
    }

    /// The lower tail P = I_x(a, b), as ln P, and its derivative f/P with respect to t.
    ///
    /// The tail on this side of the mode is computed directly; the other is its complement.
    func lowerTail(x: Double, y: Double) -> (logProbability: Double, derivative: Double) {
        let logDensity = logDensity(x: x, y: y)
        if slope(x: x, y: y) >= x - y {
            let ratio = tailRatio(x: x, y: y)
            return (logDensity + log(ratio), 1 / ratio)
        }
        let density = exp(logDensity)
        let upper = min(density * mirrored.tailRatio(x: y, y: x), 1.0.nextDown)
        return (log1p(-upper), density / (1 - upper))
    }

    /// P/f at a point that is not right of x = (a + 1)/(a + b + 2).
    ///
    /// The continued fraction needs up to some 120 terms there, the more the larger the smaller parameter is; from 2000
    /// on the quadrature is quicker, and its integrand is close to a normal density.
    private func tailRatio(x: Double, y: Double) -> Double {
        min(a, b) < 2000 ? expandedTailRatio(x: x, y: y) : integratedTailRatio(x: x, y: y)
    }

    /// P/f by the continued fraction of Aroian (1941), a contraction of NIST DLMF 8.17.22.
    ///
    /// It is written with the slope of ln f, as in BFRAC of DiDonato and Morris (1992): then nothing cancels, whereas
    /// the coefficients of DLMF 8.17.22 lose eight digits where a is 10⁹ and x close to 1. All denominators are
    /// positive, and the numerators are until n passes b.
    private func expandedTailRatio(x: Double, y: Double) -> Double {
        let rise = 1 + slope(x: x, y: y)
        var fraction = ContinuedFraction(a / (a + 1) * rise)
        var n = 1.0
        var factor = 0.0
        while (factor - 1).magnitude > 1e-16, n < 500 {
            let odd = a + (2 * n - 1)
            let weight = n * (b - n) * x / odd
            factor = fraction.append(
                numerator: (a + (n - 1)) * ((a + b + (n - 1)) / odd) * weight * x,
                denominator: n + weight + (a + n) / (odd + 2) * (rise + n * (1 + y))
            )
            n += 1
        }
        return 1 / fraction.value
    }

    /// P/f as the integral of f(x − τ)/f(x) over dx/(xy), by Gauss–Legendre quadrature.
    ///
    /// The logarithm of the integrand is −slope·τ/(xy) + a·[ln(1 − τ/x) + τ/x] + b·[ln(1 + τ/y) − τ/y], which near τ =
    /// 0 is −slope·σ − σ²·curvature/2 in σ = τ/(xy). That falls to −46 at the first two factors of `end`; the quarter
    /// more makes up for what skewness adds to it when the smaller parameter is 2000.
    private func integratedTailRatio(x: Double, y: Double) -> Double {
        let slope = slope(x: x, y: y)
        let curvature = a * y * y + b * x * x
        let end = 2 * 46 / (slope + (slope * slope + 2 * 46 * curvature).squareRoot()) * 1.25
        return GaussLegendre.standard.integral(to: end) { sigma in
            let (left, right) = (sigma * y, sigma * x)
            let exponent =
                a * logarithmRemainder(-left, ratio: 1 - left) + b * logarithmRemainder(right, ratio: 1 + right)
            return exp(exponent - slope * sigma) / ((1 - left) * (1 + right))
        }
    }
}

/// A continued fraction b₀ + a₁/(b₁ + a₂/(b₂ + …)), evaluated from the front, one term at a time.
///
/// This is Lentz's method (Applied Optics 15, 1976): it carries the ratios of successive numerators and of successive
/// denominators of the convergents, which neither overflow nor need to know how many terms will follow.
struct ContinuedFraction {
    /// The convergent made of the terms so far.
    private(set) var value: Double
    private var numeratorRatio: Double
    private var inverseDenominatorRatio = 0.0

    init(_ first: Double) {
        value = first
        numeratorRatio = first
    }

    /// Takes the next term aₙ/(bₙ + …) in, and returns the factor by which the value changed.
    mutating func append(numerator: Double, denominator: Double) -> Double {
        numeratorRatio = denominator + numerator / numeratorRatio
        inverseDenominatorRatio = 1 / (denominator + numerator * inverseDenominatorRatio)
        let factor = numeratorRatio * inverseDenominatorRatio
        value *= factor
        return factor
    }
}

/// The remainder of Stirling's formula: ln Γ(z) − [(z − ½)·ln z − z + ½·ln 2π], for z > 0.
///
/// The logarithms of large gamma functions cancel almost entirely in a beta function; their remainders are small and do
/// not. From z = 10 the asymptotic series is summed (NIST DLMF 5.11.1: B₂ₖ/(2k(2k − 1)z²ᵏ⁻¹)); its first term left out
/// is below 2e-19 there. Below, Γ(z + 1) = z·Γ(z) steps upwards. The absolute error is about 1e-16, which is the
/// relative error of what is made from it by exponentiation.
func stirlingRemainder(_ z: Double) -> Double {
    var z = z
    var steps = 0.0
    while z < 10 {
        steps += (z + 0.5) * log1p(1 / z) - 1
        z += 1
    }
    let w = 1 / (z * z)
    var series = 43_867.0 / 244_188
    series = series * w - 3617.0 / 122_400
    series = series * w + 1.0 / 156
    series = series * w - 691.0 / 360_360
    series = series * w + 1.0 / 1188
    series = series * w - 1.0 / 1680
    series = series * w + 1.0 / 1260
    series = series * w - 1.0 / 360
    series = series * w + 1.0 / 12
    return steps + series / z
}

/// What is left of a logarithm after its linear term: ln(1 + u) − u, for u > −1.
///
/// Near u = 0 the two parts cancel, so the series in r = u/(2 + u) is summed instead: ln(1 + u) = 2(r + r³/3 + r⁵/5 +
/// …) (NIST DLMF 4.6.4), and 2r − u = −r·u.
///
/// - Parameters:
///   - u: The excess of the argument over 1.
///   - ratio: 1 + u, passed in because the caller often knows it to more digits than the sum would keep.
/// - Returns: A value of at most 0, to nearly full relative precision.
func logarithmRemainder(_ u: Double, ratio: Double) -> Double {
    guard u.magnitude < 0.35 else { return log(ratio) - u }
    let r = u / (2 + u)
    let w = r * r
    // |r| < 0.22 here: the first term left out, w¹¹/25, is below 2e-16 of the first one, 1/3.
    var series = 1.0 / 23
    series = series * w + 1.0 / 21
    series = series * w + 1.0 / 19
    series = series * w + 1.0 / 17
    series = series * w + 1.0 / 15
    series = series * w + 1.0 / 13
    series = series * w + 1.0 / 11
    series = series * w + 1.0 / 9
    series = series * w + 1.0 / 7
    series = series * w + 1.0 / 5
    series = series * w + 1.0 / 3
    return r * (2 * w * series - u)
}
