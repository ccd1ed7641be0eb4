/// A list that grows without being copied: very many elements are never held twice.
struct ChunkedArray<Element: Sendable>: Sendable {
    private var full: [[Element]] = []
    private var open: [Element] = []

    private static var pageSize: Int { 1024 }
    var count: Int { full.count * ChunkedArray.pageSize + open.count }

    mutating func append(_ element: Element) {
        if open.count == ChunkedArray.pageSize {
            full.append(open)
            open = []
            open.reserveCapacity(ChunkedArray.pageSize)
        } else if open.count == open.capacity {
            // There are as many lists as days and functions, and most of them stay short.
            open.reserveCapacity(min(ChunkedArray.pageSize, open.count + open.count / 4 + 4))
        }
        open.append(element)
    }

    mutating func reserve(_ count: Int) { open.reserveCapacity(min(ChunkedArray.pageSize, count)) }

    mutating func shrink() {
        guard open.count < open.capacity else { return }
        var exact: [Element] = []
        exact.reserveCapacity(open.count)
        exact += open
        open = exact
    }

    mutating func append(_ other: consuming ChunkedArray) {
        if count == 0 { return self = other }
        full += other.full
        for element in other.open { append(element) }
    }

    func forEach(_ body: (Element) -> Void) {
        for page in full { page.forEach(body) }
        open.forEach(body)
    }

    mutating func drain(_ body: (Element) -> Void) {
        open.forEach(body)
        open = []
        while let page = full.popLast() { page.forEach(body) }
    }

    /// All elements in one array; the list is empty then.
    mutating func takeArray() -> [Element] {
        var array: [Element] = []
        array.reserveCapacity(count)
        array += open
        open = []
        while let page = full.popLast() { array += page }
        return array
    }
}
