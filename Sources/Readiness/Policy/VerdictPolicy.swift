/// The numbers that decide when a function is ready, before any entry of a policy file changes them for one function.
public struct VerdictPolicy: Hashable, Sendable {
    /// The largest share of admitted requests that enforcement may refuse, above 0 and below 1.
    public var maxBlocked = 0.01
    /// One-sided confidence of the bounds, between 0.5 and 1.
    public var confidence = 0.95
    /// Length in days of the shortest window.
    public var window = 7
    /// Length in days that a window may grow to for quiet functions.
    public var maxWindow = 28
    /// Age in days that a function's log must have.
    public var minDays = 7
    /// True when functions refuse signed-out callers themselves: only requests with Auth VALID are then admitted.
    public var requiresAuth = false
    /// On how many days in a row nothing must speak against enforcement, at least 1.
    public var confirm = 7
    /// True when the user vouches that the export is complete: lifts coverage gaps and doubts about standard error.
    public var assumeComplete = false

    public init() {}

    /// The growing window stops where 15 blocked requests would be expected at the maximum rate.
    public var enoughRequests: Double {
        15 / maxBlocked
    }
}
