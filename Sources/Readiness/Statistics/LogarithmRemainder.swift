import Glibc

/// What is left of a logarithm after its linear term: ln(1 + u) − u, for u > −1.
///
/// Near u = 0 the two parts cancel, so the series in r = u/(2 + u) is summed instead: ln(1 + u) = 2·artanh(r)
/// = 2(r + r³/3 + r⁵/5 + …) (NIST DLMF 4.6.4 and 4.37.24), and 2r − u = −r·u.
///
/// - Parameters:
///   - u: The excess of the argument over 1.
///   - ratio: 1 + u, passed in because the caller often knows it to more digits than the sum would keep.
/// - Returns: A value of at most 0, to nearly full relative precision.
func logarithmRemainder(_ u: Double, ratio: Double) -> Double {
    guard u.magnitude < 0.35 else { return log(ratio) - u }
    let r = u / (2 + u)
    let square = r * r
    // |r| < 0.22 here, so that the eleven terms up to r²³/23 leave an error below 1e-17 relative to the first.
    var series = 0.0
    for index in stride(from: 23.0, through: 3.0, by: -2.0) {
        series = series * square + 1 / index
    }
    return r * (2 * square * series - u)
}
