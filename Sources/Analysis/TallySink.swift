internal import LogStream
internal import Platform
internal import Readiness
internal import Verifications

/// Counts what one scanner finds.
struct TallySink: RecordSink {
    /// What other scanners of the run have counted; nil to count copies as well.
    private let seen: SeenVerifications?
    /// Takes rows and lines; nil when nobody asks for them.
    private let evidence: EvidenceStore?
    /// Knows what was counted on earlier nights; nil for a run that stands for itself.
    private let ledger: (any CountLedger)?
    /// What evidence is joined with: of a run with a ledger all that is read, new or not.
    private let joined: SeenVerifications?
    private let range: TimeRange
    /// Verifications after it do not decide what a run is judged as of.
    private let horizon: Instant
    /// By the scanner's indices.
    private var functions: [RawFunction] = []
    /// By the scanner's indices: what stands for the function in ``seen``.
    private var numbers: [UInt32] = []
    private var projects: [ProjectTally] = []
    /// Read, and not in ``seen`` yet.
    private var waiting: [SeenCandidate] = []
    private var rows: [(row: RequestRow, counts: Bool)] = []
    private var lines: [(line: SDKLine, counts: Bool)] = []
    /// True when a labelled verification named its execution, and when one did not.
    private(set) var names = (execution: false, noExecution: false)
    /// How often each record that has no `insertId` or no time was read of this source.
    private var occurrences: [UInt64: UInt64] = [:]
    /// The counts that the sink keeps: verifications, duplicates, filtered, undated, ignored.
    private(set) var summary = InputSummary()
    /// What queries have counted.
    private(set) var counted = CountedSources()

    init(
        seen: SeenVerifications?, evidence: EvidenceStore? = nil, range: TimeRange, horizon: Instant,
        ledger: (any CountLedger)? = nil, joined: SeenVerifications? = nil
    ) {
        self.seen = seen
        self.evidence = evidence
        self.range = range
        self.horizon = horizon
        self.ledger = ledger
        self.joined = joined ?? seen
    }

    private static let longestBatch = 4096

    mutating func endSource() {
        flush()
        if !occurrences.isEmpty { occurrences.removeAll() }
    }

    mutating func register(_ function: FunctionIdentity, as index: Int32) {
        makeRoom(for: index)
        numbers[Int(index)] = seen?.number(of: function) ?? 0
        // Both sets meet the functions in the same order, so that they give them the same numbers.
        if ledger != nil { _ = joined?.number(of: function) }
    }

    mutating func count(_ verification: Verification) {
        makeRoom(for: verification.function)
        let function = Int(verification.function)
        guard let seen, var fingerprint = verification.fingerprint else {
            return summary.count(
                verification, in: &functions[function], isCounted: range.contains(verification.instant),
                horizon: horizon)
        }
        if fingerprint.isOfRecord { fingerprint = numbered(fingerprint) }
        if verification.execution != nil {
            names.execution = true
        } else if verification.provenance != .unlabelled {
            names.noExecution = true
        }
        let candidate = SeenCandidate(verification, fingerprint, number: numbers[function])
        guard let ledger else {
            waiting.append(candidate)
            if waiting.count == TallySink.longestBatch { flush() }
            return
        }
        let entry = ledger.find(verification, fingerprint)
        if evidence != nil, entry != .isTooOld {
            waiting.append(candidate)
            if waiting.count == TallySink.longestBatch { flush() }
        }
        switch entry {
        case .isTooOld:
            summary.count(verification, in: &functions[function], isCounted: false, horizon: horizon)
        case .isCopy:
            summary.countCopies(1, of: verification.provenance, in: &functions[function])
        case .isRepeated:
            summary.countRepeated(1, of: verification.provenance, in: &functions[function])
        case .isNew:
            let outcome = seen.insert(candidate)
            if outcome == .isNew { ledger.add(verification, fingerprint, of: seen.names[Int(numbers[function])]) }
            note(outcome, of: candidate)
        }
    }

    mutating func count(_ row: CountedRow) { counted.add(row, range: range, horizon: horizon) }
    mutating func endCounts(isSound: Bool) { counted.endSource(isSound: isSound) }

    /// Takes what was waiting: rows and lines with their verifications, which only then are found to belong together.
    private mutating func flush() {
        guard !waiting.isEmpty || !rows.isEmpty || !lines.isEmpty else { return }
        // What a ledger has looked at was counted there.
        joined?.insert(waiting) { if ledger == nil { note($1, of: $0) } }
        waiting.removeAll(keepingCapacity: true)
        guard let evidence, let joined else { return }
        evidence.add(rows, lines)
        rows.removeAll(keepingCapacity: true)
        lines.removeAll(keepingCapacity: true)
        evidence.settle(with: joined)
    }

    private mutating func note(_ outcome: SeenOutcome, of candidate: SeenCandidate) {
        guard outcome == .isRepeated else { return }
        summary.countRepeated(1, of: candidate.record.provenance, in: &functions[Int(candidate.function)])
    }

    mutating func discardForeign(_ provenance: Provenance, function: Int32) {
        makeRoom(for: function)
        summary.ignored += 1
        if provenance == .unlabelled {
            functions[Int(function)].contradictoryText += 1
        } else {
            functions[Int(function)].otherMessage += 1
        }
    }

    /// What tells equal records of a source apart, where nothing in them does: the second one of a source is a copy of
    /// the second one of another.
    private mutating func numbered(_ fingerprint: Fingerprint) -> Fingerprint {
        let number = occurrences[fingerprint.value, default: 0]
        occurrences[fingerprint.value] = number + 1
        guard number > 0 else { return fingerprint }
        let value = mixed(fingerprint.value &+ mixed(number))
        return Fingerprint(
            value: value, legacy: fingerprint.legacy == fingerprint.value ? value : fingerprint.legacy,
            legacyDay: fingerprint.legacyDay, isOfRecord: true, order: EntryOrder(0, 0, 0, number))
    }

    mutating func noteErrorStream(project: Int32, at instant: Instant?) {
        guard range.contains(instant), ledger?.isOpen(at: instant) ?? true else { return }
        while projects.count <= Int(project) { projects.append(ProjectTally()) }
        projects[Int(project)].addErrorStream(day: instant?.day)
    }

    mutating func note(_ row: RequestRow) {
        rows.append((row, range.contains(row.instant)))
        if rows.count == TallySink.longestBatch { flush() }
    }

    mutating func note(_ line: SDKLine) {
        var fingerprint = line.fingerprint
        if line.isOfRecord { fingerprint = numbered(Fingerprint(value: fingerprint, isOfRecord: true)).value }
        let numbered = SDKLine(
            service: line.service, instant: line.instant, meaning: line.meaning, link: line.link,
            fingerprint: fingerprint, isOfRecord: line.isOfRecord)
        lines.append((numbered, range.contains(line.instant)))
        if lines.count == TallySink.longestBatch { flush() }
    }

    mutating func retire(function: Int32) {
        flush()
        guard Int(function) < functions.count else { return }
        functions[0].merge(functions[Int(function)])
        functions[Int(function)] = RawFunction()
    }

    mutating func retire(project: Int32) {
        guard Int(project) < projects.count else { return }
        projects[0].merge(projects[Int(project)])
        projects[Int(project)] = ProjectTally()
    }

    private mutating func makeRoom(for function: Int32) {
        while functions.count <= Int(function) {
            functions.append(RawFunction())
            numbers.append(0)
        }
    }

    /// What was counted, under the names that the scanner gives its indices.
    func tally(functions names: [ScannedFunction?], projects projectNames: [ScannedProject?]) -> RawTally {
        var tally = RawTally()
        tally.reserve(functions: functions.count)
        for (name, counts) in zip(names, functions) {
            guard let name else { continue }
            var counts = counts
            counts.label = name.label
            tally.add(counts, for: name.identity)
        }
        for (name, counts) in zip(projectNames, projects) where counts != ProjectTally() {
            guard let name else { continue }
            tally.add(counts, for: ExactName(name.name))
        }
        return tally
    }
}

extension LogAnalysis.RawResult {
    /// Counts what a run has seen, a share on each of its threads.
    mutating func count(
        _ seen: SeenVerifications, range: TimeRange, horizon: Instant, countsCopies: Bool, jobs: Int
    ) {
        if hasNamedExecutions, hasUnnamedExecutions { seen.settleCopies() }
        let names = seen.names
        // Each share has room for all functions: with very many of them, one must do.
        let jobs = names.count > 10_000 ? 1 : jobs
        let shares = concurrentMap(jobs) { share in
            var functions = Array(repeating: RawFunction(), count: names.count)
            var input = InputSummary()
            seen.forEach(share: share, of: jobs) { record in
                input.count(
                    record, in: &functions[Int(record.function)], isCounted: range.contains(record.instant),
                    horizon: horizon, countsCopies: countsCopies)
            }
            return (functions, input)
        }
        for (functions, read) in shares {
            input.merge(read)
            for (name, function) in zip(names, functions) where function != RawFunction() {
                // Of functions that were given up nothing else is known.
                tally.add(function, for: ranks.functions[name] == nil ? .pooled : name)
            }
        }
    }
}

extension InputSummary {
    fileprivate mutating func count(
        _ verification: Verification, in function: inout RawFunction, isCounted: Bool, horizon: Instant
    ) {
        guard isCounted else {
            filtered += 1
            return function.update(verification.provenance) { $0.filtered += 1 }
        }
        verifications += 1
        if verification.instant == nil { undated += 1 }
        function.update(verification.provenance) { $0.add(verification, horizon: horizon) }
    }

    fileprivate mutating func countCopies(_ copies: Int, of provenance: Provenance, in function: inout RawFunction) {
        guard copies > 0 else { return }
        duplicates += copies
        function.update(provenance) { $0.copies += copies }
    }

    mutating func countRepeated(
        _ number: Int, of provenance: Provenance, in function: inout RawFunction
    ) {
        ignored += number
        function.countRepeated(number, of: provenance)
    }

    fileprivate mutating func count(
        _ record: SeenRecord, in function: inout RawFunction, isCounted: Bool, horizon: Instant, countsCopies: Bool
    ) {
        guard !record.isGone else {
            // What names no execution is gone because a copy of it, which does, has its counts.
            if record.isOfExecution { countRepeated(1 + record.copies, of: record.provenance, in: &function) }
            return
        }
        if !countsCopies { countCopies(record.copies, of: record.provenance, in: &function) }
        let verification = Verification(
            function: 0, app: record.app, auth: record.auth, severity: record.severity,
            provenance: record.provenance, instant: record.instant)
        for _ in 0...(countsCopies ? record.copies : 0) {
            count(verification, in: &function, isCounted: isCounted, horizon: horizon)
        }
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014), which spreads each bit over all others.
func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
}
