/// A rule and what came of it.
struct Ruling: Sendable {
    let rule: Rule
    /// Every reason against enforcement that holds, in the order in which they decide.
    let findings: [Reason]
    let verdict: Verdict

    init(_ rule: Rule) {
        self.rule = rule
        findings = rule.findings
        verdict = Verdict(findings: findings)
    }

    /// What is listed: the findings or else `safe`, then advice.
    ///
    /// Of a function without traffic nothing can be said but that, and that it is exempt.
    func reasons(with advice: [Reason]) -> [Reason] {
        if findings.isEmpty {
            return Ruling.list([.safe(upper: rule.period.upper, limit: rule.numbers.maxBlocked)], advice)
        }
        let isSilent = findings.contains { if case .noTraffic = $0 { true } else { false } }
        guard isSilent else { return Ruling.list(findings, advice) }
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
