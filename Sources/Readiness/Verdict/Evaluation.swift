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
    /// Days of the stretch with a verification, ascending, up to T's day; those that failed are blocked.
    ///
    /// Windows are cut at the policy's `since`, so earlier days count only for the longest pause.
    let traffic: ArraySlice<DaySum>
    /// The requests that the rule counts, on these days.
    let days: ArraySlice<DaySum>
    /// Whom the rule counts.
    let counted: CountingRule
    /// True where `requires-auth` is set, and the log shows that signed-out requests are served.
    let isAuthContradicted: Bool
    /// window(W), "the last W days".
    let recentWindow: Window?
    /// The last `max-window` days, as far as log and policy reach back.
    let callerWindow: Window?
    /// The window that was chosen; nil when nothing is dated or the policy's `since` is after T's day.
    let window: Window?
    /// The window's requests.
    let period: Period
    /// Requests of the window that were answered 2xx and left no verification.
    private let unlogged: Int
    /// Requests that could not be judged and might be blocked ones, the same on every night; nil if unknown
    /// how many there are.
    private let unjudged: Int?
    /// False for a night before T and for a day to come, to which the clock does not apply.
    let isNow: Bool
    /// The findings that a forecast takes over from T; nil if the days themselves decide.
    let lasting: LastingFindings?
    /// k, if a number of requests a week is acceptable; nil if the share decides alone.
    let few: Double?
    /// False where the rows that there are show nothing of platforms.
    private(set) lazy var showsPlatforms = findRows()
    private(set) lazy var rowsAreNameless = findNamelessRows()
    /// Its requests by platform, which most nights need not look at.
    private(set) lazy var platforms = Platforms(self)
    /// Whom enforcement refuses now, regardless of the verdict.
    private(set) lazy var lockout = Lockout(self)
    /// The same people's requests since the switch.
    private(set) lazy var afterSwitch = AfterSwitch(self)
    /// The requests that segments ask about; those of now serve the nights before, if the same people count.
    private(set) lazy var selected: SelectedRequests? =
        now.flatMap { $0.counted == counted ? $0.selected : nil } ?? select()
    private(set) lazy var selectedAfter = selectAfter()
    private let now: Evaluation?
    /// All requests that the rule counts; nil without a day.
    private(set) lazy var all = selected.flatMap { unit($0) { _, _ in true } }
    private(set) lazy var failing = findFailing()

    /// The rule now, at a night before now, or at a day to come.
    ///
    /// Other rules take the unjudged requests of `now`, which is nil for that rule itself; `forecast` has the days when
    /// later ones are filled in.
    init(_ history: FunctionHistory, asOf: Instant?, now: Evaluation? = nil, forecast: FilledDays? = nil) {
        self.history = history
        self.asOf = asOf
        self.now = now
        let numbers = history.policy.numbers
        let project = asOf.map { asOf in
            let horizon = forecast == nil ? asOf.day : now?.asOf?.day ?? asOf.day
            return ProjectView(history.project, horizon: horizon, today: asOf.day)
        }
        let stretch = project.flatMap { view in view.firstDay.flatMap { Window(from: $0, to: view.today) } }
        self.stretch = stretch
        self.project = project
        let candidates =
            asOf.map { Evaluation.candidates(asOf: $0, firstDay: stretch?.from, policy: history.policy) } ?? []
        recentWindow = candidates.first
        callerWindow = asOf.flatMap { Window(length: numbers.maxWindow, asOf: $0, since: history.policy.since) }
            .flatMap { project?.stretch(of: $0) }
        let source: any RequestDays = forecast?.days ?? history.days
        traffic = source.traffic.within(stretch)
        if forecast != nil, let now {
            (counted, isAuthContradicted) = (now.counted, now.isAuthContradicted)
        } else {
            counted = history.judgement.counted(history.admission, in: callerWindow)
            isAuthContradicted = numbers.requiresAuth && history.judgement.servesSignedOut(in: callerWindow)
        }
        days = source.judged(counted).within(stretch)
        window = Evaluation.choice(of: candidates, days: days, enough: numbers.enoughRequests)
        period = Period(days, in: window, confidence: numbers.confidence)
        isNow = now == nil
        lasting = forecast?.lasting
        // What lies before the stretch is of another log.
        let judged = window.flatMap { project?.stretch(of: $0) }
        unlogged = judged.map { history.table.cells(in: $0.days).filter(\.isUnlogged).requests } ?? 0
        unjudged = now.map(\.unjudged) ?? history.unjudged(in: window, counted.admission)
        few = Evaluation.fewPerWeek(
            history, period, traffic, days: days, window, recent: recentWindow, asOf: asOf)
    }

    struct FilledDays {
        var days: DaysToCome
        let lasting: LastingFindings
    }

    /// Findings now that hold, or do not, for the days to come as well: what these are filled with cannot tell.
    struct LastingFindings {
        let failing: [Finding]
        let silences: [Finding]
        let failures: [Finding]
        let platforms: [Finding]
        let callers: [Finding]

        init(_ now: Evaluation) {
            failing = FailingNow.find(now)
            silences = now.history.clauses.silences(now)
            failures = now.history.clauses.failures(now)
            platforms = now.history.clauses.platforms(now)
            callers = now.history.clauses.callers(now)
        }

        /// All findings that a day to come cannot lift.
        var all: [Finding] { failing + failures + platforms + callers }
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
    private static func choice(of candidates: [Window], days: ArraySlice<DaySum>, enough: Double) -> Window? {
        candidates.first { window in
            let seen = days.within(window)
            return seen.reduce(0) { $0 + $1.requests } >= enough && seen.count >= Evaluation.minimumActiveDays
        } ?? candidates.last
    }

    /// Requests that could not be counted and might be blocked ones; nil if their number is unknown.
    ///
    /// Requests that left a row and no verification have a day, and count in the windows that it lies in.
    var uncounted: Int? { unjudged.map { $0 + unlogged } }

    /// Signed-in requests alone are judged where at least half are signed in.
    var judgedAdmission: Admission {
        2 * period.signedIn >= period.admitted ? .signedIn : admission
    }

    /// All requests that the rule counts, by stretches of constant share; nil without a day.
    var segments: Segments? { all?.segments }

    var admission: Admission { counted.admission }
    /// True where the log shows that nobody signed out is served.
    var servesNobodySignedOut: Bool { admission != history.admission }

    var policy: FunctionPolicy { history.policy }
    var numbers: VerdictPolicy { history.policy.numbers }

    /// max(1, round((T − first)/24 h)), halves up; 0 without a first verification.
    var ageDays: Int {
        guard let asOf, let start = traffic.first?.start else { return 0 }
        let seconds = asOf.seconds - start.seconds - (asOf.nanoseconds < start.nanoseconds ? 1 : 0)
        return max(1, Int((seconds + Instant.secondsPerDay / 2) / Instant.secondsPerDay))
    }

    var isTooYoung: Bool { ageDays < numbers.minDays }

    /// The time in the window since the function was first seen.
    var observedDays: Double { Evaluation.observedDays(of: window, traffic, asOf: asOf) }

    /// The time in a window since a function was first seen in the stretch, in days and at least one; 0 where it was
    /// not.
    static func observedDays(of window: Window?, _ traffic: ArraySlice<DaySum>, asOf: Instant?) -> Double {
        guard let window, let asOf, let first = traffic.first else { return 0 }
        let start = max(Instant(day: window.from, nanosecondOfDay: 0), first.start)
        let nanoseconds = Double(asOf.nanoseconds) - Double(start.nanoseconds)
        return max(1, (Double(asOf.seconds - start.seconds) + nanoseconds / 1e9) / Double(Instant.secondsPerDay))
    }

    /// A number of the window's requests by its observed days; 0 without one.
    func perDay(_ requests: Double) -> Double { observedDays > 0 ? requests / observedDays : 0 }

    /// Admitted requests a day, in the seven days that end with T's.
    var requestsPerDay: Double {
        guard let today = asOf?.day else { return 0 }
        let first = today.advanced(by: -6)
        let week = Window(from: max(first, policy.since ?? first), to: today)
        // Three days of a new function are not a week.
        let observed = Evaluation.observedDays(of: week, traffic, asOf: asOf)
        return observed > 0 ? days.within(week).reduce(0) { $0 + $1.requests } / observed : 0
    }

    /// The number of the window's requests that are meant, whether the rule counts them or not.
    func count(where isSelected: (Cell) -> Bool) -> Int {
        guard let window else { return 0 }
        return history.table.cells(in: window.days).filter { $0.isCounted && isSelected($0) }.requests
    }

    /// The verifications of the window, by day.
    var seen: ArraySlice<DaySum> { traffic.within(window) }

    /// The part of the last W days that lies in the stretch.
    var recentStretch: Window? {
        recentWindow.flatMap { project?.stretch(of: $0) }
    }
}

// MARK: The order

extension Evaluation {
    /// Every reason against enforcement that holds, in the order in which they decide.
    ///
    /// For a silent window nothing else is reported, so nothing else is computed: an inventory may list thousands of
    /// silent functions, and the number of missing requests takes a search.
    var findings: [Finding] {
        Settled.find(self)
            + (seen.isEmpty ? history.clauses.silence(self) : history.clauses.all.flatMap { $0(self) })
    }

    /// True for a night on which a service was on.
    private var wasEnforced: Bool {
        guard history.table.isByHour, let asOf, let end = now?.asOf, asOf < end else { return false }
        return HourStint.wasOn(history.table, at: asOf, upTo: end)
    }

    /// True when no reason against enforcement holds.
    ///
    /// The upper bound comes first: it fails most often, and then nothing else need be computed.
    var isSafe: Bool {
        !wasEnforced && !seen.isEmpty && (few != nil || !period.upperExceeds(numbers.maxBlocked))
            && Settled.find(self).isEmpty
            && history.clauses.all.allSatisfy { $0(self).isEmpty }
    }
}
