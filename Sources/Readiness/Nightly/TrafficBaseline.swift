import Platform
import Verifications

/// How often a function is called, and whether its silence is longer than that explains.
///
/// The rule's `stale` waits for more than three days, as a verdict must not hang on one quiet day. Of a busy function a
/// reader wants to know on the first morning.
struct TrafficBaseline {
    /// The last day with a verification up to the as-of day.
    let last: Day
    /// Verifications a day, on average of the days up to ``last``.
    let perDay: Double
    /// Days of silence since, those on which the project was seen; as-of's own day counts as far as it has passed.
    let silentDays: Double
    /// Bursts a day: ``perDay`` divided by how much the days differ.
    private let burstsPerDay: Double

    /// The baseline is taken from at most so many days, and from no fewer than so many.
    private static let memory = 28
    private static let fewest = 7
    /// Longer silence is as good as this one.
    private static let longestSilence = 400

    /// Nil without a verification up to the as-of day.
    init?(_ function: FunctionTally, project: ProjectCoverage, asOf: Instant) {
        let days = function.days.filter { $0.day <= asOf.day }
        guard let first = days.first?.day, let last = days.last?.day else { return nil }
        self.last = last
        let start = max(first, last.advanced(by: 1 - TrafficBaseline.memory))
        let counts = Dictionary(uniqueKeysWithValues: days.map { ($0.day, Double($0.counts.total)) })
        let series = (start...last).filter { project.isCovered($0) }.map { counts[$0] ?? 0 }
        let mean = series.reduce(0, +) / Double(max(1, series.count))
        perDay = mean
        let squares = series.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let dispersion = max(1, squares / Double(max(1, series.count - 1)) / max(mean, .leastNormalMagnitude))
        burstsPerDay = series.count < TrafficBaseline.fewest ? 0 : mean / dispersion
        let silence = (1...TrafficBaseline.longestSilence + 1).lazy.map { last.advanced(by: $0) }
        silentDays = silence.prefix { $0 <= asOf.day }.filter { project.isCovered($0) }
            .reduce(0) { $0 + ($1 < asOf.day ? 1 : Double(asOf.nanosecondOfDay) / 86_400e9) }
    }

    /// True when so long a silence would come by chance less than once in a thousand times of all functions together.
    ///
    /// Verifications come in bursts of φ, the variance of the daily counts over their mean; bursts that are a Poisson
    /// process with a mean of λ in that time stay away altogether with probability e⁻λ. So λ must exceed 7, as for a
    /// stream of failures, plus ln m when m functions are compared (Bonferroni).
    func isBroken(among functions: Int) -> Bool {
        silentDays * burstsPerDay > FailureStream.expectedFailures + log(Double(max(1, functions)))
    }
}
