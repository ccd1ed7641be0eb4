import Verifications

/// What is said beside a verdict and never changes it.
enum Advice {
    /// `recent-trouble` looks back this many days.
    private static let memory = 28
    /// `clean-since` wants this many active days without a blocked request.
    private static let cleanDays = 2

    /// A function without a failure among so many requests of a safe one: all is well, or a filter drops warnings.
    private static let unprovenRequests = 300.0

    /// All advice that holds for a result.
    static func findings(_ result: RuleResult, signedIn: RuleResult) -> [Reason] {
        let rule = result.rule
        return [
            anonymousOnly(result, signedIn: signedIn),
            cleanSince(result),
            rule.allRefused,
            failuresUnproven(result),
            rule.input.provenance == .unlabelled ? .textOnly : nil,
            recentTrouble(result),
            Shift.finding(rule.period, window: rule.window),
            rule.isSDK3 ? .sdk3 : nil,
        ].compactMap { $0 }
    }

    private static func anonymousOnly(_ result: RuleResult, signedIn: RuleResult) -> Reason? {
        guard signedIn.verdict == .enforce else { return nil }
        switch result.verdict {
        case .wait, .investigate: break
        case .insufficient:
            guard result.findings.contains(where: { if case .tooFewRequests = $0 { true } else { false } }) else {
                return nil
            }
        default: return nil
        }
        return .anonymousOnly(
            blocked: Int(result.rule.period.blocked), signedInBlocked: Int(signedIn.rule.period.blocked),
            signedInUpper: signedIn.rule.period.upper, limit: result.rule.numbers.maxBlocked)
    }

    /// "Not safe" is `wait` or `investigate`; the other verdicts cannot tell, or were not asked.
    private static func cleanSince(_ result: RuleResult) -> Reason? {
        guard result.verdict == .wait || result.verdict == .investigate else { return nil }
        let streak = result.rule.period.cleanDays
        guard streak.count >= cleanDays, let first = streak.first else { return nil }
        return .cleanSince(first.day, activeDays: streak.count)
    }

    private static func failuresUnproven(_ result: RuleResult) -> Reason? {
        let rule = result.rule
        guard result.verdict == .enforce, rule.period.admitted >= unprovenRequests, let project = rule.project,
            let stretch = project.firstDay.flatMap({ Window(from: $0, to: project.today) })
        else { return nil }
        let failed = project.evidence.stream(rule.input.generation).failedDays
        let index = failed.firstIndex(notBefore: stretch.from)
        let hasFailed = index < failed.count && failed[index] <= stretch.to
        return hasFailed ? nil : .failuresUnproven(admitted: Int(rule.period.admitted))
    }

    private static func recentTrouble(_ result: RuleResult) -> Reason? {
        let rule = result.rule
        guard result.verdict == .enforce, let asOf = rule.asOf else { return nil }
        let window = Window(length: memory, asOf: asOf, since: rule.policy.since)
        let unstable = Period(rule.days.within(window), confidence: rule.numbers.confidence)
            .unstableDays(above: rule.numbers.maxBlocked)
        return unstable.isEmpty ? nil : .recentTrouble(unstable, limit: rule.numbers.maxBlocked)
    }
}
