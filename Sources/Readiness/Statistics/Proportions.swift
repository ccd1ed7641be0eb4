/// The two-sided z test of two proportions, at 95% unless asked otherwise.
///
/// The variance is pooled, without continuity correction (Fleiss, Levin and Paik 2003, chapter 3).
package enum Proportions {
    /// True when a of n is another share than b of m, with standard errors times √φ.
    ///
    /// Without a variance, or without a request on one side, nothing differs.
    package static func differ(
        _ a: Double, of n: Double, from b: Double, of m: Double, dispersion: Double = 1,
        confidence: Double = 0.95
    ) -> Bool {
        guard n > 0, m > 0 else { return false }
        let pooled = (a + b) / (n + m)
        let variance = pooled * (1 - pooled) * (1 / n + 1 / m) * dispersion
        guard variance > 0 else { return false }
        return (a / n - b / m).magnitude / variance.squareRoot() > NormalDistribution.quantile((1 + confidence) / 2)
    }
}
