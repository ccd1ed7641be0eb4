/// A point in time in UTC: whole seconds since 1970-01-01T00:00:00Z, and nanoseconds within the second.
public struct Instant: Hashable, Comparable, Sendable {
    /// Seconds since the epoch; negative before it.
    public let seconds: Int64
    /// 0 to 999,999,999, always counted forward from ``seconds``.
    public let nanoseconds: UInt32

    public init(seconds: Int64, nanoseconds: UInt32 = 0) {
        self.seconds = seconds
        self.nanoseconds = min(nanoseconds, 999_999_999)
    }

    /// An instant of a day, from its nanoseconds since midnight.
    public init(day: Day, nanosecondOfDay: Int64) {
        self.init(
            seconds: Int64(day.number) * Instant.secondsPerDay + nanosecondOfDay / 1_000_000_000,
            nanoseconds: UInt32(nanosecondOfDay % 1_000_000_000)
        )
    }

    public static let secondsPerDay: Int64 = 86_400
    public static let nanosecondsPerDay = secondsPerDay * 1_000_000_000

    /// The UTC calendar day the instant falls in.
    public var day: Day {
        let (quotient, remainder) = seconds.quotientAndRemainder(dividingBy: Instant.secondsPerDay)
        return Day(number: Int32(clamping: remainder < 0 ? quotient - 1 : quotient))
    }

    /// 0 to 23, the UTC hour.
    public var hour: Int {
        Int(secondOfDay / 3600)
    }

    /// Nanoseconds since midnight UTC, 0 to 86,399,999,999,999.
    public var nanosecondOfDay: Int64 {
        secondOfDay * 1_000_000_000 + Int64(nanoseconds)
    }

    private var secondOfDay: Int64 {
        let remainder = seconds % Instant.secondsPerDay
        return remainder < 0 ? remainder + Instant.secondsPerDay : remainder
    }

    /// The instant `seconds` later, or earlier when negative.
    public func adding(seconds: Int64) -> Instant {
        Instant(seconds: self.seconds + seconds, nanoseconds: nanoseconds)
    }

    /// The instant so many nanoseconds later, or earlier when negative; less than a second.
    public func adding(nanoseconds: Int64) -> Instant {
        let sum = Int64(self.nanoseconds) + nanoseconds
        let carry: Int64 = sum < 0 ? -1 : sum / 1_000_000_000
        return Instant(seconds: seconds + carry, nanoseconds: UInt32(sum - carry * 1_000_000_000))
    }

    public static func < (left: Instant, right: Instant) -> Bool {
        left.seconds == right.seconds ? left.nanoseconds < right.nanoseconds : left.seconds < right.seconds
    }
}

extension Instant: CustomStringConvertible {
    /// RFC 3339 in UTC with as many fraction digits as are needed: `2026-10-14T23:59:58Z`, `2026-10-01T00:00:00.5Z`.
    public var description: String {
        let second = Int(secondOfDay)
        let time = [second / 3600, second / 60 % 60, second % 60].map { zeroPadded($0, 2) }.joined(separator: ":")
        guard nanoseconds > 0 else { return "\(day)T\(time)Z" }
        var fraction = zeroPadded(Int(nanoseconds), 9)
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(day)T\(time).\(fraction)Z"
    }
}
