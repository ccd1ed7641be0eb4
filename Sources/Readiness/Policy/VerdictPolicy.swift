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
    /// So many refused requests a week are acceptable, whatever share they are; nil where the share decides.
    package var maxPerWeek: Double?
    /// Kinds of clients of one's own, whose requests are not admitted.
    package var ignoredClients: Set<ClientKind> = []
    /// Platforms and releases that may be refused.
    package var acceptedPlatforms: [PlatformName] = []
    package var requiresCallers = false
    package var assumeComplete = AssumeComplete.nothing
    /// The settings file behind the numbers or the selection; nil without one.
    package var settings: SettingsEffect?

    package init() {}

    package var admission: Admission { requiresAuth ? .signedIn : .notRefused }

    /// The growing window stops where 15 blocked requests would be expected at the maximum rate.
    package var enoughRequests: Double { 15 / maxBlocked }
}

/// What a settings file, which nobody need have named, does to an answer.
package struct SettingsEffect: Hashable, Sendable {
    /// The file's path, printable.
    package let file: String
    /// The settings that it made laxer than usual, as they are spelled in it.
    package let loosened: [String]
    package let selectsFunctions: Bool

    package init(file: String, loosened: [String], selectsFunctions: Bool) {
        (self.file, self.loosened, self.selectsFunctions) = (file, loosened, selectsFunctions)
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
    package var maxPerWeek: Double?
    package var ignoredClients: Set<ClientKind>?
    package var acceptedPlatforms: [PlatformName]?
    package var requiresCallers: Bool?

    package init() {}
}

extension VerdictPolicy {
    package mutating func apply(_ settings: PolicySettings) {
        maxBlocked = settings.maxBlocked ?? maxBlocked
        confidence = settings.confidence ?? confidence
        minDays = settings.minDays ?? minDays
        window = settings.window ?? window
        maxWindow = settings.maxWindow ?? maxWindow
        requiresAuth = settings.requiresAuth ?? requiresAuth
        confirm = settings.confirm ?? confirm
        quietDays = settings.quietDays ?? quietDays
        maxPerWeek = settings.maxPerWeek ?? maxPerWeek
        ignoredClients = settings.ignoredClients ?? ignoredClients
        acceptedPlatforms = settings.acceptedPlatforms ?? acceptedPlatforms
        requiresCallers = settings.requiresCallers ?? requiresCallers
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

    package var isEmpty: Bool { weekdays.isEmpty && dates.isEmpty }

    package func contains(_ day: Day) -> Bool {
        !isEmpty && (weekdays.contains(day.weekday) || dates.contains(day))
    }
}

/// What the user confirms, so that the rule need not doubt it; the raw value is how settings spell it.
package enum AssumeComplete: String, Sendable {
    case nothing = "false"
    /// The stream of failed verifications arrived: lifts `failures-not-seen` and `failures-stopped`.
    case failures
    /// The log is complete: lifts these, `coverage-gap` and `uncounted`.
    case everything = "true"
}
