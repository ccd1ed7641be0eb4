/// What the verdict on one function is to a gate.
public enum Standing: CaseIterable, Sendable {
    /// It may be enforced, or there is nothing left to decide: exempt, enforced, superseded.
    case clear
    /// It cannot be told yet: `insufficient`, `blind`.
    case unsure
    /// Enforcement would refuse too many requests: `wait`, `investigate`.
    case notSafe
    /// Enforcement is on, says the policy, and refuses people who are signed in.
    case lockedOut
}

extension Assessment {
    /// What this verdict is to a gate.
    public var standing: Standing {
        if isLockout { return .lockedOut }
        switch verdict {
        case .enforce, .exempt, .enforced, .superseded: return .clear
        case .wait, .investigate: return .notSafe
        case .insufficient, .blind: return .unsure
        }
    }

    /// True when enforcement that is on, as the policy says, locks signed-in people out.
    public var isLockout: Bool {
        reasons.contains { if case .lockout = $0 { true } else { false } }
    }
}
