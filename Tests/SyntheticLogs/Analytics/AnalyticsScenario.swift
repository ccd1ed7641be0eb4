package import Verifications

/// Rows of a Google Analytics export of an iOS app that rolls App Attest out, with known truth.
///
/// A percentile that each user keeps decides who uses App Attest, as in Remote Config: users who have it at 10% have it
/// at 50%.
package struct AnalyticsScenario: Sendable {
    /// A percentage, and the day from which it holds.
    package struct Step: Sendable {
        package let from: Day
        package let percent: Int

        package init(from: Day, percent: Int) {
            self.from = from
            self.percent = percent
        }
    }

    package var seed: UInt64
    package var days: ClosedRange<Day>
    /// People who have the iOS app.
    package var pool = 3000
    /// How many of them use it on a day.
    package var activePerDay = 250
    /// The share of them who use App Attest, in per cent, and how it is raised; ascending.
    package var steps: [Step]
    /// The share of those whose attestation always fails.
    package var failing = 0.006
    /// The share of those who fail once before they succeed.
    package var stumbling = 0.02
    /// The share of those who have switched analytics off.
    package var silent = 0.03
    /// The share of events of people who did not consent, which have no user.
    package var withoutUser = 0.001
    /// How many tokens somebody fetches in a day.
    package var tokensPerDay = 1..<4
    /// Events of an Android app, each day.
    package var foreignPerDay = 20
    /// Whether there are other events than those of App Attest.
    package var hasOtherEvents = true

    /// - Parameters:
    ///   - seed: The seed of everything random.
    ///   - days: The days with rows.
    ///   - percent: The percentage on all of them.
    package init(seed: UInt64, days: ClosedRange<Day>, percent: Int = 25) {
        self.seed = seed
        self.days = days
        steps = [Step(from: days.lowerBound, percent: percent)]
    }

    /// The percentage that holds on a day; 0 before the first step.
    package func percent(on day: Day) -> Int { steps.last { $0.from <= day }?.percent ?? 0 }

    /// The rows, in the order of their time.
    package func rows() -> [AnalyticsRow] {
        var random = SeededRandom(seed: seed, name: "analytics")
        let users = (0..<pool).map { _ in User(of: self, &random) }
        var rows: [AnalyticsRow] = []
        for day in days {
            let first = rows.count
            for _ in 0..<activePerDay { append(random.pick(users), on: day, &random, to: &rows) }
            for _ in 0..<foreignPerDay {
                let user = User(of: self, &random)
                rows.append(user.row("session_start", on: day, platform: "ANDROID", &random))
            }
            rows[first...].sort { $0.microsecond < $1.microsecond }
        }
        return rows
    }

    private func append(_ user: User, on day: Day, _ random: inout SeededRandom, to rows: inout [AnalyticsRow]) {
        if hasOtherEvents { rows.append(user.row("session_start", on: day, &random)) }
        guard user.percentile < percent(on: day), !user.isSilent, user.system.major >= 14 else { return }
        if user.stumbles, random.chance(0.3) { rows.append(user.row("AppAttestFailure", on: day, &random)) }
        let name = user.fails ? "AppAttestFailure" : "AppAttestSuccess"
        for _ in 0..<random.within(tokensPerDay) {
            var row = user.row(name, on: day, &random)
            if random.chance(withoutUser) { row.user = nil }
            rows.append(row)
        }
    }

    /// Somebody who has the app.
    private struct User {
        let id: String
        let version: String
        let system: (major: Int, minor: Int)
        /// 0 to 99: who is below the percentage has App Attest.
        let percentile: Int
        let isSilent: Bool
        let fails: Bool
        let stumbles: Bool

        init(of scenario: AnalyticsScenario, _ random: inout SeededRandom) {
            id = [random.next(), random.next()].map { word in
                let digits = String(word, radix: 16).uppercased()
                return String(repeating: "0", count: 16 - digits.utf8.count) + digits
            }.joined()
            version = random.pick(["1.3", "1.4", "1.4", "1.4"])
            system = (random.chance(0.015) ? 13 : random.pick([16, 17, 17, 18, 18, 18, 18, 18]), random.below(6))
            percentile = random.below(100)
            isSilent = percentile < (scenario.steps.last?.percent ?? 0) && random.chance(scenario.silent)
            fails = random.chance(scenario.failing)
            stumbles = random.chance(scenario.stumbling)
        }

        func row(
            _ name: String, on day: Day, platform: String = "IOS", _ random: inout SeededRandom
        ) -> AnalyticsRow {
            let microsecond = Int(day.number) * 86_400_000_000 + random.below(86_400_000_000)
            return AnalyticsRow(
                name: name, day: day, microsecond: microsecond, user: id, platform: platform, app: "com.example.app",
                version: version, system: system.major, systemText: "\(system.major).\(system.minor)")
        }
    }
}
