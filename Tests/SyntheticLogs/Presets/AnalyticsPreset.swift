package import Verifications

/// The rows that have a name: those of the committed samples.
package enum AnalyticsPreset: String, CaseIterable, Sendable {
    /// Seventeen days at 25%, the newest three of which are not complete.
    case quarter = "app-attest-events"
    // A rollout from 1% to everybody: what was exported before the percentage was raised.
    case atOne = "rollout-events-at-1"
    case atTen = "rollout-events-at-10"
    case atHalf = "rollout-events-at-50"
    case atAll = "rollout-events-at-100"

    /// The rows; the committed samples are those of seed 1.
    package func rows(seed: UInt64) -> [AnalyticsRow] {
        let scenario = scenario(seed: seed)
        return scenario.rows().filter { days.contains($0.day) }
    }

    /// The scenario of which the rows are a part, or all.
    package func scenario(seed: UInt64) -> AnalyticsScenario {
        self == .quarter ? AnalyticsScenario(seed: seed, days: days) : .rollout(seed: seed)
    }

    package var days: ClosedRange<Day> {
        switch self {
        case .quarter: Day(number: 20_724)...Day(number: 20_740)
        case .atOne: AnalyticsScenario.raises[0]...AnalyticsScenario.raises[1]
        case .atTen: AnalyticsScenario.raises[1].advanced(by: 1)...AnalyticsScenario.raises[2]
        case .atHalf: AnalyticsScenario.raises[2].advanced(by: 1)...AnalyticsScenario.raises[3]
        case .atAll: AnalyticsScenario.raises[3].advanced(by: 1)...AnalyticsScenario.raises[3].advanced(by: 8)
        }
    }
}

extension AnalyticsScenario {
    /// The days on which the percentage is raised to 1, 10, 50 and 100: 2026-09-01, 14, 22 and 29.
    static let raises = [20_697, 20_710, 20_718, 20_725].map(Day.init(number:))

    /// A rollout of an app with 6,000 users; a raise on one day holds from the next on.
    package static func rollout(seed: UInt64) -> AnalyticsScenario {
        var scenario = AnalyticsScenario(seed: seed, days: raises[0]...raises[3].advanced(by: 8))
        scenario.steps = zip(raises, [1, 10, 50, 100]).map { Step(from: $0.advanced(by: 1), percent: $1) }
        (scenario.pool, scenario.activePerDay) = (6000, 600)
        (scenario.failing, scenario.stumbling) = (0.003, 0.02)
        (scenario.tokensPerDay, scenario.foreignPerDay, scenario.hasOtherEvents) = (1..<2, 0, false)
        return scenario
    }
}
