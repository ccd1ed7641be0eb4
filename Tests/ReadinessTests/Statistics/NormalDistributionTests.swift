import Testing

@testable import Readiness

@Suite struct NormalDistributionTests {
    @Test func quantilesAgreeWithFiftyDigits() throws {
        let rows = try ReferenceTable("normal-distribution.csv").numbers()
        #expect(rows.count >= 100)
        for row in rows {
            let (probability, z) = (row[0], row[1])
            #expect(relativeError(NormalDistribution.quantile(probability), z) < 1e-14, "p = \(probability)")
            // An error of one part in 2⁵³ of z becomes z² times as large in the tail.
            let tolerance = 4e-16 * (2 + z * z)
            #expect(relativeError(NormalDistribution.cumulative(z), probability) < tolerance, "z = \(z)")
        }
    }

    @Test func endsAreInfiniteAndTheMiddleIsZero() {
        #expect(NormalDistribution.quantile(0) == -.infinity)
        #expect(NormalDistribution.quantile(1) == .infinity)
        #expect(NormalDistribution.quantile(0.5) == 0)
        #expect(NormalDistribution.cumulative(-.infinity) == 0)
        #expect(NormalDistribution.cumulative(.infinity) == 1)
        #expect(NormalDistribution.quantile(.leastNonzeroMagnitude).isFinite)
    }

    @Test func aProbabilityOutsideItsRangeStops() async {
        await #expect(processExitsWith: .failure) { _ = NormalDistribution.quantile(1.5) }
        await #expect(processExitsWith: .failure) { _ = NormalDistribution.quantile(.nan) }
    }
}
