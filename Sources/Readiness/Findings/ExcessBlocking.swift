import Verifications

extension Finding.Code {
    /// The lower bound of the blocked rate exceeds the maximum.
    package static let tooManyBlocked = Finding.Code("too-many-blocked", .against)
    /// At least half of the blocked requests had their App Check token refused.
    package static let mostlyInvalid = Finding.Code("mostly-invalid", .against)
    /// Advice: blocked requests come back each day in these hours of the day (``Finding/counts``) and in no others.
    package static let sameHours = Finding.Code("same-hours")

    static let excess: Set<Finding.Code> = [.tooManyBlocked, .mostlyInvalid, .failingNow]
}

/// Enforcement would refuse too many requests of a whole period.
enum ExcessBlocking {
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
