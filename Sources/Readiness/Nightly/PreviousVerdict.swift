import Verifications

/// What the rule said of a function on one night, as far as a later night is held against it.
struct PreviousVerdict {
    let verdict: Verdict
    /// Every reason against enforcement that held.
    let findings: [Reason]
    /// The days it was based on, and their requests.
    let window: Window?
    let period: Period

    init(_ identity: FunctionIdentity, judge: Judge) {
        let result = RuleResult(judge.input(identity), asOf: judge.asOf)
        verdict = result.verdict
        findings = result.findings
        window = result.rule.window
        period = result.rule.period
    }

    var isLockout: Bool {
        findings.showsLockout
    }
}
