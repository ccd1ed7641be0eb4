package import Verifications

/// The requests of one address, client and Auth status in one UTC hour and stint: what tells people from requests.
///
/// ```
/// who     stint: 23 · early: 1 · client: 24 · address: 16
/// counts  hour: 5 · auth: 2 · last: 2 · verified: 19 · served: 18 · unverified: 18
/// ```
package struct Visit: Hashable, Sendable {
    /// What became of a request.
    package enum Outcome: UInt64, CaseIterable, Sendable {
        case verified
        /// Without a valid token, and its row or the SDK shows that it was let through.
        case served
        case unverified
    }

    private var who: UInt64
    private var counts: UInt64

    init(
        address: UInt16, client: UInt32, auth: TokenStatus, hour: Int, stint: Int, isEarly: Bool, _ outcome: Outcome,
        count: Int
    ) {
        who = UInt64(stint) << 41 | (isEarly ? 1 << 40 : 0) | UInt64(client & 0xFF_FFFF) << 16 | UInt64(address)
        counts = UInt64(hour) << 59 | UInt64(auth.rawValue) << 57 | outcome.rawValue << 55
        add(count, outcome)
    }

    var address: UInt16 { UInt16(truncatingIfNeeded: who) }
    /// One more than a place in ``CellTable/clients``.
    var client: UInt32 { UInt32(who >> 16 & 0xFF_FFFF) }
    var isEarly: Bool { who >> 40 & 1 == 1 }
    /// A place in ``CellTable/stints``.
    var stint: Int { Int(who >> 41) }
    var hour: Int { Int(counts >> 59) }
    var auth: TokenStatus { TokenStatus(rawValue: UInt8(counts >> 57 & 3)) ?? .other }
    /// That of the last request; of several at the same instant, one that is not verified.
    private(set) var last: Outcome {
        get { Outcome(rawValue: counts >> 55 & 3) ?? .verified }
        set { counts = counts & ~(3 << 55) | newValue.rawValue << 55 }
    }

    private static func place(of outcome: Outcome) -> (shift: UInt64, most: UInt64) {
        switch outcome {
        case .verified: (36, 1 << 19 - 1)
        case .served: (18, 1 << 18 - 1)
        case .unverified: (0, 1 << 18 - 1)
        }
    }

    /// The number of requests, at most a quarter of a million an hour.
    func count(_ outcome: Outcome) -> Int {
        let (shift, most) = Visit.place(of: outcome)
        return Int(counts >> shift & most)
    }

    private mutating func add(_ more: Int, _ outcome: Outcome) {
        let (shift, most) = Visit.place(of: outcome)
        counts = counts & ~(most << shift) | min(most, UInt64(count(outcome) + more)) << shift
    }

    /// True if two are parts of one: all but their counts is equal.
    func continues(_ other: Visit) -> Bool { who == other.who && (counts ^ other.counts) >> 57 == 0 }

    /// Adds later requests of the same.
    mutating func add(_ later: Visit) {
        for outcome in Outcome.allCases where later.count(outcome) > 0 { add(later.count(outcome), outcome) }
        last = later.last
    }

    mutating func change(client: UInt32) { who = who & ~(0xFF_FFFF << 16) | UInt64(client & 0xFF_FFFF) << 16 }
    mutating func change(stint: Int) { who = who & (1 << 41 - 1) | UInt64(stint) << 41 }
    mutating func markEarly() { who |= 1 << 40 }

    /// Orders first by hour and address.
    fileprivate var hourAndAddress: UInt64 { (counts >> 59) << 16 | UInt64(address) }

    fileprivate static func precedes(_ left: Visit, _ right: Visit) -> Bool {
        left.hourAndAddress == right.hourAndAddress
            ? (left.who, left.counts >> 57) < (right.who, right.counts >> 57)
            : left.hourAndAddress < right.hourAndAddress
    }
}

/// The visits of one day, by hour, then by address, then by the time of their last requests.
package struct DayVisits: Hashable, Sendable {
    package let day: Day
    private(set) var visits: [Visit]

    /// A request, or several of one instant, of which only the time is to be known.
    struct Request {
        var visit: Visit
        let nanosecond: Int64
    }

    init(_ day: Day, _ requests: consuming [Request]) {
        self.day = day
        var requests = requests
        requests.sort { left, right in
            guard left.visit.continues(right.visit) else { return Visit.precedes(left.visit, right.visit) }
            return (left.nanosecond, left.visit.last.rawValue) < (right.nanosecond, right.visit.last.rawValue)
        }
        var end = 0
        for place in requests.indices {
            if end > 0, requests[end - 1].visit.continues(requests[place].visit) {
                var merged = requests[end - 1].visit
                merged.add(requests[place].visit)
                requests[end - 1] = Request(visit: merged, nanosecond: requests[place].nanosecond)
            } else {
                requests[end] = requests[place]
                end += 1
            }
        }
        requests.removeLast(requests.count - end)
        requests.sort { left, right in
            let (leftKey, rightKey) = (left.visit.hourAndAddress, right.visit.hourAndAddress)
            guard leftKey == rightKey else { return leftKey < rightKey }
            return (left.nanosecond, left.visit.last.rawValue) < (right.nanosecond, right.visit.last.rawValue)
        }
        visits = requests.map(\.visit)
    }

    func without(_ isLeftOut: (Visit) -> Bool) -> DayVisits {
        var day = self
        day.visits.removeAll(where: isLeftOut)
        return day
    }

    mutating func change(_ change: (inout Visit) -> Void) {
        for place in visits.indices { change(&visits[place]) }
    }

    mutating func merge(_ other: DayVisits) {
        // Sorting is stable.
        visits = (visits + other.visits).sorted { $0.hourAndAddress < $1.hourAndAddress }
    }
}
