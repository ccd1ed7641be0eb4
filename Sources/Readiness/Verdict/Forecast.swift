import Verifications

/// When the rule will say `enforce`, found by running the rule itself over days to come.
struct Forecast {
    /// How many days ahead are tried.
    private static let reach = 60

    private let now: Rule
    private let today: Day
    /// For how many nights the rule is safe already.
    private let safeNights: Int
    /// Requests of a day to come.
    private let requests: Double

    /// The answer for today's result.
    static func outlook(of result: RuleResult) -> Outlook {
        guard let today = result.rule.asOf?.day, isAsked(result) else { return .notAsked }
        let forecast = Forecast(result, today: today)
        guard forecast.requests > 0 else { return .noRequests }
        if let rate = forecast.steadyRate, let day = forecast.firstConfirmedDay(rate: { _ in rate }) {
            return .date(day, .steady)
        }
        if let rate = forecast.fallingRate, let day = forecast.firstConfirmedDay(rate: rate) {
            return .date(day, .trend)
        }
        return .notFalling
    }

    private init(_ result: RuleResult, today: Day) {
        now = result.rule
        self.today = today
        safeNights = result.safeNights
        requests = Forecast.lastDays(7, of: result.rule, upTo: today).reduce(0) { $0 + $1.admitted } / 7
    }

    /// True for `wait` and `investigate`, and for `insufficient` unless silence is the cause.
    private static func isAsked(_ result: RuleResult) -> Bool {
        switch result.verdict {
        case .wait, .investigate: true
        case .insufficient:
            !result.findings.contains { $0.kind == .silence }
        case .enforce, .blind, .exempt, .enforced, .superseded: false
        }
    }

    /// The last days up to T's, cut at the policy's `since`; none in front when T's day is less than half over.
    private static func lastDays(_ count: Int, of rule: Rule, upTo today: Day) -> ArraySlice<DayEvidence> {
        let first = today.advanced(by: 1 - count)
        return rule.days.within(Window(from: max(first, rule.policy.since ?? first), to: today))
    }

    /// The blocked rate of T's day and the two before; nil without an admitted request.
    private var steadyRate: Double? {
        let days = Forecast.lastDays(3, of: now, upTo: today)
        let admitted = days.reduce(0) { $0 + $1.admitted }
        return admitted > 0 ? days.reduce(0) { $0 + $1.blocked } / admitted : nil
    }

    /// The higher of the rates fitted to window(7) and window(14); nil unless both fall significantly.
    private var fallingRate: ((Day) -> Double)? {
        guard let asOf = now.asOf else { return nil }
        let critical = -NormalDistribution.quantile(now.numbers.confidence)
        let trends = [7, 14].compactMap { length -> LogisticTrend? in
            let window = Window(length: length, asOf: asOf, since: now.policy.since)
            let days = now.days.within(window).map {
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

    /// The first day at whose end the rule has been safe for as many nights as are required.
    private func firstConfirmedDay(rate: (Day) -> Double) -> Day? {
        var days = now.input.days.filter { $0.day <= today }
        var nights = safeNights
        for step in 1...Forecast.reach {
            let day = today.advanced(by: step)
            days.append(DayEvidence(day: day, requests: requests, blockedRate: rate(day)))
            let isSafe = Rule(now.input, asOf: Instant(endOf: day), now: now, forecast: days).isSafe
            nights = isSafe ? nights + 1 : 0
            if nights >= now.numbers.confirm { return day }
        }
        return nil
    }
}
