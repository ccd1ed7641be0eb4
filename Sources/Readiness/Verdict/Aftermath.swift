package import Verifications

/// Requests and refusals since enforcement was switched on, next to what the rule had expected the day before.
package struct Aftermath: Hashable, Sendable {
    package enum Comparison: String, Codable, Sendable { case asPredicted, more, fewer }

    package typealias Count = Lockout.Count

    /// The switch.
    package let since: Instant
    package let source: Enforcement.Source
    /// Admitted requests since then, of the last days, those of the shortest window.
    package let all: Count
    package let signedIn: Count
    /// Those who are asked about a lock-out: signed-in requests, or all where hardly anybody is signed in.
    package let asked: Count
    package let asksSignedIn: Bool
    /// At most this share of them is refused.
    package let askedUpper: Double
    /// Denied requests to a service, of unknown origin, that are not among them.
    package let unknownOrigin: Int
    /// In the last hour, signed in or not; nil where enforcement is not on for as long.
    package let lastHour: Count?
    /// From the switch, or from the beginning of these days, to as-of.
    package let elapsedDays: Double
    /// The days that were looked at, where enforcement has been on for longer.
    package let lastDays: Int?
    /// By these days, at least one.
    package let refusedPerDay: Double
    /// The same of the last day alone: as-of's, and the one before as long as that is less than half over.
    package let refusedLastDay: Double
    /// As of the day before the switch; nil where nothing was known then.
    package let predictedPerDay: Double?
    package let predictedPerDayUpper: Double?
    /// The same as shares of the requests.
    let predictedRate: Double?
    let predictedRateUpper: Double?
    /// Nil where too few are expected to tell, and where people are locked out.
    package let answer: Comparison?
    /// The callers since then, as far as rows show them.
    package let callers: Callers

    /// Nil for a function that is not enforced, and before the switch.
    init?(_ evaluation: Evaluation) {
        let (history, enforcement) = (evaluation.history.enforcementHistory, evaluation.history.enforcement)
        guard let start = enforcement.start, let asOf = evaluation.asOf, let firstDay = history.firstDay,
            let after = evaluation.afterSwitch
        else { return nil }
        let recent = after.recent
        func count(_ days: [DaySum]) -> Count {
            Count(
                requests: Int(days.reduce(0) { $0 + $1.requests }), refused: Int(days.reduce(0) { $0 + $1.blocked }))
        }
        all = count(after.days(in: recent))
        signedIn = count(after.days(in: recent, .signedIn))
        (since, source) = (start, enforcement.source ?? .log)
        let askedDays = after.days(in: recent, after.asked)
        (asked, asksSignedIn) = (count(askedDays), after.isSignedIn)
        askedUpper = DayCounts(askedDays).upper(evaluation.numbers.confidence)
        unknownOrigin = after.unknownOrigin.filter { !after.asked.admits(auth: $0.auth) }.requests
        lastHour =
            start <= asOf.adding(seconds: -3600) ? after.lastHour(after.counted.admission, until: asOf) : nil
        func elapsed(of window: Window) -> Double {
            let seconds = asOf.seconds - max(start, Instant(day: window.from, nanosecondOfDay: 0)).seconds
            return Double(seconds) / Double(Instant.secondsPerDay)
        }
        lastDays = start.day < recent.from ? evaluation.numbers.window : nil
        elapsedDays = elapsed(of: recent)
        refusedPerDay = Double(all.refused) / max(1, elapsedDays)
        let lastDay = Window(length: 1, asOf: asOf, since: firstDay) ?? recent
        let newest = count(after.days(in: lastDay))
        refusedLastDay = Double(newest.refused) / max(1, elapsed(of: lastDay))
        callers = Callers(after.cells(in: recent), of: history.table, blocked: history.isRefused)
        let before = Evaluation(evaluation.history, asOf: Instant(endOf: start.day.advanced(by: -1)), now: evaluation)
        // What lies before the stretch is of another log.
        guard firstDay < start.day, before.period.requests > 0 else {
            (predictedPerDay, predictedPerDayUpper, predictedRate, predictedRateUpper) = (nil, nil, nil, nil)
            answer = nil
            return
        }
        predictedPerDay = before.perDay(Double(before.period.blocked))
        predictedPerDayUpper = before.perDay(before.period.upper * before.period.requests)
        (predictedRate, predictedRateUpper) = (before.period.blockedRate, before.period.upper)
        // Persons are compared, where addresses show them.
        let persons = evaluation.persons(after, isSignedIn: false).map { DayCounts($0.days(in: recent.days)) }
        let found = before.persons.flatMap { expected in persons?.compared(with: DayCounts(expected)) ?? nil }
        answer = evaluation.lockout != nil && found == .asPredicted ? nil : found
    }
}

/// The versions of an app that enforcement lets through.
package struct WorkingVersions: Hashable, Sendable {
    package let app: String
    /// The oldest of them.
    package let from: String
    package let requests: Int
}

extension Callers {
    /// The newest versions of apps, of which none is refused, where older ones are; only Apple's name them.
    package var working: [WorkingVersions] {
        let named = clients.keys.filter { $0.version?.version.isEmpty == false }
        return named.releases.compactMap { app, versions in
            let newest = versions.reversed().prefix { $0.clients.allSatisfy { clients[$0]?.blocked == 0 } }
            let requests = newest.flatMap(\.clients).reduce(0) { $0 + (clients[$1]?.admitted ?? 0) }
            guard newest.count < versions.count, requests >= WindowClients.minimumBlocked, let oldest = newest.last
            else {
                return nil
            }
            return WorkingVersions(app: app, from: oldest.version, requests: requests)
        }
    }
}

/// The requests of some days, and what can be said of their rate.
struct DayCounts {
    let requests: Double
    let blocked: Double
    let dispersion: Double

    init(_ days: some Collection<some DailyCount>) {
        requests = days.reduce(0) { $0 + $1.requests }
        blocked = days.reduce(0) { $0 + $1.blocked }
        dispersion = Dispersion.ofDays(days)
    }

    func upper(_ confidence: Double) -> Double {
        ClopperPearson.upper(
            blocked: blocked / dispersion, requests: requests / dispersion, confidence: confidence)
    }

    func lower(_ confidence: Double) -> Double {
        ClopperPearson.lower(
            blocked: blocked / dispersion, requests: requests / dispersion, confidence: confidence)
    }

    /// Compares the refusals with the prediction; nil if fewer than three would be refused.
    fileprivate func compared(with before: DayCounts) -> Aftermath.Comparison? {
        guard requests > 0, before.requests > 0, requests * before.blocked / before.requests >= 3 else { return nil }
        let isAnother = Proportions.differ(
            before.blocked, of: before.requests, from: blocked, of: requests,
            dispersion: max(before.dispersion, dispersion))
        guard isAnother else { return .asPredicted }
        return blocked * before.requests > before.blocked * requests ? .more : .fewer
    }
}
