import Glibc

/// The remainder of Stirling's formula: ln Γ(z) − [(z − ½)·ln z − z + ½·ln 2π], for z > 0.
///
/// The logarithms of large gamma functions cancel almost wholly in a beta function; their remainders are small and do
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
