import Platform
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
    let period: Period
    /// Who called; nil where that is not known of all days.
    let callers: FunctionCallers?
    let baseline: TrafficBaseline?
    let baselineBefore: TrafficBaseline?

    init?(_ summary: FunctionSummary, now: Judge, before: Judge) {
        guard case .seen = summary.listing, let asOf = now.asOf,
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
        let admission = policy.numbers.admission
        let days = zip(tally.days, summary.judgedDays).map { RuleDay($0, judged: $1, admission: admission) }
        counted = Window(from: max(since.from, policy.since ?? since.from), to: since.to)
        period = Period(days.within(counted), confidence: policy.numbers.confidence)
        let isKnown = self.before.window.map { window in now.evidence?.givenUpThrough.map { $0 < window.from } ?? true }
        callers = isKnown == true ? now.evidence?.functions[identity] : nil
        let project = now.project(identity.project)
        baseline = TrafficBaseline(tally, project: project, asOf: asOf)
        baselineBefore = TrafficBaseline(tally, project: project, asOf: night)
    }

    /// The verdict, where it is another one; `wait` and `investigate` are one state with two causes.
    func verdictChange(rate: RateChange?) -> VerdictChange? {
        let notSafe: Set<Verdict> = [.wait, .investigate]
        guard before.verdict != assessment.verdict, !notSafe.isSuperset(of: [before.verdict, assessment.verdict])
        else { return nil }
        return VerdictChange(
            function: function, before: before.verdict, now: assessment.verdict, reason: assessment.reasons.first,
            rate: rate)
    }

    var lockout: Change.Lockout? {
        if let lockout = assessment.lockout {
            return Change.Lockout(
                function: function, state: before.isLockout ? .continues : .began, blocked: lockout.refused,
                admitted: lockout.requests)
        }
        guard before.isLockout else { return nil }
        return Change.Lockout(function: function, state: .ended, blocked: 0, admitted: 0)
    }

    /// What enforcement did, on the first night that tells, when the answer is another one, and then once a week.
    var aftermath: Aftermath? {
        guard let now = assessment.aftermath, now.answer != nil else { return nil }
        func week(_ day: Day) -> Int { now.since.day.distance(to: day) / 7 }
        let isDue = week(since.to) > week(since.from.advanced(by: -1))
        return before.aftermath?.answer != now.answer || isDue ? now : nil
    }

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
    /// Silent is what is stale by the rule, or breaks the function's baseline; of a function that was replaced that is
    /// no news. How many functions are looked at makes a
    /// difference; the closure tells whether the project was not seen at all after a day.
    func silence(among functions: Int, isProjectSilent: (Day) -> Bool) -> Change.Silence? {
        guard assessment.verdict != .superseded, let baseline, !isProjectSilent(baseline.last) else { return nil }
        let isSilent = isStale(on: since.to) || baseline.isBroken(among: functions)
        guard isSilent, !wasSilent, baselineBefore?.isBroken(among: functions) != true else { return nil }
        return Change.Silence(
            function: function, last: baseline.last, perDay: baseline.perDay, verdict: verdictChange(rate: nil))
    }

    private var wasSilent: Bool { isStale(on: since.from.advanced(by: -1)) }

    /// By all days of its log: a policy that looks at later days only makes no function silent.
    private func isStale(on day: Day) -> Bool {
        let days = tally.days.prefix { $0.day <= day }.map { RuleDay($0, judged: $0, admission: .notRefused) }[...]
        return Silence.findStale(days, asOf: day) != nil
    }

    /// False where a rate decides nothing (exempt, superseded), and where the log does not show passes or failures.
    var hasRates: Bool {
        let unfit: Set<Verdict> = [.exempt, .superseded, .blind]
        let isFit = !unfit.contains(assessment.verdict) && !unfit.contains(before.verdict)
        let isWhole = !(assessment.reasons + before.findings).contains { $0.kind == .incomplete(.failures) }
        return isFit && isWhole && period.admitted > 0 && before.period.admitted > 0
    }

    /// Two-sided, not corrected for the other functions.
    var pValue: Double {
        RateComparison.pValue(before.period.sample, period.sample, dispersion: dispersion)
    }

    /// The largest of what the days and the hours of either period show: each period by itself, as a rate that moved
    /// from one to the other must not count as a burst.
    var dispersion: Double { [before.period, period].reduce(1) { max($0, $1.dispersion, $1.burst) } }

    /// The move, if the corrected p-value is low enough, and if a rise is not one client's burst.
    func rateChange(corrected pValue: Double, confidence: Double) -> RateChange? {
        guard pValue <= 1 - confidence, let window = before.window, let counted else { return nil }
        let change = RateChange(
            before: .init(window: window, blocked: Int(before.period.blocked), admitted: Int(before.period.admitted)),
            now: .init(window: counted, blocked: Int(period.blocked), admitted: Int(period.admitted)),
            dispersion: dispersion, pValue: pValue)
        return change.before.rate != change.now.rate && isCredible(change) ? change : nil
    }

    /// False for a rise that may be one client's burst.
    func isCredible(_ change: RateChange) -> Bool {
        let hours = period.days.reduce(0) { $0 + $1.blockedHours.nonzeroBitCount }
        return !change.isRise || hours >= BadDay.fewestHours
    }
}

extension Period {
    fileprivate var sample: RateComparison.Sample { .init(blocked: blocked, requests: admitted) }

    fileprivate var burst: Double {
        HourOccupancy.burst(of: days.map { .init(blocked: $0.blocked, hours: $0.blockedHours.nonzeroBitCount) })
    }
}

/// What the rule said about a function on one night, as far as a later night is compared with it.
struct PreviousVerdict {
    let verdict: Verdict
    let findings: [Reason]
    /// The days it was based on, and their requests.
    let window: Window?
    let period: Period
    let aftermath: Aftermath?
    let isLockout: Bool

    init(_ identity: FunctionIdentity, judge: Judge) {
        let result = RuleResult(judge.input(identity), asOf: judge.asOf)
        verdict = result.verdict
        findings = result.findings
        window = result.rule.window
        period = result.rule.period
        aftermath = Aftermath(result.rule)
        isLockout = result.rule.lockout != nil
    }
}

/// How often a function is called, and whether its silence is longer than that explains.
///
/// The rule's `stale` waits for more than three days, as a verdict must not hang on one quiet day. Of a busy function a
/// reader wants to know on the first morning.
struct TrafficBaseline {
    /// The last day with a verification up to the as-of day.
    let last: Day
    /// Verifications a day, on average of the days up to ``last``.
    let perDay: Double
    /// Days of silence since, those on which the project was seen; as-of's own day counts as far as it has passed.
    let silentDays: Double
    /// Bursts a day: ``perDay`` divided by how much the days differ.
    private let burstsPerDay: Double

    /// The baseline is taken from at most so many days, and from no fewer than so many.
    private static let memory = 28
    private static let fewest = 7
    /// Longer silence is as good as this one.
    private static let longestSilence = 400

    /// Nil without a verification up to the as-of day.
    init?(_ function: FunctionTally, project: ProjectCoverage, asOf: Instant) {
        let days = function.days.filter { $0.day <= asOf.day }
        guard let first = days.first?.day, let last = days.last?.day else { return nil }
        self.last = last
        let start = max(first, last.advanced(by: 1 - TrafficBaseline.memory))
        let counts = Dictionary(uniqueKeysWithValues: days.map { ($0.day, Double($0.counts.total)) })
        let series = (start...last).filter { project.isCovered($0) }.map { counts[$0] ?? 0 }
        let mean = series.reduce(0, +) / Double(max(1, series.count))
        perDay = mean
        let squares = series.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let dispersion = max(1, squares / Double(max(1, series.count - 1)) / max(mean, .leastNormalMagnitude))
        burstsPerDay = series.count < TrafficBaseline.fewest ? 0 : mean / dispersion
        let silence = (1...TrafficBaseline.longestSilence + 1).lazy.map { last.advanced(by: $0) }
        silentDays = silence.prefix { $0 <= asOf.day }.filter { project.isCovered($0) }
            .reduce(0) { $0 + ($1 < asOf.day ? 1 : Double(asOf.nanosecondOfDay) / 86_400e9) }
    }

    /// True when so long a silence would come by chance less than once in a thousand times of all functions together.
    ///
    /// Verifications come in bursts of φ, the variance of the daily counts over their mean; bursts that are a Poisson
    /// process with a mean of λ in that time stay away altogether with probability e⁻λ. So λ must exceed 7, as for a
    /// stream of failures, plus ln m when m functions are compared (Bonferroni).
    func isBroken(among functions: Int) -> Bool {
        silentDays * burstsPerDay > FailureStream.expectedFailures + log(Double(max(1, functions)))
    }
}
