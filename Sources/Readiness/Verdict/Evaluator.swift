package import Verifications

/// Evaluates functions of a tally as of one instant.
///
/// The tally holds everything that was read: what is shown is selected afterwards, so that a selection never changes a
/// verdict. An evaluator is a pure value; the clock is one of its inputs.
package struct Evaluator: Sendable {
    package let tally: Tally
    package private(set) var rules: PolicyRules
    /// T; nil when nothing is dated.
    package private(set) var asOf: Instant?
    /// The present, for `export-old`; nil where that does not matter.
    package private(set) var clock: Instant?
    /// Names that people know, where an inventory gives a better one than the log does.
    package let names: [FunctionIdentity: String]
    /// Verifications that may be in what was not read.
    package let unread: UnreadRecords
    /// The coverage of each project, which its functions show together.
    package private(set) var projects: [ExactName: ProjectCoverage]
    private(set) var clauses = Clauses.ofFunctions
    /// Clients of a function whose requests are left out, as if they had never come.
    private var leftOut: (function: FunctionIdentity, unit: Suspect.Unit)?

    private let succession: Succession
    /// The places of functions by name; empty without rows, which alone show that an entry is missing.
    private let places: [String: Set<MissingEntry.Place>]
    private var newest: [ExactName: Instant]

    /// An evaluator as of `--as-of`, else of the tally's newest verification.
    ///
    /// The clock is only for commands about today: `check` and `report` without `--as-of`.
    package init(
        tally: Tally, rules: PolicyRules, asOf: Instant?, clock: Instant? = nil,
        names: [FunctionIdentity: String] = [:], unread: UnreadRecords = UnreadRecords()
    ) {
        self.tally = tally
        self.rules = rules
        self.asOf = asOf
        self.clock = clock
        self.names = names
        self.unread = unread
        projects = ProjectCoverage.projects(of: tally, quietDays: rules.numbers.quietDays)
        succession = Succession(tally.functions.keys)
        places = tally.evidence == nil ? [:] : MissingEntry.places(of: Evaluator.knownFunctions(tally, names))
        newest = clock == nil ? [:] : Evaluator.newest(in: tally, asOf: asOf)
    }

    /// An evaluator of the services of a project, of whose last stretch of days none is missing.
    init(
        services tally: Tally, rules: PolicyRules, asOf: Instant, clock: Instant?, unread: UnreadRecords
    ) {
        let names = tally.functions.keys.map { ($0, $0.serviceName) }
        self.init(
            tally: tally, rules: rules, asOf: asOf, clock: clock, names: Dictionary(uniqueKeysWithValues: names),
            unread: unread)
        clauses = .ofServices
        projects = projects.mapValues { coverage in
            let index = coverage.coveredDays.firstIndex(notBefore: asOf.day.advanced(by: 1)) - 1
            return index < 0
                ? coverage : ProjectCoverage(whole: coverage.runStarts[index]...asOf.day, of: coverage)
        }
    }

    /// The same evaluator at an earlier time, which has no clock.
    init(_ evaluator: Evaluator, asOf earlier: Instant) {
        self = evaluator
        asOf = earlier
        clock = nil
        newest = [:]
    }

    /// The same evaluator with other rules, of which the quiet days are the same.
    package init(_ evaluator: Evaluator, rules: PolicyRules) {
        self = evaluator
        self.rules = rules
    }

    /// The same evaluator without the requests of some clients of a function; the project's coverage is the same, and
    /// so is what shows enforcement.
    init(_ evaluator: Evaluator, without unit: Suspect.Unit, of function: FunctionIdentity) {
        self = evaluator
        leftOut = (function, unit)
    }

    /// What is known of a function, and counts.
    func table(of identity: FunctionIdentity) -> CellTable {
        let table = tally.functions[identity] ?? CellTable()
        guard let leftOut, leftOut.function == identity else { return table }
        return table.without(leftOut.unit.covers)
    }

    /// One function, which need not be in the tally: without a verification it is `insufficient`, `no-traffic`.
    package func assess(_ identity: FunctionIdentity) -> Assessment { assessed(identity).assessment }

    /// The same with the selections of requests that the assessment is based on.
    func assessed(_ identity: FunctionIdentity) -> (assessment: Assessment, judgement: Judgement) {
        let result = ConfirmedEvaluation(history(identity), asOf: asOf)
        let signedIn =
            result.evaluation.numbers.requiresAuth
            ? result
            : ConfirmedEvaluation(history(identity, as: .signedIn, like: result.evaluation.history), asOf: asOf)
        let lockout = result.evaluation.lockout
        let outlook = isCutShort(result) ? .readOn : Forecast.outlook(of: result)
        let (evaluation, judgement) = (result.evaluation, result.evaluation.history.judgement)
        let window = evaluation.window
        var enforcement = result.evaluation.history.enforcement
        (enforcement.refused, enforcement.served) = result.evaluation.history.enforcementHistory.signs(
            of: enforcement, from: result.evaluation.window?.from)
        for index in enforcement.revisions.indices {
            enforcement.revisions[index].name = name(of: enforcement.revisions[index].revision, identity)
        }
        let platforms = result.evaluation.platforms
        let known = project(identity.project)
        let clients =
            tally.evidence != nil && known.hasRows
            ? WindowClients(evaluation, isEnforced: [.on, .partly].contains(enforcement.state)) : nil
        let stretch = window.map { evaluation.project?.stretch(of: $0) ?? $0 }
        let isOpen = [.wait, .investigate, .insufficient].contains(result.verdict) && lockout == nil
        func entry(_ setting: MissingEntry.Setting?) -> MissingEntry? {
            MissingEntry(
                identity, identity.isService ? identity.name : displayName(of: identity), setting, places: places)
        }
        var assessment = Assessment(
            verdict: result.verdict,
            reasons: result.reasons(
                signedIn: signedIn, lockout?.finding, isUnconfirmed: isUnconfirmed(identity, result))
                + (evaluation.rowsAreNameless
                    ? [] : clients?.advice(hasRefused: enforcement.isOn || enforcement.refused > 0) ?? []),
            period: evaluation.period,
            observedDays: evaluation.observedDays,
            passedOver: window.flatMap { evaluation.project?.passedOver(in: $0) } ?? [],
            uncounted: evaluation.uncounted,
            leftOut: evaluation.count {
                evaluation.admission.admits(auth: $0.auth) && judgement.isLeftOut($0)
            },
            programs: evaluation.counted.programs
                ? 0 : evaluation.count { judgement.isAdmitted($0, evaluation.admission) && judgement.isProgram($0) },
            perWeekUpper: WeeklyBound.upper(evaluation.period, observedDays: evaluation.observedDays),
            ageDays: result.evaluation.ageDays,
            signedIn: SignedInAssessment(
                verdict: signedIn.verdict, period: signedIn.evaluation.period),
            outlook: outlook,
            policy: result.evaluation.policy,
            counted: evaluation.counted,
            safeNights: result.safeNights,
            safeSince: result.safeSince,
            enforcement: enforcement,
            lockout: lockout,
            platforms: platforms?.blocked ?? [],
            acceptedRefusals: platforms?.acceptedRefusals ?? [],
            cured: platforms?.cured,
            segments: result.evaluation.segments?.all ?? [],
            suspects: isOpen ? clients.map(evaluation.suspects) ?? [] : [],
            mainSuspect: tally.evidence == nil ? nil : evaluation.mainSuspect(lockout),
            acceptance: entry(
                outlook == .noDate(nil) ? acceptablePerWeek(identity, result.evaluation).map { .maxPerWeek($0) } : nil),
            aftermath: Aftermath(result.evaluation),
            isAboutProject: tally.evidence != nil && known.hasEvidence,
            causes: tally.evidence == nil
                ? nil
                : stretch.flatMap {
                    RefusalCauses(
                        judgement.table, in: $0, since: evaluation.project?.firstDay ?? $0.from, evaluation.admission)
                },
            clients: clients,
            hasExpired: hasExpired(identity, result),
            missingEntry: entry(enforcement.unwritten), presumedEntry: entry(enforcement.presumed),
            exportOld: enforcement.isOn ? exportOld(inProject: identity.project) : nil,
            isOfService: identity.isService, mode: judgement.table.mode)
        assessment.whatIfs = whatIfs(for: identity, assessment, isReport: true)
        return (assessment, judgement)
    }

    /// True where an entry that has expired would have changed the verdict.
    private func hasExpired(_ identity: FunctionIdentity, _ result: ConfirmedEvaluation) -> Bool {
        guard let today = asOf?.day else { return false }
        let name = displayName(of: identity)
        guard rules.entries(covering: identity, shownAs: name).contains(where: { $0.isExpired(on: today) }) else {
            return false
        }
        let policy = rules.policy(for: identity, shownAs: name, on: nil)
        let history = FunctionHistory(
            identity, policy: policy, admission: policy.numbers.admission, evaluator: self,
            like: result.evaluation.history)
        return ConfirmedEvaluation(history, asOf: asOf).verdict != result.verdict
    }

    /// True where days are lacking, and a pull has stopped before them.
    private func isCutShort(_ result: ConfirmedEvaluation) -> Bool {
        guard let cutAt = unread.cutAt,
            let first = result.evaluation.history.days.traffic.first?.day,
            cutAt.day <= first, result.evaluation.policy.since ?? first <= first
        else { return false }
        return result.verdict == .insufficient
            && result.findings.allSatisfy { $0.display.contains(.needsMore) || $0.kind == .incomplete(.everything) }
    }

    /// The least number a week, of those that are offered, with which the rule says `enforce` for a quiet function.
    private func acceptablePerWeek(_ identity: FunctionIdentity, _ evaluation: Evaluation) -> Int? {
        guard evaluation.numbers.maxPerWeek == nil, evaluation.period.requests < evaluation.numbers.enoughRequests,
            let bound = WeeklyBound.upper(evaluation.period, observedDays: evaluation.observedDays),
            bound <= Double(WeeklyBound.mostOffered)
        else { return nil }
        return (max(1, Int(bound.rounded(.up)))...WeeklyBound.mostOffered).first { perWeek in
            judged(identity, evaluation) { $0.numbers.maxPerWeek = Double(perWeek) }.verdict == .enforce
        }
    }

    /// Returns the rule's answer with another policy; with an instant, that of the requests up to then.
    private func judged(
        _ identity: FunctionIdentity, _ evaluation: Evaluation, upTo end: Instant? = nil,
        _ change: (inout FunctionPolicy) -> Void
    ) -> ConfirmedEvaluation {
        var policy = evaluation.policy
        change(&policy)
        let history = FunctionHistory(
            identity, policy: policy, admission: evaluation.history.admission, evaluator: self, before: end,
            like: evaluation.history)
        return ConfirmedEvaluation(history, asOf: end ?? asOf)
    }

    /// True where the policy alone says that enforcement is on, and the rule would have let it pass neither at that
    /// time nor now: what somebody wrote opens no gate.
    private func isUnconfirmed(_ identity: FunctionIdentity, _ result: ConfirmedEvaluation) -> Bool {
        let enforcement = result.evaluation.history.enforcement
        guard result.verdict == .enforced, enforcement.isByPolicyAlone else { return false }
        return [enforcement.start, nil].allSatisfy { time in
            judged(identity, result.evaluation, upTo: time) { $0.enforced = nil }.verdict != .enforce
        }
    }

    /// Returns the signs of enforcement in the function's requests, up to T.
    func enforcementHistory(of identity: FunctionIdentity) -> EnforcementHistory {
        let coverage = project(identity.project)
        let stretch = asOf.flatMap { asOf in
            ProjectView(coverage, today: asOf.day).firstDay.flatMap {
                Window(from: coverage.start(of: $0), to: asOf.day)
            }
        }
        return EnforcementHistory(
            tally.functions[identity] ?? CellTable(), in: stretch,
            hasAllowing: coverage.allowingDays.contains { stretch?.days.contains($0) ?? false }, identity.generation)
    }

    /// Returns the facts about a function for the rule, the same for every night; `admission` is nil for its policy's.
    func history(
        _ identity: FunctionIdentity, as admission: Admission? = nil, like other: FunctionHistory? = nil
    ) -> FunctionHistory {
        let policy = rules.policy(for: identity, shownAs: displayName(of: identity), on: asOf?.day)
        return FunctionHistory(
            identity, policy: policy, admission: admission ?? policy.numbers.admission, evaluator: self, like: other)
    }

    /// The name that people know; globs of a policy match it or the service name.
    package func displayName(of identity: FunctionIdentity) -> String {
        names[identity] ?? tally.displayName(of: identity)
    }

    /// A revision's name as Cloud Run has it: `addmessage-00006-taj`.
    private func name(of revision: Revision, _ identity: FunctionIdentity) -> String {
        let ending = revision.nameHash.map { tally.evidence?.revisionNames[$0] ?? "(unknown)" } ?? revision.ending
        return "\(identity.name)-\(ending)"
    }

    /// All functions, seen or deployed, with their shown names.
    var knownFunctions: [(identity: FunctionIdentity, name: String)] { Evaluator.knownFunctions(tally, names) }

    private static func knownFunctions(
        _ tally: Tally, _ names: [FunctionIdentity: String]
    ) -> [(identity: FunctionIdentity, name: String)] {
        Set(tally.functions.keys).union(names.keys).map { ($0, names[$0] ?? tally.displayName(of: $0)) }
    }

    func project(_ name: String) -> ProjectCoverage {
        projects[ExactName(name)] ?? .none
    }

    func successor(of identity: FunctionIdentity) -> FunctionIdentity? {
        succession.successor(of: identity)
    }

    /// `export-old`, when it holds for a project.
    func exportOld(inProject name: String) -> Finding? {
        guard let clock, let asOf, let newest = newest[ExactName(name)] else { return nil }
        let view = ProjectView(project(name), today: asOf.day)
        return Silence.findOldExport(newest: newest, clock: clock, project: view)
    }

    /// The newest verification of each project's functions up to T's day.
    private static func newest(in tally: Tally, asOf: Instant?) -> [ExactName: Instant] {
        guard let asOf else { return [:] }
        var newest: [ExactName: Instant] = [:]
        for (identity, function) in tally.functions {
            guard let last = function.last(through: asOf.day) else { continue }
            let project = ExactName(identity.project)
            newest[project] = max(newest[project] ?? last, last)
        }
        return newest
    }
}
