import Verifications

/// When the rule will say `enforce`, found by running the rule itself over days to come.
enum Forecast {
    /// How many days ahead are tried.
    private static let reach = 60
    /// The last second of a day, at which each day to come is judged.
    private static let endOfDay: Int64 = 86_399_000_000_000

    /// The answer for today's ruling.
    static func outlook(of ruling: Ruling) -> Outlook {
        let rule = ruling.rule
        guard let horizon = rule.setting.horizon, isAsked(ruling) else { return .notAsked }
        let requests = lastDays(7, upTo: horizon, rule).reduce(0) { $0 + $1.admitted } / 7
        guard requests > 0 else { return .noRequests }
        if let rate = steadyRate(rule, horizon: horizon),
            let day = firstSafeDay(rule, horizon: horizon, requests: requests, rate: { _ in rate })
        {
            return .date(day, .steady)
        }
        if let rate = fallingRate(rule),
            let day = firstSafeDay(rule, horizon: horizon, requests: requests, rate: rate)
        {
            return .date(day, .trend)
        }
        return .notFalling
    }

    /// True for `wait` and `investigate`, and for `insufficient` unless silence is the cause.
    private static func isAsked(_ ruling: Ruling) -> Bool {
        switch ruling.verdict {
        case .wait, .investigate: true
        case .insufficient:
            !ruling.findings.contains {
                switch $0 {
                case .noTraffic, .stale, .exportOld: true
                default: false
                }
            }
        case .enforce, .blind, .exempt, .enforced, .superseded: false
        }
    }

    /// The last days up to T's, cut at the policy's `since`; none in front when T's day is less than half over.
    private static func lastDays(_ count: Int, upTo horizon: Day, _ rule: Rule) -> ArraySlice<DayEvidence> {
        let first = horizon.advanced(by: 1 - count)
        return rule.days.within(Window(from: max(first, rule.setting.policy.since ?? first), to: horizon))
    }

    /// The blocked rate of T's day and the two before; nil without an admitted request.
    private static func steadyRate(_ rule: Rule, horizon: Day) -> Double? {
        let days = lastDays(3, upTo: horizon, rule)
        let admitted = days.reduce(0) { $0 + $1.admitted }
        return admitted > 0 ? days.reduce(0) { $0 + $1.blocked } / admitted : nil
    }

    /// The higher of the rates fitted to window(7) and window(14); nil unless both fall significantly.
    private static func fallingRate(_ rule: Rule) -> ((Day) -> Double)? {
        guard let asOf = rule.asOf else { return nil }
        let critical = -NormalDistribution.quantile(rule.numbers.confidence)
        let trends = [7, 14].compactMap { length -> LogisticTrend? in
            let window = Window(length: length, asOf: asOf, since: rule.setting.policy.since)
            let days = rule.days.within(window).map {
                DayCount(day: Int($0.day.number), requests: $0.admitted, blocked: $0.blocked)
            }
            guard let trend = LogisticTrend.fit(days), trend.slope < 0, trend.slope / trend.slopeError < critical else {
                return nil
            }
            return trend
        }
        guard trends.count == 2 else { return nil }
        return { day in trends.reduce(0) { max($0, $1.rate(onDay: Int(day.number))) } }
    }

    private static func firstSafeDay(
        _ rule: Rule, horizon: Day, requests: Double, rate: (Day) -> Double
    ) -> Day? {
        var days = rule.days
        for step in 1...reach {
            let day = horizon.advanced(by: step)
            days.append(DayEvidence(day: day, requests: requests, blockedRate: rate(day)))
            let asOf = Instant(day: day, nanosecondOfDay: endOfDay)
            if Rule(asOf: asOf, days: days, setting: rule.setting).isSafe { return day }
        }
        return nil
    }
}
