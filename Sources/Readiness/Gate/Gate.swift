/// A question to all selected functions at once, whose answer lets a pipeline go on or stops it.
public struct Gate: Hashable, Sendable {
    /// The mildest finding that stops the pipeline; what is milder is told and lets it pass.
    public enum FailOn: String, CaseIterable, Sendable {
        /// A function of which it cannot be told yet, and one that is not safe.
        case unsure
        /// A function that is not safe.
        case notSafe = "not-safe"
        /// Only a function that is enforced already and locks signed-in people out.
        case lockout
    }

    /// What comes of asking.
    public enum Answer: CaseIterable, Sendable {
        /// Nothing stands against it.
        case passed
        /// At least one function is against.
        case failed
        /// None is against; of at least one it cannot be told yet.
        case unsure
        /// There was no function to ask about: never a pass, or a mistyped name would be one.
        case nothingSelected
    }

    public var failOn: FailOn
    /// True when a quiet function passes that is safe together with others.
    public var acceptsTogether: Bool

    public init(failOn: FailOn, acceptsTogether: Bool = false) {
        self.failOn = failOn
        self.acceptsTogether = acceptsTogether
    }

    /// What an answer of the rule is to this gate.
    public func standing(of assessment: Assessment) -> Standing {
        acceptsTogether && assessment.standing == .unsure && assessment.isSafeTogether ? .clear : assessment.standing
    }

    /// The answer to what was found.
    ///
    /// A lock-out stops only the gate that asks for it. To the others its function is what the policy says, enforced:
    /// nothing is left to decide there, and a deployment of other functions makes it neither better nor worse.
    ///
    /// | `--fail-on` | `failed` | `unsure` |
    /// |---|---|---|
    /// | `unsure` | a function is not safe | else, one cannot be told yet |
    /// | `not-safe` | a function is not safe | never |
    /// | `lockout` | a function is locked out | never |
    ///
    public func answer(to standings: some Collection<Standing>) -> Answer {
        guard !standings.isEmpty else { return .nothingSelected }
        switch failOn {
        case .lockout: return standings.contains(.lockedOut) ? .failed : .passed
        case .notSafe: return standings.contains(.notSafe) ? .failed : .passed
        case .unsure:
            if standings.contains(.notSafe) { return .failed }
            return standings.contains(.unsure) ? .unsure : .passed
        }
    }

    /// The answer to a summary.
    ///
    /// The row of a pattern without a match cannot be told; where there are only such rows, nothing was selected.
    public func answer(to summary: Summary) -> Answer {
        guard summary.functions.contains(where: \.isFunction) else { return .nothingSelected }
        return answer(to: summary.functions.map { standing(of: $0.assessment) })
    }
}

extension FunctionSummary {
    /// False for the row of a pattern that matches nothing.
    public var isFunction: Bool {
        if case .unmatched = listing { false } else { true }
    }
}
