package import Verifications

/// Functions of one project that are too quiet to be judged alone, judged together.
package struct FunctionGroup: Hashable, Sendable {
    package let project: String
    /// At least two, sorted by region, name and generation.
    package let members: [Member]
    package let verdict: Verdict
    /// The window of all together, and its requests.
    package let evidence: Evidence
    /// The smallest maximum of the members.
    package let maxBlocked: Double

    package struct Member: Hashable, Sendable {
        package let identity: FunctionIdentity
        /// The name people know.
        package let name: String
    }

    /// The advice for a member when the group is safe and the member itself is not against.
    func advice(for verdict: Verdict) -> Reason? {
        guard self.verdict == .enforce, verdict != .wait, verdict != .investigate else { return nil }
        return .safety(
            .safeTogether(
                functions: members.count, blocked: evidence.blocked, admitted: evidence.admitted,
                upper: evidence.blockedRateUpper, limit: maxBlocked))
    }
}

extension Judge {
    /// The groups of all projects, sorted by project; whatever is selected for display.
    package func groups() -> [FunctionGroup] {
        var inputs: [ExactName: [FunctionIdentity: RuleInput]] = [:]
        let quiet = each(tally.functions.keys.filter { $0.project != FunctionIdentity.unknown }) { identity in
            let input = input(identity)
            return Rule(input, asOf: asOf).isQuiet ? (identity, input) : nil
        }
        for case let (identity, input)? in quiet {
            inputs[ExactName(identity.project), default: [:]][identity] = input
        }
        return inputs.filter { $0.value.count >= 2 }.map { group($0.value, project: $0.key) }
            .sorted { ExactName($0.project) < ExactName($1.project) }
    }

    private func group(_ inputs: [FunctionIdentity: RuleInput], project: ExactName) -> FunctionGroup {
        var policy = FunctionPolicy(numbers: rules.numbers)
        policy.since = rules.since
        policy.numbers.maxBlocked = inputs.values.reduce(1) { min($0, $1.policy.numbers.maxBlocked) }
        let input = RuleInput(
            Array(inputs.values), policy: policy, project: self.project(project.text), uncounted: uncounted)
        let result = RuleResult(input, asOf: asOf)
        let members = inputs.keys.map { FunctionGroup.Member(identity: $0, name: shownName(of: $0)) }
        return FunctionGroup(
            project: project.text, members: members.sorted { $0.place < $1.place }, verdict: result.verdict,
            evidence: Evidence(result.rule), maxBlocked: policy.numbers.maxBlocked)
    }
}

extension FunctionGroup.Member {
    fileprivate var place: (ExactName, ExactName, UInt8, ExactName) {
        (
            ExactName(identity.region), ExactName(name), identity.generation?.rawValue ?? 0,
            ExactName(identity.name)
        )
    }
}
