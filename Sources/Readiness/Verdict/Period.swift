package import Verifications

/// The admitted and the blocked requests of a run of days, and what can be said of their rate.
package struct Period: Hashable, Sendable {
    /// The days that were judged; nil when nothing is dated, or when the policy's `since` is after the as-of day.
    package let window: Window?
    /// Days with an admitted request, ascending.
    let days: ArraySlice<DaySum>
    /// n.
    let requests: Double
    /// b.
    let blockedRequests: Double
    /// φ: by how much the daily rates differ more than chance would have them, at least 1.
    package let dispersion: Double
    /// γ.
    let confidence: Double

    init(_ days: ArraySlice<DaySum>, in window: Window?, confidence: Double) {
        (self.days, self.window, self.confidence) = (days.within(window), window, confidence)
        requests = self.days.reduce(0) { $0 + $1.requests }
        blockedRequests = self.days.reduce(0) { $0 + $1.blocked }
        dispersion = Dispersion.ofDays(self.days)
    }

    /// The same without some days.
    init(_ period: Period, without isLeftOut: (Day) -> Bool) {
        self.init(
            period.days.filter { !isLeftOut($0.day) }[...], in: period.window, confidence: period.confidence)
    }

    /// Requests that reach the function's code.
    package var admitted: Int { Int(requests) }
    /// Admitted requests that enforcement would newly refuse.
    package var blocked: Int { Int(blockedRequests) }
    /// Blocked by admitted; nil without a request.
    package var blockedRate: Double? { admitted > 0 ? Double(blocked) / Double(admitted) : nil }

    /// Upper bound of the blocked rate on b/φ of n/φ, at the policy's confidence; 1 without a request.
    package var upper: Double { upper(adding: 0) }

    /// Upper bound if that many more requests had been admitted and blocked: (b + u)/φ of (n + u)/φ.
    func upper(adding more: Double) -> Double {
        ClopperPearson.upper(
            blocked: (blockedRequests + more) / dispersion, requests: (requests + more) / dispersion,
            confidence: confidence)
    }

    /// Lower bound of the blocked rate on b/φ of n/φ, at the policy's confidence; 0 without a request.
    package var lower: Double {
        ClopperPearson.lower(
            blocked: blockedRequests / dispersion, requests: requests / dispersion, confidence: confidence)
    }

    /// True if the upper bound exceeds a rate.
    ///
    /// The bounds lie on either side of the observed rate, so one comparison often spares the search for a quantile;
    /// the forecast asks this thousands of times.
    func upperExceeds(_ rate: Double) -> Bool {
        blockedRequests > rate * requests || upper > rate
    }

    func lowerExceeds(_ rate: Double) -> Bool {
        blockedRequests > rate * requests && lower > rate
    }

    private var statuses: StatusMatrix { days.reduce(into: StatusMatrix()) { $0.merge($1.statuses) } }

    /// Blocked requests whose App Check token was refused.
    package var tokenRefused: Int { statuses.total(app: .invalid) }
    /// Blocked requests without an App Check token, of callers with a valid Auth token.
    package var signedInNoToken: Int { statuses[.missing, .valid] }
    /// Blocked requests without any token.
    package var anonymousNoToken: Int { statuses[.missing, .missing] }
    var signedIn: Int { statuses.total(auth: .valid) }

    package var activeDays: Int { days.count }

    /// The newest blocked request.
    package var lastBlocked: Instant? {
        days.last { $0.blocked > 0 }.flatMap { day in
            day.lastBlocked.map { Instant(day: day.day, nanosecondOfDay: $0) }
        }
    }

    /// The active days after the last one with a blocked request; all active days when there is none.
    var cleanDays: ArraySlice<DaySum> {
        days[(days.lastIndex { $0.blocked > 0 }.map { $0 + 1 } ?? days.startIndex)...]
    }

    /// Active days after the day of ``lastBlocked``; all of them when nothing was blocked.
    package var cleanStreak: Int { cleanDays.count }
}
