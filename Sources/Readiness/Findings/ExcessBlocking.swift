package import Verifications

/// Enforcement would refuse too many requests: in a whole period, or on single days of it.
package enum ExcessBlocking: Hashable, Sendable {
    /// The lower bound of the blocked rate exceeds the maximum.
    case tooManyBlocked(lower: Double, limit: Double, blocked: Int, admitted: Int, window: Window)
    /// Days on which too many requests were blocked, ascending; at least one.
    case unstableDay([UnstableDay], limit: Double)
    /// At least half of the blocked requests had their App Check token refused.
    case mostlyInvalid(invalid: Int, blocked: Int)
    /// Advice: no blocked request in the last active days, from the given one on.
    case cleanSince(Day, activeDays: Int)
    /// Advice: there were unstable days recently, or bursts of requests, which do not decide.
    case recentTrouble([UnstableDay], limit: Double)

    var facts: Reason.Facts {
        switch self {
        case .tooManyBlocked(let lower, let limit, _, _, _):
            .init("too-many-blocked", .against, value: lower, limit: limit)
        case .unstableDay(let days, let limit):
            .init("unstable-day", .against, value: days.map(\.lower).max(), limit: limit)
        case .mostlyInvalid(let invalid, let blocked):
            .init("mostly-invalid", .against, value: Double(invalid) / Double(blocked), limit: 0.5)
        case .cleanSince(_, let activeDays): .init("clean-since", .advice, value: Double(activeDays))
        case .recentTrouble(let days, let limit):
            .init("recent-trouble", .advice, value: days.map(\.lower).max(), limit: limit)
        }
    }
}

/// A single day on which too many requests were blocked.
package struct UnstableDay: Hashable, Sendable {
    package let day: Day
    /// Lower bound of the day's blocked rate.
    package let lower: Double
    package let blocked: Int
    package let admitted: Int
    /// Different hours with a blocked request, 1 to 24.
    package let hours: Int

    /// True for a day whose blocked requests came in a burst: of a batch job, or of one client's loop.
    package var isBurst: Bool { hours < UnstableDay.fewestHours }
    /// A burst of fewer blocked requests is not worth a word.
    static let fewestOfBurst = 10.0

    /// In so many different hours requests must be blocked before a day counts: one client's burst is no trend.
    package static let fewestHours = 3
}

extension ExcessBlocking {
    /// `recent-trouble` looks back this many days.
    static let memory = 28
    /// `clean-since` needs this many active days without a blocked request.
    private static let cleanDays = 2

    /// Looks at the window, and only if nothing is found there at the last W days alone.
    static func find(_ rule: Rule) -> [Reason] {
        let limit = rule.numbers.maxBlocked
        guard rule.few == nil else { return [] }
        let inWindow = find(in: rule.period, window: rule.window, above: limit)
        guard inWindow.isEmpty, rule.window != rule.recentWindow else { return inWindow }
        let recent = Period(rule.days.within(rule.recentWindow), confidence: rule.numbers.confidence)
        return find(in: recent, window: rule.recentWindow, above: limit)
    }

    private static func find(in period: Period, window: Window?, above rate: Double) -> [Reason] {
        guard let window else { return [] }
        var findings: [Reason] = []
        if period.lowerExceeds(rate) {
            findings.append(
                .excess(
                    .tooManyBlocked(
                        lower: period.lower, limit: rate, blocked: Int(period.blocked),
                        admitted: Int(period.admitted), window: window)))
        }
        let unstableDays = period.unstableDays(above: rate)
        if !unstableDays.isEmpty { findings.append(.excess(.unstableDay(unstableDays, limit: rate))) }
        guard !findings.isEmpty else { return [] }
        let tokenRefused = period.tokenRefused
        if 2 * tokenRefused >= period.blocked {
            findings.append(.excess(.mostlyInvalid(invalid: Int(tokenRefused), blocked: Int(period.blocked))))
        }
        return findings
    }

    /// The window, or the last W days where those alone decide.
    private static func decidingWindow(_ rule: Rule) -> Window? {
        guard rule.few == nil, rule.window != rule.recentWindow,
            find(in: rule.period, window: rule.window, above: rule.numbers.maxBlocked).isEmpty, !find(rule).isEmpty
        else { return rule.window }
        return rule.recentWindow
    }

    static func findCleanDays(_ result: RuleResult, signedIn: RuleResult) -> Reason? {
        guard result.verdict == .wait || result.verdict == .investigate else { return nil }
        let streak = result.rule.period.cleanDays
        guard streak.count >= cleanDays, let first = streak.first else { return nil }
        return .excess(.cleanSince(first.day, activeDays: streak.count))
    }

    static func findRecentTrouble(_ result: RuleResult, signedIn: RuleResult) -> Reason? {
        let rule = result.rule
        guard let asOf = rule.asOf else { return nil }
        let window = Window(length: memory, asOf: asOf, since: rule.policy.since)
        let decided = decidingWindow(rule)
        let days = Period(rule.days.within(window), confidence: rule.numbers.confidence)
            .daysOfTrouble(above: rule.numbers.maxBlocked)
            .filter { $0.isBurst || !(decided?.days.contains($0.day) ?? false) }
        return days.isEmpty ? nil : .excess(.recentTrouble(days, limit: rule.numbers.maxBlocked))
    }
}
