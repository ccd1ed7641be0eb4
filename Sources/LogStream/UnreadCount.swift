internal import Platform

/// The verifications in the plain bytes of a source that belong to no record that was read.
///
/// All labels are found by one search, whatever holds them; those of records are then taken out. Where a record that
/// was not read has none, other markers count.
struct UnreadCount {
    /// In ascending order; those before ``next`` are accounted for.
    private var places: [Int] = []
    private var next = 0
    private var unread = 0
    /// The first label outside of everything that was taken for a record.
    private(set) var stray: Int?
    /// What shows a verification without its label, in records and text that were not read.
    private var unlabelled = MarkerCount.none
    /// The same in lines that no console prints: an application may print anything, but not among entries.
    private(set) var printed = MarkerCount.none
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
        if places.count > UnreadCount.mostPlaces { pass(to: .max) }
        let longest = Marker.length - 1
        let start = offset - border.count
        unsafe border.append(contentsOf: bytes.buffer.prefix(longest))
        unsafe border.withUnsafeBufferPointer { unsafe find(in: RawText($0), at: start) }
        find(in: bytes, at: offset)
        offset += bytes.count
        // In place: nothing is allocated for each chunk.
        if bytes.count > longest { unsafe border.append(contentsOf: bytes.buffer.suffix(longest)) }
        border.removeFirst(max(0, border.count - longest))
    }

    /// Looks for its "q", the rarest letter, and then for the rest.
    private mutating func find(in text: RawText, at start: Int) {
        let (before, after) = (Marker.rareLetter, Marker.length - Marker.rareLetter)
        guard text.count >= Marker.length else { return }
        var from = unsafe text.start + before
        let last = unsafe text.start + (text.count - after + 1)
        // Safe: memchr reads up to where the letter of the last label may be, and a whole label lies around each.
        while unsafe from < last, let found = unsafe memchr(from, Int32(UInt8(ascii: "q")), last - from) {
            let letter = unsafe UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
            unsafe from = letter + 1
            guard unsafe letter[5] == UInt8(ascii: "-"),
                unsafe memcmp(letter - before, Marker.label.utf8Start, Marker.length) == 0
            else { continue }
            places.append(unsafe start + (letter - text.start) - before)
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

    /// Goes on behind a record that was not read.
    mutating func leave(_ markers: MarkerCount, _ record: Range<Int>) {
        if pass(record, isRead: false) == 0 { unlabelled += markers }
    }

    mutating func leave(printed markers: MarkerCount) { printed += markers }

    /// Ends the source, and returns how many verifications were not read; nil if unknown.
    mutating func end(hasEntries: Bool) -> Int? {
        pass(to: .max)
        if hasEntries { unlabelled += printed }
        // An entry whose label and message are apart is one.
        return unlabelled.verifications.map { max($0, unread) }
    }

    /// Ends the data of a message, and returns how many of its labels belong to no record that was read.
    mutating func end(messageIn source: inout UnreadCount) -> Int {
        pass(to: .max)
        source.unlabelled += unlabelled
        return unread
    }
}
