/// The requests of one day, and how many of them were blocked.
///
/// The counts are real: a forecast fills days to come with fractions of requests.
public struct DayCount: Hashable, Sendable {
    /// Days since any fixed day.
    public var day: Int
    /// Admitted requests.
    public var requests: Double
    /// Those among them that enforcement would newly refuse.
    public var blocked: Double

    public init(day: Int, requests: Double, blocked: Double) {
        self.day = day
        self.requests = requests
        self.blocked = blocked
    }
}
