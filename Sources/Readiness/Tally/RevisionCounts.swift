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
}

/// Which revisions the verifications of a day are of.
package struct DayRevisions: Hashable, Sendable {
    /// That of all verifications, until there is another.
    package private(set) var slot: UInt8 = 0
    /// Ascending by slot, where there are several; empty else.
    package var counts: [RevisionCounts] = []

    package init(slot: UInt8 = 0, counts: [RevisionCounts] = []) { (self.slot, self.counts) = (slot, counts) }

    /// Counts a verification of a day that has these others; nil for the first one.
    mutating func add(
        _ app: TokenStatus, _ auth: TokenStatus, _ slot: UInt8, to others: @autoclosure () -> StatusMatrix?
    ) {
        if counts.isEmpty {
            guard slot != self.slot else { return }
            guard let others = others() else { return self.slot = slot }
            counts = [RevisionCounts(slot: self.slot, counts: others)]
        }
        var one = StatusMatrix()
        one[app, auth] = 1
        merge([RevisionCounts(slot: slot, counts: one)])
    }

    /// Adds those of another part of the day; the parts have these verifications.
    mutating func merge(_ other: DayRevisions, of parts: (StatusMatrix, StatusMatrix)) {
        if parts.0.total == 0 { return self = other }
        guard parts.1.total > 0, !(counts.isEmpty && other.counts.isEmpty && slot == other.slot) else { return }
        if counts.isEmpty { counts = [RevisionCounts(slot: slot, counts: parts.0)] }
        merge(other.counts.isEmpty ? [RevisionCounts(slot: other.slot, counts: parts.1)] : other.counts)
    }

    private mutating func merge(_ others: [RevisionCounts]) {
        for theirs in others {
            let place = counts.firstPlace { $0.slot < theirs.slot }
            guard place < counts.count, counts[place].slot == theirs.slot else {
                counts.insert(theirs, at: place)
                continue
            }
            counts[place].counts.merge(theirs.counts)
            let names = [counts[place].revision, theirs.revision].filter { $0 != .none }
            counts[place].revision = names.min() ?? .none
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

    fileprivate mutating func merge(_ other: RevisionAnswers) {
        refused += other.refused
        refusedByLine += other.refusedByLine
        accepted += other.accepted
    }
}

extension [RevisionAnswers] {
    /// Adds up what has the same slot; ascending.
    package mutating func add(_ answers: RevisionAnswers) {
        let place = firstPlace { $0.slot < answers.slot }
        if place == count || self[place].slot != answers.slot { insert(RevisionAnswers(slot: answers.slot), at: place) }
        self[place].merge(answers)
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
        var (counts, answers): ([Revision: StatusMatrix], [Revision: RevisionAnswers]) = ([:], [:])
        for day in tally.days where (first...last).contains(day.day) {
            let shared = day.revisions.counts.filter { $0.slot > 0 && $0.counts.admitted(admission) > 0 }
            guard shared.count > 1 else { continue }
            for revision in shared {
                counts[revision.revision, default: StatusMatrix()].merge(revision.counts)
                let found = callers?.days[day.day]?.revisions.first { $0.slot == revision.slot }
                if let found { answers[revision.revision, default: RevisionAnswers(slot: found.slot)].merge(found) }
            }
        }
        return counts.sorted { $0.key < $1.key }.map { revision, counts in
            RevisionSummary(
                revision: revision, requests: counts.admitted(admission), blocked: counts.blocked(admission),
                state: answers[revision]?.state ?? .unknown)
        }
    }
}

extension RevisionAnswers {
    fileprivate var state: CallerSummary.Enforcement.State {
        guard accepted == 0 else { return refused + refusedByLine == 0 ? .off : .unknown }
        return refusedByLine > 0 || refused >= EnforcementSigns.fewestRefusals ? .on : .unknown
    }
}
