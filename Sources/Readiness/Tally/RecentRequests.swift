package import Verifications

/// The admitted requests of the last day before T one by one, as far as the rule looks at them.
///
/// They are of the entries that were read; counts made by a query have none.
package struct RecentRequests: Hashable, Sendable {
    package struct Request: Hashable, Comparable, Sendable {
        package let instant: Instant
        package let app: TokenStatus
        /// True where its row, or the SDK, shows that it was let through.
        package fileprivate(set) var isServed: Bool

        /// True for a request of which nothing shows that it was let through, where enforcement is on.
        var isRefused: Bool { app != .valid && !isServed }

        package init(_ instant: Instant, app: TokenStatus, isServed: Bool) {
            (self.instant, self.app, self.isServed) = (instant, app, isServed)
        }

        package static func < (left: Request, right: Request) -> Bool {
            (left.instant, left.app, left.isServed ? 1 : 0) < (right.instant, right.app, right.isServed ? 1 : 0)
        }
    }

    /// The properties by which requests are selected.
    package struct Sort: Hashable, Sendable {
        package let isSignedIn: Bool
        /// Nil where no row shows it.
        package let client: ClientKind?
        package let revision: Revision

        package init(isSignedIn: Bool, client: ClientKind?, revision: Revision) {
            (self.isSignedIn, self.client, self.revision) = (isSignedIn, client, revision)
        }
    }

    /// The requests of a whole hour, where single ones are not known.
    struct HourSum: Hashable, Sendable {
        let sort: Sort
        /// One of them, at the beginning of the hour.
        let request: Request
        let count: Int
    }

    /// The counts of the newest requests.
    struct Newest {
        var requests = 0
        var blocked = 0
        /// Blocked requests whose token was refused.
        var invalid = 0
        /// The first one that is blocked.
        var first: Instant?
        var hours: Set<DayHour> = []
    }

    /// As many of the newest are looked at, or those of the last hour if they are more.
    static let lookedAt = 20
    static let hour: Int64 = 3600

    private(set) var lists: [Sort: [Request]] = [:]
    /// In place of ``lists``, in the order of time.
    private(set) var sums: [HourSum] = []

    package init() {}

    /// Counts admitted requests up to T, of one instant or, later than those before, of one hour.
    package mutating func add(
        _ request: Request, _ sort: Sort, count: Int, before end: Instant, isWholeHour: Bool = false
    ) {
        guard end.adding(seconds: -Instant.secondsPerDay) < request.instant, request.instant <= end else { return }
        if isWholeHour {
            sums.append(HourSum(sort: sort, request: request, count: count))
        } else {
            lists[sort, default: []].append(contentsOf: repeatElement(request, count: count))
        }
    }

    /// Brings the sums of hours into the order of time.
    mutating func sortSums() { sums.sort { $0.request.instant < $1.request.instant } }

    /// Forgets requests that nobody looks at; to be called after each day.
    package mutating func trim() {
        for sort in lists.keys {
            guard let count = lists[sort]?.count, count > RecentRequests.lookedAt else { continue }
            lists[sort]?.sort(by: >)
            lists[sort] = lists[sort].map { Array(RecentRequests.newest(of: $0)) }
        }
    }

    package mutating func merge(_ other: RecentRequests) {
        for (sort, requests) in other.lists { lists[sort, default: []] += requests }
        sums += other.sums
        trim()
    }

    /// Takes the answers of streaming revisions, which say nothing, for no sign that requests were served.
    mutating func forgetServed(of revisions: Set<Revision>) {
        for sort in lists.keys where revisions.contains(sort.revision) {
            for index in lists[sort]?.indices ?? 0..<0 { lists[sort]?[index].isServed = false }
        }
    }

    /// Returns the selected requests, in any order.
    func requests(where isSelected: (Sort, Request) -> Bool) -> [Request] {
        lists.flatMap { sort, requests in requests.filter { isSelected(sort, $0) } }
    }

    /// Counts the selected requests of the hour before the newest, or else ``lookedAt`` of the newest; of sums, whole
    /// hours with as many.
    func newest(areRefused: Bool, where isSelected: (Sort, Instant) -> Bool) -> Newest {
        var found = Newest()
        func take(_ request: Request, _ count: Int) {
            found.requests += count
            found.hours.insert(DayHour(day: request.instant.day, hour: request.instant.hour))
            guard areRefused ? request.isRefused : request.app != .valid else { return }
            found.blocked += count
            if request.app == .invalid { found.invalid += count }
            found.first = request.instant
        }
        for request in RecentRequests.newest(of: requests { isSelected($0, $1.instant) }.sorted(by: >)) {
            take(request, 1)
        }
        for (index, sum) in sums.enumerated().reversed() where isSelected(sum.sort, sum.request.instant) {
            let isNewHour = index + 1 == sums.count || sums[index + 1].request.instant != sum.request.instant
            if isNewHour, found.requests >= RecentRequests.lookedAt { break }
            take(sum.request, sum.count)
        }
        return found
    }

    private static func newest(of sorted: [Request]) -> ArraySlice<Request> {
        guard let newest = sorted.first?.instant else { return [] }
        let start = newest.adding(seconds: -hour)
        return sorted.prefix(max(lookedAt, sorted.partitioningIndex { start < $0.instant }))
    }

    /// An hour of a UTC day, 0 to 23.
    struct DayHour: Hashable {
        let day: Day
        let hour: Int
    }
}
