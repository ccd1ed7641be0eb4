import Verifications

/// What the rule says now: confirmed by the nights before, or not.
struct RuleResult: Sendable {
    let rule: Rule
    /// Every reason against enforcement that holds, in the order in which they decide.
    let findings: [Reason]
    let verdict: Verdict
    /// For how many days in a row no other reason has held.
    let safeNights: Int

    init(_ input: RuleInput, asOf: Instant?) {
        let rule = Rule(input, asOf: asOf)
        let findings = rule.findings
        self.rule = rule
        guard findings.isEmpty else {
            self.findings = findings
            verdict = Verdict(findings: findings)
            safeNights = 0
            return
        }
        safeNights = rule.safeNights
        let required = rule.numbers.confirm
        self.findings = safeNights < required ? [.notConfirmed(nights: safeNights, required: required)] : []
        verdict = Verdict(findings: self.findings)
    }

    /// The first of ``safeNights``.
    var safeSince: Day? {
        safeNights > 0 ? rule.asOf?.day.advanced(by: 1 - safeNights) : nil
    }

    /// What is listed: the findings or else `safe`, then advice.
    ///
    /// Of a function without traffic nothing can be said but that, and that it is exempt.
    func reasons(with advice: [Reason]) -> [Reason] {
        if findings.isEmpty {
            return RuleResult.list([.safe(upper: rule.period.upper, limit: rule.numbers.maxBlocked)], advice)
        }
        let isSilent = findings.contains { if case .noTraffic = $0 { true } else { false } }
        guard isSilent else { return RuleResult.list(findings, advice) }
        return findings.filter {
            switch $0 {
            case .exempt, .noTraffic: true
            default: false
            }
        }
    }

    /// One list without room to grow: it is kept for every function, of which there may be very many.
    private static func list(_ first: [Reason], _ second: [Reason]) -> [Reason] {
        var list: [Reason] = []
        list.reserveCapacity(first.count + second.count)
        list += first
        list += second
        return list
    }
}
