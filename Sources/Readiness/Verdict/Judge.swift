package import Verifications

/// Judges functions of a tally as of one instant.
///
/// The tally holds everything that was read: what is shown is selected afterwards, so that a selection never changes a
/// verdict. A judge is a pure value; the clock is one of its inputs.
package struct Judge: Sendable {
    package let tally: Tally
    package private(set) var rules: PolicyRules
    /// T; nil when nothing is dated.
    package private(set) var asOf: Instant?
    /// The present, for `export-old`; nil where that does not matter.
    package private(set) var clock: Instant?
    /// Names that people know, where an inventory gives a better one than the log does.
    package let names: [FunctionIdentity: String]
    /// Verifications that may stand in what was not read.
    package let unread: UnreadRecords
    /// Who called, and why tokens were refused; nil where nobody asked.
    package let evidence: CallEvidence?
    /// What the functions of each project show together.
    package let projects: [ExactName: ProjectCoverage]

    private let succession: Succession
    private var newest: [ExactName: Instant]

    /// A judge as of `--as-of`, else of the tally's newest verification.
    ///
    /// The clock is only for commands about today: `check` and `report` without `--as-of`.
    package init(
        tally: Tally, rules: PolicyRules, asOf: Instant?, clock: Instant? = nil,
        names: [FunctionIdentity: String] = [:], unread: UnreadRecords = UnreadRecords(),
        evidence: CallEvidence? = nil
    ) {
        self.tally = tally
        self.rules = rules
        self.asOf = asOf
        self.clock = clock
        self.names = names
        self.unread = unread
        self.evidence = evidence
        projects = ProjectCoverage.projects(of: tally, evidence, quietDays: rules.numbers.quietDays)
        succession = Succession(tally.functions.keys)
        newest = clock == nil ? [:] : Judge.newest(in: tally, asOf: asOf)
    }

    /// The same judge at an earlier time, which has no clock.
    init(_ judge: Judge, asOf earlier: Instant) {
        self = judge
        asOf = earlier
        clock = nil
        newest = [:]
    }

    /// The same judge with other rules, of which the quiet days are the same.
    package init(_ judge: Judge, rules: PolicyRules) {
        self = judge
        self.rules = rules
    }

    /// One function, which need not be in the tally: without a verification it is `insufficient`, `no-traffic`.
    package func assess(_ identity: FunctionIdentity) -> Assessment {
        let result = RuleResult(input(identity), asOf: asOf)
        let requiresAuth = result.rule.numbers.requiresAuth
        let signedIn = requiresAuth ? result : RuleResult(input(identity, as: .signedIn), asOf: asOf)
        let lockout = result.rule.lockout
        let outlook = isCutShort(result) ? .readOn : Forecast.outlook(of: result)
        return Assessment(
            verdict: result.verdict,
            reasons: result.reasons(signedIn: signedIn),
            counts: WindowCounts(result.rule),
            ageDays: result.rule.ageDays,
            signedIn: SignedInAssessment(
                verdict: signedIn.verdict, counts: WindowCounts(signedIn.rule)),
            outlook: outlook,
            policy: result.rule.policy,
            safeNights: result.safeNights,
            safeSince: result.safeSince,
            enforcement: enforcement(result.rule),
            revisions: result.rule.stretch.map { stretch in
                result.rule.input.history.revisions(in: stretch) { "\(identity.name)-\(ending(of: $0))" }
            } ?? [],
            lockout: lockout,
            platforms: Array((PlatformView(result.rule)?.all ?? []).prefix(Platforms.listed)),
            acceptablePerWeek: outlook == .noDate(nil) ? acceptablePerWeek(identity, result.rule) : nil,
            aftermath: Aftermath(result.rule),
            badDays: (lockout == nil ? result : signedIn).rule.badDays)
    }

    /// True where days are lacking, and a pull has stopped before them.
    private func isCutShort(_ result: RuleResult) -> Bool {
        guard let cutAt = unread.cutAt, let first = result.rule.input.days.first?.day,
            cutAt.day <= first, result.rule.policy.since ?? first <= first
        else { return false }
        return result.verdict == .insufficient
            && result.findings.allSatisfy { finding in
                switch finding {
                case .sample, .completeness, .safety(.notConfirmed): true
                default: false
                }
            }
    }

    /// What a rule knows of enforcement, or, where it did not ask, what the days show.
    private func enforcement(_ rule: Rule) -> Enforcement {
        rule.enforcement
            ?? Rule.enforcement(rule.input, rule.asOf, rule.stretch, recent: rule.recentWindow, rule.window)
            ?? Enforcement()
    }

    /// The least number a week, of those that are offered, with which the rule says `enforce` for a quiet function.
    private func acceptablePerWeek(_ identity: FunctionIdentity, _ rule: Rule) -> Int? {
        guard rule.numbers.maxPerWeek == nil, rule.period.admitted < rule.numbers.enoughRequests,
            let bound = WeeklyBound.upper(rule.period, observedDays: rule.observedDays),
            bound <= Double(WeeklyBound.mostOffered)
        else { return nil }
        return (max(1, Int(bound.rounded(.up)))...WeeklyBound.mostOffered).first { perWeek in
            var policy = rule.policy
            policy.numbers.maxPerWeek = Double(perWeek)
            let input = RuleInput(identity, policy: policy, admission: rule.input.admission, judge: self)
            return RuleResult(input, asOf: asOf).verdict == .enforce
        }
    }

    /// A function's days, without the clients that the policy leaves out.
    func judgedDays(of identity: FunctionIdentity, _ numbers: VerdictPolicy) -> [DayTally] {
        guard let days = tally.functions[identity]?.days else { return [] }
        let ignored = numbers.ignoredClients
        guard !ignored.isEmpty, let callers = evidence?.functions[identity] else { return days }
        return days.map { day in
            var day = day
            if let found = callers.days[day.day] { day.leaveOut(ignored, found) }
            return day
        }
    }

    /// What the rule knows about a function, the same for every night; `admission` is nil for what its policy says.
    func input(_ identity: FunctionIdentity, as admission: Admission? = nil) -> RuleInput {
        let policy = rules.policy(for: identity, shownAs: shownName(of: identity), on: asOf?.day)
        return RuleInput(
            identity, policy: policy, admission: admission ?? policy.numbers.admission,
            judge: self)
    }

    /// The name that people know; globs of a policy match it or the service name.
    package func shownName(of identity: FunctionIdentity) -> String {
        names[identity] ?? tally.functions[identity]?.label?.text ?? identity.name
    }

    /// What follows the service's name in that of a revision.
    func ending(of revision: Revision) -> String {
        guard let hash = revision.nameHash else { return revision.ending }
        return evidence?.revisionNames[hash] ?? "(unknown)"
    }

    /// All functions, seen or deployed, with their shown names.
    var knownFunctions: [(identity: FunctionIdentity, name: String)] {
        Set(tally.functions.keys).union(names.keys).map { ($0, shownName(of: $0)) }
    }

    func project(_ name: String) -> ProjectCoverage {
        projects[ExactName(name)] ?? .none
    }

    func successor(of identity: FunctionIdentity) -> FunctionIdentity? {
        succession.successor(of: identity)
    }

    /// `export-old`, when it holds for a project.
    func exportOld(inProject name: String) -> Reason? {
        guard let clock, let asOf, let newest = newest[ExactName(name)] else { return nil }
        let view = ProjectView(project(name), today: asOf.day)
        return Silence.findOldExport(newest: newest, clock: clock, project: view)
    }

    /// The newest verification of each project's functions up to T's day.
    private static func newest(in tally: Tally, asOf: Instant?) -> [ExactName: Instant] {
        guard let asOf else { return [:] }
        var newest: [ExactName: Instant] = [:]
        for (identity, function) in tally.functions {
            guard let day = function.days.last(where: { $0.day <= asOf.day }) else { continue }
            let last = Instant(day: day.day, nanosecondOfDay: day.lastNanosecond)
            let project = ExactName(identity.project)
            newest[project] = max(newest[project] ?? last, last)
        }
        return newest
    }
}
