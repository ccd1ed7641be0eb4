import Verifications

/// Everything that the rule is told about one function at one instant.
struct FunctionCase: Sendable {
    let policy: FunctionPolicy
    let tally: FunctionTally
    private let asOf: Instant?
    private let setting: Rule.Setting

    init(_ identity: FunctionIdentity, judge: Judge) {
        let tally = judge.tally.functions[identity] ?? FunctionTally()
        // The pooled row mixes functions that entries tell apart.
        let policy =
            identity == .pooled
            ? FunctionPolicy(numbers: judge.rules.numbers)
            : judge.rules.policy(for: identity, shownAs: judge.shownName(of: identity), on: judge.asOf?.day)
        self.tally = tally
        self.policy = policy
        asOf = judge.asOf
        var setting = Rule.Setting(
            policy: policy, project: judge.project(identity.project), horizon: judge.asOf?.day,
            first: tally.first(since: policy.since))
        setting.standing = FunctionCase.standing(identity, tally: tally, policy: policy, judge: judge)
        setting.exportOld = Staleness.finding(newest: judge.newest(inProject: identity.project), clock: judge.clock)
        setting.failures = FunctionCase.failures(identity, setting: setting, asOf: judge.asOf)
        self.setting = setting
    }

    /// The rule as the policy has it.
    var rule: Rule {
        rule(policy.numbers.requiresAuth ? .signedIn : .notRefused)
    }

    /// The rule as with `requires-auth`.
    var signedInRule: Rule {
        rule(.signedIn)
    }

    private func rule(_ admission: Admission) -> Rule {
        Rule(asOf: asOf, days: tally.evidence(admission, upTo: asOf?.day), setting: setting)
    }

    private static func standing(
        _ identity: FunctionIdentity, tally: FunctionTally, policy: FunctionPolicy, judge: Judge
    ) -> [Reason] {
        let recent = judge.asOf.flatMap { Window(length: policy.numbers.window, asOf: $0, since: policy.since) }
        var findings: [Reason] = []
        if let because = policy.exempt { findings.append(.exempt(because: because)) }
        if let enforced = policy.enforced {
            let signedIn = tally.evidence(.signedIn, upTo: judge.asOf?.day)
            findings.append(.enforced(since: enforced))
            findings += Lockout.findings(
                signedIn: signedIn, recent: recent, enforced: enforced, numbers: policy.numbers)
        }
        if let recent, !tally.hasTraffic(in: recent), let successor = judge.successor(of: identity),
            judge.tally.functions[successor]?.hasTraffic(in: recent) == true
        {
            findings.append(.superseded(by: successor))
        }
        return findings
    }

    private static func failures(_ identity: FunctionIdentity, setting: Rule.Setting, asOf: Instant?) -> [Reason] {
        guard !setting.policy.numbers.assumeComplete, let asOf,
            let recent = Window(length: setting.policy.numbers.window, asOf: asOf, since: setting.policy.since)
        else { return [] }
        return FailureStream.findings(
            setting.project.stream(identity.generation), generation: identity.generation, asOf: asOf, recent: recent,
            firstDay: setting.project.coveredDays.first)
    }
}

extension FunctionTally {
    /// The first verification, as far back as a policy looks.
    fileprivate func first(since: Day?) -> Instant? {
        guard let first, let since, first.day < since else { return first }
        return days.first { since <= $0.day }.map { Instant(day: $0.day, nanosecondOfDay: $0.firstNanosecond) }
    }

    /// The days up to the as-of day.
    fileprivate func evidence(_ admission: Admission, upTo last: Day?) -> [DayEvidence] {
        guard let last else { return [] }
        return days.prefix { $0.day <= last }.map { DayEvidence($0, admission: admission) }
    }

    fileprivate func hasTraffic(in window: Window) -> Bool {
        days.contains { window.days.contains($0.day) }
    }
}
