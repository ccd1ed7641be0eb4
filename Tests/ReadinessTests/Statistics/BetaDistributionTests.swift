import Platform
import Readiness
import TestSupport
import Testing

@Suite struct BetaDistributionTests {
    @Test func cumulativeAgreesWithFiftyDigits() throws {
        let rows = try ReferenceTable("incomplete-beta.csv").numbers()
        #expect(rows.count >= 150)
        for row in rows {
            let value = BetaDistribution.cumulative(row[0], a: row[1], b: row[2])
            #expect(relativeError(value, row[3]) < 1e-12, "x = \(row[0]), a = \(row[1]), b = \(row[2])")
        }
    }

    /// Closed forms: I_x(a, 1) = xᵃ, I_x(1, b) = 1 − (1 − x)ᵇ, I_x(2, 2) = x²(3 − 2x), and ½ at the middle of a = b.
    @Test func simpleParametersHaveClosedForms() {
        for x in stride(from: 0.03125, to: 1, by: 0.03125) {
            #expect(relativeError(BetaDistribution.cumulative(x, a: 3, b: 1), x * x * x) < 1e-14)
            #expect(relativeError(BetaDistribution.cumulative(x, a: 1, b: 2), x * (2 - x)) < 1e-14)
            #expect(relativeError(BetaDistribution.cumulative(x, a: 2, b: 2), x * x * (3 - 2 * x)) < 1e-14)
            #expect(relativeError(BetaDistribution.quantile(x * x * (3 - 2 * x), a: 2, b: 2), x) < 1e-14)
        }
        for a in [0.001, 0.7, 1, 12, 1999, 2001, 1e9] {
            #expect(relativeError(BetaDistribution.cumulative(0.5, a: a, b: a), 0.5) < 1e-13)
            // Where nearly all probability lies at the ends, a small change of it moves the quantile far.
            #expect(relativeError(BetaDistribution.quantile(0.5, a: a, b: a), 0.5) < 1e-14 + 1e-15 / a)
        }
    }

    @Test(arguments: 0..<20)
    func quantileInvertsCumulative(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let a = power(from: -1, to: 7, using: &random)
            let b = power(from: 0, to: 7, using: &random)
            let p = Double.random(in: 0.0001...0.9999, using: &random)
            let x = BetaDistribution.quantile(p, a: a, b: b)
            // How far p moves when x moves by its last digit: the slope of the distribution grows with √(a + b).
            let tolerance = 1e-14 * (10 + (a + b).squareRoot())
            if x < 0.999 {
                #expect(relativeError(BetaDistribution.cumulative(x, a: a, b: b), p) < tolerance, "\(p), \(a), \(b)")
            }
        }
    }

    @Test(arguments: 0..<20)
    func mirroredDistributionHasTheMirroredTail(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let (a, b) = (power(from: -2, to: 6, using: &random), power(from: -2, to: 6, using: &random))
            let x = Double(Int.random(in: 1..<1024, using: &random)) / 1024
            let sum = BetaDistribution.cumulative(x, a: a, b: b) + BetaDistribution.cumulative(1 - x, a: b, b: a)
            #expect((sum - 1).magnitude < 1e-14, "x = \(x), a = \(a), b = \(b)")
        }
    }

    /// As a parameter falls to 0, all probability moves to its end of the interval.
    @Test(arguments: [1e-9, 1e-20, 1e-300])
    func tinyParametersLeaveNothingInTheMiddle(tiny: Double) {
        for other in [0.5, 1.5, 40, 3000] {
            for x in [1e-12, 0.05, 0.5, 0.95] {
                #expect(BetaDistribution.cumulative(x, a: tiny, b: other) > 1 - 100 * tiny - 1e-12, "\(x), \(other)")
                #expect(BetaDistribution.cumulative(x, a: other, b: tiny) < 100 * tiny + 1e-12, "\(x), \(other)")
            }
        }
    }

    /// Far out the first guess is useless, and the search has to find the way by itself.
    @Test func quantilesOfVerySmallProbabilities() {
        for p in [1e-300, 1e-100, 1e-30, 1e-6] {
            for (a, b) in [(1.2, 1e9), (40, 1.3), (1.3, 40), (1e4, 1.01), (2500, 2500), (1e6, 30)] {
                let x = BetaDistribution.quantile(p, a: a, b: b)
                #expect(relativeError(BetaDistribution.cumulative(x, a: a, b: b), p) < 1e-9, "p = \(p), \(a), \(b)")
            }
        }
    }

    @Test func noArgumentGivesNaN() {
        let parameters = [
            .leastNonzeroMagnitude, 1e-300, 1e-20, 1e-3, 0.5, 1, 1.5, 150, 2000, 1e9, 1e16, 1e100,
        ]
        for a in parameters {
            for b in parameters {
                for p in [0, 1e-300, 1e-12, 0.05, 0.5, 0.95, 1.0.nextDown, 1] {
                    #expect((0...1).contains(BetaDistribution.quantile(p, a: a, b: b)), "p = \(p), \(a), \(b)")
                    #expect((0...1).contains(BetaDistribution.cumulative(p, a: a, b: b)), "x = \(p), \(a), \(b)")
                }
            }
        }
    }

    @Test func theEndsBelongToTheEnds() {
        #expect(BetaDistribution.cumulative(-0.5, a: 2, b: 3) == 0)
        #expect(BetaDistribution.cumulative(1.5, a: 2, b: 3) == 1)
        #expect(BetaDistribution.quantile(0, a: 2, b: 3) == 0)
        #expect(BetaDistribution.quantile(1, a: 2, b: 3) == 1)
    }

    @Test func argumentsOutsideTheirRangeStop() async {
        await #expect(processExitsWith: .failure) { _ = BetaDistribution.quantile(0.5, a: 0, b: 1) }
        await #expect(processExitsWith: .failure) { _ = BetaDistribution.quantile(0.5, a: 1, b: .nan) }
        await #expect(processExitsWith: .failure) { _ = BetaDistribution.quantile(1.5, a: 1, b: 1) }
        await #expect(processExitsWith: .failure) { _ = BetaDistribution.quantile(.nan, a: 1, b: 1) }
        await #expect(processExitsWith: .failure) { _ = BetaDistribution.cumulative(.nan, a: 1, b: 1) }
    }

    private func power(from low: Double, to high: Double, using random: inout SeededGenerator) -> Double {
        pow(10, Double.random(in: low...high, using: &random))
    }
}
