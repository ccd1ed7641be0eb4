import Platform

/// Gauss–Legendre quadrature on an interval.
///
/// The nodes are the roots of the Legendre polynomial Pₙ and the weights 2/((1 − x²)·Pₙ′(x)²) (NIST DLMF section
/// 3.5(v)): a rule of n nodes integrates polynomials of degree 2n − 1 exactly.
struct GaussLegendre: Sendable {
    /// The positive nodes on −1...1 and their weights; the negative ones mirror them.
    private let halves: [(node: Double, weight: Double)]

    /// Thirty-two nodes: half a normal density, integrated over twelve standard deviations, is wrong by 4e-18 of
    /// itself.
    static let standard = GaussLegendre(evenCount: 32)

    /// Finds the roots by Newton's method from cos(π(i − ¼)/(n + ½)), which is close enough to converge to each of
    /// them.
    init(evenCount count: Int) {
        precondition(count >= 2 && count.isMultiple(of: 2))
        halves = (1...count / 2).map { index in
            var node = cos(.pi * (Double(index) - 0.25) / (Double(count) + 0.5))
            var slope = 0.0
            for _ in 0..<8 {
                let value: Double
                (value, slope) = GaussLegendre.polynomial(degree: count, at: node)
                node -= value / slope
            }
            return (node, 2 / ((1 - node * node) * slope * slope))
        }
    }

    func integral(to end: Double, of function: (Double) -> Double) -> Double {
        let half = end / 2
        var sum = 0.0
        for (node, weight) in halves {
            sum += weight * (function(half - half * node) + function(half + half * node))
        }
        return sum * half
    }

    /// Pₙ and Pₙ′ by the three-term recurrence (NIST DLMF section 18.9).
    private static func polynomial(degree: Int, at x: Double) -> (value: Double, slope: Double) {
        var previous = 1.0
        var current = x
        for order in 2...degree {
            let n = Double(order)
            (previous, current) = (current, ((2 * n - 1) * x * current - (n - 1) * previous) / n)
        }
        let n = Double(degree)
        return (current, n * (x * current - previous) / (x * x - 1))
    }
}
