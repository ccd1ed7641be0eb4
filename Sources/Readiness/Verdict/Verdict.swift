/// The answer for one function, to the question whether App Check enforcement may be switched on.
public enum Verdict: String, CaseIterable, Sendable {
    /// Safe.
    case enforce
    /// Not safe: too many requests without a valid token.
    case wait
    /// Not safe, and most of what would be blocked carries a refused token.
    case investigate
    /// Cannot tell yet.
    case insufficient
    /// Cannot tell: the log shows no passed requests, so it does not show everything.
    case blind
    /// Never to be enforced, by policy.
    case exempt
    /// Enforced already, by policy.
    case enforced
    /// A generation 1 function whose generation 2 successor has taken over its traffic.
    case superseded
}

extension Verdict {
    /// The verdict of the first finding: they stand in the order in which they decide.
    ///
    /// Only `wait` and `investigate` share their reasons: the latter is marked by `mostly-invalid`.
    init(findings: [Reason]) {
        switch findings.first?.kind {
        case nil, .safe, .advice: self = .enforce
        case .settled(let verdict): self = verdict
        case .blind: self = .blind
        case .silence, .doubt, .incomplete: self = .insufficient
        case .against:
            let isMostlyInvalid = findings.contains { if case .excess(.mostlyInvalid) = $0 { true } else { false } }
            self = isMostlyInvalid ? .investigate : .wait
        }
    }
}
