/// The requests of one day, and how many of them were blocked.
///
/// The counts are not negative, and `blocked` is at most `requests`.
public struct DayCount: Hashable, Sendable {
    /// The day, as the number of days since any fixed one.
    public var day: Int
    /// Admitted requests.
    public var requests: Int
    /// Those among them that enforcement would newly refuse.
    public var blocked: Int

    public init(day: Int, requests: Int, blocked: Int) {
        self.day = day
        self.requests = requests
        self.blocked = blocked
    }
}
