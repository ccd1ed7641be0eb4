import Readiness

/// A clause of the rule as one would write it down, and what was measured.
struct RuleOutcome {
    /// `refused ≤ 1%`.
    let rule: String
    /// `at most 0.38% of 4,200 in 7 days`.
    let measured: Wording
}

extension FunctionSummary {
    /// The one number that decided, in requests and days rather than rates: `about 4, at most 31 of 4,200 a day`.
    var brief: Wording {
        switch listing {
        case .seen: assessment.brief
        case .deployed(let trigger): FunctionSummary.deployed(trigger)
        case .unmatched(let suggestion): FunctionSummary.unmatched(suggestion)
        }
    }

    /// The clause that decided about the function.
    func outcome(unicode: Bool) -> RuleOutcome {
        switch listing {
        case .unmatched(let suggestion):
            RuleOutcome(rule: "known function", measured: FunctionSummary.unmatched(suggestion))
        case .deployed(let trigger):
            RuleOutcome(rule: Silence.anyRequest, measured: FunctionSummary.deployed(trigger))
        case .seen:
            assessment.decidingReason?.outcome(of: assessment, unicode: unicode)
                ?? RuleOutcome(rule: "one function", measured: Assessment.pooled)
        }
    }

    /// What is known of a function that an inventory names and no log entry does.
    private static func deployed(_ trigger: InventoryEntry.Trigger) -> Wording {
        trigger == .callable ? "deployed, no requests" : "deployed, no requests, perhaps not callable"
    }

    private static func unmatched(_ suggestion: String?) -> Wording {
        suggestion.map { "no such function; did you mean \(name: $0)?" } ?? "no such function"
    }
}

extension Reason {
    /// The clause that the reason comes from, and what was measured; its code where it never decides.
    func outcome(of assessment: Assessment, unicode: Bool) -> RuleOutcome {
        let words = words(assessment)
        var rule = words.clause?() ?? code
        if !unicode { rule = rule.replacing("≤", with: "<=").replacing("≥", with: ">=") }
        return RuleOutcome(rule: rule, measured: words.measured())
    }
}
