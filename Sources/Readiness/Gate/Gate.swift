/// A question to all selected functions at once, whose answer lets a pipeline go on or stops it.
package struct Gate: Hashable, Sendable {
    /// The mildest finding that stops the pipeline; milder ones are reported and let it pass.
    package enum FailOn: String, CaseIterable, Sendable {
        case unsure
        case notSafe = "not-safe"
        /// Only a function that refuses people who are signed in.
        case lockout
    }

    package enum Result: CaseIterable, Sendable {
        case passed
        case failed
        case unsure
        /// No function was selected: never a pass, or a mistyped name would be one.
        case nothingSelected
    }

    /// The outcome of one function at the gate.
    package enum Outcome: Sendable {
        case passed
        /// Enforcement can be switched on or not: this gate does not ask.
        case notAsked
        /// It is unknown whether it passes: `not-safe` tolerates that.
        case undecided
        /// Nothing shows since when it is enforced, or log and policy disagree: no gate tolerates that.
        case unclear
        case against
    }

    package var failOn: FailOn

    package init(failOn: FailOn) {
        self.failOn = failOn
    }

    /// A lock-out is against in every gate; that a function is enforced by the log alone is a guess, which
    /// opens no gate.
    package func outcome(of assessment: Assessment) -> Outcome {
        let outcome = outcome(of: assessment.gateClass)
        if outcome == .passed, assessment.verdict == .enforced, assessment.reasons.has(.platformSilent, .silentSince) {
            return .unclear
        }
        return assessment.enforcement.isContradicted && outcome != .against ? .unclear : outcome
    }

    package func outcome(of gateClass: GateClass) -> Outcome {
        switch gateClass {
        case .lockedOut: .against
        case .switchUnclear, .contradicted: .unclear
        case .signedOutServed: failOn == .lockout ? .notAsked : .unclear
        case .enforcedByLog, .unconfirmed, .expired: failOn == .lockout ? .passed : .unclear
        case .notSafe: failOn == .lockout ? .notAsked : .against
        case .unsure: failOn == .lockout ? .notAsked : .undecided
        case .clear: .passed
        }
    }

    /// True for a function that does not let the gate pass.
    package func isStopped(by outcome: Outcome) -> Bool {
        outcome == .against || outcome == .unclear || outcome == .undecided && failOn != .notSafe
    }

    package func answer(to outcomes: some Collection<Outcome>) -> Result {
        if outcomes.isEmpty { return .nothingSelected }
        return outcomes.contains(.against) ? .failed : outcomes.contains(where: isStopped) ? .unsure : .passed
    }

    /// The answer to a summary, in which the row of a pattern without a match counts as undecided.
    package func answer(to summary: Summary) -> Result {
        guard summary.functions.contains(where: \.isFunction) else { return .nothingSelected }
        return answer(to: summary.functions.map { outcome(of: $0.assessment) })
    }
}

extension FunctionSummary {
    /// False for the row of a pattern that matches nothing.
    package var isFunction: Bool {
        switch listing {
        case .unmatched, .withoutEntries, .notCallable: false
        case .seen, .deployed: true
        }
    }
}

/// The class of a function for a gate, the most harmful first.
package enum GateClass: CaseIterable, Sendable {
    /// Enforcement is on and refuses signed-in people.
    case lockedOut
    /// Enforcement would refuse too many requests: `wait`, `investigate`.
    case notSafe
    /// Enforcement is on by policy, and nothing shows since what time of its first day.
    case switchUnclear
    /// Enforcement is on by policy, and the log shows that it is off.
    case contradicted
    /// By policy the function refuses signed-out requests, and the log shows that it serves them.
    case signedOutServed
    /// Enforcement is on by policy alone, and the rule would not have let it pass.
    case unconfirmed
    /// Enforcement is on by the log, and the policy does not say so.
    case enforcedByLog
    /// An entry of the policy decided, until it expired.
    case expired
    /// There is not enough data yet: `insufficient`, `blind`.
    case unsure
    /// It may be enforced, or there is nothing left to decide: exempt, enforced, superseded.
    case clear
}

extension GateClass {
    package init(of verdict: Verdict, isLockout: Bool) {
        switch verdict {
        case _ where isLockout: self = .lockedOut
        case .enforce, .exempt, .enforced, .superseded: self = .clear
        case .wait, .investigate: self = .notSafe
        case .insufficient, .blind: self = .unsure
        }
    }
}

extension Assessment {
    package var gateClass: GateClass {
        let plain = GateClass(of: verdict, isLockout: isLockout)
        switch plain {
        case .unsure where enforcement.isContradicted: return .contradicted
        case .unsure where reasons.has(.authContradicted): return .signedOutServed
        case .clear where verdict == .enforced && reasons.has(.switchUnclear): return .switchUnclear
        case .clear where verdict == .enforced && reasons.has(.policyUnconfirmed): return .unconfirmed
        case .clear where verdict == .enforced && enforcement.isByLog: return .enforcedByLog
        default: return hasExpired && plain != .lockedOut ? .expired : plain
        }
    }

    /// True where the policy requires that callers are known, and they are not.
    package var needsCallers: Bool { reasons.has(.callersRequired, .platformsRequired) }

    /// True when enforcement that is on, as the policy says or the log shows, locks signed-in people out.
    package var isLockout: Bool { lockout != nil }
}
