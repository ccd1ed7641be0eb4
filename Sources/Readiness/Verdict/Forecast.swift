import Verifications

/// When the rule will say `enforce`, found by running the rule itself over days to come.
struct Forecast {
    /// The number of days ahead that are tried.
    private static let reach = 60

    private let now: Evaluation
    private let today: Day
    /// For how many nights the rule is safe already; a night does not ask how old the function is.
    private let safeNights: Int
    /// Requests of a day to come.
    private let requests: Double

    /// The answer for today's result.
    static func outlook(of result: ConfirmedEvaluation) -> Outlook {
        guard let today = result.evaluation.asOf?.day, isAsked(result) else { return .notAsked }
        let forecast = Forecast(result, today: today)
        guard forecast.requests > 0 else { return .noRequests }
        if let rate = forecast.steadyRate, let day = forecast.firstConfirmedDay(rate: { _ in rate }) {
            return .date(day, .steady)
        }
        if let rate = forecast.fallingRate, let day = forecast.firstConfirmedDay(rate: rate) {
            return .date(day, .trend)
        }
        return .noDate(forecast.fall)
    }

    private init(_ result: ConfirmedEvaluation, today: Day) {
        now = result.evaluation
        self.today = today
        let isOnlyYoung = result.findings.allSatisfy { $0.code == .tooFewDays }
        safeNights = isOnlyYoung ? result.evaluation.safeNights : result.safeNights
        requests = result.evaluation.requestsPerDay
    }

    /// True for `wait` and `investigate`, and for `insufficient` unless silence is the cause.
    private static func isAsked(_ result: ConfirmedEvaluation) -> Bool {
        switch result.verdict {
        case .wait, .investigate: true
        case .insufficient:
            !result.findings.contains { $0.kind == .silence }
        case .enforce, .blind, .exempt, .enforced, .superseded: false
        }
    }

    /// The last days up to T's, cut at the policy's `since`; none in front when T's day is less than half over.
    private static func lastDays(_ count: Int, of evaluation: Evaluation, upTo today: Day) -> ArraySlice<DaySum> {
        let first = today.advanced(by: 1 - count)
        return evaluation.days.within(Window(from: max(first, evaluation.policy.since ?? first), to: today))
    }

    /// The blocked rate of T's day and the two before; nil without an admitted request.
    private var steadyRate: Double? {
        let days = Forecast.lastDays(3, of: now, upTo: today)
        let admitted = days.reduce(0) { $0 + $1.requests }
        return admitted > 0 ? days.reduce(0) { $0 + $1.blocked } / admitted : nil
    }

    /// The higher of the rates fitted to window(7) and window(14); nil unless both fall significantly.
    private var fallingRate: ((Day) -> Double)? {
        guard let short = trend(ofDays: 7), let long = trend(ofDays: 14) else { return nil }
        return { day in max(short.rate(onDay: Int(day.number)), long.rate(onDay: Int(day.number))) }
    }

    /// How far the rate has come down in two weeks; nil unless it falls significantly.
    private var fall: Outlook.Fall? {
        guard trend(ofDays: 14) != nil, let to = steadyRate else { return nil }
        let week = Forecast.lastDays(14, of: now, upTo: today).prefix { $0.day <= today.advanced(by: -7) }
        let admitted = week.reduce(0) { $0 + $1.requests }
        guard admitted > 0 else { return nil }
        let from = week.reduce(0) { $0 + $1.blocked } / admitted
        return to < from ? Outlook.Fall(from: from, to: to) : nil
    }

    /// The trend of the blocked rate over a window; nil unless it falls significantly.
    private func trend(ofDays length: Int) -> LogisticTrend? {
        guard let asOf = now.asOf else { return nil }
        let days = now.days.within(Window(length: length, asOf: asOf, since: now.policy.since)).map {
            DayCount(day: Int($0.day.number), requests: $0.requests, blocked: $0.blocked)
        }
        return LogisticTrend.falling(days, confidence: now.numbers.confidence)
    }

    /// False when even the longest window to come is too short to show a clean log; true promises nothing.
    private var mayHaveEnoughRequests: Bool {
        guard now.numbers.maxPerWeek == nil else { return true }
        let longest = max(now.numbers.window, now.numbers.maxWindow)
        let known = Forecast.lastDays(longest, of: now, upTo: today).reduce(0) { $0 + $1.requests }
        let most = known + requests * Double(min(longest, Forecast.reach))
        return ClopperPearson.upper(blocked: 0, requests: most, confidence: now.numbers.confidence)
            <= now.numbers.maxBlocked
    }

    /// The first day at whose end the rule has been safe for as many nights as are required.
    private func firstConfirmedDay(rate: (Day) -> Double) -> Day? {
        guard mayHaveEnoughRequests else { return nil }
        var filled = Evaluation.FilledDays(
            days: DaysToCome(after: today, of: now.history.days, now.counted),
            lasting: Evaluation.LastingFindings(now))
        var nights = safeNights
        for step in 1...Forecast.reach {
            let day = today.advanced(by: step)
            filled.days.add(day, requests: requests, blockedRate: rate(day))
            let evaluation = Evaluation(now.history, asOf: Instant(endOf: day), now: now, forecast: filled)
            nights = evaluation.isSafe ? nights + 1 : 0
            if nights >= now.numbers.confirm, !evaluation.isTooYoung { return day }
        }
        return nil
    }
}
