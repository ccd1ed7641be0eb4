internal import Verifications

/// The entries of one function, or of another service, on one UTC day, as they were read.
package struct DayEntries: Sendable {
    struct Part: Sendable {
        let revision: Revision
        var shape: Shape
        var plain = ChunkedArray<PackedVerification>()
        var traced = ChunkedArray<TracedEntry>()
        var rows = ChunkedArray<EntryRow>()

        init(_ revision: Revision, _ shape: Shape = .whole) { (self.revision, self.shape) = (revision, shape) }
        var verifications: Int { plain.count + traced.count }

        func forEach(_ body: (TracedEntry) -> Void) {
            plain.forEach { body(TracedEntry($0, .none)) }
            traced.forEach(body)
        }

        mutating func append(_ entry: TracedEntry) {
            if entry.third == 0 { plain.append(entry.entry) } else { traced.append(entry) }
        }
    }

    private(set) var parts: [Part] = []
    var lines = ChunkedArray<EntryLine>()
    /// Runs of entries without an `insertId`, by source; a part at rest has none.
    package internal(set) var runs: [ShapedRun] = []
    package internal(set) var records = ProvenanceCounts()

    package init() {}
    package var isEmpty: Bool { parts.isEmpty && lines.count == 0 }
    package var verifications: Int { parts.reduce(0) { $0 + $1.verifications } }
    var rowCount: Int { parts.reduce(0) { $0 + $1.rows.count } }

    mutating func add(_ entry: TracedEntry, _ revision: Revision) {
        records[entry.entry.provenance] += 1
        parts[place(of: revision)].append(entry)
    }

    /// Says of all verifications that they have no `insertId`, and how exact their source is; nil where it is unknown.
    mutating func shape(_ shape: Shape?) {
        guard let shape else {
            for place in parts.indices { parts[place].shape = max(parts[place].shape, Shape(nanoseconds: 1)) }
            return
        }
        var run = ShapedRun(count: 0, first: .max, last: 0)
        for place in parts.indices {
            parts[place].shape = shape
            parts[place].forEach { run.add($0.entry.time) }
        }
        if run.count > 0 { runs = [run] }
    }

    mutating func add(_ row: EntryRow, _ revision: Revision) { parts[place(of: revision)].rows.append(row) }

    /// Gives a part its place; nearly always there is one revision, or the last one goes on.
    private mutating func place(of revision: Revision, _ shape: Shape = .whole) -> Int {
        if let last = parts.last, last.revision == revision, last.shape == shape { return parts.count - 1 }
        if let place = parts.lastIndex(where: { $0.revision == revision && $0.shape == shape }) {
            if parts.count < 8 { return place }
            parts.swapAt(place, parts.count - 1)
            return parts.count - 1
        }
        parts.append(Part(revision, shape))
        return parts.count - 1
    }

    mutating func add(_ part: Part) {
        let place = place(of: part.revision, part.shape)
        parts[place].plain.append(part.plain)
        parts[place].traced.append(part.traced)
        parts[place].rows.append(part.rows)
    }

    package mutating func merge(_ other: consuming DayEntries) {
        records += other.records
        lines.append(other.lines)
        runs += other.runs
        if parts.isEmpty { return parts = other.parts }
        for part in other.parts { add(part) }
    }

    mutating func shrink() {
        for place in parts.indices {
            parts[place].plain.shrink()
            parts[place].traced.shrink()
            parts[place].rows.shrink()
        }
        lines.shrink()
    }

    mutating func giveUpEvidence() {
        giveUpRows()
        lines = ChunkedArray()
    }

    mutating func giveUpRows() { for place in parts.indices { parts[place].rows = ChunkedArray() } }

    /// Takes all verifications, those side by side that may be of one execution, with the places of their revisions in
    /// ``revisions``; of copies one, with the request and the revision that any of them names.
    mutating func takeVerifications(keepsCopies: Bool) -> (entries: [FoundEntry], revisions: [Revision]) {
        var (found, revisions) = ([FoundEntry](), [Revision.none])
        found.reserveCapacity(verifications)
        for place in parts.indices where parts[place].verifications > 0 {
            let number = parts[place].revision == .none ? 0 : UInt32(revisions.count)
            if number > 0 { revisions.append(parts[place].revision) }
            let shape = parts[place].shape
            parts[place].plain.drain { found.append(FoundEntry(TracedEntry($0, .none), number, shape)) }
            parts[place].traced.drain { found.append(FoundEntry($0, number, shape)) }
        }
        found.sortByHash()
        var count = 0
        for index in found.indices {
            let isCopy = count > 0 && found[index].entry.isCopy(of: found[count - 1].entry)
            let isCut = !isCopy && count > 0 && found[count - 1].entry.isCut(of: found[index].entry)
            guard isCopy || isCut else {
                found[count] = found[index]
                count += 1
                continue
            }
            if isCut { found.swapAt(count - 1, index) }
            let copy = found[index]
            found[count - 1].shape = min(found[count - 1].shape, copy.shape)
            if found[count - 1].traced.third == 0 {
                found[count - 1].traced = TracedEntry(found[count - 1].entry, copy.traced.request)
            }
            // Whichever comes first, the same revision stays.
            let known = found[count - 1].revision
            if known == 0 || copy.revision > 0 && revisions[Int(copy.revision)] < revisions[Int(known)] {
                found[count - 1].revision = copy.revision == 0 ? known : copy.revision
            }
            if keepsCopies { found[count - 1].number += 1 }
        }
        found.removeLast(found.count - count)
        return (found, revisions)
    }

    package mutating func removeCopies() {
        let rows = takeRows()
        let (entries, revisions) = takeVerifications(keepsCopies: false)
        parts = []
        for entry in entries {
            let place = place(of: revisions[Int(entry.revision)], entry.shape)
            parts[place].append(entry.traced)
        }
        for (row, revision) in rows { add(row, revision) }
        let sorted = takeLines()
        for line in sorted { lines.append(line) }
    }

    private mutating func takeRows() -> [(EntryRow, Revision)] {
        var found: [(EntryRow, Revision)] = []
        for place in parts.indices {
            let revision = parts[place].revision
            var rows = parts[place].rows.takeArray()
            rows.sortByHash()
            rows.removeCopies { $0.isCopy(of: $1) }
            found += rows.map { ($0, revision) }
        }
        guard parts.count > 1 else { return found }
        found.sort { $0.0.isCopy(of: $1.0) ? $1.1 < $0.1 : EntryRow.precedes($0.0, $1.0) }
        found.removeCopies { $0.0.isCopy(of: $1.0) }
        return found
    }

    /// Takes all rows, in the order in which they are looked up, without copies; with their revisions, or the one that
    /// all have.
    mutating func takeSortedRows() -> (rows: [EntryRow], revisions: [Revision]) {
        let revisions = Set(parts.lazy.filter { $0.rows.count > 0 }.map(\.revision))
        guard revisions.count < 2 else {
            let found = takeRows()
            return (found.map(\.0), found.map(\.1))
        }
        var rows: [EntryRow] = []
        rows.reserveCapacity(rowCount)
        for place in parts.indices { parts[place].rows.drain { rows.append($0) } }
        rows.sortByHash()
        rows.removeCopies { $0.isCopy(of: $1) }
        return (rows, Array(revisions))
    }

    mutating func takeLines() -> [EntryLine] {
        var lines = lines.takeArray()
        lines.sort(by: EntryLine.precedes)
        lines.removeCopies { $0 == $1 }
        return lines
    }
}

/// A verification on its way to being counted.
struct FoundEntry: HashOrdered {
    var traced: TracedEntry
    var number: UInt32 = 1
    private var code: UInt32

    var revision: UInt32 {
        get { code >> 3 }
        set { code = newValue << 3 | code & 7 }
    }
    var shape: Shape {
        get { Shape(code: UInt8(code & 7)) }
        set { code = code & ~7 | UInt32(newValue.code) }
    }

    init(_ traced: TracedEntry, _ revision: UInt32, _ shape: Shape) {
        (self.traced, code) = (traced, revision << 3 | UInt32(shape.code))
    }

    var entry: PackedVerification { traced.entry }
    var hash: UInt64 { traced.hash }

    static func precedes(_ left: FoundEntry, _ right: FoundEntry) -> Bool {
        TracedEntry.precedes(left.traced, right.traced)
    }
}
