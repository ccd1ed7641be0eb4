/// The z test of two proportions.
///
/// The variance is pooled, without continuity correction (Fleiss, Levin and Paik 2003, chapter 3).
package enum Proportions {
    /// True when a of n is another share than b of m, two-sided at 95%, with standard errors times √φ.
    ///
    /// Without a variance, or without a request on one side, nothing differs.
    package static func differ(
        _ a: Double, of n: Double, from b: Double, of m: Double, dispersion: Double
    ) -> Bool {
        guard n > 0, m > 0 else { return false }
        let pooled = (a + b) / (n + m)
        let variance = pooled * (1 - pooled) * (1 / n + 1 / m) * dispersion
        return variance > 0 && (a / n - b / m).magnitude / variance.squareRoot() > NormalDistribution.quantile(0.975)
    }

    /// True if the shares of several groups differ, by Pearson's χ² test at 95%.
    ///
    /// Groups that are too small for it are one; nil where that leaves nothing to compare.
    package static func differ(among groups: [ClientSum]) -> Bool? {
        func sum(_ groups: [ClientSum]) -> ClientSum { groups.reduce(into: ClientSum()) { $0.merge($1) } }
        let all = sum(groups)
        let rate = Double(all.blocked) / Double(max(1, all.admitted))
        func isLarge(_ group: ClientSum) -> Bool { Double(group.admitted) * min(rate, 1 - rate) >= 5 }
        let small = sum(groups.filter { !isLarge($0) })
        let tested = groups.filter(isLarge) + (small.admitted > 0 ? [small] : [])
        guard tested.count >= 2, rate > 0, rate < 1 else { return nil }
        let statistic = tested.reduce(0.0) { sum, group in
            let expected = Double(group.admitted) * rate
            let residual = Double(group.blocked) - expected
            return sum + residual * residual / (expected * (1 - rate))
        }
        return statistic > chiSquareQuantile(freedom: tested.count - 1)
    }

    /// The 95% quantile: that of one degree of freedom is a normal one's square, others are Poisson bounds.
    private static func chiSquareQuantile(freedom: Int) -> Double {
        let z = NormalDistribution.quantile(0.975)
        return freedom == 1
            ? z * z : 2 * PoissonBound.upper(events: Double(freedom) / 2 - 1, confidence: 0.95)
    }
}
