internal import Readiness
internal import Verifications

/// A day of one function on its way to its counts: without copies, in the orders in which it is looked at.
struct ResolvedDay: Sendable {
    let day: DayIndex
    /// The believed entries; entries that may be of one execution are adjacent.
    var entries: [FoundEntry] = []
    /// The entries that have an earlier one of their execution, and do not count.
    var repeated = BitSet()
    /// By the numbers of the entries; the first is none.
    var revisions: [Revision] = [.none]
    var byTrace: [TraceKey] = []
    private(set) var rows: [EntryRow] = []
    /// By the places of the rows, or the one of all of them.
    private var rowRevisions: [Revision] = []
    var takenRows = BitSet()
    var lines: [EntryLine] = []
    var takenLines = BitSet()
    var records: ProvenanceCounts
    var distinct = ProvenanceCounts()
    private(set) var hasTwoShapes = false
    /// The numbers of entries that are not seen, as they are later than T, and their requests.
    private(set) var later = ProvenanceCounts()
    private(set) var laterRequests: Set<PackedRequestID> = []
    /// The number of believed ones that are later than T, and filtered.
    private(set) var filtered = 0
    /// True where a request may have been refused by enforcement: the order of requests matters then.
    private(set) var mayRefuse = false
    private(set) var hasAnswers = false

    var hasEvidence: Bool { !rows.isEmpty || !lines.isEmpty }

    struct TraceKey: HashOrdered {
        let third: UInt64
        let place: UInt32

        var hash: UInt64 { third }
        var trace: UInt64 { third >> 16 }

        static func precedes(_ left: TraceKey, _ right: TraceKey) -> Bool {
            (left.third, left.place) < (right.third, right.place)
        }
    }

    init(_ entries: consuming DayEntries, of day: DayIndex, believed: Provenance, _ resolution: Resolution) {
        self.day = day
        records = entries.records
        (self.entries, revisions) = entries.takeVerifications(keepsCopies: resolution.countsCopies)
        let shaped = self.entries.count { !$0.shape.isWhole }
        if !resolution.countsCopies {
            removeUnnamedCopies()
            if shaped > 0 { removeShapes() }
        }
        for entry in self.entries { distinct[entry.entry.provenance] += 1 }
        if let asOf = resolution.asOf, DayIndex(asOf.day) <= day {
            self.entries.removeAll { entry in
                let instant = entry.entry.time.instant(on: day)
                guard !resolution.sees(instant) else { return false }
                if entry.traced.third != 0 { laterRequests.insert(entry.traced.request) }
                if resolution.range.contains(instant) {
                    later[entry.entry.provenance] += Int(entry.number)
                } else if entry.entry.provenance == believed {
                    filtered += Int(entry.number)
                }
                return true
            }
        }
        if self.entries.contains(where: { $0.entry.provenance != believed }) {
            self.entries.removeAll { $0.entry.provenance != believed }
        }
        hasTwoShapes = !resolution.countsCopies && hasTwoShapes(entries.runs, distinct: shaped)
        (rows, rowRevisions) = entries.takeSortedRows()
        lines = entries.takeLines()
        if !rows.isEmpty {
            for (place, entry) in self.entries.enumerated() where entry.traced.third != 0 {
                byTrace.append(TraceKey(third: entry.traced.third, place: UInt32(place)))
            }
            byTrace.sortByHash()
        }
        hasAnswers = lines.contains { $0.answer != nil || $0.isServed }
        mayRefuse = rows.contains { $0.answer == .unauthenticated } || hasRefusingLine
    }

    /// Copies go that name the execution by less than another one does: some transports lose what names it.
    private mutating func removeUnnamedCopies() {
        for naming in [PackedVerification.Naming.nothing, .span] {
            guard entries.contains(where: { $0.entry.naming == naming && $0.shape.isWhole }),
                entries.contains(where: { naming < $0.entry.naming })
            else { continue }
            let named = Set(entries.lazy.filter { naming < $0.entry.naming }.map(\.entry.withoutExecution))
            // One of two sources may give coarser times.
            let cut = named.reduce(into: Set<PackedVerification>()) { cut, entry in
                for unit in Shape.units[2...] { cut.insert(entry.cut(to: unit)) }
            }
            entries.removeAll { found in
                guard found.entry.naming == naming, found.shape.isWhole else { return false }
                let entry = found.entry.withoutExecution
                return named.contains(entry) || cut.contains(entry)
                    || Shape.units[2...].contains { named.contains(entry.cut(to: $0)) }
            }
        }
    }

    private var hasRefusingLine: Bool {
        var isRefusing = lines.contains { $0.answer == .unauthenticated }
        lines.forEachRun(of: { $0.link == $1.link && $0.key == $1.key }) { lines in
            let isLetThrough = lines.first?.link == .function || lines.contains(where: \.isAllowing)
            if !isLetThrough, lines.contains(where: { $0.cause != nil }) { isRefusing = true }
        }
        return isRefusing
    }

    func revision(ofRow place: Int) -> Revision { rowRevisions.count == 1 ? rowRevisions[0] : rowRevisions[place] }

    func lines(_ link: EntryLine.Link, _ key: (first: UInt64, span: UInt64)) -> Range<Int> {
        let wanted = (link, key.first, key.span)
        let start = lines.partitioningIndex { ($0.link, $0.key.first, $0.key.span) < wanted }
        var end = start
        while end < lines.count, (lines[end].link, lines[end].key.first, lines[end].key.span) == wanted { end += 1 }
        return start..<end
    }
}

struct BitSet: Sendable {
    private var words: [UInt64] = []

    func contains(_ number: Int) -> Bool {
        number >> 6 < words.count && words[number >> 6] >> UInt64(number & 63) & 1 == 1
    }

    mutating func insert(_ number: Int) {
        if number >> 6 >= words.count {
            words += Array(repeating: 0, count: max(number >> 6 + 1, words.count * 2) - words.count)
        }
        words[number >> 6] |= 1 << UInt64(number & 63)
    }
}

extension RandomAccessCollection where Index == Int {
    func forEachRun(of belongTogether: (Element, Element) -> Bool, _ body: (SubSequence) -> Void) {
        var start = startIndex
        for index in indices where index + 1 == endIndex || !belongTogether(self[index], self[index + 1]) {
            body(self[start...index])
            start = index + 1
        }
    }
}

extension Array {
    /// Leaves one of each run of copies, the first.
    mutating func removeCopies(_ isCopy: (Element, Element) -> Bool) {
        var count = 0
        for index in indices where count == 0 || !isCopy(self[count - 1], self[index]) {
            self[count] = self[index]
            count += 1
        }
        removeLast(self.count - count)
    }
}
