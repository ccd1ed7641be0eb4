/// The number of verifications that an input may hold and that were not read as such.
///
/// They are in bytes that belong to no record that was read: malformed, oversized and unexpected records, at least
/// one each, containers that are not read, and what was passed over after damage. The newest dated verification of
/// their source shows which days they belong to.
package struct UnreadRecords: Hashable, Codable, Sendable {
    /// By that instant, nil for a source without one; the count is nil if unknown.
    private var counts: [Instant?: Int?] = [:]
    /// The same of sources with undated verifications, which belong to the same days.
    private var undated: Set<Instant?> = []

    /// The oldest verification of sources that stop before the log does, ``Problem/Kind/cutPull``; nil without such.
    package var cutAt: Instant?

    package init() {}
    package init(_ count: Int?, newest: Instant?) { add(count, newest: newest) }
    package var isEmpty: Bool { counts.isEmpty }
    package var total: Int? { total { _ in true } }

    /// The total for sources whose newest dated verification fits, and for sources without one; nil if it is unknown.
    package func total(where fits: (Instant) -> Bool) -> Int? {
        var sum = 0
        for (newest, count) in counts where newest.map(fits) ?? true {
            guard let count else { return nil }
            sum.addClamped(count)
        }
        return sum
    }

    package mutating func add(_ count: Int?, newest: Instant? = nil) {
        guard count != 0 else { return }
        var sum = counts[newest] ?? 0
        if let count { sum?.addClamped(count) } else { sum = nil }
        counts.updateValue(sum, forKey: newest)
    }

    package mutating func merge(_ other: UnreadRecords) {
        for (newest, count) in other.counts { add(count, newest: newest) }
        undated.formUnion(other.undated)
        cutAt = [cutAt, other.cutAt].compactMap(\.self).min()
    }

    package mutating func addUndated() { undated.insert(nil) }

    /// True when undated verifications count, by the newest dated ones of their sources.
    package func countsUndated(where fits: (Instant) -> Bool) -> Bool {
        undated.isEmpty || undated.contains { $0.map(fits) ?? true }
    }

    /// Says of all which is the newest dated verification of their source.
    package mutating func date(newest: Instant?) {
        if !isEmpty { counts = [newest: total] }
        if !undated.isEmpty { undated = [newest] }
    }
}
