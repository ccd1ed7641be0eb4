import Glibc

/// How many blocked requests came of one client's attempts, by the hours of the day that they fell in.
///
/// Days alone do not show bursts when there are few of them, and say nothing of a single day. But k independent events
/// are expected to fall in 24·(1 − (1 − 1/24)ᵏ) different hours (the classical occupancy problem; Feller 1968, section
/// IV.2), so that h hours tell of k = ln(1 − h/24)/ln(1 − 1/24) independent ones. Requests are not spread evenly over
/// the day, which makes that too few rather than too many.
public enum HourOccupancy {
    /// One day's blocked requests, and the number of different hours with one, 0 to 24.
    public struct Day: Hashable, Sendable {
        public var blocked: Double
        public var hours: Int

        public init(blocked: Double, hours: Int) {
            self.blocked = blocked
            self.hours = hours
        }
    }

    /// Blocked requests for each independent event, at least 1; a day on which every hour has one tells nothing, and
    /// counts in full.
    public static func burst(of days: some Sequence<Day>) -> Double {
        var blocked = 0.0
        var events = 0.0
        for day in days where day.blocked > 0 && day.hours > 0 {
            blocked += day.blocked
            events += day.hours < 24 ? min(day.blocked, log1p(-Double(day.hours) / 24) / log1p(-1.0 / 24)) : day.blocked
        }
        return events > 0 ? max(1, blocked / events) : 1
    }
}
