import Verifications

/// The rule's answer now: confirmed by the nights before, or not.
struct ConfirmedEvaluation {
    let evaluation: Evaluation
    /// Every reason against enforcement that holds, in the order in which they decide.
    let findings: [Finding]
    let verdict: Verdict
    /// For how many days in a row no other reason has held.
    let safeNights: Int

    init(_ history: FunctionHistory, asOf: Instant?) {
        let evaluation = Evaluation(history, asOf: asOf)
        let findings = evaluation.findings
        self.evaluation = evaluation
        guard findings.isEmpty else {
            self.findings = findings
            verdict = Verdict(findings: findings)
            safeNights = 0
            return
        }
        safeNights = evaluation.safeNights
        self.findings = Safety.findUnconfirmed(evaluation, safeNights: safeNights)
        verdict = Verdict(findings: self.findings)
    }

    /// The first of ``safeNights``.
    var safeSince: Day? {
        safeNights > 0 ? evaluation.asOf?.day.advanced(by: 1 - safeNights) : nil
    }

    /// Lists the reasons: the findings or else `safe`, then advice.
    ///
    /// A function without traffic has no other reasons, but may be exempt, enforced by policy, or replaced.
    /// A lock-out is among them regardless of the verdict.
    func reasons(signedIn: ConfirmedEvaluation, _ lockout: Finding?, isUnconfirmed: Bool) -> [Finding] {
        var findings = findings
        if isUnconfirmed, let place = findings.firstIndex(where: { $0.code == .enforced }) {
            findings.insert(Finding(code: .policyUnconfirmed), at: place + 1)
        }
        let lockouts = findings.has(.lockout) ? [] : [lockout].compactMap(\.self)
        if findings.has(.noTraffic) {
            let kept: [Finding.Code] = [
                .exempt, .enforced, .policyUnconfirmed, .enforcedByLog, .superseded, .noTraffic, .lockout, .silentSince,
            ]
            return lockouts + findings.filter { kept.contains($0.code) }
        }
        let clauses = evaluation.history.clauses
        let advice = clauses.advice.compactMap { $0(self, signedIn) } + clauses.remarks(self)
        return ConfirmedEvaluation.list(
            lockouts + (findings.isEmpty ? [Safety.find(evaluation)] : findings), advice)
    }

    /// One list without room to grow: it is kept for every function, of which there may be very many.
    private static func list(_ first: [Finding], _ second: [Finding]) -> [Finding] {
        var list: [Finding] = []
        list.reserveCapacity(first.count + second.count)
        list += first
        list += second
        return list
    }
}
