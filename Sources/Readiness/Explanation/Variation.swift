public import Verifications

/// One thing that could be said or asked differently, and what the rule answers then.
///
/// Each is computed by running the rule again, never by reasoning about it.
public struct Variation: Hashable, Sendable {
    public let change: Change
    public let assessment: Assessment

    /// What is different.
    public enum Change: Hashable, Sendable {
        /// The function refuses signed-out callers itself.
        case requiresAuth
        /// Nothing before the day is read: the one after the last bad day.
        case since(Day)
        /// The shortest window has that many days.
        case window(Int)
        /// The user vouches that the export is complete.
        case assumeComplete
        /// The user does not vouch for it any more.
        case withoutAssumeComplete
        /// The policy does not exempt the function.
        case withoutExemption
    }
}
