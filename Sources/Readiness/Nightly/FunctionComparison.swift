import Verifications

/// One function on two nights.
struct FunctionComparison {
    let function: ChangedFunction
    let assessment: Assessment
    let before: PreviousVerdict
    let tally: FunctionTally
    /// Days since the night compared to, up to as-of.
    let since: Window
    /// Those of them that its policy counts; nil when it counts none.
    let counted: Window?
    /// Their requests.
    let period: Period
    let habit: Habit?
    let habitBefore: Habit?

    init?(_ summary: FunctionSummary, now: Judge, before: Judge) {
        guard summary.identity != .pooled, case .seen = summary.listing, let asOf = now.asOf,
            let night = before.asOf, let since = Window(from: night.day.advanced(by: 1), to: asOf.day)
        else { return nil }
        let identity = summary.identity
        let assessment = summary.assessment
        function = ChangedFunction(identity: identity, name: summary.name)
        self.assessment = assessment
        self.since = since
        tally = summary.tally
        self.before = PreviousVerdict(identity, judge: before)
        let policy = assessment.policy
        let admission: Admission = policy.numbers.requiresAuth ? .signedIn : .notRefused
        let days = tally.days.map { DayEvidence($0, admission: admission) }
        counted = Window(from: max(since.from, policy.since ?? since.from), to: since.to)
        period = Period(days.within(counted), confidence: policy.numbers.confidence)
        let project = now.project(identity.project)
        habit = Habit(tally, project: project, asOf: asOf)
        habitBefore = Habit(tally, project: project, asOf: night)
    }

    /// The verdict, where it is another one.
    func verdictChange(rate: RateChange?) -> VerdictChange? {
        guard before.verdict != assessment.verdict else { return nil }
        return VerdictChange(
            function: function, before: before.verdict, now: assessment.verdict, reason: assessment.reasons.first,
            rate: rate)
    }

    var lockout: Change.Lockout? {
        for case .settled(.lockout(_, _, let blocked, let admitted)) in assessment.reasons {
            return Change.Lockout(
                function: function, state: before.isLockout ? .continues : .began, blocked: blocked,
                admitted: admitted)
        }
        guard before.isLockout, assessment.verdict == .enforced else { return nil }
        return Change.Lockout(function: function, state: .ended, blocked: 0, admitted: 0)
    }

    /// The function is new, or is called again.
    var appearance: Change.Appearance? {
        let seen = tally.days.filter { since.days.contains($0.day) }
        guard let first = seen.first?.day else { return nil }
        let earlier = tally.days.last { $0.day < since.from }?.day
        guard earlier == nil || wasSilent else { return nil }
        return Change.Appearance(
            function: function, silentSince: earlier, first: first,
            verifications: seen.reduce(0) { $0 + $1.counts.total }, verdict: assessment.verdict)
    }

    /// The function has fallen silent since, unless the whole project has.
    ///
    /// Silent is what is stale by the rule, or breaks the function's habit. How many functions are looked at makes a
    /// difference; the closure tells whether the project was not seen at all after a day.
    func silence(among functions: Int, isProjectSilent: (Day) -> Bool) -> Change.Silence? {
        guard let habit, !isProjectSilent(habit.last) else { return nil }
        let isSilent = isStale(on: since.to) || habit.isBroken(among: functions)
        guard isSilent, !wasSilent, habitBefore?.isBroken(among: functions) != true else { return nil }
        return Change.Silence(
            function: function, last: habit.last, perDay: habit.perDay, verdict: verdictChange(rate: nil))
    }

    private var wasSilent: Bool {
        isStale(on: since.from.advanced(by: -1))
    }

    /// By all days of its log: a policy that looks at later days only makes no function silent.
    private func isStale(on day: Day) -> Bool {
        let days = tally.days.prefix { $0.day <= day }.map { DayEvidence($0, admission: .notRefused) }[...]
        return Silence.findStale(days, asOf: day) != nil
    }
}
