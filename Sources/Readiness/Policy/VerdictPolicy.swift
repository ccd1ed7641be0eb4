package import Verifications

/// The numbers that decide when a function is ready, before any entry of a policy file changes them for one function.
package struct VerdictPolicy: Hashable, Sendable {
    /// The largest share of admitted requests that enforcement may refuse, above 0 and below 1.
    package var maxBlocked = 0.01
    /// One-sided confidence of the bounds, between 0.5 and 1.
    package var confidence = 0.95
    /// Length in days of the shortest window.
    package var window = 7
    /// Length in days that a window may grow to for quiet functions.
    package var maxWindow = 28
    /// Age in days that a function's log must have.
    package var minDays = 7
    /// True when functions refuse signed-out callers themselves: only requests with Auth VALID are then admitted.
    package var requiresAuth = false
    /// On how many days in a row the rule must find nothing against enforcement, at least 1.
    package var confirm = 7
    /// Days on which nothing is expected; of one project like of another, so no entry changes them.
    package var quietDays = QuietDays()
    /// What the user confirms.
    package var assumeComplete = AssumeComplete.nothing

    package init() {}

    /// The growing window stops where 15 blocked requests would be expected at the maximum rate.
    package var enoughRequests: Double {
        15 / maxBlocked
    }
}

/// Numbers of a ``VerdictPolicy`` that one source of settings names; nil where it says nothing.
///
/// The `policy:` part of a policy file, the flags of a command and every entry for functions are such sources.
package struct PolicySettings: Hashable, Sendable {
    package var maxBlocked: Double?
    package var confidence: Double?
    package var minDays: Int?
    package var window: Int?
    package var maxWindow: Int?
    package var requiresAuth: Bool?
    package var confirm: Int?
    package var quietDays: QuietDays?

    package init() {}
}

extension VerdictPolicy {
    /// Takes over every number that the settings name.
    package mutating func apply(_ settings: PolicySettings) {
        maxBlocked = settings.maxBlocked ?? maxBlocked
        confidence = settings.confidence ?? confidence
        minDays = settings.minDays ?? minDays
        window = settings.window ?? window
        maxWindow = settings.maxWindow ?? maxWindow
        requiresAuth = settings.requiresAuth ?? requiresAuth
        confirm = settings.confirm ?? confirm
        quietDays = settings.quietDays ?? quietDays
    }
}

/// Days on which no requests are expected of a project: an empty one is not a gap.
package struct QuietDays: Hashable, Sendable {
    /// 0 for Monday to 6 for Sunday.
    package var weekdays: Set<Int>
    package var dates: Set<Day>

    package init(weekdays: Set<Int> = [], dates: Set<Day> = []) {
        self.weekdays = weekdays
        self.dates = dates
    }

    package var isEmpty: Bool {
        weekdays.isEmpty && dates.isEmpty
    }

    package func contains(_ day: Day) -> Bool {
        !isEmpty && (weekdays.contains(day.weekday) || dates.contains(day))
    }
}

/// What the user confirms, so that the rule need not doubt it.
package enum AssumeComplete: String, Sendable {
    case nothing
    /// The stream of failed verifications arrived: lifts `failures-not-seen` and `failures-stopped`.
    case failures
    /// The log is complete: lifts these, `coverage-gap` and `uncounted`.
    case everything
}
