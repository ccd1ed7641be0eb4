internal import Readiness
package import Verifications

/// What one source holds, as it is kept: a head, and a part for each UTC day.
///
/// Whatever a source is called and however it was compressed, the bytes are those of what it says: sources with equal
/// heads are one.
package struct PackedSource: Hashable, Sendable {
    /// What the source says of itself, with the check sums of its parts.
    package var head: ArraySlice<UInt8>
    /// By ``StoredDay``, ascending; not all of those of which the head tells, when some were given up.
    package var parts: [Part]

    package struct Part: Hashable, Sendable {
        package let day: StoredDay
        package let bytes: ArraySlice<UInt8>

        package init(day: StoredDay, bytes: ArraySlice<UInt8>) { (self.day, self.bytes) = (day, bytes) }
    }

    package init(head: ArraySlice<UInt8>, parts: [Part]) { (self.head, self.parts) = (head, parts) }

    /// In bytes.
    package var size: Int { parts.reduce(head.count) { $0 + $1.bytes.count } }
}

/// A UTC day since 2016 as a number, or what stands for no day at all.
package struct StoredDay: Hashable, Comparable, Sendable {
    package let number: Int

    /// Of entries without any time.
    package static let none = StoredDay(number: 1 << 22)

    package init(number: Int) { self.number = number }

    /// The day of an instant since 2016.
    package init(_ day: Day) { number = Day.earliest.distance(to: day) }

    package var day: Day? { self == .none ? nil : Day.earliest.advanced(by: number) }

    /// Days of which entries may belong to those of this one, and those that decide whether they do.
    package var around: [StoredDay] {
        self == .none ? [self] : (number - 2...number + 2).map(StoredDay.init(number:))
    }

    /// The day and its neighbours.
    package var neighbours: [StoredDay] {
        self == .none ? [self] : (number - 1...number + 1).map(StoredDay.init(number:))
    }

    package static func < (left: StoredDay, right: StoredDay) -> Bool { left.number < right.number }
}

/// Packs what one source holds.
package struct SourceWriter {
    private var texts: [ExactName: Int] = [:]
    private var textBytes = PackedWriter()
    private var out = PackedWriter()

    /// The bytes of a source: the same for what says the same, whatever it is called.
    package static func packed(_ source: consuming Source, named name: String) -> PackedSource {
        var writer = SourceWriter()
        let parts = writer.write(source, named: name)
        var head = PackedWriter()
        head.write(writer.texts.count)
        return PackedSource(head: (head.bytes + writer.textBytes.bytes + writer.out.bytes)[...], parts: parts)
    }

    private mutating func write(_ source: consuming Source, named name: String) -> [PackedSource.Part] {
        var set = source.set
        let counted = source.counted
        out.write(counted != nil ? 2 : source.hasEvidence ? 1 : 0)
        write(set.input)
        out.write(word: UInt64(source.checksum), bytes: 4)
        out.write(source.beginnings.count)
        for hash in source.beginnings { out.write(word: hash) }
        // What could not be opened says nothing by which it could be told from others.
        write(text: set.input.sources == 0 ? name : "")
        let projects = (counted?.projects ?? set.projects).sorted { $0.key < $1.key }
        out.write(projects.count)
        for (name, project) in projects {
            write(text: name.text)
            out.write(project.undatedErrorStream ? 1 : 0)
            out.write(days: project.errorStreamDays.sorted())
        }
        if let counted {
            let functions = counted.functions.sorted { SourceWriter.precedes($0.key, $1.key) }
            out.write(functions.count)
            for (name, function) in functions {
                write(name)
                write(text: function.label?.text ?? "")
                for provenance in Provenance.allCases { out.write(function[provenance]) }
            }
            return []
        }
        let names = set.names.sorted { SourceWriter.precedes($0.value, $1.value) }
        out.write(names.count)
        for (hash, name) in names {
            write(name)
            let function = set.functions[hash] ?? FunctionEntries()
            write(text: function.label?.text ?? "")
            write(text: set.urlNames[hash]?.text ?? "")
            out.write(function.otherMessage, upTo: SourceLimits.entries)
            out.write(function.contradictoryText, upTo: SourceLimits.entries)
        }
        let others = set.services.keys.filter { set.names[$0] == nil }.sorted()
        out.write(others.count)
        for service in others {
            out.write(word: service)
            write(text: set.urlNames[service]?.text ?? "")
        }
        var days: [StoredDay: SourceDay] = [:]
        for (number, service) in (names.map(\.key) + others).enumerated() {
            let revisions = set.functions[service]?.revisions
            set.take(service) { day, entries in
                var entries = entries
                entries.revisions = revisions?.revisions(on: day) ?? []
                days[day, default: SourceDay()].services[number] = entries
            }
        }
        write(versions: set.versions, of: days.values)
        let parts = days.sorted { $0.key < $1.key }
            .map { PackedSource.Part(day: $0.key, bytes: $0.value.bytes()[...]) }
        // So that the head alone tells sources apart.
        var sum: UInt64 = 0
        for part in parts { sum = mixed(sum ^ UInt64(part.day.number)) ^ part.bytes.checkSum }
        out.write(word: sum)
        return parts
    }

    /// Writes the number of a text, which the table in front has once.
    private mutating func write(text: String) {
        let text = text.shortened(to: SourceLimits.text)
        let name = ExactName(text)
        if let known = texts[name] { return out.write(known) }
        out.write(texts.count)
        texts[name] = texts.count
        textBytes.write(text)
    }

    private mutating func write(_ input: InputSummary) {
        out.write(input.sources)
        out.write(input.bytesDecompressed, upTo: SourceLimits.bytes)
        for count in [input.records, input.ignored, input.malformed, input.oversized, input.unexpected] {
            out.write(count, upTo: SourceLimits.count)
        }
        out.write(input.unread.total, upTo: SourceLimits.count)
        out.write(input.faults.rawValue)
        out.write(input.unread.cutAt.map { Int($0.seconds) }, upTo: SourceLimits.count)
        let problems = input.problems.entries.filter { $0.kind != .more }
        out.write(problems.count)
        for problem in problems {
            write(text: problem.kind.rawValue)
            out.write(problem.byteOffset, upTo: SourceLimits.bytes)
            out.write(problem.record, upTo: SourceLimits.count)
            write(text: problem.detail)
        }
        out.write(input.problems.dropped, upTo: SourceLimits.count)
    }

    private mutating func write(_ name: FunctionIdentity) {
        out.write(name.generation?.rawValue ?? 0)
        for text in [name.project, name.region, name.name] { write(text: text) }
    }

    private mutating func write(versions: ClientVersions, of days: some Sequence<SourceDay>) {
        var hashes: Set<UInt64> = []
        for service in days.lazy.flatMap(\.services.values) {
            service.rows.forEach { hashes.insert($0.version) }
            hashes.formUnion(service.revisions.compactMap(\.nameHash))
        }
        let known = hashes.sorted().compactMap { hash in versions[hash].map { (hash, $0) } }
        out.write(known.count)
        for (hash, version) in known {
            out.write(word: hash, bytes: 4)
            for text in [version.app, version.version, version.os] { write(text: text) }
        }
    }

    private static func precedes(_ left: FunctionIdentity, _ right: FunctionIdentity) -> Bool {
        func key(_ name: FunctionIdentity) -> (ExactName, ExactName, ExactName, UInt8) {
            (ExactName(name.project), ExactName(name.region), ExactName(name.name), name.generation?.rawValue ?? 0)
        }
        return key(left) < key(right)
    }
}

/// What one source holds of one day, by the number of the function or service.
struct SourceDay: Sendable {
    struct Service: Sendable {
        var entries: [TracedEntry] = []
        var rows: [EntryRow] = []
        var lines: [EntryLine] = []
        /// Of the entries.
        var revisions: [Revision] = []
    }

    var services: [Int: Service] = [:]

    /// The part of the day, in bytes.
    func bytes() -> [UInt8] {
        var out = PackedWriter()
        out.write(services.count)
        for (number, service) in services.sorted(by: { $0.key < $1.key }) {
            out.write(number)
            for count in [service.entries.count, service.rows.count, service.lines.count] { out.write(count) }
            if !service.entries.isEmpty {
                out.write(service.revisions.count)
                for revision in service.revisions { out.write(revision.word) }
            }
            SourceDay.write(service.entries, to: &out)
            for row in service.rows.sorted(by: EntryRow.precedes) { row.write(to: &out) }
            for line in service.lines.sorted(by: EntryLine.precedes) { line.write(to: &out) }
            out.endBits()
        }
        return out.bytes
    }

    /// In the order of time, the distance from one to the next as a Rice code.
    private static func write(_ unsorted: [TracedEntry], to out: inout PackedWriter) {
        let entries = unsorted.sorted(by: TracedEntry.isWrittenBefore)
        var times: [UInt64] = []
        for traced in entries where traced.entry.hasDay {
            times.append(traced.entry.time.ofDay)
        }
        var gaps: [UInt64] = []
        for index in times.indices { gaps.append(times[index] - (index == 0 ? 0 : times[index - 1])) }
        let parameter = RiceCode.parameter(sum: gaps.reduce(0, &+), count: gaps.count)
        out.writeBits(UInt64(parameter), 6)
        var codes = RecentCodes()
        for (index, traced) in entries.enumerated() {
            if !gaps.isEmpty { out.writeBits(rice: gaps[index], parameter: parameter) }
            out.writeBits(traced.entry.key << 8 | UInt64(traced.entry.digest), 53)
            let hasRequest: UInt64 = traced.request == .none ? 0 : 1
            codes.write((traced.entry.code << 4 | UInt64(traced.entry.slot)) << 1 | hasRequest, to: &out)
            if hasRequest == 1 { out.writeBits(traced.request.word, 64) }
        }
    }
}

/// The two combinations of statuses and revision that came last: nearly all verifications have one of them.
struct RecentCodes {
    private var codes: (UInt64, UInt64) = (.max, .max)
    private static let bits = 14

    mutating func write(_ code: UInt64, to out: inout PackedWriter) {
        if code == codes.0 { return out.writeBits(0, 1) }
        if code == codes.1 {
            out.writeBits(1, 2)
        } else {
            out.writeBits(3, 2)
            out.writeBits(code, RecentCodes.bits)
        }
        codes = (code, codes.0)
    }

    mutating func read(from bytes: inout PackedReader) throws(PackedFault) -> UInt64 {
        var code = codes.0
        if try bytes.readBits(1) == 1 {
            code = try bytes.readBits(1) == 0 ? codes.1 : bytes.readBits(RecentCodes.bits)
            codes = (code, codes.0)
        }
        guard code < 1 << UInt64(RecentCodes.bits) else { throw PackedFault() }
        return code
    }
}

extension TracedEntry {
    /// An order that depends on nothing but what is written.
    fileprivate static func isWrittenBefore(_ left: TracedEntry, _ right: TracedEntry) -> Bool {
        (left.entry.second, left.entry.first, left.request) < (right.entry.second, right.entry.first, right.request)
    }
}

extension EntrySet {
    /// Hands out what a set holds of a function or service, day by day, and gives it up.
    mutating func take(_ hash: UInt64, _ body: (StoredDay, SourceDay.Service) -> Void) {
        var days: [StoredDay: SourceDay.Service] = [:]
        var function = functions.removeValue(forKey: hash) ?? FunctionEntries()
        func add(_ traced: TracedEntry) {
            days[traced.entry.storedDay, default: SourceDay.Service()].entries.append(traced)
        }
        function.plain.drain { add(TracedEntry(entry: $0, request: .none)) }
        function.traced.drain { add($0) }
        var service = services.removeValue(forKey: hash) ?? Service()
        service.rows.drain { days[StoredDay($0.day), default: SourceDay.Service()].rows.append($0) }
        service.lines.drain { days[StoredDay($0.day), default: SourceDay.Service()].lines.append($0) }
        for (day, entries) in days { body(day, entries) }
    }
}

extension Entry {
    var storedDay: StoredDay { hasDay ? StoredDay(number: dayNumber) : .none }
}
