/// The places of the label in the plain bytes of a source that belong to no record that was read.
///
/// All are found by one search, whatever holds them; those of records are then taken out.
struct UnreadLabels {
    /// In ascending order; those before ``next`` are accounted for.
    private var places: [Int] = []
    private var next = 0
    private var unread = 0
    /// The first one outside of everything that was taken for a record.
    private(set) var stray: Int?
    private var offset: Int
    /// The last bytes, with which a label may begin.
    private var border: [UInt8] = []

    /// With more, no record within the usual limits holds them.
    private static let mostPlaces = 1 << 20

    init(at offset: Int = 0) { self.offset = offset }

    /// Looks for the label in the next bytes.
    mutating func search(_ bytes: RawText) {
        places.removeFirst(next)
        next = 0
        if places.count > UnreadLabels.mostPlaces { pass(to: .max) }
        let longest = Marker.length - 1
        let start = offset - border.count
        unsafe border.append(contentsOf: bytes.buffer.prefix(longest))
        unsafe border.withUnsafeBufferPointer { unsafe find(in: RawText($0), at: start) }
        find(in: bytes, at: offset)
        offset += bytes.count
        border = unsafe bytes.count < longest ? border.suffix(longest) : Array(bytes.buffer.suffix(longest))
    }

    private mutating func find(in text: RawText, at start: Int) {
        var index = Marker.rareLetter
        // No other letter of it is as rare.
        while let letter = text.index(of: UInt8(ascii: "q"), from: index) {
            let place = letter - Marker.rareLetter
            if text.cut(place..<text.count).hasPrefix(Marker.label) { places.append(start + place) }
            index = letter + 1
        }
    }

    /// Goes on behind a record that lies behind all before it, and returns how many it holds: none if it was read, and
    /// otherwise they stay unread.
    @discardableResult
    mutating func pass(_ record: Range<Int>, isRead: Bool) -> Int {
        pass(to: record.lowerBound)
        let start = next
        while next < places.count, places[next] < record.upperBound { next += 1 }
        if !isRead { unread += next - start }
        return next - start
    }

    private mutating func pass(to place: Int) {
        while next < places.count, places[next] < place {
            stray = stray ?? places[next]
            (next, unread) = (next + 1, unread + 1)
        }
    }

    /// Ends the source, and returns how many belong to no record that was read.
    mutating func end() -> Int {
        pass(to: .max)
        return unread
    }
}
