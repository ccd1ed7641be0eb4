package import Verifications

/// One revision of a function and the requests that it got, on days of which several had some.
package struct RevisionSummary: Hashable, Sendable {
    package let revision: Revision
    /// As Cloud Run has it: `addmessage-00006-taj`.
    package let name: String
    package let requests: Int
    package let blocked: Int
    /// Signs of enforcement: see ``EnforcementSign``.
    package let refused: Int
    package let state: Enforcement.State

    /// How many days are looked at.
    package static let days = 7

    /// The revisions of the last days, the oldest first; none where no two share a day.
    static func all(
        _ identity: FunctionIdentity, _ tally: FunctionTally, _ judge: Judge, _ admission: Admission
    ) -> [RevisionSummary] {
        guard let last = judge.asOf?.day else { return [] }
        let callers = judge.evidence?.functions[identity]
        let first = last.advanced(by: 1 - days)
        let days = tally.days.filter { (first...last).contains($0.day) }
        guard days.contains(where: { $0.revisions.counts.count { $0.slot > 0 } > 1 }) else { return [] }
        var found: [(revision: Revision, counts: StatusMatrix, refused: Int, served: Int)] = []
        for day in days {
            let signs = callers?.days[day.day]?.signs ?? DaySigns()
            for share in day.revisions.shares(of: day.counts) where share.counts.admitted(admission) > 0 {
                guard share.slot > 0 else { continue }
                let place = found.firstIndex { $0.revision == share.revision } ?? found.count
                if place == found.count { found.append((share.revision, StatusMatrix(), 0, 0)) }
                found[place].counts.merge(share.counts)
                found[place].refused += signs.refused(of: share.slot)
                found[place].served += signs.served(of: share.slot)
            }
        }
        return found.map { revision, counts, refused, served in
            RevisionSummary(
                revision: revision, name: "\(identity.name)-\(judge.ending(of: revision))", requests: counts.admitted(admission), blocked: counts.blocked(admission),
                refused: refused,
                state: refused >= Spell.fewestSigns && served == 0 ? .on : served > 0 && refused == 0 ? .off : .unknown)
        }
    }
}
