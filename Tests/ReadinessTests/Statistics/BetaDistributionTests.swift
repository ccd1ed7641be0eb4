import Testing

@testable import Readiness

@Suite struct BetaDistributionTests {
    /// Closed forms: I_x(a, 1) = xᵃ, I_x(1, b) = 1 − (1 − x)ᵇ, I_x(2, 2) = x²(3 − 2x), and ½ at the middle of a = b.
    @Test func simpleParametersHaveClosedForms() {
        for x in stride(from: 0.03125, to: 1, by: 0.03125) {
            #expect(relativeError(quantile(x * x * x, a: 3, b: 1), x) < 1e-14)
            #expect(relativeError(quantile(x * (2 - x), a: 1, b: 2), x) < 1e-14)
            #expect(relativeError(quantile(x * x * (3 - 2 * x), a: 2, b: 2), x) < 1e-14)
        }
        for a in [0.001, 0.7, 1, 12, 14.5, 15.5, 1e9] {
            // Where nearly all probability lies at the ends, a small change of it moves the quantile far.
            #expect(relativeError(quantile(0.5, a: a, b: a), 0.5) < 1e-14 + 1e-15 / a)
        }
    }

    @Test func noArgumentGivesNaN() {
        let parameters = [1e-100, 1e-20, 1e-3, 0.5, 1, 1.5, 150, 2000, 1e9]
        for a in parameters {
            for b in parameters {
                for p in [0, 1e-300, 1e-12, 0.05, 0.5, 0.95, 1.0.nextDown, 1] {
                    #expect((0...1).contains(quantile(p, a: a, b: b)), "p = \(p), \(a), \(b)")
                }
            }
        }
    }

    private func quantile(_ p: Double, a: Double, b: Double) -> Double {
        BetaDistribution.quantile(lower: p, upper: 1 - p, a: a, b: b)
    }
}
