public import Verifications

/// A single day on which too many requests were blocked, in too many hours for one client's burst.
public struct UnstableDay: Hashable, Sendable {
    public let day: Day
    /// Lower bound of the day's blocked rate.
    public let lower: Double
    public let blocked: Int
    public let admitted: Int
    /// Different hours with a blocked request, 3 to 24.
    public let hours: Int
}
