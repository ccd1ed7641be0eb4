public import Verifications

extension Summary {
    /// What a run found, as it is shown: every function judged, then those selected kept.
    ///
    /// Verifications of functions that are not selected become `filtered`. Beside the functions that were seen stand
    /// those that are deployed, may be callable, and have no verification; and every function pattern of the selection
    /// that matches none of these, so that a mistyped name never passes for a safe function.
    ///
    /// - Parameters:
    ///   - tally: Everything that was read, selected or not.
    ///   - input: What was read, and how each record was classed.
    ///   - selection: What is shown.
    ///   - asOf: `--as-of`; nil for the newest verification.
    ///   - rules: What the functions are held against.
    ///   - inventory: What is deployed; generation 2 functions get their true names from it.
    public init(
        tally: Tally, input: InputSummary, selection: Selection, asOf: Instant?, rules: PolicyRules,
        inventory: [InventoryEntry] = []
    ) {
        // Without a dated verification there is nothing that a day could be said of.
        let asOf = tally.newest == nil ? nil : asOf ?? tally.newest
        let deployed = DeployedFunctions(inventory)
        let judge = Judge(tally: tally, rules: rules, asOf: asOf, names: deployed.names)
        var input = input
        var shown: [FunctionSummary] = []
        for (identity, function) in tally.functions {
            let name = judge.shownName(of: identity)
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
        for (identity, entry) in deployed.silent(in: tally) where selection.includes(identity, shownAs: entry.id) {
            shown.append(
                FunctionSummary(
                    identity: identity, name: entry.id, tally: FunctionTally(), assessment: judge.assess(identity),
                    listing: .deployed(entry.trigger)))
        }
        shown += Summary.unmatched(selection, among: shown, judge: judge)
        self.init(
            asOf: asOf, policy: rules.numbers, input: input, functions: shown, projects: tally.projects)
    }
}
