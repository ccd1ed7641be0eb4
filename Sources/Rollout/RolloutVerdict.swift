package import Readiness
package import Verifications

package struct RolloutPolicy: Hashable, Sendable {
    package var window = 14
    package var maxFailed = 0.02
    package var confidence = 0.95
    /// The day on which the percentage last changed; nil when it is taken to have held for the whole window.
    package var since: Day?
    /// The percentage before it changed, to go back to; nil when nobody has said.
    package var previous: Double?
    /// The percentages to go through, ascending, above 0 and up to 100.
    package var steps: [Double] = [1, 5, 10, 25, 50, 100]
    /// The number of people who use the iOS app on a day; nil if it is unknown.
    package var dailyUsers: Int?
    /// The share of requests that enforcement of a function may refuse, by the rule on functions.
    package var maxBlocked = VerdictPolicy().maxBlocked

    package init() {}

    /// The newest days of a Google Analytics export are not complete: daily tables are updated for so long.
    ///
    /// <https://support.google.com/firebase/answer/7029846>
    package static let lateDays = 3
    /// With fewer days with users nothing is raised.
    package static let leastDays = 3
    /// With fewer users no failure rate is known, and none is needed to go on: nothing is refused before enforcement.
    static let enoughUsers = 300
    /// With a smaller share of the users who should have an event, too many are unseen.
    package static let leastReporting = 0.8

    /// The number of new users a day that Apple's service takes.
    ///
    /// Apple asks for "fewer than 100 requests per second" across all installations and for "no more than 10 million
    /// users per day per app"
    /// (<https://developer.apple.com/documentation/devicecheck/preparing-to-use-the-app-attest-service>). With a peak
    /// of three times the mean the former is the smaller: 100 · 86,400 / 3 users a day.
    static let newUsersPerDay = 2_880_000

    package func window(endingBefore newest: Day?) -> ClosedRange<Day>? {
        guard let newest else { return nil }
        let last = newest.advanced(by: -RolloutPolicy.lateDays)
        let first = max(last.advanced(by: 1 - window), since?.advanced(by: 1) ?? Day(number: .min))
        return first <= last ? first...last : nil
    }

    /// The percentage to go to; nil when there is no larger step.
    ///
    /// If more users are needed than the given ones, the step is the smallest one that is expected to give
    /// ``enoughUsers``, or the last one.
    package func next(after percent: Double, users: Int? = nil) -> Double? {
        let larger = steps.filter { $0 > percent }
        let enough = users.flatMap { users in
            larger.first { Double(users) * $0 >= Double(RolloutPolicy.enoughUsers) * percent } ?? larger.last
        }
        guard let step = enough ?? larger.first else { return nil }
        guard let dailyUsers, dailyUsers > 0 else { return step }
        let room = Double(RolloutPolicy.newUsersPerDay) / Double(dailyUsers) * 100
        guard step - percent > room else { return step }
        // As a number that somebody would type.
        for unit in [1, 100, 10_000] as [Double] {
            let bounded = ((percent + room) * unit).rounded(.down) / unit
            if bounded > percent { return bounded }
        }
        return nil
    }
}

package enum RolloutVerdict: String, CaseIterable, Sendable {
    case raise
    case done
    case hold
    /// Lower it: too many users fail.
    case rollBack = "roll-back"
}

/// Why, with the number that decided and its limit.
package enum RolloutReason: Hashable, Sendable {
    /// The lower bound of the failure rate is above what may fail.
    case tooManyFailures(lower: Double)
    /// The lower bound of a single day's failure rate is above what may fail.
    case badDay(Day, lower: Double)
    case complete
    /// Nobody has it yet, which explains too few days.
    case notStarted
    /// Too many failed on these days, at least this share, and no longer do: only the days after them are judged.
    case recovered(ClosedRange<Day>, lower: Double)
    /// Too few of the users who should have an event have one.
    case underReported(share: Double)
    case tooFewDays(Int)
    /// The upper bound is not above what may fail.
    case fewFailures(upper: Double)
    /// Too few users for a bound, and no sign of trouble.
    case fewUsers(Int)
    /// The limit lies between the bounds.
    case tooFewUsers(upper: Double)

    /// How programs know it, the number that decided, and its limit.
    package func facts(_ policy: RolloutPolicy) -> (code: String, value: Double, limit: Double?) {
        switch self {
        case .tooManyFailures(let lower): ("too-many-failures", lower, policy.maxFailed)
        case .badDay(_, let lower): ("bad-day", lower, policy.maxFailed)
        case .complete: ("complete", 100, 100)
        case .recovered(_, let lower): ("recovered", lower, policy.maxFailed)
        case .notStarted: ("not-started", 0, nil)
        case .underReported(let share): ("under-reported", share, RolloutPolicy.leastReporting)
        case .tooFewDays(let days): ("too-few-days", Double(days), Double(RolloutPolicy.leastDays))
        case .fewFailures(let upper): ("few-failures", upper, policy.maxFailed)
        case .fewUsers(let users): ("few-users", Double(users), Double(RolloutPolicy.enoughUsers))
        case .tooFewUsers(let upper): ("too-few-users", upper, policy.maxFailed)
        }
    }
}

package struct RolloutAssessment: Sendable {
    package let policy: RolloutPolicy
    package let template: RolloutTemplate?
    /// The days that are judged.
    package private(set) var window: ClosedRange<Day>?
    package private(set) var counts: RolloutCounts
    /// The effect of the rollout on iOS requests; nil if no log shows any.
    package let expectedInvalid: ExpectedInvalid?
    /// The same of each service whose metric counts requests of iOS apps, by project and name.
    package let services: [(service: FunctionIdentity, expected: ExpectedInvalid)]
    package private(set) var verdict = RolloutVerdict.hold
    package private(set) var reasons: [RolloutReason] = []
    /// The percentage to raise it to, or to go back to; nil when it is to stay, or nobody knows from where.
    package private(set) var next: Double?

    /// Judges what was counted; the rule looks neither at the clock nor at what logs show of callers.
    package init(
        _ tally: EventTally, template: RolloutTemplate?, policy: RolloutPolicy = RolloutPolicy(),
        logs: Tally? = nil, services: ServiceCounts = ServiceCounts()
    ) {
        let since = policy.since?.advanced(by: 1)
        expectedInvalid = template.flatMap { ExpectedInvalid(logs?.iOSTokens(from: since), of: $0) }
        self.services = services.iOSTokens(from: since).compactMap { service, tokens in
            template.flatMap { ExpectedInvalid(tokens, of: $0) }.map { (service, $0) }
        }
        self.policy = policy
        self.template = template
        window = policy.window(endingBefore: tally.newestDay)
        counts = RolloutCounts(tally, window: window)
        let failures = failures
        let recovered = failures.isEmpty ? nil : recover(tally, failures)
        (verdict, reasons) = judgement(recovered == nil ? failures : [], isFree: recovered == nil)
        reasons = [recovered].compactMap(\.self) + reasons
        guard let template else { return }
        switch verdict {
        case .raise:
            let needsUsers = upper > policy.maxFailed
            next = policy.next(after: template.percent, users: needsUsers ? counts.total.users : nil)
        case .rollBack:
            next = policy.previous ?? policy.steps.last { $0 < template.percent } ?? 0
        case .done, .hold: break
        }
    }

    /// The share of users with a failure and no success; nil without users.
    package var rate: Double? { counts.total.rate }

    package var upper: Double { counts.total.bounds(confidence: policy.confidence).upperBound }
    package var lower: Double { counts.total.bounds(confidence: policy.confidence).lowerBound }

    /// Users with an event by the users who should have one.
    ///
    /// Nil where other iOS events or the percentage are missing, and where a condition leaves out an unknown number.
    package var reporting: Double? {
        guard let template, template.percent > 0, !template.isNarrowed, counts.hasOtherEvents,
            counts.able > 0
        else { return nil }
        return Double(counts.total.users) / (Double(counts.able) * template.percent / 100)
    }

    package var judgedDays: [RolloutDay] { counts.days.filter { window?.contains($0.day) ?? false } }

    /// Why to roll back.
    private var failures: [RolloutReason] {
        let days = judgedDays
        let confidence = 1 - (1 - policy.confidence) / Double(max(1, days.count))
        return (lower > policy.maxFailed ? [.tooManyFailures(lower: lower)] : [])
            + days.compactMap { day in
                let lower = day.count.bounds(confidence: confidence).lowerBound
                return lower > policy.maxFailed ? .badDay(day.day, lower: lower) : nil
            }
    }

    /// Judges only the days after an outage that is over; nil, and nothing changes, where none is.
    ///
    /// It is over when at least ``RolloutPolicy/leastDays`` days followed, on which surely few users fail, or on which
    /// no larger share fails than may, where the outage was so bad that single days show it.
    private mutating func recover(_ tally: EventTally, _ failures: [RolloutReason]) -> RolloutReason? {
        let days = judgedDays
        let bad = failures.compactMap {
            if case .badDay(let day, let lower) = $0 { (day: day, lower: lower) } else { nil }
        }
        guard let last = window?.upperBound, let first = days.first?.day else { return nil }
        let starts = days.map(\.day).dropLast(RolloutPolicy.leastDays - 1).filter { $0 > bad.last?.day ?? first }
        let found = zip(starts, tally.totals(from: starts, through: last)).first { start, total in
            total.bounds(confidence: policy.confidence).upperBound <= policy.maxFailed
                || !bad.isEmpty && start == starts.first && total.rate ?? 1 <= policy.maxFailed
        }
        guard let start = found?.0 else { return nil }
        let end = bad.last?.day ?? days.last { $0.day < start }?.day ?? first
        let reason = RolloutReason.recovered((bad.first?.day ?? first)...end, lower: bad.map(\.lower).max() ?? lower)
        window = start...last
        counts = RolloutCounts(tally, window: start...last)
        return reason
    }

    /// The first verdict that applies, and every reason for it; what has just recovered is not raised on few users.
    private func judgement(_ failures: [RolloutReason], isFree: Bool) -> (RolloutVerdict, [RolloutReason]) {
        guard failures.isEmpty else { return (.rollBack, failures) }
        var doubts: [RolloutReason] = []
        if let reporting, reporting < RolloutPolicy.leastReporting { doubts.append(.underReported(share: reporting)) }
        if let template, template.percent >= 100 { return doubts.isEmpty ? (.done, [.complete]) : (.hold, doubts) }

        let days = judgedDays.count
        if days < RolloutPolicy.leastDays {
            // More days will not come by waiting.
            if template?.percent == 0 { doubts.append(.notStarted) }
            doubts.append(.tooFewDays(days))
        }
        if upper <= policy.maxFailed {
            return doubts.isEmpty ? (.raise, [.fewFailures(upper: upper)]) : (.hold, doubts)
        }
        if isFree, counts.total.users < RolloutPolicy.enoughUsers {
            return doubts.isEmpty ? (.raise, [.fewUsers(counts.total.users)]) : (.hold, doubts)
        }
        return (.hold, doubts + [.tooFewUsers(upper: upper)])
    }
}

/// The share of App Check tokens of iOS requests that are INVALID by design while App Attest is rolled out.
///
/// If the parameter is false, the app has no token, and FirebaseFunctions for iOS sends a placeholder in its place.
package struct ExpectedInvalid: Hashable, Sendable {
    package let share: Double
    /// The share of placeholders among the iOS requests with a valid token or the placeholder, 0 to 1.
    package let observed: Double

    /// True when the rollout is cause enough for the placeholders.
    package var explains: Bool { (observed - share).magnitude <= ExpectedInvalid.tolerance + 1e-9 }

    private static let tolerance = 0.1

    /// Nil without such requests.
    init?(_ tokens: (verified: Int, placeholders: Int)?, of template: RolloutTemplate) {
        guard let tokens, tokens.verified + tokens.placeholders > 0 else { return nil }
        share = (100 - template.percent) / 100
        observed = Double(tokens.placeholders) / Double(tokens.verified + tokens.placeholders)
    }
}

extension ServiceCounts {
    /// Requests of iOS apps with a valid token by service, and all with an invalid one, of which the metric does not
    /// name the app; services without the former are left out.
    fileprivate func iOSTokens(
        from first: Day?
    ) -> [(service: FunctionIdentity, tokens: (verified: Int, placeholders: Int))] {
        var tokens: [FunctionIdentity: (verified: Int, placeholders: Int)] = [:]
        for (key, counts) in series where ["VALID", "INVALID"].contains(key.security) {
            let isVerified = key.security == "VALID"
            guard !isVerified || key.app.text.contains(":ios:") else { continue }
            let requests = counts.filter { first ?? $0.key.lowerBound.day <= $0.key.lowerBound.day }
                .reduce(0) { $0 + $1.value }
            let identity = FunctionIdentity(service: key.service.text, project: key.project.text)
            tokens[identity, default: (0, 0)].verified += isVerified ? requests : 0
            tokens[identity, default: (0, 0)].placeholders += isVerified ? 0 : requests
        }
        return tokens.filter { $0.value.verified > 0 }.map { (service: $0, tokens: $1) }
            .sorted { left, right in
                let (mine, theirs) = (left.service, right.service)
                return (ExactName(mine.project), ExactName(mine.name))
                    < (ExactName(theirs.project), ExactName(theirs.name))
            }
    }
}
