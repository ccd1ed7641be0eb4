package import Verifications

/// The numbers of a function's window that its verdict is based on.
package struct WindowCounts: Hashable, Sendable {
    /// The days that were judged; nil when nothing is dated, or when the policy's `since` is after the as-of day.
    package let window: Window?
    /// Requests that reach the function's code.
    package let admitted: Int
    /// Admitted requests that enforcement would newly refuse.
    package let blocked: Int
    /// Bounds of the blocked rate at the policy's confidence; 1 and 0 without a request.
    package let blockedRateUpper: Double
    package let blockedRateLower: Double
    /// φ: by how much the daily rates differ more than chance would have them, at least 1.
    package let dispersion: Double
    /// Days of the window with an admitted request.
    package let activeDays: Int
    /// Blocked requests whose App Check token was refused.
    package let tokenRefused: Int
    /// Blocked requests without an App Check token, of callers with a valid Auth token.
    package let signedInNoToken: Int
    /// Blocked requests without any token.
    package let anonymousNoToken: Int
    /// The newest blocked request of the window.
    package let lastBlocked: Instant?
    /// Active days of the window after the day of ``lastBlocked``; all of them when nothing was blocked.
    package let cleanStreak: Int
    /// The time in the window since the function was first seen, in days: what numbers "a day" are divided by.
    package let observedDays: Double
    /// Days of the window without a verification of the project that are passed over: of each, nothing else is missing
    /// within two weeks.
    package let passedOver: [Day]
    /// Requests that could not be counted, and that might have been blocked; nil if their number is unknown.
    package let uncounted: Int?
    /// Requests that would be admitted, except for clients that the policy leaves out.
    package let leftOut: Int
    /// Valid tokens of programs, which do not count.
    package let machines: Int
    /// Upper bound of refused requests a week, at the policy's confidence; nil without an observed day.
    package let perWeekUpper: Double?

    init(_ evaluation: Evaluation) {
        let period = evaluation.period
        let lastBlockedDay = period.days.last { $0.blocked > 0 }
        window = evaluation.window
        observedDays = evaluation.observedDays
        passedOver = evaluation.window.flatMap { evaluation.project?.passedOver(in: $0) } ?? []
        uncounted = evaluation.uncounted
        leftOut = Int(period.days.reduce(0) { $0 + $1.leftOut })
        machines = Int(period.days.reduce(0) { $0 + $1.machines })
        perWeekUpper = WeeklyBound.upper(period, observedDays: evaluation.observedDays)
        admitted = Int(period.admitted)
        blocked = Int(period.blocked)
        blockedRateUpper = period.upper
        blockedRateLower = period.lower
        dispersion = period.dispersion
        activeDays = period.activeDays
        tokenRefused = Int(period.tokenRefused)
        signedInNoToken = Int(period.days.reduce(0) { $0 + $1.signedInNoToken })
        anonymousNoToken = Int(period.days.reduce(0) { $0 + $1.anonymousNoToken })
        lastBlocked = lastBlockedDay.flatMap { day in
            day.lastBlocked.map { Instant(day: day.day, nanosecondOfDay: $0) }
        }
        cleanStreak = period.cleanDays.count
    }

    /// Blocked by admitted; nil without a request.
    package var blockedRate: Double? {
        admitted > 0 ? Double(blocked) / Double(admitted) : nil
    }

    package var blockedPerDay: Double {
        observedDays > 0 ? Double(blocked) / observedDays : 0
    }

    /// As many blocked requests per observed day as the upper bound allows; 0 without one.
    package var blockedPerDayUpper: Double {
        observedDays > 0 ? blockedRateUpper * Double(admitted) / observedDays : 0
    }
}

extension Period {
    /// The active days after the last one with a blocked request; all active days when there is none.
    var cleanDays: [FunctionDay] {
        let start = days.lastIndex { $0.blocked > 0 }.map { $0 + 1 } ?? days.startIndex
        return days[start...].filter(\.isActive)
    }
}
