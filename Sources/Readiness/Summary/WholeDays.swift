public import Verifications

/// The days that were taken, as a whole, for bounds that lie within days: a history knows no more than days.
public struct WholeDays: Hashable, Sendable {
    /// Nil for no bound.
    public var first: Day?
    /// Nil for no bound.
    public var last: Day?

    public init(first: Day?, last: Day?) {
        self.first = first
        self.last = last
    }
}
