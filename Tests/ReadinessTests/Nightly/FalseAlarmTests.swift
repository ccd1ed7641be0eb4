import Platform
import Readiness
import TestSupport
import Testing

/// How often a report tells of a rate that has not moved, and whether it tells of those that have.
@Suite struct FalseAlarmTests {
    /// Eight days of one function, whose blocked requests come in bursts of one client each.
    private struct Week {
        var days: [DayCount] = []
        var hours: [HourOccupancy.Day] = []

        /// As many requests every day, `rate` of them blocked on average, on the eighth day `factor` times as many; one
        /// client makes up to `burst` of them in a row.
        init(requests: Int, rate: Double, factor: Double = 1, burst: Int, random: inout SeededGenerator) {
            for day in 0..<8 {
                let expected = Double(requests) * rate * (day == 7 ? factor : 1)
                let clients = Week.poisson(expected / (Double(1 + burst) / 2), &random)
                let blocked = (0..<clients).reduce(0) { sum, _ in sum + Int.random(in: 1...burst, using: &random) }
                // People sleep: nobody calls in a third of the hours.
                let seen = Set((0..<clients).map { _ in Int.random(in: 0..<16, using: &random) })
                hours.append(.init(blocked: Double(min(requests, blocked)), hours: seen.count))
                days.append(
                    DayCount(day: day, requests: Double(requests), blocked: Double(min(requests, blocked))))
            }
        }

        /// The comparison of the eighth day with the seven before, as the report makes it.
        var pValue: Double {
            let old = days.dropLast()
            return RateComparison.pValue(
                .init(
                    blocked: old.reduce(0) { $0 + $1.blocked }, requests: old.reduce(0) { $0 + $1.requests }),
                .init(blocked: days[7].blocked, requests: days[7].requests),
                dispersion: max(
                    Dispersion.ofDays(Array(old)), HourOccupancy.burst(of: hours.dropLast()),
                    HourOccupancy.burst(of: hours.suffix(1))))
        }

        /// By Knuth's multiplication of uniform numbers.
        private static func poisson(_ mean: Double, _ random: inout SeededGenerator) -> Int {
            var count = 0
            var mean = mean
            while mean > 0 {
                mean += log(Double.random(in: .leastNormalMagnitude..<1, using: &random))
                if mean > 0 { count += 1 }
            }
            return count
        }
    }

    /// Thirty functions a night, large and small, with bursts or without: told of any in fewer nights than one in
    /// twenty.
    @Test(arguments: [1, 3, 10])
    func nightsWithAFalseAlarm(burst: Int) {
        var random = SeededGenerator(seed: UInt64(burst))
        let nights = 400
        var alarms = 0
        for _ in 0..<nights {
            let functions = (0..<30).map { index in
                Week(
                    requests: [20, 100, 500, 3000][index % 4], rate: [0.001, 0.01, 0.05][index % 3], burst: burst,
                    random: &random)
            }
            let corrected = HolmCorrection.corrected(functions.map(\.pValue))
            if corrected.contains(where: { $0 <= 0.05 }) { alarms += 1 }
        }
        #expect(Double(alarms) / Double(nights) <= 0.05)
    }

    /// Of a function of 500 requests a day, one among thirty, a rate five times as high is told nearly always.
    @Test func realMovesAreTold() {
        var random = SeededGenerator(seed: 7)
        let nights = 100
        var told = 0
        for _ in 0..<nights {
            let moved = Week(requests: 500, rate: 0.02, factor: 5, burst: 2, random: &random)
            let others = (0..<29).map { _ in Week(requests: 500, rate: 0.02, burst: 2, random: &random) }
            let corrected = HolmCorrection.corrected([moved.pValue] + others.map(\.pValue))
            if corrected[0] <= 0.05 { told += 1 }
        }
        #expect(Double(told) / Double(nights) >= 0.9)
    }
}
