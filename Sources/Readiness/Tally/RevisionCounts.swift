package import Verifications

/// What a day has of one revision of a function.
package struct RevisionCounts: Hashable, Sendable {
    /// See ``Revision/slot``; 0 for entries that name no revision.
    package let slot: UInt8
    /// ``Revision/none`` until it is known.
    package var revision = Revision.none
    package var counts: StatusMatrix

    package init(slot: UInt8, revision: Revision = .none, counts: StatusMatrix) {
        (self.slot, self.revision, self.counts) = (slot, revision, counts)
    }

    /// Those of a day, of which there may be one; none without a verification.
    static func of(_ day: DayTally) -> [RevisionCounts] {
        if !day.revisions.isEmpty { return day.revisions }
        return day.counts.total == 0 ? [] : [RevisionCounts(slot: day.slot, counts: day.counts)]
    }
}

extension [RevisionCounts] {
    /// Adds up what has the same slot; ascending.
    mutating func merge(_ other: [RevisionCounts]) {
        for theirs in other {
            let place = firstPlace { $0.slot < theirs.slot }
            guard place < count, self[place].slot == theirs.slot else {
                insert(theirs, at: place)
                continue
            }
            self[place].counts.merge(theirs.counts)
            self[place].revision = [self[place].revision, theirs.revision].filter { $0 != .none }.min() ?? .none
        }
    }
}

/// How one revision answered requests that enforcement would refuse.
package struct RevisionAnswers: Hashable, Sendable {
    package let slot: UInt8
    /// Answered 401.
    package var refused = 0
    /// Refused, by the SDK's own lines.
    package var refusedByLine = 0
    /// Answered with success, or let through by the SDK's own line.
    package var accepted = 0

    package init(slot: UInt8, refused: Int = 0, refusedByLine: Int = 0, accepted: Int = 0) {
        (self.slot, self.refused, self.refusedByLine, self.accepted) = (slot, refused, refusedByLine, accepted)
    }
}

extension [RevisionAnswers] {
    /// Adds up what has the same slot; ascending.
    package mutating func add(_ answers: RevisionAnswers) {
        let place = firstPlace { $0.slot < answers.slot }
        if place == count || self[place].slot != answers.slot { insert(RevisionAnswers(slot: answers.slot), at: place) }
        self[place].refused += answers.refused
        self[place].refusedByLine += answers.refusedByLine
        self[place].accepted += answers.accepted
    }
}

/// One revision of a function, on the days on which it shared the requests with others.
package struct RevisionSummary: Hashable, Sendable {
    package let revision: Revision
    package let requests: Int
    package let blocked: Int
    /// Whether it enforces App Check.
    package let state: CallerSummary.Enforcement.State

    /// So many days are looked at.
    package static let days = 7

    /// The revisions of the last days, the oldest first; none where there were no two on any day.
    static func all(
        _ tally: FunctionTally, _ callers: FunctionCallers?, asOf: Instant?, _ admission: Admission
    ) -> [RevisionSummary] {
        guard let last = asOf?.day else { return [] }
        let first = last.advanced(by: 1 - days)
        var (counts, answers): ([Revision: StatusMatrix], [Revision: [RevisionAnswers]]) = ([:], [:])
        for day in tally.days where (first...last).contains(day.day) {
            let shared = day.revisions.filter { $0.slot > 0 && $0.counts.admitted(admission) > 0 }
            guard shared.count > 1 else { continue }
            for revision in shared {
                counts[revision.revision, default: StatusMatrix()].merge(revision.counts)
                let found = callers?.days[day.day]?.revisions.first { $0.slot == revision.slot }
                if let found { answers[revision.revision, default: []].add(RevisionAnswers(slot: 0, found)) }
            }
        }
        return counts.sorted { $0.key < $1.key }.map { revision, counts in
            RevisionSummary(
                revision: revision, requests: counts.admitted(admission), blocked: counts.blocked(admission),
                state: answers[revision]?.first?.state ?? .unknown)
        }
    }
}

extension RevisionAnswers {
    fileprivate init(slot: UInt8, _ other: RevisionAnswers) {
        self.init(
            slot: slot, refused: other.refused, refusedByLine: other.refusedByLine, accepted: other.accepted)
    }

    fileprivate var state: CallerSummary.Enforcement.State {
        guard accepted == 0 else { return refused + refusedByLine == 0 ? .off : .unknown }
        return refusedByLine > 0 || refused >= EnforcementSigns.fewestRefusals ? .on : .unknown
    }
}
