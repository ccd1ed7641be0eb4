import Verifications

/// The rule that decides, for one function at one instant; `Documentation.docc/Verdict.md` says why it is as it is.
///
/// A rule is a value: the forecast makes one for every day to come, with days filled in, and asks it the same questions
/// as today's.
struct Rule: Sendable {
    /// What the rule looks at beside the function's own days.
    struct Setting: Sendable {
        var policy: FunctionPolicy
        var project: ProjectEvidence
        /// T's day, or nil when nothing is dated.
        ///
        /// Later days are the forecast's, and covered.
        var horizon: Day?
        /// The function's first verification, as far as its policy looks back.
        var first: Instant?
        /// Findings that stay as they are at T when days are filled: those of the policy and of another function.
        var standing: [Reason] = []
        /// Likewise: the clock against the export.
        var exportOld: Reason?
        /// Likewise: the failures' stream.
        var failures: [Reason] = []
    }

    /// Fewer days than this with an admitted request show no habit.
    static let minimumActiveDays = 3
    /// A day with this many verifications would show a pass if any were logged.
    private static let blindDay = 10.0

    let asOf: Instant?
    let setting: Setting
    /// Days with a verification, ascending, up to T's day.
    ///
    /// Windows are cut at the policy's `since`, so that earlier days count in the longest pause only.
    let days: [DayEvidence]
    /// The window that was chosen; nil when nothing is dated or the policy's `since` is after T's day.
    let window: Window?
    /// The window's requests.
    let period: Period
    /// window(W), "the last W days".
    let recentWindow: Window?
    /// Its requests.
    let recent: Period

    init(asOf: Instant?, days: [DayEvidence], setting: Setting) {
        self.asOf = asOf
        self.setting = setting
        self.days = days
        let numbers = setting.policy.numbers
        let candidates = asOf.map { Rule.candidates(asOf: $0, setting: setting) } ?? []
        let chosen = candidates.first { window in
            days.within(window).reduce(0) { $0 + $1.admitted } >= numbers.enoughRequests
        }
        recentWindow = candidates.first
        window = chosen ?? candidates.last
        recent = Period(days.within(recentWindow), confidence: numbers.confidence)
        period = window == recentWindow ? recent : Period(days.within(window), confidence: numbers.confidence)
    }

    /// window(W), and window(2·W), window(3·W) … as far as the policy lets the window grow and the project's log
    /// reaches.
    ///
    /// Whether the log reaches is asked of the whole window. The policy's `since` cuts windows and removes none.
    private static func candidates(asOf: Instant, setting: Setting) -> [Window] {
        let policy = setting.policy
        let lengths = stride(from: policy.numbers.window, through: policy.numbers.maxWindow, by: policy.numbers.window)
        let grown = lengths.dropFirst().prefix { length in
            guard let firstDay = setting.project.coveredDays.first,
                let whole = Window(length: length, asOf: asOf, since: nil)
            else { return false }
            return firstDay <= whole.from
        }
        return ([policy.numbers.window] + grown).compactMap { Window(length: $0, asOf: asOf, since: policy.since) }
    }

    var numbers: VerdictPolicy {
        setting.policy.numbers
    }

    /// max(1, round((T − first)/24 h)), halves up; 0 when the policy's `since` leaves no dated verification.
    var ageDays: Int {
        guard let asOf, let first = setting.first else { return 0 }
        let seconds = asOf.seconds - first.seconds - (asOf.nanoseconds < first.nanoseconds ? 1 : 0)
        return max(1, Int((seconds + Instant.secondsPerDay / 2) / Instant.secondsPerDay))
    }

    /// Every reason against enforcement that holds, in the order in which they decide.
    ///
    /// Of a silent window nothing else is told, so nothing else is computed: an inventory may list thousands of silent
    /// functions, and the number of requests that are missing takes a search.
    var findings: [Reason] {
        setting.standing + (period.days.isEmpty ? silence : Rule.clauses.flatMap { $0(self) })
    }

    /// True when no reason against enforcement holds: the rule says `enforce`.
    ///
    /// The upper bound is asked first: it fails most often, and then nothing else need be computed.
    var isSafe: Bool {
        setting.standing.isEmpty && !period.upperExceeds(numbers.maxBlocked)
            && Rule.clauses.allSatisfy { $0(self).isEmpty }
    }

    /// The rows of the table that depend on the days, in its order: each gives those of its reasons that hold.
    private static let clauses: [@Sendable (Rule) -> [Reason]] = [
        { $0.passesNotSeen },
        { $0.silence },
        { $0.trouble },
        { $0.tooFewRequests },
        { $0.tooFewDays },
        { $0.coverageGap },
        { $0.setting.failures },
    ]

    private var passesNotSeen: [Reason] {
        let seen = period.days
        let verifications = seen.reduce(0) { $0 + $1.verifications }
        if verifications > 0, seen.allSatisfy({ $0.passed == 0 }) {
            return [.passesNotSeen(day: nil, verifications: Int(verifications))]
        }
        guard let blind = seen.first(where: { $0.passed == 0 && $0.verifications >= Rule.blindDay }) else { return [] }
        return [.passesNotSeen(day: blind.day, verifications: Int(blind.verifications))]
    }

    private var silence: [Reason] {
        let noTraffic = period.days.isEmpty ? Reason.noTraffic(last: days.last?.day) : nil
        let stale = asOf.flatMap { Staleness.finding(days, asOf: $0.day) }
        return [noTraffic, stale, setting.exportOld].compactMap { $0 }
    }

    private var trouble: [Reason] {
        let inWindow = Trouble(in: period, window: window, above: numbers.maxBlocked)
        let decisive = inWindow ?? Trouble(in: recent, window: recentWindow, above: numbers.maxBlocked)
        return decisive?.findings ?? []
    }

    private var tooFewRequests: [Reason] {
        guard period.upperExceeds(numbers.maxBlocked), !period.lowerExceeds(numbers.maxBlocked) else { return [] }
        return [
            .tooFewRequests(
                missing: period.cleanRequestsMissing(below: numbers.maxBlocked), upper: period.upper,
                limit: numbers.maxBlocked, admitted: Int(period.admitted))
        ]
    }

    private var tooFewDays: [Reason] {
        var findings: [Reason] = []
        if ageDays < numbers.minDays { findings.append(.tooFewDays(age: ageDays, limit: numbers.minDays)) }
        if period.activeDays < Rule.minimumActiveDays {
            findings.append(.tooFewActiveDays(days: period.activeDays, limit: Rule.minimumActiveDays))
        }
        return findings
    }

    private var coverageGap: [Reason] {
        guard !numbers.assumeComplete, let window, let horizon = setting.horizon else { return [] }
        let gaps = Coverage.gaps(in: window, firstDay: setting.project.coveredDays.first) { day in
            day > horizon || setting.project.isCovered(day)
        }
        return gaps.isEmpty ? [] : [.coverageGap(gaps)]
    }
}
