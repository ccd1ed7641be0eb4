/// What happened on one day: a number of requests, and how many of them were blocked.
///
/// The counts are real, as a forecast fills days to come with fractions of requests; they are not negative, and
/// `blocked` is at most `requests`.
public protocol DailyCount {
    /// Admitted requests.
    var requests: Double { get }
    /// Those among them that enforcement would newly refuse.
    var blocked: Double { get }
}

/// The requests of one day, and how many of them were blocked.
public struct DayCount: DailyCount, Hashable, Sendable {
    /// The day, as the number of days since any fixed one.
    public var day: Int
    public var requests: Double
    public var blocked: Double

    public init(day: Int, requests: Double, blocked: Double) {
        self.day = day
        self.requests = requests
        self.blocked = blocked
    }
}
