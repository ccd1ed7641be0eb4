import Readiness
import TestSupport
import Testing

@Suite struct ClopperPearsonTests {
    @Test func boundsAgreeWithFiftyDigits() throws {
        let rows = try ReferenceTable("clopper-pearson.csv").numbers()
        #expect(rows.count >= 300)
        for row in rows {
            let (blocked, requests, confidence) = (row[0], row[1], row[2])
            let upper = ClopperPearson.upper(blocked: blocked, requests: requests, confidence: confidence)
            let lower = ClopperPearson.lower(blocked: blocked, requests: requests, confidence: confidence)
            // Below one blocked request the lower bound is close to the power 1/blocked of 1 − γ, and errors grow with
            // it.
            let tolerance = blocked > 0 ? 1e-14 / min(1, blocked) : 0x1p-1074
            #expect(relativeError(upper, row[3]) < 1e-14, "upper of \(blocked) in \(requests) at \(confidence)")
            #expect(relativeError(lower, row[4]) < tolerance, "lower of \(blocked) in \(requests) at \(confidence)")
        }
    }

    /// The definition itself: the probability of at most this many blocked requests at the upper bound is 1 − γ, and so
    /// is that of at least this many at the lower bound.
    @Test(arguments: [5, 30, 299, 473, 2500])
    func binomialTailsAtTheBoundsAreOneMinusTheConfidence(requests: Int) {
        for confidence in [0.5, 0.95, 0.9999] {
            for blocked in Set([0, 1, 2, requests / 50, requests / 3, requests * 9 / 10]) {
                let upper = bound(ClopperPearson.upper, blocked, requests, confidence)
                let atMost = binomial(requests, upper)[0...blocked].reduce(0, +)
                #expect(relativeError(atMost, 1 - confidence) < 1e-10, "upper of \(blocked) in \(requests)")
                guard blocked > 0 else { continue }
                let lower = bound(ClopperPearson.lower, blocked, requests, confidence)
                let atLeast = binomial(requests, lower)[blocked...].reduce(0, +)
                #expect(relativeError(atLeast, 1 - confidence) < 1e-10, "lower of \(blocked) in \(requests)")
            }
        }
    }

    /// At any true rate, a bound holds with at least the probability it promises, and at some rate with hardly more.
    @Test(arguments: [0.8, 0.95, 0.99])
    func coverageIsAtLeastTheConfidence(confidence: Double) {
        let requests = 120
        let uppers = (0...requests).map { bound(ClopperPearson.upper, $0, requests, confidence) }
        let lowers = (0...requests).map { bound(ClopperPearson.lower, $0, requests, confidence) }
        var least = (upper: 1.0, lower: 1.0)
        for step in 1..<2000 {
            let rate = Double(step) / 2000
            let probabilities = binomial(requests, rate)
            var held = (upper: 0.0, lower: 0.0)
            for blocked in 0...requests {
                if rate <= uppers[blocked] { held.upper += probabilities[blocked] }
                if rate >= lowers[blocked] { held.lower += probabilities[blocked] }
            }
            least = (min(least.upper, held.upper), min(least.lower, held.lower))
        }
        #expect(least.upper >= confidence - 1e-12 && least.upper < confidence + 0.004)
        #expect(least.lower >= confidence - 1e-12 && least.lower < confidence + 0.004)
    }

    /// Simulated weeks: the share of them whose bound holds is what the binomial distribution says, within 4.5 standard
    /// errors.
    @Test(arguments: [(300, 0.01), (300, 0.03), (700, 0.0045)])
    func simulatedWeeksAreCovered(requests: Int, rate: Double) {
        var random = SeededGenerator(seed: UInt64(requests))
        let probabilities = binomial(requests, rate)
        let uppers = (0...requests).map { bound(ClopperPearson.upper, $0, requests, 0.95) }
        let expected = zip(uppers, probabilities).reduce(0) { $0 + ($1.0 >= rate ? $1.1 : 0) }
        let weeks = 4000
        let held = (0..<weeks).count { _ in
            let blocked = (0..<requests).count { _ in Double.random(in: 0..<1, using: &random) < rate }
            return uppers[blocked] >= rate
        }
        let error = (expected * (1 - expected) / Double(weeks)).squareRoot()
        #expect((Double(held) / Double(weeks) - expected).magnitude < 4.5 * error)
        #expect(expected >= 0.95 && expected < 0.99)
    }

    /// The probabilities of 0 to n successes, each from its neighbour, outwards from the most likely one.
    private func binomial(_ n: Int, _ rate: Double) -> [Double] {
        var probabilities = Array(repeating: 0.0, count: n + 1)
        let mode = min(n, Int(Double(n + 1) * rate))
        let odds = rate / (1 - rate)
        probabilities[mode] = 1
        for k in stride(from: mode, to: n, by: 1) {
            probabilities[k + 1] = probabilities[k] * odds * Double(n - k) / Double(k + 1)
        }
        for k in stride(from: mode, to: 0, by: -1) {
            probabilities[k - 1] = probabilities[k] / odds * Double(k) / Double(n - k + 1)
        }
        let sum = probabilities.reduce(0, +)
        return probabilities.map { $0 / sum }
    }
}

typealias Bound = (_ blocked: Double, _ requests: Double, _ confidence: Double) -> Double

func bound(_ bound: Bound, _ blocked: Int, _ requests: Int, _ confidence: Double) -> Double {
    bound(Double(blocked), Double(requests), confidence)
}
