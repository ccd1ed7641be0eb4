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

extension Standing {
    /// What a verdict is to a gate, and a lock-out whatever the verdict.
    public init(of verdict: Verdict, isLockout: Bool) {
        switch verdict {
        case _ where isLockout: self = .lockedOut
        case .enforce, .exempt, .enforced, .superseded: self = .clear
        case .wait, .investigate: self = .notSafe
        case .insufficient, .blind: self = .unsure
        }
    }
}

extension Assessment {
    /// What this verdict is to a gate.
    public var standing: Standing {
        Standing(of: verdict, isLockout: isLockout)
    }

    /// True for a quiet function that is safe together with others.
    var isSafeTogether: Bool {
        reasons.contains { if case .safety(.safeTogether) = $0 { true } else { false } }
    }

    /// True when enforcement that is on, as the policy says, locks signed-in people out.
    public var isLockout: Bool {
        reasons.showsLockout
    }
}
