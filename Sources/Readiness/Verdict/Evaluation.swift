import Verifications

/// The rule that decides, for one function at one instant; `Documentation.docc/rule.md` explains each clause.
///
/// It never changes: confirmation makes one for every night before, the forecast one for every day to come. It is a
/// class because forecasts pass on the rule now hundreds of times.
final class Evaluation {
    /// Fewer days than this with an admitted request show no pattern.
    static let minimumActiveDays = 3

    let history: FunctionHistory
    /// T; nil when nothing is dated.
    let asOf: Instant?
    let project: ProjectView?
    /// The days that are looked at, from S to T's day.
    let stretch: Window?
    /// Days of the stretch with a verification, ascending, up to T's day.
    ///
    /// Windows are cut at the policy's `since`, so earlier days count only for the longest pause.
    let days: ArraySlice<FunctionDay>
    /// window(W), "the last W days".
    let recentWindow: Window?
    /// The window that was chosen; nil when nothing is dated or the policy's `since` is after T's day.
    let window: Window?
    /// The window's requests.
    let period: Period
    /// What request rows prove of the window.
    let proof: RequestProof
    /// Requests that could not be judged and might be blocked ones, the same on every night; nil if unknown
    /// how many there are.
    private let unjudged: Int?
    /// Whether enforcement is on; nil where neither policy nor a refused request says anything, and on days to come.
    let enforcement: Enforcement?
    /// False for a night before T and for a day to come, to which the clock does not apply.
    let isNow: Bool
    /// What a forecast takes over from T; nil when the days themselves decide.
    let lasting: LastingFindings?
    /// k, if a number of requests a week is acceptable; nil if the share decides alone.
    let few: Double?
    /// Its requests by platform, which most nights need not look at.
    private(set) lazy var platforms = PlatformView(self)

    /// The rule now, at a night before now, or at a day to come.
    ///
    /// Other rules take the unjudged requests of `now`, which is nil for that rule itself; `forecast` has the days when
    /// later ones are filled in.
    init(_ history: FunctionHistory, asOf: Instant?, now: Evaluation? = nil, forecast: FilledDays? = nil) {
        self.history = history
        self.asOf = asOf
        let numbers = history.policy.numbers
        let project = asOf.map { asOf in
            let horizon = forecast == nil ? asOf.day : now?.asOf?.day ?? asOf.day
            return ProjectView(history.project, horizon: horizon, today: asOf.day)
        }
        let stretch = project.flatMap { view in view.firstDay.flatMap { Window(from: $0, to: view.today) } }
        self.stretch = stretch
        let days = (forecast?.days ?? history.days).within(stretch)
        self.project = project
        self.days = days
        let candidates =
            asOf.map { Evaluation.candidates(asOf: $0, firstDay: stretch?.from, policy: history.policy) } ?? []
        recentWindow = candidates.first
        window = Evaluation.choice(of: candidates, days: days, enough: numbers.enoughRequests)
        period = Period(days.within(window), confidence: numbers.confidence)
        let asksHistory = forecast == nil && (history.policy.enforced != nil || history.enforcementHistory.hasRefusals)
        enforcement =
            asksHistory ? Evaluation.enforcement(history, asOf, stretch, recent: candidates.first, window) : nil
        isNow = now == nil
        lasting = forecast?.lasting
        // What lies before the stretch is of another log.
        let judged = window.flatMap { project?.stretch(of: $0) }
        proof = RequestProof(history, days, in: judged, through: (now?.asOf ?? asOf)?.day)
        unjudged = now.map(\.unjudged) ?? history.unjudged(in: window)
        few = Evaluation.fewPerWeek(history, period, days: days, window: window, recent: recentWindow)
    }

    struct FilledDays {
        var days: [FunctionDay]
        let lasting: LastingFindings
    }

    /// Findings now that hold, or do not, for the days to come as well: what these are filled with cannot tell.
    struct LastingFindings {
        let failures: [Reason]
        let platforms: [Reason]
        let callers: [Reason]

        init(_ now: Evaluation) {
            failures = Failures.find(now)
            platforms = Platforms.find(now)
            callers = Platforms.findUnknownCallers(now)
        }

        /// Those that a day to come cannot lift.
        var all: [Reason] { failures + platforms + callers }
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
    private static func choice(of candidates: [Window], days: ArraySlice<FunctionDay>, enough: Double) -> Window? {
        candidates.first { window in
            let seen = days.within(window)
            return seen.reduce(0) { $0 + $1.admitted } >= enough
                && seen.count { $0.admitted > 0 } >= Evaluation.minimumActiveDays
        } ?? candidates.last
    }

    /// What the days of a stretch show of enforcement.
    static func enforcement(
        _ history: FunctionHistory, _ asOf: Instant?, _ stretch: Window?, recent: Window?, _ window: Window?
    ) -> Enforcement? {
        guard let asOf, let stretch else { return nil }
        let known = recent.flatMap { Window(from: max($0.from, stretch.from), to: $0.to) }
        return history.enforcementHistory.enforcement(
            in: stretch, recent: known, window: window, policy: history.policy.enforced, asOf: asOf)
    }

    /// Requests that could not be counted and might be blocked ones; nil if their number is unknown.
    ///
    /// Those that left a row and no verification have a day, and count in the windows that it lies in.
    var uncounted: Int? { unjudged.map { $0 + proof.unlogged } }

    /// True where enforcement is on for certain: by policy, or shown by the log in every respect.
    var isEnforced: Bool { policy.enforced != nil || enforcement?.isProven == true }

    var policy: FunctionPolicy { history.policy }
    var numbers: VerdictPolicy { history.policy.numbers }

    /// The function's first verification in the stretch, as far as its policy looks back.
    private var first: FunctionDay? { Evaluation.first(of: days, since: policy.since) }

    private static func first(of days: ArraySlice<FunctionDay>, since: Day?) -> FunctionDay? {
        guard let since else { return days.first }
        return days.first { since <= $0.day }
    }

    /// max(1, round((T − first)/24 h)), halves up; 0 without a first verification.
    var ageDays: Int {
        guard let asOf, let first else { return 0 }
        let start = Instant(day: first.day, nanosecondOfDay: first.firstNanosecond)
        let seconds = asOf.seconds - start.seconds - (asOf.nanoseconds < start.nanoseconds ? 1 : 0)
        return max(1, Int((seconds + Instant.secondsPerDay / 2) / Instant.secondsPerDay))
    }

    var isTooYoung: Bool { ageDays < numbers.minDays }

    /// The window's calendar days since the function was first seen.
    var observedDays: Int { Evaluation.observedDays(of: window, days, since: policy.since) }

    /// A window's calendar days since the first of a function's days in the stretch, as far as its policy looks back.
    static func observedDays(of window: Window?, _ days: ArraySlice<FunctionDay>, since: Day?) -> Int {
        guard let window, let first = first(of: days, since: since) else { return 0 }
        return Window(from: max(window.from, first.day), to: window.to)?.dayCount ?? 0
    }

    /// The part of the last W days that lies in the stretch.
    var recentStretch: Window? {
        recentWindow.flatMap { project?.stretch(of: $0) }
    }
}

// MARK: The order

extension Evaluation {
    /// The clauses that depend on the days, in the order in which they decide: each gives those of its reasons that
    /// hold.
    private static let clauses: [@Sendable (Evaluation) -> [Reason]] = [
        Passes.findHidden,
        Silence.find,
        ExcessBlocking.find,
        Platforms.find,
        SampleSize.findTooFewRequests,
        Platforms.findUnknownCallers,
        SampleSize.findTooFewDays,
        Completeness.findGap,
        Failures.find,
        Completeness.findUncounted,
        Origin.findUnattributed,
        Origin.findMix,
    ]

    /// Advice, which never changes a verdict, in the order in which it is listed.
    static let advice: [@Sendable (_ result: ConfirmedEvaluation, _ signedIn: ConfirmedEvaluation) -> Reason?] = [
        FailingNow.find,
        BlockedCallers.findAnonymous,
        ExcessBlocking.findCleanDays,
        Passes.findAllRefused,
        Failures.findUnproven,
        Origin.findTextOnly,
        ExcessBlocking.findBadDays,
        Origin.findSDK3,
        Platforms.findAnonymous,
        Platforms.adviseUnknownCallers,
    ]

    /// Every reason against enforcement that holds, in the order in which they decide.
    ///
    /// For a silent window nothing else is reported, so nothing else is computed: an inventory may list thousands of
    /// silent functions, and the number of missing requests takes a search.
    var findings: [Reason] {
        Settled.find(self)
            + (period.days.isEmpty ? Silence.find(self) : Evaluation.clauses.flatMap { $0(self) })
    }

    /// True when no reason against enforcement holds.
    ///
    /// The upper bound comes first: it fails most often, and then nothing else need be computed.
    var isSafe: Bool {
        !period.days.isEmpty && (few != nil || !period.upperExceeds(numbers.maxBlocked)) && Settled.find(self).isEmpty
            && Evaluation.clauses.allSatisfy { $0(self).isEmpty }
    }
}
