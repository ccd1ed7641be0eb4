extension RandomAccessCollection where Index == Int {
    /// The place of the first element of a sorted collection that is not before what is looked for; the end when all
    /// are.
    @inlinable
    package func partitioningIndex(whereNot isBefore: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
