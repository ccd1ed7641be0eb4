internal import Verifications

/// Tells when the revisions of a function began, from requests in order of time.
struct RevisionTimeline: Sendable {
    /// Requests of others after which a revision that answers again has returned.
    private static let absence = 20

    private var known: [Revision: (beginning: Int, position: Int)] = [:]
    private var requests = 0
    private var newest: (revision: Revision, beginning: Int)?

    /// Takes requests of one revision in a row; returns the number of the beginning that they belong to.
    ///
    /// If no other revision has begun since, a revision that returns goes on: a canary has few requests.
    mutating func add(_ revision: Revision, _ count: Int) -> Int {
        var beginning = (newest?.beginning ?? 0) + 1
        if let found = known[revision],
            requests - found.position < RevisionTimeline.absence || newest?.revision == revision
        {
            beginning = found.beginning
        } else {
            newest = (revision, beginning)
        }
        requests += count
        known[revision] = (beginning, requests)
        return beginning
    }
}
