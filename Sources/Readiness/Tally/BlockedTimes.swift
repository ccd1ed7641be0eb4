/// When on a day requests were seen that enforcement would newly refuse.
public struct BlockedTimes: Hashable, Sendable {
    /// Bit h is set when hour h (UTC, 0 to 23) had a blocked request.
    public private(set) var hours: UInt32 = 0
    /// Nanoseconds since midnight of the newest blocked request; nil without one.
    public var lastNanosecond: Int64? {
        newest < 0 ? nil : newest
    }

    private var newest: Int64 = -1

    public init() {}

    /// Times as they were kept somewhere.
    public init(hours: UInt32, lastNanosecond: Int64?) {
        self.hours = hours
        newest = lastNanosecond ?? -1
    }

    /// The number of different hours with a blocked request, 0 to 24.
    public var hourCount: Int {
        hours.nonzeroBitCount
    }

    mutating func add(nanosecond: Int64) {
        hours |= 1 << UInt32(nanosecond / 3_600_000_000_000)
        newest = max(newest, nanosecond)
    }

    mutating func merge(_ other: BlockedTimes) {
        hours |= other.hours
        newest = max(newest, other.newest)
    }
}
