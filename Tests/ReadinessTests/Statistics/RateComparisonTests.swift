import Readiness
import Testing

/// The test of two rates, and what is made of many such tests at once.
@Suite struct RateComparisonTests {
    private struct Case {
        let old: (Double, Double)
        let new: (Double, Double)
        var dispersion = 1.0
        let pValue: Double
    }

    /// By `scipy.stats.beta.cdf` (1.15); where φ is 1 and few are blocked, `binom.cdf` and `binom.sf` agree.
    private let cases = [
        Case(old: (0, 700), new: (5, 100), pValue: 6.103515625e-05),
        Case(old: (8, 800), new: (12, 100), pValue: 3.7617193989978013e-07),
        Case(old: (8, 800), new: (12, 100), dispersion: 3.5, pValue: 0.013272242972416484),
        Case(old: (300, 1000), new: (10, 100), dispersion: 2, pValue: 0.007709370458824219),
        Case(old: (900, 1000), new: (60, 100), pValue: 7.472801514421245e-11),
        Case(old: (20, 2000), new: (0, 300), pValue: 0.12220055788110609),
        Case(old: (1e5, 9e6), new: (14_000, 1e6), dispersion: 40, pValue: 9.152249723259864e-05),
        Case(old: (5, 1000), new: (5, 1000), pValue: 1),
        Case(old: (0, 10), new: (0, 10), pValue: 1),
        Case(old: (0, 0), new: (5, 10), pValue: 1),
        Case(old: (5, 10), new: (0, 0), pValue: 1),
    ]

    @Test func references() {
        for test in cases {
            let pValue = RateComparison.pValue(
                .init(blocked: test.old.0, requests: test.old.1), .init(blocked: test.new.0, requests: test.new.1),
                dispersion: test.dispersion)
            #expect(relativeError(pValue, test.pValue) < 1e-12, "\(test)")
        }
    }

    /// Which period comes first, and whether blocked or other requests are counted, makes no difference.
    @Test func symmetry() {
        for test in cases {
            let (old, new) = (test.old, test.new)
            func pValue(_ first: (Double, Double), _ second: (Double, Double)) -> Double {
                RateComparison.pValue(
                    .init(blocked: first.0, requests: first.1), .init(blocked: second.0, requests: second.1),
                    dispersion: test.dispersion)
            }
            #expect(relativeError(pValue(new, old), test.pValue) < 1e-9)
            #expect(relativeError(pValue((old.1 - old.0, old.1), (new.1 - new.0, new.1)), test.pValue) < 1e-9)
        }
    }

    /// Of the exact test of independence (Fisher, by `scipy.stats.fisher_exact`) it is the careful side.
    @Test func errsToTheSafeSide() {
        let fisher = [2.7918571351054548e-05, 1.1200005543951504e-07]
        for (test, exact) in zip(cases, fisher) { #expect(test.pValue > exact) }
    }

    /// By `statsmodels.stats.multitest.multipletests(…, method="holm")`.
    @Test func holm() {
        let corrected = HolmCorrection.corrected([0.01, 0.04, 0.03, 0.005, 0.2, 0.04])
        for (value, truth) in zip(corrected, [0.05, 0.12, 0.12, 0.03, 0.2, 0.12]) {
            #expect(relativeError(value, truth) < 1e-12)
        }
        #expect(HolmCorrection.corrected([]) == [])
        #expect(HolmCorrection.corrected([0.02]) == [0.02])
        #expect(HolmCorrection.corrected([0.9, 0.8, 1]) == [1, 1, 1])
    }

    /// By hand: 3 hours of 24 tell of ln(21/24)/ln(23/24) = 3.1375141539… events.
    @Test func occupancy() {
        #expect(relativeError(HourOccupancy.burst(of: [.init(blocked: 30, hours: 3)]), 30 / 3.1375141539240605) < 1e-9)
        #expect(HourOccupancy.burst(of: [.init(blocked: 3, hours: 3)]) == 1)
        #expect(HourOccupancy.burst(of: [.init(blocked: 900, hours: 24)]) == 1)
        #expect(HourOccupancy.burst(of: []) == 1)
        let days = [
            HourOccupancy.Day(blocked: 50, hours: 1), .init(blocked: 50, hours: 24), .init(blocked: 0, hours: 0),
        ]
        #expect(relativeError(HourOccupancy.burst(of: days), 100.0 / 51) < 1e-12)
    }
}
