public import Verifications

/// Judges functions of a tally as of one instant.
///
/// The tally holds everything that was read: what is shown is selected afterwards, so that a selection never changes a
/// verdict. A judge is a pure value; the clock is one of its inputs.
public struct Judge: Sendable {
    public let tally: Tally
    public let rules: PolicyRules
    /// T; nil when nothing is dated.
    public let asOf: Instant?
    /// The present, for `export-old`; nil where that is not asked.
    public let clock: Instant?
    /// Names that people know, where an inventory gives a better one than the log does.
    public let names: [FunctionIdentity: String]

    /// By name.
    public let projects: [ExactName: ProjectEvidence]
    private let succession: Succession
    private let newest: [ExactName: Instant]

    /// A judge as of `--as-of`, else of the tally's newest verification.
    ///
    /// The clock is only for commands that speak of today: `check` and `report` without `--as-of`.
    public init(
        tally: Tally, rules: PolicyRules, asOf: Instant?, clock: Instant? = nil, names: [FunctionIdentity: String] = [:]
    ) {
        self.tally = tally
        self.rules = rules
        self.asOf = asOf
        self.clock = clock
        self.names = names
        projects = ProjectEvidence.projects(of: tally)
        succession = Succession(tally.functions.keys)
        newest = clock == nil ? [:] : Judge.newest(in: tally, asOf: asOf)
    }

    /// The same judge at the end of an earlier day; the clock has nothing to say of that.
    init(_ judge: Judge, asOfEndOf day: Day) {
        tally = judge.tally
        rules = judge.rules
        asOf = Instant(day: day, nanosecondOfDay: 86_399_999_999_999)
        clock = nil
        names = judge.names
        projects = judge.projects
        succession = judge.succession
        newest = [:]
    }

    /// All functions of the tally.
    public func assessments() -> [FunctionIdentity: Assessment] {
        Dictionary(uniqueKeysWithValues: tally.functions.keys.map { ($0, assess($0)) })
    }

    /// One function, which need not be in the tally: without a verification it is `insufficient`, `no-traffic`.
    ///
    /// ``FunctionIdentity/pooled`` mixes many functions, so that nothing can be said of it: `insufficient`, without a
    /// reason.
    public func assess(_ identity: FunctionIdentity) -> Assessment {
        let function = FunctionCase(identity, judge: self)
        let ruling = Ruling(function.rule)
        let twin = function.policy.numbers.requiresAuth ? ruling : Ruling(function.signedInRule)
        let isPooled = identity == .pooled
        let advice = isPooled ? [] : Advice.findings(ruling, twin: twin, passes: function.tally.passSeverities)
        return Assessment(
            verdict: isPooled ? .insufficient : ruling.verdict,
            reasons: isPooled ? [] : ruling.reasons(with: advice),
            evidence: Evidence(window: ruling.rule.window, period: ruling.rule.period),
            ageDays: ruling.rule.ageDays,
            signedIn: SignedInAssessment(
                verdict: isPooled ? .insufficient : twin.verdict,
                evidence: Evidence(window: twin.rule.window, period: twin.rule.period)),
            outlook: isPooled ? .notAsked : Forecast.outlook(of: ruling),
            policy: function.policy)
    }

    /// The name that people know, which globs of a policy are held against beside the service name.
    public func shownName(of identity: FunctionIdentity) -> String {
        names[identity] ?? tally.functions[identity]?.label?.text ?? identity.name
    }

    /// All functions, seen or deployed, with their shown names.
    var knownFunctions: [(identity: FunctionIdentity, name: String)] {
        Set(tally.functions.keys).union(names.keys).subtracting([.pooled]).map { ($0, shownName(of: $0)) }
    }

    func project(_ name: String) -> ProjectEvidence {
        projects[ExactName(name)] ?? .none
    }

    func successor(of identity: FunctionIdentity) -> FunctionIdentity? {
        succession.successor(of: identity)
    }

    /// The newest verification of a project's functions up to T's day; nil where ``clock`` is.
    func newest(inProject name: String) -> Instant? {
        newest[ExactName(name)]
    }

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
