import Platform
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
    /// Records that may have been verifications.
    package let uncounted: UncountedRecords
    /// Who called, and why tokens were refused; nil where nobody asked.
    package let evidence: CallEvidence?
    /// What the functions of each project show together.
    package let projects: [ExactName: ProjectEvidence]

    private let succession: Succession
    private var newest: [ExactName: Instant]

    /// A judge as of `--as-of`, else of the tally's newest verification.
    ///
    /// The clock is only for commands about today: `check` and `report` without `--as-of`.
    package init(
        tally: Tally, rules: PolicyRules, asOf: Instant?, clock: Instant? = nil,
        names: [FunctionIdentity: String] = [:], uncounted: UncountedRecords = UncountedRecords(),
        evidence: CallEvidence? = nil
    ) {
        self.tally = tally
        self.rules = rules
        self.asOf = asOf
        self.clock = clock
        self.names = names
        self.uncounted = uncounted
        self.evidence = evidence
        projects = ProjectEvidence.projects(of: tally, quietDays: rules.numbers.quietDays)
        succession = Succession(tally.functions.keys)
        newest = clock == nil ? [:] : Judge.newest(in: tally, asOf: asOf)
    }

    /// The same judge at the end of an earlier day, which has no clock.
    init(_ judge: Judge, asOfEndOf day: Day) {
        self = judge
        asOf = Instant(endOf: day)
        clock = nil
        newest = [:]
    }

    /// The same judge with other rules, of which the quiet days are the same.
    init(_ judge: Judge, rules: PolicyRules) {
        self = judge
        self.rules = rules
    }

    /// One function, which need not be in the tally: without a verification it is `insufficient`, `no-traffic`.
    ///
    /// ``FunctionIdentity/pooled`` mixes many functions, so that nothing can be said of it: `insufficient`, without a
    /// reason.
    package func assess(_ identity: FunctionIdentity) -> Assessment {
        let result = RuleResult(input(identity), asOf: asOf)
        let requiresAuth = result.rule.numbers.requiresAuth
        let signedIn = requiresAuth ? result : RuleResult(input(identity, as: .signedIn), asOf: asOf)
        let isPooled = identity == .pooled
        return Assessment(
            verdict: isPooled ? .insufficient : result.verdict,
            reasons: isPooled ? [] : result.reasons(signedIn: signedIn),
            evidence: Evidence(result.rule),
            ageDays: result.rule.ageDays,
            signedIn: SignedInAssessment(
                verdict: isPooled ? .insufficient : signedIn.verdict, evidence: Evidence(signedIn.rule)),
            outlook: isPooled ? .notAsked : Forecast.outlook(of: result),
            policy: result.rule.policy,
            safeNights: isPooled ? 0 : result.safeNights,
            safeSince: isPooled ? nil : result.safeSince)
    }

    /// What the rule knows about a function.
    ///
    /// - Parameters:
    ///   - identity: The function.
    ///   - admission: Which of its requests count; nil for what its policy says.
    /// - Returns: What is the same for every night.
    func input(_ identity: FunctionIdentity, as admission: Admission? = nil) -> RuleInput {
        // The pooled row mixes functions that entries treat differently.
        let policy =
            identity == .pooled
            ? FunctionPolicy(numbers: rules.numbers)
            : rules.policy(for: identity, shownAs: shownName(of: identity), on: asOf?.day)
        return RuleInput(
            identity, policy: policy, admission: admission ?? (policy.numbers.requiresAuth ? .signedIn : .notRefused),
            judge: self)
    }

    /// The name that people know; globs of a policy match it or the service name.
    package func shownName(of identity: FunctionIdentity) -> String {
        names[identity] ?? tally.functions[identity]?.label?.text ?? identity.name
    }

    /// All functions, seen or deployed, with their shown names.
    var knownFunctions: [(identity: FunctionIdentity, name: String)] {
        Set(tally.functions.keys).union(names.keys).subtracting([.pooled]).map { ($0, shownName(of: $0)) }
    }

    /// Something of each of several functions, in their order; all cores work on it.
    func each<Answer: Sendable>(
        _ identities: [FunctionIdentity], _ answer: @Sendable (FunctionIdentity) -> Answer
    ) -> [Answer] {
        let size = 256
        let chunks = (identities.count + size - 1) / size
        return concurrentMap(chunks) { chunk in
            identities[(chunk * size)..<min(identities.count, (chunk + 1) * size)].map(answer)
        }.flatMap(\.self)
    }

    func project(_ name: String) -> ProjectEvidence {
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
