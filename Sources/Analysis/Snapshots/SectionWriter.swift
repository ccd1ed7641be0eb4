internal import LogStream
internal import Readiness
internal import Verifications

/// What one source has shown, before anything of it is joined with other sources.
struct SourceCounts {
    /// What is counted without regard to other sources; with fingerprints, no verification that is in ``seen``.
    var raw: LogAnalysis.RawResult
    /// The verifications; nil where only their sums are kept.
    var seen: SeenVerifications?
    /// Rows and lines to be joined; nil where nobody looked for them.
    var evidence: EvidenceStore.State?
}

/// What stands in the first byte of a section.
struct SectionFlags: OptionSet {
    let rawValue: UInt8

    static let fingerprints = SectionFlags(rawValue: 1)
    static let evidence = SectionFlags(rawValue: 2)
    static let rounded = SectionFlags(rawValue: 4)
    /// What a query has counted, of which other sources may have counted the same.
    static let counts = SectionFlags(rawValue: 8)
    static let all = SectionFlags(rawValue: 15)
}

/// Writes the section of one source, as the page on snapshots has it.
struct SectionWriter {
    private let flags: SectionFlags
    private var texts: [ExactName: Int] = [:]
    private var textBytes = SnapshotWriter()
    var out = SnapshotWriter()
    /// Days of functions, verifications, and what is open to be joined: what the size is bounded by.
    var size = (days: 0, verifications: 0, open: 0)

    /// The bytes of a section: with exact times where they fit into the room that a section may take.
    ///
    /// With its name and its hash a section takes at most 2 kB, 128 bytes for each day of a function, 9 for each
    /// verification and 24 for what is open.
    static func section(of counts: SourceCounts) -> [UInt8] {
        var flags: SectionFlags = counts.seen == nil ? [] : .fingerprints
        if counts.evidence != nil { flags.insert(.evidence) }
        if counts.raw.counted.count > 0 { flags = .counts }
        let exact = SectionWriter(counts, flags)
        guard exact.isTooLarge, counts.seen != nil else { return exact.bytes }
        return SectionWriter(counts, flags.union(.rounded)).bytes
    }

    private init(_ counts: SourceCounts, _ flags: SectionFlags) {
        self.flags = flags
        out.write(word: UInt64(flags.rawValue), bytes: 1)
        write(counts.raw.input)
        write(projects: (flags == .counts ? counts.raw.counted.tally : counts.raw.tally).projects)
        write(functions: counts)
        if let evidence = counts.evidence { write(evidence, counts.raw.versions, counts.seen?.givenUpThrough) }
    }

    private var isTooLarge: Bool {
        bytes.count > 1536 + 128 * size.days + 9 * size.verifications + 24 * size.open
    }

    private var bytes: [UInt8] {
        var head = SnapshotWriter()
        head.write(texts.count)
        return head.bytes + textBytes.bytes + out.bytes
    }

    /// Writes the number of a text, which the table in front has once.
    mutating func write(text: String) {
        let name = ExactName(text)
        if let known = texts[name] { return out.write(known) }
        out.write(texts.count)
        texts[name] = texts.count
        textBytes.write(text)
    }

    private mutating func write(_ input: InputSummary) {
        for count in [
            input.sources, input.bytesDecompressed, input.records, input.ignored, input.malformed, input.oversized,
            input.unexpected, Int(input.faults.rawValue),
        ] { out.write(count) }
        let problems = input.problems.entries.filter { $0.kind != .more }
        out.write(problems.count)
        for problem in problems {
            write(text: problem.kind.rawValue)
            out.write(problem.byteOffset.map { $0 + 1 } ?? 0)
            out.write(problem.record.map { $0 + 1 } ?? 0)
            write(text: problem.detail)
        }
        out.write(input.problems.dropped)
    }

    private mutating func write(projects: [ExactName: ProjectTally]) {
        out.write(projects.count)
        for (name, project) in projects.sorted(by: { $0.key < $1.key }) {
            write(text: name.text)
            out.write(project.undatedErrorStream ? 1 : 0)
            write(days: project.errorStreamDays.sorted())
        }
    }

    mutating func write(days: [Day]) {
        out.write(days.count)
        var last: Int32 = 0
        for day in days {
            out.write(signed: Int64(day.number) - Int64(last))
            last = day.number
        }
    }

    // MARK: Functions

    private mutating func write(functions counts: SourceCounts) {
        let names = counts.seen?.names ?? []
        var functions = (flags == .counts ? counts.raw.counted.tally : counts.raw.tally).functions
        var candidates: [FunctionIdentity: [SeenCandidate]] = [:]
        counts.seen?.forEachCandidate { candidate in
            guard !candidate.record.isGone else { return }
            let name = names[Int(candidate.record.function)]
            // Of functions that were given up nothing else is known.
            let function = counts.raw.ranks.functions[name] == nil ? .pooled : name
            candidates[function, default: []].append(candidate)
        }
        for name in candidates.keys where functions[name] == nil { functions[name] = RawFunction() }
        out.write(functions.count)
        for (name, function) in functions.sorted(by: { FunctionIdentity.precedes($0.key, $1.key) }) {
            out.write(name == .pooled ? 3 : name.generation?.rawValue ?? 0)
            for text in [name.project, name.region, name.name] { write(text: text) }
            write(text: function.label?.text ?? "")
            for count in [
                function.otherMessage, function.contradictoryText, function.repeated, function.repeatedAlone,
            ] { out.write(count) }
            if flags.contains(.fingerprints) {
                write(candidates: candidates[name, default: []])
            } else {
                for provenance in Provenance.allCases { write(function[provenance]) }
            }
        }
    }

    private mutating func write(candidates: [SeenCandidate]) {
        var streams: [Stream: [SeenCandidate]] = [:]
        for candidate in candidates {
            let stream = Stream(provenance: candidate.record.provenance, day: candidate.record.instant?.day)
            streams[stream, default: []].append(candidate)
        }
        size.days += Set(streams.keys.map(\.day)).count
        size.verifications += candidates.count
        out.write(streams.count)
        for (stream, candidates) in streams.sorted(by: { $0.key < $1.key }) {
            write(stream, candidates.sorted(by: SeenCandidate.precedes))
        }
    }

    /// Verifications of one function, provenance and day.
    private struct Stream: Hashable, Comparable {
        let provenance: Provenance
        let day: Day?

        static func < (left: Stream, right: Stream) -> Bool {
            (left.provenance.rawValue, left.day?.number ?? .min)
                < (right.provenance.rawValue, right.day?.number ?? .min)
        }
    }

    private mutating func write(_ stream: Stream, _ candidates: [SeenCandidate]) {
        out.write(stream.provenance.rawValue << 1 | (stream.day == nil ? 0 : 1))
        if let day = stream.day { out.write(signed: Int64(day.number)) }
        out.write(candidates.count)
        let unit = flags.contains(.rounded) ? UInt64(SeenRecord.roundingUnit) : 1
        let times = candidates.map { UInt64($0.record.instant?.nanosecondOfDay ?? 0) }
        let parameter = RiceCode.parameter(sum: (times.last ?? 0) / unit, count: times.count)
        if stream.day != nil { out.write(parameter) }
        let exact = flags.contains(.rounded) ? exactPlaces(candidates, times) : []
        var statuses = RecentStatuses()
        var last: UInt64 = 0
        for (place, candidate) in candidates.enumerated() {
            if stream.day != nil {
                out.writeBits(rice: times[place] / unit - last, parameter: parameter)
                last = times[place] / unit
                if flags.contains(.rounded) {
                    out.writeBits(exact[place] ? 1 : 0, 1)
                    if exact[place] { out.writeBits(times[place] % unit, RecentStatuses.remainderBits) }
                }
            }
            statuses.write(candidate.record, to: &out)
            out.writeBits(UInt64(candidate.record.rank), 8)
            out.writeBits(UInt64(candidate.record.key), Int(SeenRecord.keyBits))
            out.writeBits(candidate.key >> 45, RecentStatuses.upperKeyBits)
            if flags.contains(.evidence) {
                let hasRequest = candidate.request != .none
                out.writeBits(hasRequest ? 1 : 0, 1)
                if hasRequest { out.writeBits(candidate.request.word, 64) }
                if isOpen(candidate) { size.open += 1 }
            }
        }
        out.endBits()
    }

    /// True for one that a row or a line may belong to.
    private func isOpen(_ candidate: SeenCandidate) -> Bool {
        flags.contains(.evidence) && (candidate.request != .none || candidate.record.app == .invalid)
    }

    /// Where times are kept to the nanosecond although others are rounded: where a line may belong to the verification,
    /// and where a day's first or last time depends on it.
    private func exactPlaces(_ candidates: [SeenCandidate], _ times: [UInt64]) -> [Bool] {
        var places = candidates.indices.map { place in
            let instant = candidates[place].record.instant
            return isOpen(candidates[place]) || instant.map { UInt32(exactly: $0.seconds) == nil } ?? true
                || times[place] / UInt64(SeenRecord.roundingUnit) == times[0] / UInt64(SeenRecord.roundingUnit)
        }
        func isBlocked(_ candidate: SeenCandidate) -> Bool {
            candidate.record.app != .valid && candidate.record.auth != .invalid
        }
        let newest = [
            candidates.indices.last, candidates.lastIndex(where: isBlocked),
            candidates.lastIndex { isBlocked($0) && $0.record.auth == .valid },
        ]
        for place in newest.compactMap(\.self) { places[place] = true }
        return places
    }

    // MARK: Sums

    private mutating func write(_ part: RawFunction.Part) {
        out.write(part.copies)
        write(part.tally.undated)
        write(part.tally.pooledDays)
        if part.tally.pooledDays != StatusMatrix(), let first = part.tally.first {
            out.write(signed: first.seconds)
            out.write(first.nanoseconds)
        }
        out.write(part.tally.otherSeverities.rawValue)
        write(days: part.tally.days.map(\.day))
        size.days += part.tally.days.count
        for day in part.tally.days {
            write(day.counts)
            out.write(day.passSeverities.rawValue)
            out.write(day.firstNanosecond)
            out.write(day.lastNanosecond - day.firstNanosecond)
            for blocked in [day.blocked, day.signedInBlocked] {
                out.write(blocked.hours)
                if let last = blocked.lastNanosecond { out.write(last) }
            }
        }
    }

    private mutating func write(_ matrix: StatusMatrix) {
        let counts = TokenStatus.allCases.flatMap { app in TokenStatus.allCases.map { matrix[app, $0] } }
        out.write(counts.reversed().reduce(0) { $0 << 1 | ($1 > 0 ? 1 : 0) })
        for count in counts where count > 0 { out.write(count) }
    }
}

extension SeenCandidate {
    /// An order that depends on nothing but what is written.
    fileprivate static func precedes(_ left: SeenCandidate, _ right: SeenCandidate) -> Bool {
        let (first, second) = (left.record.instant?.nanosecondOfDay ?? 0, right.record.instant?.nanosecondOfDay ?? 0)
        if first != second { return first < second }
        return (left.key & keyMask, left.words.second, left.words.first, left.request)
            < (right.key & keyMask, right.words.second, right.words.first, right.request)
    }

    /// The record without the number of its function, which is another one in every run.
    private var words: (first: UInt64, second: UInt64) {
        var record = record
        record.function = 0
        return (record.packed.first, record.packed.second)
    }
}

extension FunctionIdentity {
    fileprivate static func precedes(_ left: FunctionIdentity, _ right: FunctionIdentity) -> Bool {
        func key(_ name: FunctionIdentity) -> (ExactName, ExactName, ExactName, UInt8) {
            (ExactName(name.project), ExactName(name.region), ExactName(name.name), name.generation?.rawValue ?? 0)
        }
        return key(left) < key(right)
    }
}
