public import Verifications

extension Summary {
    /// What a run found, as it is shown: every function judged, then those selected kept.
    ///
    /// Verifications of functions that are not selected become `filtered`. Beside the functions that were seen stand
    /// those that are deployed, may be callable, and have no verification; and every function pattern of the selection
    /// that matches none of these, so that a mistyped name never passes for a safe function.
    ///
    /// - Parameters:
    ///   - judge: Knows everything that was read, selected or not.
    ///   - input: What was read, and how each record was classed.
    ///   - selection: What is shown.
    ///   - inventory: What is deployed.
    public init(judge: Judge, input: InputSummary, selection: Selection, inventory: [InventoryEntry] = []) {
        var input = input
        var shown: [FunctionSummary] = []
        shown.reserveCapacity(judge.tally.functions.count)
        let groups = judge.groups()
        var groupOf: [FunctionIdentity: FunctionGroup] = [:]
        for group in groups { for member in group.members { groupOf[member.identity] = group } }
        for (identity, function) in judge.tally.functions {
            let name = judge.shownName(of: identity)
            guard selection.includes(identity, shownAs: name) else {
                input.leaveOut(function)
                continue
            }
            var assessment = judge.assess(identity)
            if let advice = groupOf[identity]?.advice(besides: assessment.verdict) { assessment.reasons.append(advice) }
            shown.append(FunctionSummary(identity: identity, name: name, tally: function, assessment: assessment))
        }
        let silent = DeployedFunctions(inventory).silent(in: judge.tally)
        for (identity, entry) in silent where selection.includes(identity, shownAs: entry.id) {
            shown.append(
                FunctionSummary(
                    identity: identity, name: entry.id, tally: FunctionTally(), assessment: judge.assess(identity),
                    listing: .deployed(entry.trigger)))
        }
        shown += Summary.unmatched(selection, among: shown, judge: judge)
        self.init(
            asOf: judge.asOf, policy: judge.rules.numbers, input: input, functions: consume shown,
            projects: judge.projects, groups: groups.filter { selection.includes(project: $0.project) })
    }
}

extension Judge {
    /// A judge of what a run read, who knows functions by the names of an inventory.
    ///
    /// - Parameters:
    ///   - tally: Everything that was read.
    ///   - rules: What the functions are held against.
    ///   - asOf: `--as-of`; nil for the newest verification.
    ///   - clock: The present, for commands that speak of today.
    ///   - inventory: What is deployed; generation 2 functions get their true names from it.
    ///   - uncounted: Records that may have been verifications.
    public init(
        tally: Tally, rules: PolicyRules, asOf: Instant?, clock: Instant? = nil, inventory: [InventoryEntry],
        uncounted: UncountedRecords = UncountedRecords()
    ) {
        // Without a dated verification there is nothing that a day could be said of.
        self.init(
            tally: tally, rules: rules, asOf: tally.newest == nil ? nil : asOf ?? tally.newest, clock: clock,
            names: DeployedFunctions(inventory).names, uncounted: uncounted)
    }
}
