package import Verifications

/// Callable requests of one kind that reach a function on one day.
///
/// ```swift
/// Requests(4000, app: .valid, auth: .valid)                    // all day long, most of them in the afternoon
/// Requests(60, app: .invalid, auth: .valid, hours: 14..<15)    // a burst of one hour
/// ```
package struct Requests: Hashable, Sendable {
    package var count: Int
    /// What the SDK finds out about the App Check token and the Auth token.
    package var app: TokenStatus
    package var auth: TokenStatus
    /// UTC hours in which they arrive, within 0..<24.
    package var hours: Range<Int>
    /// Who sends them; nil for whoever plausibly does.
    package var client: Client?

    package init(
        _ count: Int, app: TokenStatus, auth: TokenStatus, hours: Range<Int> = 0..<24, client: Client? = nil
    ) {
        self.count = count
        self.app = app
        self.auth = auth
        self.hours = hours
        self.client = client
    }

    /// Spreads the requests over their hours, by chance, as people are awake.
    func countsByHour(using random: inout SeededRandom) -> [24 of Int] {
        var counts = [24 of Int](repeating: 0)
        let weights = Requests.rhythm[hours]
        let sum = weights.reduce(0, +)
        for _ in 0..<count {
            var draw = random.below(sum)
            var hour = hours.lowerBound
            while draw >= Requests.rhythm[hour] {
                draw -= Requests.rhythm[hour]
                hour += 1
            }
            counts[hour] += 1
        }
        return counts
    }

    /// Relative traffic of the hours of a day: a low before dawn, two peaks, never silent.
    private static let rhythm = [
        18, 12, 9, 7, 7, 10, 18, 30, 44, 52, 55, 58,
        62, 58, 55, 54, 56, 60, 66, 70, 68, 58, 42, 28,
    ]
}
