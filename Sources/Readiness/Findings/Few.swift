import Verifications

/// The upper bound of refused requests a week: for functions so quiet that a share says nothing for months.
struct WeeklyBound {
    /// Nobody is offered to have more refused.
    static let mostOffered = 3

    /// For a window, k = 7·φ·λ / observed days, with λ the upper bound of a Poisson distribution's mean at b/φ events;
    /// nil without an observed day.
    static func upper(_ period: Period, observedDays: Double) -> Double? {
        guard observedDays > 0 else { return nil }
        let events = period.blockedRequests / period.dispersion
        return 7 * period.dispersion * PoissonBound.upper(events: events, confidence: period.confidence) / observedDays
    }
}

extension Evaluation {
    /// k, if the policy accepts that many refused requests a week and the window has no more; nil if it does not,
    /// and if the share decides alone.
    ///
    /// A week of refusals must not drown in a quiet month, so the last W days are looked at by themselves.
    static func fewPerWeek(
        _ history: FunctionHistory, _ period: Period, _ traffic: ArraySlice<DaySum>, days: ArraySlice<DaySum>,
        _ window: Window?, recent: Window?, asOf: Instant?
    ) -> Double? {
        func observed(_ window: Window?) -> Double { observedDays(of: window, traffic, asOf: asOf) }
        guard let most = history.policy.numbers.maxPerWeek, 2 * period.blockedRequests < period.requests,
            let bound = WeeklyBound.upper(period, observedDays: observed(window)), bound <= most
        else { return nil }
        let newest = days.within(recent)
        let (admitted, blocked) = newest.reduce((0.0, 0.0)) { ($0.0 + $1.requests, $0.1 + $1.blocked) }
        guard blocked > 0 else { return bound }
        let perWeek = 7 * blocked / observed(recent)
        return 2 * blocked < admitted && perWeek <= most ? bound : nil
    }
}
