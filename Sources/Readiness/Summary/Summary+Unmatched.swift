import Verifications

extension Summary {
    /// A row for each function pattern that none of the rows matches.
    ///
    /// No entry of a policy speaks of such a row: one for all functions could call what does not exist exempt.
    static func unmatched(
        _ selection: Selection, among rows: [FunctionSummary], judge: Judge
    ) -> [FunctionSummary] {
        var known: Set<Glob> = []
        let patterns = selection.functions.filter { pattern in
            known.insert(pattern).inserted
                && !rows.contains { pattern.matches($0.name) || pattern.matches($0.identity.name) }
        }
        guard !patterns.isEmpty else { return [] }
        let plain = Judge(
            tally: Tally(), rules: PolicyRules(numbers: judge.rules.numbers, since: judge.rules.since),
            asOf: judge.asOf)
        let names = judge.names(in: Selection(projects: selection.projects, regions: selection.regions))
        return patterns.map { pattern in
            let identity = FunctionIdentity(
                project: FunctionIdentity.unknown, region: FunctionIdentity.unknown, name: pattern.pattern,
                generation: nil)
            return FunctionSummary(
                identity: identity, name: pattern.pattern, tally: FunctionTally(), assessment: plain.assess(identity),
                listing: .unmatched(suggestion: NearestName.of(pattern.pattern, among: names)))
        }
    }
}

extension Judge {
    /// The shown names of a selection's functions, seen or deployed.
    fileprivate func names(in selection: Selection) -> [String] {
        knownFunctions.filter { selection.includes($0.identity, shownAs: $0.name) }.map(\.name)
    }
}
