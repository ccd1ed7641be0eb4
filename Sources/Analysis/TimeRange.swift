public import Verifications

/// The part of the input that counts, by the time of its verifications.
public struct TimeRange: Hashable, Sendable {
    /// The first instant that counts; nil for no bound.
    public var since: Instant?
    /// The first instant that no longer counts; nil for no bound.
    public var until: Instant?

    public init(since: Instant? = nil, until: Instant? = nil) {
        self.since = since
        self.until = until
    }

    /// True when a verification counts; one without a time counts only where there is no bound.
    func contains(_ instant: Instant?) -> Bool {
        guard since != nil || until != nil else { return true }
        guard let instant else { return false }
        return (since.map { instant >= $0 } ?? true) && (until.map { instant < $0 } ?? true)
    }
}
