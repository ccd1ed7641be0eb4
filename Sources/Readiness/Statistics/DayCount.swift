/// The requests of one day, and how many of them were blocked.
///
/// The counts are real, as a forecast fills days to come with fractions of requests; they are not negative, and
/// `blocked` is at most `requests`.
public struct DayCount: Hashable, Sendable {
    /// The day, as the number of days since any fixed one.
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
