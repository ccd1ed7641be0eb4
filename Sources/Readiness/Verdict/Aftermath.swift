package import Verifications

/// What happened since enforcement was switched on, next to what the rule had expected the day before.
package struct Aftermath: Hashable, Sendable {
    package enum Comparison: String, Sendable { case asPredicted, more, fewer }

    /// Requests, and those of them that were refused.
    package struct Count: Hashable, Sendable {
        package let requests: Int
        package let refused: Int
    }

    /// The switch.
    package let since: Instant
    package let source: Enforcement.Source
    /// Admitted requests since then, up to as-of.
    package let all: Count
    package let signedIn: Count
    /// At most this share of signed-in requests is refused in the days that decide about a lock-out.
    package let refusedSignedInUpper: Double
    /// In the last hour, signed in or not; nil where it is not known apart from its day, or not over.
    package let lastHour: Count?
    /// From the switch, or from the beginning of the log, to as-of.
    package let elapsedDays: Double
    /// By the days since the switch, at least one.
    package let refusedPerDay: Double
    /// As of the day before the switch; nil where nothing was known then.
    package let predictedPerDay: Double?
    package let predictedPerDayUpper: Double?
    /// The same as shares of the requests.
    package let predictedRate: Double?
    package let predictedRateUpper: Double?
    /// Nil where too few requests came before or after it.
    package let answer: Comparison?
    /// Who sent the requests since then, as far as rows show it.
    package let callers: AdmittedCallers

    /// Fewer requests on either side show nothing.
    private static let fewestRequests = 30.0

    /// Nil for a function that is not enforced, and before the switch.
    init?(_ evaluation: Evaluation) {
        guard let enforcement = evaluation.enforcement, let start = enforcement.start, let asOf = evaluation.asOf,
            start <= asOf,
            let first = evaluation.project?.firstDay, let window = Window(from: first, to: asOf.day)
        else { return nil }
        func count(_ admission: Admission) -> Period {
            let days = evaluation.history.enforcementHistory.days(
                from: start, of: enforcement.slot, in: window, admission, leavingOut: evaluation.numbers.ignoredClients)
            return Period(days[...], confidence: evaluation.numbers.confidence)
        }
        let (after, signedIn) = (count(evaluation.history.admission), count(.signedIn))
        since = start
        source = enforcement.policy == nil ? .log : .policy
        all = Count(requests: Int(after.admitted), refused: Int(after.blocked))
        self.signedIn = Count(requests: Int(signedIn.admitted), refused: Int(signedIn.blocked))
        refusedSignedInUpper = evaluation.signedInSinceSwitch?.upper ?? 1
        let isOlder = start <= asOf.adding(seconds: -3600)
        lastHour =
            !isOlder
            ? nil
            : evaluation.history.enforcementHistory.lastHour(before: asOf).map { counts, _ in
                Count(
                    requests: counts.admitted(evaluation.history.admission),
                    refused: counts.blocked(evaluation.history.admission))
            }
        let elapsed = Double(asOf.seconds - max(start, Instant(day: first, nanosecondOfDay: 0)).seconds)
        elapsedDays = elapsed / Double(Instant.secondsPerDay)
        refusedPerDay = after.blocked / max(1, elapsedDays)
        callers = evaluation.history.enforcementHistory.sum(from: start, of: enforcement.slot, through: asOf.day)
            .callers
            .admitted(evaluation.history.admission)
        let before = Evaluation(evaluation.history, asOf: Instant(endOf: start.day.advanced(by: -1)), now: evaluation)
        guard before.period.admitted > 0 else {
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

    private static func answer(before: Period, after: Period) -> Comparison? {
        guard min(before.admitted, after.admitted) >= fewestRequests else { return nil }
        let isAnother = Proportions.differ(
            before.blocked, of: before.admitted, from: after.blocked, of: after.admitted,
            dispersion: max(before.dispersion, after.dispersion))
        guard isAnother else { return .asPredicted }
        return after.blocked * before.admitted > before.blocked * after.admitted ? .more : .fewer
    }
}
