/// A value ordered by a keyed hash first: its highest bits spread any number of values evenly, even chosen ones.
protocol HashOrdered: Sendable {
    var hash: UInt64 { get }
    static func precedes(_ left: Self, _ right: Self) -> Bool
}

extension HashOrdered {
    func range(_ bits: UInt64, after shared: UInt64 = 0) -> Int { Int((hash << shared) >> (64 - bits)) }
}

extension Array where Element: HashOrdered {
    /// Brings the elements into their order, where they lie; the highest `shared` bits of their hashes are the same.
    ///
    /// As many ranges as there are elements hold a few each (American flag sort, McIlroy et al., 1993), and only where
    /// somebody has made many of one hash are they compared from the beginning.
    mutating func sortByHash(after shared: UInt64 = 0) {
        let bits = UInt64(Swift.max(0, UInt64.bitWidth - count.leadingZeroBitCount - 1))
        var ends = [Int32](repeating: 0, count: 1 << bits)
        for element in self { ends[element.range(bits, after: shared)] += 1 }
        guard ends.allSatisfy({ $0 <= 32 }) else { return sort(by: Element.precedes) }
        for range in ends.indices.dropFirst() { ends[range] += ends[range - 1] }
        var places = [0] + ends.dropLast()
        for range in ends.indices {
            while places[range] < ends[range] {
                let other = self[Int(places[range])].range(bits, after: shared)
                if other != range { swapAt(Int(places[range]), Int(places[other])) }
                places[other] += 1
            }
        }
        for index in indices.dropFirst() where Element.precedes(self[index], self[index - 1]) {
            let element = self[index]
            var place = index
            repeat {
                self[place] = self[place - 1]
                place -= 1
            } while place > 0 && Element.precedes(element, self[place - 1])
            self[place] = element
        }
    }
}
