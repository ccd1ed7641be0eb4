internal import Platform
package import Verifications

/// Functions of one project that are too quiet to be judged alone, judged together.
package struct FunctionGroup: Hashable, Sendable {
    package let project: String
    /// At least two, sorted by region, name and generation.
    package let members: [Member]
    package let verdict: Verdict
    /// The window of all together, and its requests.
    package let counts: WindowCounts
    /// The smallest maximum of the members.
    package let maxBlocked: Double

    package struct Member: Hashable, Sendable {
        package let identity: FunctionIdentity
        /// The name people know.
        package let name: String
        /// Of its requests in the window of all, those that would be refused.
        package let blocked: Int
    }

    /// The advice for a member when the group is safe and the member itself only too quiet to tell.
    ///
    /// One of which too many requests were refused is not among them, whatever is safe for all.
    func advice(for member: Assessment) -> Reason? {
        let (own, numbers) = (member.counts, member.policy.numbers)
        let lower = ClopperPearson.lower(
            blocked: Double(own.blocked), requests: Double(own.admitted), confidence: numbers.confidence)
        guard verdict == .enforce, member.verdict == .insufficient, lower <= numbers.maxBlocked else { return nil }
        return .safety(
            .safeTogether(
                functions: members.count, blocked: counts.blocked, admitted: counts.admitted,
                upper: counts.blockedRateUpper, limit: maxBlocked))
    }
}

extension Judge {
    /// The groups of all projects, sorted by project; whatever is selected for display.
    package func groups() -> [FunctionGroup] {
        var inputs: [ExactName: [FunctionIdentity: RuleInput]] = [:]
        let named = tally.functions.keys.filter { $0.project != FunctionIdentity.unknown }
        let quiet = concurrentMap(named) { identity in
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
            Array(inputs.values), policy: policy, project: self.project(project.text), unread: unread)
        let result = RuleResult(input, asOf: asOf)
        let members = inputs.map { identity, input in
            let blocked = input.days.within(result.rule.window).reduce(0) { $0 + $1.blocked }
            return FunctionGroup.Member(identity: identity, name: shownName(of: identity), blocked: Int(blocked))
        }
        return FunctionGroup(
            project: project.text, members: members.sorted { $0.place < $1.place }, verdict: result.verdict,
            counts: WindowCounts(result.rule), maxBlocked: policy.numbers.maxBlocked)
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
