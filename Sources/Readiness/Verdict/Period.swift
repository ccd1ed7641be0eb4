import Verifications

/// The admitted and the blocked requests of a run of days, and what can be said of their rate.
struct Period: Sendable {
    /// Days with at least one verification, ascending.
    let days: ArraySlice<FunctionDay>
    /// n.
    let admitted: Double
    /// b.
    let blocked: Double
    /// Days with an admitted request.
    let activeDays: Int
    /// φ.
    let dispersion: Double
    /// γ.
    let confidence: Double

    init(_ days: ArraySlice<FunctionDay>, confidence: Double) {
        self.days = days
        self.confidence = confidence
        admitted = days.reduce(0) { $0 + $1.admitted }
        blocked = days.reduce(0) { $0 + $1.blocked }
        activeDays = days.count(where: \.isActive)
        dispersion = Dispersion.ofDays(days)
    }

    /// Upper bound of the blocked rate on b/φ of n/φ.
    var upper: Double {
        upper(adding: 0)
    }

    /// Upper bound if that many more requests had been admitted and blocked: (b + u)/φ of (n + u)/φ.
    func upper(adding more: Double) -> Double {
        guard admitted + more > 0 else { return 1 }
        return ClopperPearson.upper(
            blocked: (blocked + more) / dispersion, requests: (admitted + more) / dispersion, confidence: confidence)
    }

    /// Lower bound of the blocked rate on b/φ of n/φ.
    var lower: Double {
        guard admitted > 0 else { return 0 }
        return ClopperPearson.lower(
            blocked: blocked / dispersion, requests: admitted / dispersion, confidence: confidence)
    }

    /// True if the upper bound exceeds a rate.
    ///
    /// The bounds lie on either side of the observed rate, so one comparison often spares the search for a quantile;
    /// the forecast asks this thousands of times.
    func upperExceeds(_ rate: Double) -> Bool {
        blocked > rate * admitted || upper > rate
    }

    func lowerExceeds(_ rate: Double) -> Bool {
        blocked > rate * admitted && lower > rate
    }

    /// INVALID among the blocked requests.
    var tokenRefused: Double {
        days.reduce(0) { $0 + $1.tokenRefused }
    }
}
