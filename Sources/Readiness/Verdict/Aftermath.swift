package import Verifications

/// What happened since enforcement was switched on, beside what the rule had expected the day before.
package struct Aftermath: Hashable, Sendable {
    package enum Answer: String, Sendable { case asPredicted, more, fewer }

    /// The day of the switch; nil where all rows of the log are of later days.
    package let since: Day?
    package let source: Enforced.Source
    /// Admitted requests of the days after it, up to as-of.
    package let requests: Int
    package let refused: Int
    package let refusedSignedIn: Int
    /// Of signed-in requests, at most this share is refused on the days that decide about a lock-out.
    package let refusedSignedInUpper: Double
    /// By the calendar days after the switch.
    package let refusedPerDay: Double
    /// As of the day before the switch; nil where nothing was known then.
    package let predictedPerDay: Double?
    package let predictedPerDayUpper: Double?
    /// The same as shares of the requests.
    package let predictedRate: Double?
    package let predictedRateUpper: Double?
    /// Nil where the day is not known, or where too few requests came before or after it.
    package let answer: Answer?

    /// Fewer requests on either side show nothing.
    private static let fewestRequests = 30.0

    /// Nil for a function that is not enforced, and before the first whole day after the switch.
    init?(_ rule: Rule) {
        guard let enforced = rule.enforced, let today = rule.asOf?.day, let first = rule.project?.firstDay,
            let window = Window(from: first, to: today).flatMap(enforced.days)
        else { return nil }
        let after = Period(rule.days.within(window), confidence: rule.numbers.confidence)
        since = enforced.since
        source = enforced.source
        requests = Int(after.admitted)
        refused = Int(after.blocked)
        refusedSignedIn = rule.input.signedInDays[...].within(window).reduce(0) { $0 + Int($1.blocked) }
        refusedSignedInUpper = rule.signedInSinceEnforced?.upper ?? 1
        refusedPerDay = after.blocked / Double(window.dayCount)
        let before = enforced.since.map { Rule(rule.input, asOf: Instant(endOf: $0.advanced(by: -1)), now: rule) }
        guard let before, before.period.admitted > 0 else {
            (predictedPerDay, predictedPerDayUpper, predictedRate, predictedRateUpper) = (nil, nil, nil, nil)
            answer = nil
            return
        }
        let counts = WindowCounts(before)
        predictedPerDay = counts.blockedPerDay
        predictedPerDayUpper = counts.blockedPerDayUpper
        (predictedRate, predictedRateUpper) = (counts.blockedRate, counts.blockedRateUpper)
        answer = Aftermath.answer(before: before.period, after: after)
    }

    private static func answer(before: Period, after: Period) -> Answer? {
        guard min(before.admitted, after.admitted) >= fewestRequests else { return nil }
        let isAnother = Proportions.differ(
            before.blocked, of: before.admitted, from: after.blocked, of: after.admitted,
            dispersion: max(before.dispersion, after.dispersion))
        guard isAnother else { return .asPredicted }
        return after.blocked * before.admitted > before.blocked * after.admitted ? .more : .fewer
    }
}
