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
    /// The revision of ``slot``; ``Revision/none`` until it is known.
    package private(set) var revision = Revision.none
    /// Ascending by slot, where there are several; empty else.
    package private(set) var counts: [RevisionCounts] = []

    package init(slot: UInt8 = 0, revision: Revision = .none, counts: [RevisionCounts] = []) {
        (self.slot, self.revision, self.counts) = (slot, revision, counts)
    }

    mutating func name(_ names: (_ slot: UInt8) -> Revision) {
        if counts.isEmpty, slot > 0, revision == .none { revision = names(slot) }
        for index in counts.indices where counts[index].revision == .none {
            counts[index].revision = names(counts[index].slot)
        }
    }

    /// The verifications of each revision, of a day that has these.
    package func shares(of all: StatusMatrix) -> [RevisionCounts] {
        counts.isEmpty ? [RevisionCounts(slot: slot, revision: revision, counts: all)] : counts
    }

    /// The verifications of one revision, or of all.
    package func counts(of slot: UInt8?, among all: StatusMatrix) -> StatusMatrix {
        slot.map { slot in shares(of: all).first { $0.slot == slot }?.counts ?? StatusMatrix() } ?? all
    }

    /// Counts a verification of a day that has these others; nil for the first one.
    mutating func add(
        _ app: TokenStatus, _ auth: TokenStatus, _ slot: UInt8, to others: @autoclosure () -> StatusMatrix?
    ) {
        if counts.isEmpty {
            guard slot != self.slot else { return }
            guard let others = others() else { return self.slot = slot }
            counts = shares(of: others)
        }
        var one = StatusMatrix()
        one[app, auth] = 1
        merge([RevisionCounts(slot: slot, counts: one)])
    }

    /// Adds those of another part of the day; the parts have these verifications.
    mutating func merge(_ other: DayRevisions, of parts: (StatusMatrix, StatusMatrix)) {
        if parts.0.total == 0 { return self = other }
        guard parts.1.total > 0 else { return }
        if counts.isEmpty, other.counts.isEmpty, slot == other.slot {
            if revision == .none { revision = other.revision }
            return
        }
        if counts.isEmpty { counts = shares(of: parts.0) }
        merge(other.shares(of: parts.1))
    }

    private mutating func merge(_ others: [RevisionCounts]) {
        for theirs in others {
            let place = counts.partitioningIndex { $0.slot < theirs.slot }
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
