internal import LogStream
internal import Readiness
internal import Verifications

/// Hands the section of a source on to where a log's verifications, rows and lines go: from there on there is no
/// difference.
struct SectionFeed: SectionSink {
    private let seen: SeenVerifications
    private let evidence: EvidenceStore?
    private let range: TimeRange
    private let horizon: Instant
    private let key: HashKey
    private var result = LogAnalysis.RawResult()
    private var function = FunctionIdentity.pooled
    private var sums = RawFunction()
    /// What stands for the function in ``seen``.
    private var number: UInt32 = 0
    private var waiting: [SeenCandidate] = []
    private var rows: [(row: RequestRow, counts: Bool)] = []
    private var lines: [(line: SDKLine, counts: Bool)] = []

    private static let longestBatch = 4096

    init(
        seen: SeenVerifications, evidence: EvidenceStore?, range: TimeRange, horizon: Instant, key: HashKey
    ) {
        self.seen = seen
        self.evidence = evidence
        self.range = range
        self.horizon = horizon
        self.key = key
    }

    mutating func begin(_ function: FunctionIdentity, _ sums: RawFunction) {
        endFunction()
        self.function = function
        self.sums = sums
        for provenance in Provenance.allCases where !sums[provenance].isEmpty {
            self.sums[provenance] = counted(sums[provenance])
        }
        guard function != .pooled else {
            number = 0
            return
        }
        number = seen.number(of: function)
        let scanned = ScannedFunction(function, label: sums.label, key: key)
        result.ranks.functions[function] = scanned.rank
        result.hashes[scanned.hash] = function
    }

    mutating func add(_ verification: SeenCandidate) {
        let record = verification.record
        if record.isOfExecution {
            result.hasNamedExecutions = true
        } else if record.provenance != .unlabelled {
            result.hasUnnamedExecutions = true
        }
        waiting.append(verification.numbered(number))
        if waiting.count == SectionFeed.longestBatch { flush() }
    }

    mutating func add(_ row: RequestRow) {
        rows.append((row, range.contains(row.instant)))
        if rows.count == SectionFeed.longestBatch { flush() }
    }

    mutating func add(_ line: SDKLine) {
        lines.append((line, range.contains(line.instant)))
        if lines.count == SectionFeed.longestBatch { flush() }
    }

    /// What the section adds to what a run has read.
    consuming func finish(_ rest: SectionReader.Remainder) -> LogAnalysis.RawResult {
        endFunction()
        if rest.flags == .counts {
            result.counted.merge(result.tally, sources: 1)
            (result.tally, result.input) = (RawTally(), InputSummary())
        }
        result.input.merge(rest.input)
        result.versions = rest.versions
        for (name, project) in rest.projects {
            result.tally.add(project.part(of: range), for: name)
            guard name.text != FunctionIdentity.unknown else { continue }
            result.ranks.projects[name] = ScannedProject(name.text).rank
        }
        return result
    }

    private mutating func endFunction() {
        flush()
        if sums != RawFunction() || function != .pooled { result.tally.add(sums, for: function) }
        sums = RawFunction()
    }

    /// Takes what was waiting, as a log's verifications, rows and lines are taken.
    private mutating func flush() {
        guard !waiting.isEmpty || !rows.isEmpty || !lines.isEmpty else { return }
        var (input, sums) = (result.input, self.sums)
        seen.insert(waiting) { candidate, outcome in
            guard outcome == .isRepeated else { return }
            input.countRepeated(1 + candidate.record.copies, of: candidate.record.provenance, in: &sums)
        }
        (result.input, self.sums) = (input, sums)
        waiting.removeAll(keepingCapacity: true)
        guard let evidence else { return }
        evidence.add(rows, lines)
        rows.removeAll(keepingCapacity: true)
        lines.removeAll(keepingCapacity: true)
        evidence.settle(with: seen)
    }

    /// Sums as they count in the range; of what was filtered nothing but its number is left.
    private mutating func counted(_ part: RawFunction.Part) -> RawFunction.Part {
        var counted = part
        let whole = part.tally
        if range.isBounded {
            let days = whole.days.filter { range.contains(Instant(day: $0.day, nanosecondOfDay: 0)) }
            counted.tally = FunctionTally(
                days: days, undated: StatusMatrix(), pooledDays: StatusMatrix(), pooledFirst: nil, otherSeverities: [],
                label: nil)
            counted.filtered = whole.totals.total - counted.tally.totals.total
        }
        for day in counted.tally.days {
            for nanosecond in [day.firstNanosecond, day.lastNanosecond] {
                let instant = Instant(day: day.day, nanosecondOfDay: nanosecond)
                if instant <= horizon { counted.note(newest: instant) }
            }
        }
        result.input.verifications += counted.tally.totals.total
        result.input.undated += counted.tally.undated.total
        result.input.duplicates += counted.copies
        result.input.filtered += counted.filtered
        return counted
    }
}

extension SeenCandidate {
    /// The same of a function that has this number in a set.
    func numbered(_ number: UInt32) -> SeenCandidate {
        var record = record
        record.function = number
        return SeenCandidate(record, key: key, request: request)
    }
}

extension ProjectTally {
    /// What a range has of it; a record without a time lies in none.
    fileprivate func part(of range: TimeRange) -> ProjectTally {
        guard range.isBounded else { return self }
        let days = errorStreamDays.filter { range.contains(Instant(day: $0, nanosecondOfDay: 0)) }
        return ProjectTally(errorStreamDays: days, undatedErrorStream: false)
    }
}
