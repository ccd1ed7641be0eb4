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
            first: judge.asOf.flatMap { tally.first(since: policy.since, upTo: $0.day) })
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
        Rule(asOf: asOf, days: tally.evidence(admission, since: policy.since, upTo: asOf?.day), setting: setting)
    }

    private static func standing(
        _ identity: FunctionIdentity, tally: FunctionTally, policy: FunctionPolicy, judge: Judge
    ) -> [Reason] {
        let recent = judge.asOf.flatMap { Window(length: policy.numbers.window, asOf: $0, since: policy.since) }
        var findings: [Reason] = []
        if let because = policy.exempt { findings.append(.exempt(because: because)) }
        if let enforced = policy.enforced {
            let signedIn = tally.evidence(.signedIn, since: policy.since, upTo: judge.asOf?.day)
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
            let recent = Window(length: setting.policy.numbers.window, asOf: asOf, since: nil)
        else { return [] }
        return FailureStream.findings(
            setting.project.stream(identity.generation), generation: identity.generation, asOf: asOf, recent: recent,
            firstDay: setting.project.firstDay(upTo: asOf.day))
    }
}

extension FunctionTally {
    /// The first verification, as far as a policy looks back and the as-of day allows.
    fileprivate func first(since: Day?, upTo last: Day) -> Instant? {
        if let first, since.map({ $0 <= first.day }) ?? true { return first.day <= last ? first : nil }
        let day = days.first { since.map { [day = $0.day] in $0 <= day } ?? true }
        return day.flatMap { $0.day <= last ? Instant(day: $0.day, nanosecondOfDay: $0.firstNanosecond) : nil }
    }

    /// The days that a policy and the as-of day let in.
    fileprivate func evidence(_ admission: Admission, since: Day?, upTo last: Day?) -> [DayEvidence] {
        guard let last else { return [] }
        return days.filter { day in day.day <= last && since.map { $0 <= day.day } ?? true }
            .map { DayEvidence($0, admission: admission) }
    }

    fileprivate func hasTraffic(in window: Window) -> Bool {
        days.contains { window.days.contains($0.day) }
    }
}
