extension Verdict {
    /// The verdict of the first finding: they stand in the order in which they decide.
    ///
    /// Only `wait` and `investigate` share their reasons: the latter is marked by `mostly-invalid`.
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
