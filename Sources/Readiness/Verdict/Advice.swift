import Verifications

/// What is said beside a verdict and never changes it.
enum Advice {
    /// `recent-trouble` looks back this many days.
    private static let memory = 28
    /// `clean-since` wants this many active days without a blocked request.
    private static let cleanDays = 2

    /// All advice that holds for a ruling.
    static func findings(_ ruling: Ruling, twin: Ruling, passes: PassSeverity) -> [Reason] {
        [
            anonymousOnly(ruling, twin: twin),
            cleanSince(ruling),
            recentTrouble(ruling),
            Shift.finding(ruling.rule.period, window: ruling.rule.window),
            passes == .info ? .sdk3 : nil,
        ].compactMap { $0 }
    }

    private static func anonymousOnly(_ ruling: Ruling, twin: Ruling) -> Reason? {
        guard twin.verdict == .enforce else { return nil }
        switch ruling.verdict {
        case .wait, .investigate: break
        case .insufficient:
            guard ruling.findings.contains(where: { if case .tooFewRequests = $0 { true } else { false } }) else {
                return nil
            }
        default: return nil
        }
        return .anonymousOnly(
            blocked: Int(ruling.rule.period.blocked), signedInBlocked: Int(twin.rule.period.blocked),
            signedInUpper: twin.rule.period.upper, limit: ruling.rule.numbers.maxBlocked)
    }

    /// "Not safe" is `wait` or `investigate`; the other verdicts cannot tell, or were not asked.
    private static func cleanSince(_ ruling: Ruling) -> Reason? {
        guard ruling.verdict == .wait || ruling.verdict == .investigate else { return nil }
        let streak = ruling.rule.period.cleanDays
        guard streak.count >= cleanDays, let first = streak.first else { return nil }
        return .cleanSince(first.day, activeDays: streak.count)
    }

    private static func recentTrouble(_ ruling: Ruling) -> Reason? {
        let rule = ruling.rule
        guard ruling.verdict == .enforce, let asOf = rule.asOf else { return nil }
        let window = Window(length: memory, asOf: asOf, since: rule.setting.policy.since)
        let unstable = Period(rule.days.within(window), confidence: rule.numbers.confidence)
            .unstableDays(above: rule.numbers.maxBlocked)
        return unstable.isEmpty ? nil : .recentTrouble(unstable, limit: rule.numbers.maxBlocked)
    }
}
