package import Readiness
package import Verifications

/// What to do with the percentage.
package enum RolloutVerdict: String, CaseIterable, Sendable {
    /// Raise it.
    case raise
    /// Everybody has it.
    case done
    /// Leave it.
    case hold
    /// Lower it: too many users fail.
    case rollBack = "roll-back"
}

/// Why, with the number that decided and its limit.
package enum RolloutReason: Hashable, Sendable {
    /// The lower bound of the failure rate is above what may fail.
    case tooManyFailures(lower: Double)
    /// That of a single day is.
    case badDay(Day, lower: Double)
    case complete
    /// Nobody has it yet, which explains too few days.
    case notStarted
    /// Of the users who should have an event too few have one.
    case underReported(share: Double)
    case tooFewDays(Int)
    /// The upper bound is not above what may fail.
    case fewFailures(upper: Double)
    /// Too few users for a bound, and no sign of trouble.
    case fewUsers(Int)
    /// The limit lies between the bounds.
    case tooFewUsers(upper: Double)

    package var code: String {
        switch self {
        case .tooManyFailures: "too-many-failures"
        case .badDay: "bad-day"
        case .complete: "complete"
        case .notStarted: "not-started"
        case .underReported: "under-reported"
        case .tooFewDays: "too-few-days"
        case .fewFailures: "few-failures"
        case .fewUsers: "few-users"
        case .tooFewUsers: "too-few-users"
        }
    }

    package var value: Double {
        switch self {
        case .tooManyFailures(let lower), .badDay(_, let lower): lower
        case .complete: 100
        case .notStarted: 0
        case .underReported(let share): share
        case .tooFewDays(let days): Double(days)
        case .fewFailures(let upper), .tooFewUsers(let upper): upper
        case .fewUsers(let users): Double(users)
        }
    }

    package func limit(_ policy: RolloutPolicy) -> Double? {
        switch self {
        case .tooManyFailures, .badDay, .fewFailures, .tooFewUsers: policy.maxFailed
        case .complete: 100
        case .notStarted: nil
        case .underReported: RolloutPolicy.leastReporting
        case .tooFewDays: Double(RolloutPolicy.leastDays)
        case .fewUsers: Double(RolloutPolicy.enoughUsers)
        }
    }
}

/// A rollout, judged.
package struct RolloutAssessment: Sendable {
    package let policy: RolloutPolicy
    /// How far it is; nil without a template.
    package let template: RolloutTemplate?
    package let window: ClosedRange<Day>?
    package let counts: RolloutCounts
    /// What the rollout makes of iOS requests; nil where no log shows any.
    package let expectedInvalid: ExpectedInvalid?
    package private(set) var verdict = RolloutVerdict.hold
    package private(set) var reasons: [RolloutReason] = []
    /// The percentage to raise it to; nil when it is not to be raised, or nobody knows from where.
    package private(set) var next: Double?

    /// Judges what was counted; the rule does not look at the clock.
    ///
    /// - Parameters:
    ///   - tally: What was counted.
    ///   - template: How far the rollout is; nil when nobody knows.
    ///   - policy: What it is judged by.
    ///   - evidence: What logs show of callers, which decides nothing.
    package init(
        _ tally: EventTally, template: RolloutTemplate?, policy: RolloutPolicy = RolloutPolicy(),
        evidence: CallEvidence? = nil
    ) {
        expectedInvalid = ExpectedInvalid(evidence, template: template, policy: policy)
        self.policy = policy
        self.template = template
        window = policy.window(endingBefore: tally.newestDay)
        counts = RolloutCounts(tally, window: window)
        (verdict, reasons) = judgement
        if verdict == .raise, let template {
            let needsUsers = upper > policy.maxFailed
            next = policy.next(after: template.percent, users: needsUsers ? counts.total.users : nil)
        }
    }

    /// The share of users with a failure and no success; nil without users.
    package var rate: Double? {
        counts.total.users > 0 ? Double(counts.total.failedOnly) / Double(counts.total.users) : nil
    }

    /// The bounds of that share, as VERDICT's "Numbers" has them: users are independent, so that φ is 1.
    package var upper: Double {
        guard counts.total.users > 0 else { return 1 }
        return ClopperPearson.upper(
            blocked: Double(counts.total.failedOnly), requests: Double(counts.total.users),
            confidence: policy.confidence)
    }

    package var lower: Double {
        RolloutAssessment.lower(counts.total, confidence: policy.confidence)
    }

    /// Users with an event by the users who should have one; nil where other iOS events or the percentage are missing.
    package var reporting: Double? {
        guard let template, template.percent > 0, counts.hasOtherEvents else { return nil }
        return Double(counts.total.users) / (Double(counts.iOSUsers) * template.percent / 100)
    }

    /// Days of the window with users.
    package var judgedDays: [RolloutDay] { counts.days.filter { window?.contains($0.day) ?? false } }

    private static func lower(_ count: UserCount, confidence: Double) -> Double {
        guard count.users > 0 else { return 0 }
        return ClopperPearson.lower(
            blocked: Double(count.failedOnly), requests: Double(count.users), confidence: confidence)
    }

    /// The first verdict that applies, and every reason for it.
    private var judgement: (RolloutVerdict, [RolloutReason]) {
        let days = judgedDays
        var failures: [RolloutReason] = lower > policy.maxFailed ? [.tooManyFailures(lower: lower)] : []
        let dayConfidence = 1 - (1 - policy.confidence) / Double(max(1, days.count))
        failures += days.compactMap { day in
            let lower = RolloutAssessment.lower(day.count, confidence: dayConfidence)
            return lower > policy.maxFailed ? .badDay(day.day, lower: lower) : nil
        }
        guard failures.isEmpty else { return (.rollBack, failures) }
        if let template, template.percent >= 100 { return (.done, [.complete]) }

        var doubts: [RolloutReason] = []
        if let reporting, reporting < RolloutPolicy.leastReporting { doubts.append(.underReported(share: reporting)) }
        if days.count < RolloutPolicy.leastDays {
            // More days will not come by waiting.
            if template?.percent == 0 { doubts.append(.notStarted) }
            doubts.append(.tooFewDays(days.count))
        }
        if upper <= policy.maxFailed {
            return doubts.isEmpty ? (.raise, [.fewFailures(upper: upper)]) : (.hold, doubts)
        }
        if counts.total.users < RolloutPolicy.enoughUsers {
            return doubts.isEmpty ? (.raise, [.fewUsers(counts.total.users)]) : (.hold, doubts)
        }
        return (.hold, doubts + [.tooFewUsers(upper: upper)])
    }
}
