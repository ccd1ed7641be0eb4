internal import Verifications

/// Tells when the revisions of a function began and when they were gone, from requests in order of time.
///
/// A revision is there until others have answered so many requests in a row that it would have answered some of them;
/// one that answers again has returned, and begins anew. A request that the SDK did not log is one by its row.
struct RevisionTimeline: Sendable {
    private struct Presence {
        let beginning: Int
        /// The place behind its last request.
        var end: Int
        /// Its part of the newest requests up to its last one.
        var share = (own: 0, all: 0)
        /// Its requests since the youngest revision began.
        var sinceYoungest = 0
    }

    /// Fewer requests of others show nothing.
    private static let fewestOthers = 10
    /// A Poisson count of this mean is zero less than once in a thousand times.
    private static let surprise = 7
    /// As many of the newest requests show a share.
    private static let lookedAt = 100

    /// True from the first request on that names its revision.
    private(set) var namesRevisions = false
    private var there: [Revision: Presence] = [:]
    private var newest: [(revision: Revision, count: Int)] = []
    private var requests = 0
    private var beginnings = 0
    /// The place of the first request of the youngest revision.
    private var youngest = 0
    /// By the number of a beginning, the day on which the revision was gone.
    private(set) var departures: [Int: Day] = [:]

    /// Takes requests of one revision in a row; returns the number of the beginning that they belong to.
    mutating func add(_ revision: Revision, _ count: Int, on day: Day) -> Int {
        namesRevisions = namesRevisions || revision != .none
        var own = there[revision] ?? begin()
        requests += count
        if count > 0 {
            own.end = requests
            own.sinceYoungest += count
            own.share = addNewest(count, of: revision)
        }
        there[revision] = own
        guard there.count > 1 else { return own.beginning }
        for (other, presence) in there where requests - presence.end >= patience(presence) {
            departures[presence.beginning] = day
            there[other] = nil
        }
        return own.beginning
    }

    private mutating func begin() -> Presence {
        beginnings += 1
        youngest = requests
        for revision in there.keys { there[revision]?.sinceYoungest = 0 }
        return Presence(beginning: beginnings, end: requests)
    }

    /// Returns a revision's part of the newest requests, its own among them.
    private mutating func addNewest(_ count: Int, of revision: Revision) -> (own: Int, all: Int) {
        if newest.last?.revision == revision {
            newest[newest.count - 1].count += count
        } else {
            newest.append((revision, count))
        }
        var excess = newest.reduce(0) { $0 + $1.count } - RevisionTimeline.lookedAt
        while excess > 0 {
            let left = min(excess, newest[0].count)
            newest[0].count -= left
            excess -= left
            if newest[0].count == 0 { newest.removeFirst() }
        }
        return newest.reduce(into: (0, 0)) { share, run in
            if run.revision == revision { share.own += run.count }
            share.all += run.count
        }
    }

    /// The number of requests of others in a row after which a revision is gone.
    private func patience(_ presence: Presence) -> Int {
        func enough(_ own: Int, of all: Int) -> Int { own > 0 ? RevisionTimeline.surprise * all / own + 1 : 0 }
        return max(
            RevisionTimeline.fewestOthers, enough(presence.share.own, of: presence.share.all),
            enough(presence.sinceYoungest, of: presence.end - youngest))
    }
}
