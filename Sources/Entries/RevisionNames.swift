package import Verifications

/// Which revisions the slots of a function's entries mean, day by day: the first of those with the same slot.
package struct RevisionNames: Sendable {
    /// Ascending by day and slot.
    private var names: [(key: Int, revision: Revision)] = []
    private var latest = -1

    package init() {}

    /// Notes the revision of an entry.
    package mutating func add(_ revision: Revision, on day: Day) {
        guard revision != .none else { return }
        add(revision, RevisionNames.key(Day.earliest.distance(to: day), revision.slot))
    }

    private mutating func add(_ revision: Revision, _ key: Int) {
        if latest >= 0, names[latest].key == key, names[latest].revision <= revision { return }
        latest = names.partitioningIndex { $0.key < key }
        if latest < names.count, names[latest].key == key {
            names[latest].revision = min(names[latest].revision, revision)
        } else {
            names.insert((key, revision), at: latest)
        }
    }

    private static func key(_ day: Int, _ slot: UInt8) -> Int { day << 4 | Int(slot) }

    mutating func merge(_ other: RevisionNames) {
        guard !names.isEmpty else { return self = other }
        for (key, revision) in other.names { add(revision, key) }
    }

    /// The revision of a slot on a day; ``Revision/none`` if unknown.
    subscript(_ day: Day, _ slot: UInt8) -> Revision {
        let key = RevisionNames.key(Day.earliest.distance(to: day), slot)
        let place = names.partitioningIndex { $0.key < key }
        return place < names.count && names[place].key == key ? names[place].revision : .none
    }

    /// Those of one day.
    func revisions(on day: DayIndex) -> [Revision] {
        let start = names.partitioningIndex { $0.key < RevisionNames.key(day.number, 0) }
        return names[start...].prefix { $0.key >> 4 == day.number }.map(\.revision)
    }
}
