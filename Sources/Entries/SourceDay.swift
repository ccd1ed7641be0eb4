package import Readiness
package import Verifications

/// A UTC day since 2016 as a number, or the number for no day.
package struct DayIndex: Hashable, Comparable, Sendable {
    package let number: Int

    /// The day of entries without any time.
    package static let none = DayIndex(number: 1 << 22)
    package static let numbers = 0...none.number

    package init(number: Int) { self.number = number }

    /// The day of an instant since 2016.
    package init(_ day: Day) { number = Day.earliest.distance(to: day) }

    package var day: Day? { self == .none ? nil : Day.earliest.advanced(by: number) }

    /// Days of which entries may belong to those of this one, and those that decide whether they do.
    package var around: [DayIndex] {
        self == .none ? [self] : (number - 2...number + 2).map(DayIndex.init(number:))
    }

    /// The day and its neighbours.
    package var neighbours: [DayIndex] {
        self == .none ? [self] : (number - 1...number + 1).map(DayIndex.init(number:))
    }

    package static func < (left: DayIndex, right: DayIndex) -> Bool { left.number < right.number }
}

/// What the entries of a part are read for.
package enum PartUse: Sendable {
    /// To be counted, in the range.
    case counting(TimeRange)
    /// To be joined with what is counted: verifications that name their request, those with the keys of what is counted
    /// and a few more.
    case context(KeyFilter)
    /// To tell of others whether they are copies or repeated: verifications alone.
    case finding

    /// Whether a row or line counts; nil where it is not asked for.
    fileprivate func counts(_ instant: Instant) -> Bool? {
        switch self {
        case .counting(let range): range.contains(instant)
        case .context: false
        case .finding: nil
        }
    }
}

/// Which keys of entries there are, by their highest bits.
package struct KeyFilter: Sendable {
    private let shift: UInt64
    private var bits = BitSet()

    /// The filter of a set's verifications, with eight times as many bits as keys: one in eight other keys passes.
    init(_ set: EntrySet) {
        let width = UInt64(max(6, UInt64.bitWidth - (set.count * 8).leadingZeroBitCount))
        self.init(shift: PackedVerification.keyBits - min(PackedVerification.keyBits, width))
        let shift = shift
        for function in set.functions.values { function.forEach { bits.insert(Int($0.key >> shift)) } }
    }

    /// What has all keys.
    static let all: KeyFilter = {
        var filter = KeyFilter(shift: PackedVerification.keyBits)
        filter.bits.insert(0)
        return filter
    }()

    private init(shift: UInt64) { self.shift = shift }

    func contains(_ key: UInt64) -> Bool { bits.contains(Int(key >> shift)) }
}

/// What was found in a part, next to what was added to a set.
package struct PartContents: Sendable {
    package var verifications = 0
    package var hasUndated = false
    /// The newest dated verification up to the horizon.
    package var newest: Instant?

    package init() {}

    package mutating func merge(_ other: PartContents) {
        verifications += other.verifications
        hasUndated = hasUndated || other.hasUndated
        newest = [newest, other.newest].compactMap(\.self).max()
    }
}

extension InputSummary {
    /// Says of what was not read which is the newest verification of its source.
    package mutating func add(_ contents: PartContents) {
        if contents.hasUndated { unread.addUndated() }
        unread.date(newest: contents.newest)
    }
}

extension PackedSource.Part {
    /// Adds what the part holds to a set.
    ///
    /// - Throws: That the bytes are something else; the set may have some of it then.
    package func read(
        _ head: SourceHead, for use: PartUse, into set: inout EntrySet, horizon: Instant = Instant(seconds: .max)
    ) throws(MalformedBytes) -> PartContents {
        var decoder = ByteDecoder(bytes)
        let contents = try SourceDay().code(&decoder, of: day, head, for: use, into: &set, horizon: horizon)
        try decoder.end()
        return contents
    }
}

/// What one source holds of one day, by the number of the function or service.
struct SourceDay: Sendable {
    struct Service: Sendable {
        var entries: [TracedEntry] = []
        var rows: [EntryRow] = []
        var lines: [EntryLine] = []
        /// The revisions of the entries.
        var revisions: [Revision] = []
    }

    /// Ascending.
    var services: [(number: Int, entries: Service)] = []

    /// Codes the part of the day; what is read goes into a set at once.
    func code<C: Coder>(
        _ coder: inout C, of day: DayIndex, _ head: SourceHead, for use: PartUse, into set: inout EntrySet,
        horizon: Instant = Instant(seconds: .max)
    ) throws(C.Failure) -> PartContents {
        var contents = PartContents()
        for (number, known) in try coder.elements(services, or: (0, Service())) {
            let number = try coder.number(number, in: 0...head.services.count)
            try coder.require(number < head.services.count)
            let service = head.services[number]
            let entries = try coder.number(known.entries.count, in: number < head.functions ? Limits.entries : 0...0)
            let (rows, lines) = (
                try coder.number(known.rows.count, in: day == .none ? 0...0 : Limits.entries),
                try coder.number(known.lines.count, in: day == .none ? 0...0 : Limits.entries)
            )
            if entries > 0 {
                var function = set.functions.removeValue(forKey: service) ?? FunctionEntries()
                defer { if C.isReading { set.functions[service] = function } }
                for revision in try coder.elements(known.revisions, or: .none) {
                    let revision = Revision(word: try coder.number(revision.word, in: 0...Int.max))
                    try coder.require(revision.isPossible)
                    if C.isReading, let day = day.day { function.add(revision, on: day) }
                }
                contents.merge(
                    try known.codeEntries(entries, &coder, of: day, horizon: horizon) { traced in
                        switch use {
                        case .counting: function.add(traced.entry, traced.request)
                        case .context(let keys):
                            if traced.request != .none || keys.contains(traced.entry.key) {
                                function.add(traced.entry.counted, traced.request)
                            }
                        case .finding: function.add(traced.entry, .none)
                        }
                    })
            }
            let ordered = (
                rows: known.rows.sorted(by: EntryRow.precedes), lines: known.lines.sorted(by: EntryLine.precedes)
            )
            for index in 0..<rows {
                var row = C.isReading ? EntryRow.blank : ordered.rows[index]
                try row.code(&coder, of: day.number)
                if C.isReading, let counts = use.counts(row.instant) { set.add(row.counting(counts), to: service) }
            }
            for index in 0..<lines {
                var line = C.isReading ? EntryLine.blank : ordered.lines[index]
                try line.code(&coder, of: day.number)
                if C.isReading, let counts = use.counts(line.instant) { set.add(line.counting(counts), to: service) }
            }
            try coder.endBits()
        }
        return contents
    }
}

extension SourceDay.Service {
    /// Codes the entries in the order of time, the distance from one to the next as a Rice code.
    fileprivate func codeEntries<C: Coder>(
        _ count: Int, _ coder: inout C, of day: DayIndex, horizon: Instant, _ body: (TracedEntry) -> Void
    ) throws(C.Failure) -> PartContents {
        let sorted = entries.sorted(by: TracedEntry.isWrittenBefore)
        let span = day == .none ? 0 : sorted.last?.entry.time.ofDay ?? 0
        let parameter = Int(try coder.bits(UInt64(RiceCode.parameter(sum: span, count: count)), 6))
        try coder.require(RiceCode.parameters.contains(parameter))
        // An instant before 2016 is before all entries, and one that no log has is after them.
        let last = EntryTime(horizon) ?? (horizon.seconds < Day.earliest.startSecond ? EntryTime(word: 0) : .none)
        var (contents, time, codes, newest) = (PartContents(), UInt64(0), RecentCodes(), EntryTime?.none)
        for index in 0..<count {
            var traced = C.isReading ? TracedEntry.blank : sorted[index]
            var moment = EntryTime.none
            if day != .none {
                let gap = try coder.bits(rice: traced.entry.time.ofDay &- time, parameter: parameter)
                let (sum, overflow) = time.addingReportingOverflow(gap)
                try coder.require(!overflow && sum < EntryTime.ofDayLimit)
                time = sum
                moment = try coder.require(EntryTime(day: day.number, ofDay: time), or: traced.entry.time)
            }
            try traced.code(&coder, at: moment, &codes)
            guard C.isReading else { continue }
            if !traced.entry.isDated {
                contents.hasUndated = true
            } else if moment.word <= last.word {
                newest = moment
            }
            body(traced)
        }
        (contents.verifications, contents.newest) = (count, newest?.instant)
        return contents
    }
}

extension TracedEntry {
    fileprivate static let blank = TracedEntry(entry: PackedVerification(first: 0, second: 0), request: .none)

    fileprivate mutating func code<C: Coder>(
        _ coder: inout C, at time: EntryTime, _ codes: inout RecentCodes
    ) throws(C.Failure) {
        let key = try coder.bits(entry.key << 8 | UInt64(entry.digest), 53)
        let hasRequest: UInt64 = request == .none ? 0 : 1
        let code = try codes.code((entry.code << 4 | UInt64(entry.slot)) << 1 | hasRequest, &coder)
        let read = PackedVerification(
            key: key >> 8, digest: UInt8(key & 255), time: time, code: code >> 5, slot: UInt8(code >> 1 & 15))
        if code & 1 == 1 { request = PackedRequestID(word: try coder.bits(request.word, 64)) }
        try coder.require(read.isPossible && (code & 1 == 0 || request != .none))
        entry = read
    }

    /// An order that depends on nothing but what is written.
    fileprivate static func isWrittenBefore(_ left: TracedEntry, _ right: TracedEntry) -> Bool {
        (left.entry.second, left.entry.first, left.request) < (right.entry.second, right.entry.first, right.request)
    }
}

/// The two combinations of statuses and revision that came last: nearly all verifications have one of them.
private struct RecentCodes {
    private var codes: (UInt64, UInt64) = (.max, .max)
    private static let bits = 14

    mutating func code<C: Coder>(_ known: UInt64, _ coder: inout C) throws(C.Failure) -> UInt64 {
        var code = codes.0
        if try coder.bits(known == code ? 0 : 1, 1) == 1 {
            let isNew = try coder.bits(known == codes.1 ? 0 : 1, 1) == 1
            code = isNew ? try coder.bits(known, RecentCodes.bits) : codes.1
            codes = (code, codes.0)
        }
        try coder.require(code < 1 << UInt64(RecentCodes.bits))
        return code
    }
}

extension EntrySet {
    /// Hands out what a set holds of a function or service, day by day, and gives it up.
    mutating func take(_ hash: UInt64, _ body: (DayIndex, SourceDay.Service) -> Void) {
        var days: [DayIndex: SourceDay.Service] = [:]
        func add(_ traced: TracedEntry) {
            days[traced.entry.dayIndex, default: SourceDay.Service()].entries.append(traced)
        }
        functions[hash]?.plain.drain { add(TracedEntry(entry: $0, request: .none)) }
        functions[hash]?.traced.drain { add($0) }
        var service = services.removeValue(forKey: hash) ?? Service()
        service.rows.drain { days[DayIndex($0.day), default: SourceDay.Service()].rows.append($0) }
        service.lines.drain { days[DayIndex($0.day), default: SourceDay.Service()].lines.append($0) }
        for (day, entries) in days { body(day, entries) }
    }
}
