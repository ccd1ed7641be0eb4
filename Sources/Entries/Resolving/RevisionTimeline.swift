internal import Verifications

/// Tells when the revisions of a function began, from requests in order of time.
struct RevisionTimeline: Sendable {
    /// Requests of others after which a revision that answers again has returned.
    private static let absence = 20

    private var known: [Revision: (beginning: Int, position: Int, day: Day)] = [:]
    private var requests = 0
    private var beginnings = 0
    /// The revision that was the last to begin, or to be the first time seen on a day.
    private var newest: Revision?

    /// Takes requests of one revision in a row; returns the number of the beginning that they belong to.
    ///
    /// If no other revision has begun since, a revision that returns goes on: a canary has few requests. The stretch
    /// may start on any day, and what it starts with begins there.
    mutating func add(_ revision: Revision, _ count: Int, on day: Day) -> Int {
        let found = known[revision]
        var beginning = beginnings + 1
        if let found,
            requests - found.position < RevisionTimeline.absence
                || newest == revision && found.beginning == beginnings
        {
            beginning = found.beginning
        }
        if found?.beginning != beginning || found?.day != day { newest = revision }
        beginnings = max(beginnings, beginning)
        requests += count
        known[revision] = (beginning, requests, day)
        return beginning
    }
}
