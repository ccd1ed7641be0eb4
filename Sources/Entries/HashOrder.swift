/// What is ordered by a keyed hash first: however many there are, and whoever chose them, its highest bits spread them
/// evenly.
protocol HashOrdered: Sendable {
    var hash: UInt64 { get }
    static func precedes(_ left: Self, _ right: Self) -> Bool
}

extension HashOrdered {
    /// The number that so many bits of the hash are, below the highest `shared` of them.
    func range(_ bits: UInt64, after shared: UInt64 = 0) -> Int { Int((hash << shared) >> (64 - bits)) }
}

/// So many at once are sorted as fit a core's cache.
enum HashRanges {
    /// How many bits make ranges of that size of so many elements.
    static func bits(for count: Int) -> UInt64 {
        var bits: UInt64 = 0
        while count >> bits > 1 << 14, bits < 12 { bits += 1 }
        return bits
    }
}

extension Array where Element: HashOrdered {
    /// Brings the elements into their order, range by range, where they lie (American flag sort, McIlroy et al., 1993).
    mutating func sortByHash() {
        let bits = HashRanges.bits(for: count)
        var ends = [Int](repeating: 0, count: 1 << bits)
        for element in self { ends[element.range(bits)] += 1 }
        for range in ends.indices.dropFirst() { ends[range] += ends[range - 1] }
        var places = [0] + ends.dropLast()
        for range in ends.indices {
            while places[range] < ends[range] {
                let other = self[places[range]].range(bits)
                if other != range { swapAt(places[range], places[other]) }
                places[other] += 1
            }
        }
        var start = 0
        for end in ends {
            replaceSubrange(start..<end, with: Array(self[start..<end]).sorted(after: bits))
            start = end
        }
    }

    /// The same elements in their order; the highest `shared` bits of their hashes are the same.
    ///
    /// As many ranges as there are elements hold a few each, and only where somebody has made many of one hash are they
    /// compared from the beginning.
    func sorted(after shared: UInt64) -> [Element] {
        let bits = UInt64(Swift.max(0, UInt64.bitWidth - count.leadingZeroBitCount - 1))
        var ends = [Int](repeating: 0, count: 1 << bits)
        for element in self { ends[element.range(bits, after: shared)] += 1 }
        guard ends.allSatisfy({ $0 <= 32 }) else { return sorted(by: Element.precedes) }
        var end = 0
        for range in ends.indices {
            end += ends[range]
            ends[range] = end - ends[range]
        }
        var sorted = self
        for element in self {
            let range = element.range(bits, after: shared)
            sorted[ends[range]] = element
            ends[range] += 1
        }
        for index in sorted.indices.dropFirst() where Element.precedes(sorted[index], sorted[index - 1]) {
            let element = sorted[index]
            var place = index
            repeat {
                sorted[place] = sorted[place - 1]
                place -= 1
            } while place > 0 && Element.precedes(element, sorted[place - 1])
            sorted[place] = element
        }
        return sorted
    }
}
