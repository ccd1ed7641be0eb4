/// How much more daily rates differ than independent requests would let them.
///
/// Requests come in bursts from the same clients, so n of them show no more than n/φ independent ones would. φ is
/// estimated by Pearson's statistic per degree of freedom (McCullagh and Nelder 1989, section 4.5).
enum Dispersion {
    /// φ of a period: max(1, min(b, X²/(D − 1))).
    ///
    /// X² = Σ (b_d − n_d·p̂)²/(n_d·p̂·(1 − p̂)) over the D days with requests, with p̂ = b/n their common rate; days
    /// without requests count for nothing. φ is 1 when nothing or everything was blocked, and below two such days. It
    /// never exceeds b, as b blocked requests come from at least one client: alone on a quiet day, a single one would
    /// else look like a great burst.
    static func ofDays(_ days: some Collection<some DailyCount>) -> Double {
        var (active, requests, blocked) = (0, 0.0, 0.0)
        for day in days where day.requests > 0 {
            active += 1
            requests += day.requests
            blocked += day.blocked
        }
        guard active >= 2, blocked > 0, blocked < requests else { return 1 }
        let rate = blocked / requests
        var statistic = 0.0
        for day in days where day.requests > 0 {
            let expected = day.requests * rate
            let residual = day.blocked - expected
            statistic += residual * residual / (expected * (1 - rate))
        }
        return max(1, min(blocked, statistic / Double(active - 1)))
    }
}

/// The counts of one day: a number of requests, and how many of them were blocked.
///
/// The counts are real, as a forecast fills days to come with fractions of requests; they are not negative, and
/// `blocked` is at most `requests`.
protocol DailyCount {
    var requests: Double { get }
    /// Requests that enforcement would newly refuse.
    var blocked: Double { get }
}

/// The requests of one day, and how many of them were blocked.
struct DayCount: DailyCount, Hashable, Sendable {
    /// The day, as the number of days since any fixed one.
    var day: Int
    var requests: Double
    var blocked: Double
}
