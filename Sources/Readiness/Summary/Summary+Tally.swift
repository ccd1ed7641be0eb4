public import Verifications

extension Summary {
    /// What a run found, as it is shown: every function judged, then those selected kept.
    ///
    /// Verifications of functions that are not selected become `filtered`.
    public init(tally: Tally, input: InputSummary, selection: Selection, asOf: Instant?, rules: PolicyRules) {
        // Without a dated verification there is nothing that a day could be said of.
        let asOf = tally.newest == nil ? nil : asOf ?? tally.newest
        var input = input
        var shown: [FunctionSummary] = []
        let judge = Judge(tally: tally, rules: rules, asOf: asOf)
        for (identity, function) in tally.functions {
            let name = function.label ?? identity.name
            if selection.includes(identity, shownAs: name) {
                shown.append(
                    FunctionSummary(
                        identity: identity, name: name, tally: function, assessment: judge.assess(identity)))
            } else {
                let total = function.totals.total
                input.verifications -= total
                input.filtered += total
                input.undated -= function.undated.total
            }
        }
        self.init(
            asOf: asOf, policy: rules.numbers, input: input, functions: shown, projects: tally.projects)
    }
}
