import Glibc

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
