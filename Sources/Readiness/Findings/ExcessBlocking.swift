package import Verifications

extension Finding.Code {
    /// The lower bound of the blocked rate exceeds the maximum.
    package static let tooManyBlocked = Finding.Code("too-many-blocked", .against)
    /// At least half of the blocked requests had their App Check token refused.
    package static let mostlyInvalid = Finding.Code("mostly-invalid", .against)
    /// Advice: no blocked request in the last active days, from the given one on.
    package static let cleanSince = Finding.Code("clean-since")
    /// Advice: too many requests were blocked on single days of the last four weeks, the newest first.
    package static let badDay = Finding.Code(
        "bad-day", .advice, .caution, [.shared, .inAnswers, .ofReadiness, .countedOnly])

    /// Advice: blocked requests come back each day in these hours of the day (``Finding/counts``) and in no others.
    package static let sameHours = Finding.Code("same-hours")

    static let excess: Set<Finding.Code> = [.tooManyBlocked, .mostlyInvalid, .cleanSince, .badDay]
}

/// A single day on which too many requests were blocked.
package struct BadDay: Hashable, Sendable {
    package let day: Day
    /// Lower bound of the day's blocked rate.
    package let lower: Double
    package let blocked: Int
    package let admitted: Int
    /// Different hours with a blocked request, 1 to 24.
    package let hours: Int

    /// True where the blocked requests may be those of a batch job, or of one client's loop.
    package var isBurst: Bool { hours < BadDay.fewestHours }

    static let fewestHours = 3
    /// A burst of fewer blocked requests is not worth a word.
    fileprivate static let fewestOfBurst = 10.0
}

/// Enforcement would refuse too many requests of a whole period, or advice about single days.
enum ExcessBlocking {
    /// `clean-since` needs this many active days without a blocked request.
    private static let cleanDays = 2

    /// Looks at the window, and only if nothing is found there at the last W days alone.
    static func find(_ evaluation: Evaluation) -> [Finding] {
        guard evaluation.few == nil else { return [] }
        let limit = evaluation.numbers.maxBlocked
        let inWindow = find(in: evaluation.period, above: limit)
        guard inWindow.isEmpty, evaluation.window != evaluation.recentWindow else { return inWindow }
        let recent = Period(evaluation.days, in: evaluation.recentWindow, confidence: evaluation.numbers.confidence)
        return find(in: recent, above: limit)
    }

    private static func find(in period: Period, above rate: Double) -> [Finding] {
        guard let window = period.window, period.lowerExceeds(rate) else { return [] }
        let (blocked, tokenRefused) = (period.blocked, period.tokenRefused)
        let excess = Finding(
            code: .tooManyBlocked, value: period.lower, limit: rate, count: blocked, total: period.admitted,
            window: window)
        guard 2 * tokenRefused >= period.blocked else { return [excess] }
        let share = Double(tokenRefused) / Double(blocked)
        return [
            excess,
            Finding(code: .mostlyInvalid, value: share, limit: 0.5, count: tokenRefused, total: blocked),
        ]
    }

    static func findCleanDays(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        guard result.verdict == .wait || result.verdict == .investigate else { return nil }
        let streak = result.evaluation.period.cleanDays
        guard streak.count >= cleanDays, let first = streak.first else { return nil }
        return Finding(code: .cleanSince, value: Double(streak.count), days: [first.day])
    }

    /// Bad days; of a function that is not safe anyway, only where its other days would be.
    static func findBadDays(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        let (evaluation, limit) = (result.evaluation, result.evaluation.numbers.maxBlocked)
        let bad = evaluation.badDays
        guard !bad.isEmpty else { return nil }
        if result.verdict == .wait || result.verdict == .investigate {
            let dates = Set(bad.map(\.day))
            guard !Period(evaluation.lastMonth, without: dates.contains).upperExceeds(limit) else { return nil }
        }
        return Finding(code: .badDay, value: bad.map(\.lower).max(), limit: limit, badDays: bad)
    }
}

extension Evaluation {
    /// The last 28 days.
    fileprivate var lastMonth: Period {
        Period(
            days, in: asOf.flatMap { Window(length: 28, asOf: $0, since: policy.since) },
            confidence: numbers.confidence)
    }

    /// The bad days of the last 28, newest first.
    ///
    /// Each is tested alone (φ = 1) at confidence 1 − (1 − γ)/D: by Bonferroni's inequality all D tests together then
    /// err with probability 1 − γ at most.
    func findBadDays() -> [BadDay] {
        let (month, limit) = (lastMonth.days, numbers.maxBlocked)
        let activeDays = month.count
        return month.reversed().compactMap { day in
            let hours = day.blockedHours.nonzeroBitCount
            guard hours >= BadDay.fewestHours || day.blocked >= BadDay.fewestOfBurst,
                day.blocked > limit * day.requests
            else { return nil }
            let lower = ClopperPearson.lower(
                blocked: day.blocked, requests: day.requests,
                confidence: 1 - (1 - numbers.confidence) / Double(activeDays))
            guard lower > limit else { return nil }
            return BadDay(
                day: day.day, lower: lower, blocked: Int(day.blocked), admitted: Int(day.requests), hours: hours)
        }
    }
}

/// Requests that are refused at the same hours each day, and in no others: a daily quota that ends, or a job.
enum SameHours {
    private static let (daysLooked, fewestDays, mostHours, mostRuns, fewestQuiet) = (14, 5, 12, 2, 4)

    static func find(_ function: FunctionSummary) -> [Finding] {
        let days = function.chartDays.suffix(daysLooked).filter { $0.blockedHours > 0 }
        guard days.count >= fewestDays else { return [] }
        func often(_ hour: Int) -> Int { days.count { $0.blockedHours >> UInt32(hour) & 1 == 1 } }
        let usual = (0..<24).filter { 2 * often($0) >= days.count }
        let (inUsual, inAll) = (usual.reduce(0) { $0 + often($1) }, (0..<24).reduce(0) { $0 + often($1) })
        let runs = usual.count { !usual.contains(($0 + 23) % 24) }
        guard !usual.isEmpty, usual.count <= mostHours, runs <= mostRuns, 10 * inUsual >= 9 * inAll else { return [] }
        // Where nobody calls at other hours, the hours say nothing.
        let busy = days.count { day in
            let hours = [day.first, day.last].map { Int($0 / 3_600_000_000_000) }
            return (hours[0]...hours[1]).count { !usual.contains($0) } >= fewestQuiet
        }
        return 2 * busy < days.count
            ? [] : [Finding(code: .sameHours, value: Double(days.count), counts: usual)]
    }
}
