import Readiness
package import Verifications

/// Which revisions are there after some requests, in the rule's words: every request is kept.
package struct RevisionPresence {
    private var requests: [Revision] = []
    /// The number and the place of the first request of each revision's newest beginning.
    private var begun: [Revision: (number: Int, place: Int)] = [:]
    private var beginnings = 0

    package init() {}

    /// Adds a request; returns the number of the beginning that it belongs to.
    package mutating func add(_ revision: Revision) -> Int {
        if !isThere(revision) {
            beginnings += 1
            begun[revision] = (beginnings, requests.count)
        }
        requests.append(revision)
        return begun[revision]?.number ?? 0
    }

    package var there: Set<Revision> { Set(begun.keys.filter(isThere)) }

    /// The days on which revisions were gone, if all requests are of one day.
    package func departures(on day: Day) -> [Int: Day] {
        let numbers = Set(there.compactMap { begun[$0]?.number })
        return Dictionary(
            uniqueKeysWithValues: (1...max(1, beginnings)).filter { !numbers.contains($0) }.map { ($0, day) })
    }

    private func isThere(_ revision: Revision) -> Bool {
        guard let last = requests.lastIndex(of: revision) else { return false }
        func share(from first: Int) -> (own: Int, all: Int) {
            guard first <= last else { return (0, 1) }
            return (requests[first...last].count { $0 == revision }, last - first + 1)
        }
        var (own, all) = share(from: max(0, last - 99))
        let since = share(from: begun.values.map(\.place).max() ?? 0)
        if since.own > 0, since.own * all < own * since.all { (own, all) = since }
        let others = requests.count - last - 1
        return others < 10 || others * own <= 7 * all
    }
}
