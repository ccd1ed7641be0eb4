package import Verifications

/// The counts of one function on one UTC day.
///
/// The cell keeps all that any policy can ask for, so that a verdict never needs the log again: the whole matrix, and
/// for both meanings of "admitted" (Auth not INVALID; Auth VALID) the hours and the newest instant of blocked requests.
package struct DayTally: Hashable, Sendable {
    package let day: Day
    /// The severities of the day's passed verifications.
    package private(set) var passSeverities: PassSeverity = []
    package private(set) var counts = StatusMatrix()
    /// Nanoseconds since midnight of the day's first verification.
    package private(set) var firstNanosecond: Int64
    /// Nanoseconds since midnight of the day's last verification.
    package private(set) var lastNanosecond: Int64
    /// Blocked requests among those whose Auth status is not INVALID.
    package private(set) var blocked = BlockedTimes()
    /// Blocked requests among those whose Auth status is VALID.
    package private(set) var signedInBlocked = BlockedTimes()

    /// A day without a verification yet.
    package init(day: Day) {
        self.day = day
        self.firstNanosecond = Int64.max
        self.lastNanosecond = Int64.min
    }

    /// A day as it was kept somewhere, with at least one verification.
    package init(
        day: Day, counts: StatusMatrix, nanoseconds: ClosedRange<Int64>, blocked: BlockedTimes,
        signedInBlocked: BlockedTimes, passSeverities: PassSeverity = []
    ) {
        self.day = day
        self.passSeverities = passSeverities
        self.counts = counts
        self.firstNanosecond = nanoseconds.lowerBound
        self.lastNanosecond = nanoseconds.upperBound
        self.blocked = blocked
        self.signedInBlocked = signedInBlocked
    }

    /// Counts one verification of this day; the severity counts where it passed.
    package mutating func add(
        app: TokenStatus, auth: TokenStatus, severity: PassSeverity, at instant: Instant
    ) {
        if app != .invalid, auth != .invalid { passSeverities.formUnion(severity) }
        let nanosecond = instant.nanosecondOfDay
        counts[app, auth] += 1
        firstNanosecond = min(firstNanosecond, nanosecond)
        lastNanosecond = max(lastNanosecond, nanosecond)
        guard app != .valid, auth != .invalid else { return }
        blocked.add(nanosecond: nanosecond)
        if auth == .valid { signedInBlocked.add(nanosecond: nanosecond) }
    }

    /// Counts verifications of this day that a query has counted: all of one hour, the first and the last known.
    mutating func add(_ counted: CountedVerifications, at instants: ClosedRange<Instant>) {
        for instant in [instants.lowerBound, instants.upperBound] {
            add(app: counted.app, auth: counted.auth, severity: counted.severity, at: instant)
        }
        counts[counted.app, counted.auth] += counted.count - 2
    }

    /// Adds the counts of another part of the same day.
    package mutating func merge(_ other: DayTally) {
        counts.merge(other.counts)
        mergeTimes(other)
    }

    /// The same day, of whose requests only a part is to count.
    var withoutRequests: DayTally {
        var day = self
        (day.counts, day.blocked, day.signedInBlocked) = (StatusMatrix(), BlockedTimes(), BlockedTimes())
        return day
    }

    mutating func add(_ counts: StatusMatrix, _ blocked: BlockedTimes, _ signedInBlocked: BlockedTimes) {
        self.counts.merge(counts)
        self.blocked.merge(blocked)
        self.signedInBlocked.merge(signedInBlocked)
    }

    /// The blocked ones of those that are admitted.
    package func blocked(_ admission: Admission) -> BlockedTimes { admission == .signedIn ? signedInBlocked : blocked }

    /// Keeps the larger counts of the same day, counted twice.
    mutating func mergeLarger(_ other: DayTally) {
        counts.mergeLarger(other.counts)
        mergeTimes(other)
    }

    private mutating func mergeTimes(_ other: DayTally) {
        passSeverities.formUnion(other.passSeverities)
        firstNanosecond = min(firstNanosecond, other.firstNanosecond)
        lastNanosecond = max(lastNanosecond, other.lastNanosecond)
        blocked.merge(other.blocked)
        signedInBlocked.merge(other.signedInBlocked)
    }
}

/// When on a day requests were seen that enforcement would newly refuse.
package struct BlockedTimes: Hashable, Sendable {
    /// Bit h is set when hour h (UTC, 0 to 23) had a blocked request.
    package private(set) var hours: UInt32 = 0
    /// Nanoseconds since midnight of the newest blocked request; nil without one.
    package var lastNanosecond: Int64? { newest < 0 ? nil : newest }

    private var newest: Int64 = -1

    package init() {}

    /// Times as they were kept somewhere.
    package init(hours: UInt32, lastNanosecond: Int64?) {
        self.hours = hours
        newest = lastNanosecond ?? -1
    }

    /// The number of different hours with a blocked request, 0 to 24.
    package var hourCount: Int { hours.nonzeroBitCount }

    func has(_ hour: Int) -> Bool { hours >> UInt32(hour) & 1 == 1 }

    /// The bit of an hour.
    static func hour(of nanosecond: Int64) -> UInt32 { 1 << UInt32(nanosecond / 3_600_000_000_000) }

    package mutating func add(nanosecond: Int64) {
        hours |= BlockedTimes.hour(of: nanosecond)
        newest = max(newest, nanosecond)
    }

    mutating func merge(_ other: BlockedTimes) {
        hours |= other.hours
        newest = max(newest, other.newest)
    }
}
