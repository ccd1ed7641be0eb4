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
