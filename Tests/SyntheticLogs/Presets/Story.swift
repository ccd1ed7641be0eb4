import Verifications

/// What happens to functions, day by day.
///
/// ```swift
/// let story = Story(seed: 1, days: 28)
/// story.function("scanReceipt", perDay: 40) { day in [Requests(day < 14 ? 8 : 2, app: .missing, auth: .valid)] }
/// ```
struct Story {
    let seed: UInt64
    /// The number of days; the last one is that of all corpora and samples.
    let days: Int

    var firstDay: Day {
        Scenario.lastCorpusDay.advanced(by: 1 - days)
    }

    /// A function with `perDay` requests of signed-in users with valid tokens, and `others`.
    ///
    /// The number varies by an eighth from day to day and is a third lower on weekends. Outside the `active` days
    /// (from 0) nobody calls at all.
    func function(
        _ name: String, region: String = "us-central1", generation: Generation = .second, sdk: SDK = .version4,
        labels: LabelSet = .functionsHash, enforcedSince: Int? = nil, refusesSignedOut: Bool = false, perDay: Int,
        active: Range<Int>? = nil, others: (_ day: Int) -> [Requests] = { _ in [] }
    ) -> FunctionProfile {
        var random = SeededRandom(seed: seed, name: name)
        let requests = (0..<days).map { day -> [Requests] in
            let isWeekend = firstDay.advanced(by: day).weekday >= 5
            let usual = isWeekend ? perDay * 2 / 3 : perDay
            let valid = usual - usual / 8 + random.below(usual / 4 + 1)
            guard (active ?? 0..<days).contains(day) else { return [] }
            return [Requests(valid, app: .valid, auth: .valid)] + others(day)
        }
        var profile = FunctionProfile(
            region: region, name: name, generation: generation, sdk: sdk, labels: labels,
            enforcedSince: enforcedSince.map { firstDay.advanced(by: $0) }, days: requests)
        profile.refusesSignedOut = refusesSignedOut
        return profile
    }

    func scenario(_ functions: [FunctionProfile], recordsPerVerification: Double = 1) -> Scenario {
        var scenario = Scenario(seed: seed, firstDay: firstDay, functions: functions)
        scenario.recordsPerVerification = recordsPerVerification
        return scenario
    }
}
