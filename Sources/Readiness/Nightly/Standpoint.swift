import Verifications

/// What the rule said of a function on one night, as far as a later night is held against it.
struct Standpoint {
    let verdict: Verdict
    /// Every reason against enforcement that held.
    let findings: [Reason]
    /// The days it rested on, and their requests.
    let window: Window?
    let period: Period

    /// What a judge says, with the confirmation rule.
    ///
    /// Where the first night of a run that reaches to this night or beyond is known, it need not be looked for.
    init(_ identity: FunctionIdentity, judge: Judge, nights: Int, safeSince: Day?) {
        let ruling = Ruling(FunctionCase(identity, judge: judge).rule)
        findings = ruling.findings
        window = ruling.rule.window
        period = ruling.rule.period
        guard ruling.verdict == .enforce, let night = judge.asOf?.day else {
            verdict = ruling.verdict
            return
        }
        let known = safeSince.map { $0.distance(to: night) + 1 }.flatMap { $0 > 0 ? $0 : nil }
        let run = known ?? judge.confirmation(of: identity).nights
        verdict = run < nights ? .insufficient : .enforce
    }

    var isLockout: Bool {
        findings.contains { if case .lockout = $0 { true } else { false } }
    }
}

extension Reason {
    /// True when failures may be missing from a log, so that its rates mean little.
    var isFailuresMissing: Bool {
        switch self {
        case .failuresNotSeen, .failuresStopped: true
        default: false
        }
    }
}
