extension Verdict {
    /// The verdict of the first row of VERDICT.md's table that has a code among the findings, which are in its order.
    ///
    /// Only `wait` and `investigate` share their row's codes: the latter is marked by `mostly-invalid`.
    init(findings: [Reason]) {
        switch findings.first {
        case nil: self = .enforce
        case .exempt: self = .exempt
        case .enforced: self = .enforced
        case .superseded: self = .superseded
        case .passesNotSeen: self = .blind
        case .tooManyBlocked, .unstableDay:
            let isMostlyInvalid = findings.contains { if case .mostlyInvalid = $0 { true } else { false } }
            self = isMostlyInvalid ? .investigate : .wait
        default: self = .insufficient
        }
    }
}
