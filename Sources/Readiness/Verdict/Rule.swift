import Verifications

/// The rule that decides, for one function at one instant; `Documentation.docc/Verdict.md` explains each clause.
///
/// It never changes: confirmation makes one for every night before, the forecast one for every day to come. It is a
/// class because forecasts pass on the rule now hundreds of times.
final class Rule: Sendable {
    /// Fewer days than this with an admitted request show no pattern.
    static let minimumActiveDays = 3

    let input: RuleInput
    /// T; nil when nothing is dated.
    let asOf: Instant?
    let project: ProjectView?
    /// Days of the stretch with a verification, ascending, up to T's day.
    ///
    /// Windows are cut at the policy's `since`, so earlier days count only for the longest pause.
    let days: ArraySlice<DayEvidence>
    /// window(W), "the last W days".
    let recentWindow: Window?
    /// The window that was chosen; nil when nothing is dated or the policy's `since` is after T's day.
    let window: Window?
    /// The window's requests.
    let period: Period
    /// What request rows prove of the window.
    let proof: RequestProof
    /// Requests that could not be counted and might be blocked ones.
    let uncounted: Int
    /// The rule for each function of a group.
    let members: [Rule]
    /// False for a night before T and for a day to come, to which the clock does not apply.
    let isNow: Bool
    /// The failures' findings that a forecast keeps from T; nil when the days themselves decide.
    let settledFailures: [Reason]?

    /// The rule now, at a night before now, or at a day to come.
    ///
    /// - Parameters:
    ///   - input: What is known of the function.
    ///   - asOf: T.
    ///   - now: The rule now, which gives the requests that could not be counted; nil for now itself.
    ///   - forecast: The days when later ones are filled in; nil for those that are known.
    init(_ input: RuleInput, asOf: Instant?, now: Rule? = nil, forecast: FilledDays? = nil) {
        self.input = input
        self.asOf = asOf
        let numbers = input.policy.numbers
        let project = asOf.map { asOf in
            let horizon = forecast == nil ? asOf.day : now?.asOf?.day ?? asOf.day
            return ProjectView(input.project, horizon: horizon, today: asOf.day)
        }
        let stretch = project.flatMap { view in view.firstDay.flatMap { Window(from: $0, to: view.today) } }
        let days = (forecast?.days ?? input.days).within(stretch)
        self.project = project
        self.days = days
        let candidates = asOf.map { Rule.candidates(asOf: $0, firstDay: stretch?.from, policy: input.policy) } ?? []
        recentWindow = candidates.first
        window = Rule.choice(of: candidates, days: days, enough: numbers.enoughRequests)
        period = Period(days.within(window), confidence: numbers.confidence)
        members = input.members.map { Rule($0, asOf: asOf) }
        isNow = now == nil
        settledFailures = forecast?.failures
        proof = RequestProof(input, days, in: window, through: (now?.asOf ?? asOf)?.day)
        uncounted =
            now?.uncounted ?? input.undatedBlocked + (window.map(input.uncounted.records) ?? 0) + proof.unlogged
    }

    /// Known days and days to come.
    struct FilledDays {
        var days: [DayEvidence]
        /// The failures' findings now, which hold for the days to come as well.
        let failures: [Reason]
    }

    /// window(W), and window(2·W), window(3·W) … as far as the policy lets the window grow; the first of these that
    /// reaches back beyond the stretch is cut to begin with it, and the last.
    private static func candidates(asOf: Instant, firstDay: Day?, policy: FunctionPolicy) -> [Window] {
        let numbers = policy.numbers
        guard let shortest = Window(length: numbers.window, asOf: asOf, since: policy.since) else { return [] }
        var candidates = [shortest]
        guard let firstDay else { return candidates }
        for length in stride(from: numbers.window, through: numbers.maxWindow, by: numbers.window).dropFirst() {
            guard let longer = Window(length: length, asOf: asOf, since: policy.since) else { break }
            let isCut = longer.from < firstDay
            let candidate = isCut ? Window(from: firstDay, to: asOf.day) : longer
            if let candidate, let last = candidates.last, candidate.from < last.from { candidates.append(candidate) }
            if isCut { break }
        }
        return candidates
    }

    /// The first window with enough requests on enough days, else the longest: never chosen by what was blocked.
    private static func choice(of candidates: [Window], days: ArraySlice<DayEvidence>, enough: Double) -> Window? {
        candidates.first { window in
            let seen = days.within(window)
            return seen.reduce(0) { $0 + $1.admitted } >= enough
                && seen.count { $0.admitted > 0 } >= Rule.minimumActiveDays
        } ?? candidates.last
    }

    var policy: FunctionPolicy { input.policy }
    var numbers: VerdictPolicy { input.policy.numbers }

    /// The function's first verification in the stretch, as far as its policy looks back.
    private var first: DayEvidence? {
        guard let since = policy.since else { return days.first }
        return days.first { since <= $0.day }
    }

    /// max(1, round((T − first)/24 h)), halves up; 0 without a first verification.
    var ageDays: Int {
        guard let asOf, let first else { return 0 }
        let start = Instant(day: first.day, nanosecondOfDay: first.firstNanosecond)
        let seconds = asOf.seconds - start.seconds - (asOf.nanoseconds < start.nanoseconds ? 1 : 0)
        return max(1, Int((seconds + Instant.secondsPerDay / 2) / Instant.secondsPerDay))
    }

    /// The window's calendar days since the function was first seen.
    var observedDays: Int {
        guard let window, let first else { return 0 }
        return Window(from: max(window.from, first.day), to: window.to)?.dayCount ?? 0
    }

    /// The part of the last W days that lies in the stretch.
    var recentStretch: Window? {
        recentWindow.flatMap { project?.stretch(of: $0) }
    }
}

// MARK: The order

extension Rule {
    /// The clauses that depend on the days, in the order in which they decide: each gives those of its reasons that
    /// hold.
    private static let clauses: [@Sendable (Rule) -> [Reason]] = [
        Passes.findHidden,
        Silence.find,
        ExcessBlocking.find,
        SampleSize.findTooFewRequests,
        SampleSize.findTooFewDays,
        Completeness.findGap,
        Failures.find,
        Completeness.findUncounted,
        Origin.findUnattributed,
        Origin.findMix,
    ]

    /// Advice, which never changes a verdict, in the order in which it is listed; ``FunctionGroup`` adds
    /// `safe-together`.
    static let advice: [@Sendable (_ result: RuleResult, _ signedIn: RuleResult) -> Reason?] = [
        BlockedCallers.findAnonymous,
        ExcessBlocking.findCleanDays,
        Passes.findAllRefused,
        Failures.findUnproven,
        Origin.findTextOnly,
        ExcessBlocking.findRecentTrouble,
        BlockedCallers.findShift,
        Origin.findSDK3,
    ]

    /// Every reason against enforcement that holds, in the order in which they decide.
    ///
    /// For a silent window nothing else is reported, so nothing else is computed: an inventory may list thousands of
    /// silent functions, and the number of missing requests takes a search.
    var findings: [Reason] {
        input.settled + Settled.findLockout(self) + Settled.findSuccessor(self)
            + (period.days.isEmpty ? Silence.find(self) : Rule.clauses.flatMap { $0(self) })
    }

    /// True when no reason against enforcement holds.
    ///
    /// The upper bound comes first: it fails most often, and then nothing else need be computed.
    var isSafe: Bool {
        input.settled.isEmpty && !period.days.isEmpty && !period.upperExceeds(numbers.maxBlocked)
            && Settled.findSuccessor(self).isEmpty && Rule.clauses.allSatisfy { $0(self).isEmpty }
    }

    /// True for a function that is judged together with others.
    ///
    /// It has few requests even in its longest window, and the log shows its passes and its traffic. What was blocked
    /// does not matter.
    var isQuiet: Bool {
        period.admitted < numbers.enoughRequests && input.settled.isEmpty && Settled.findSuccessor(self).isEmpty
            && Passes.findHidden(self).isEmpty && Silence.find(self).isEmpty
    }
}
