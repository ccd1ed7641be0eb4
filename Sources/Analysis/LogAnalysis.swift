public import LogStream
internal import Platform
package import Readiness
internal import Synchronization
public import Verifications

/// One pass over all inputs of a run: from bytes to a tally.
///
/// The result does not depend on the number of jobs, on the order of the inputs, nor on how the records are split over
/// them.
public struct LogAnalysis: Sendable {
    /// What to read.
    package var inputs: [LogInput]
    /// What counts.
    package var range = TimeRange()
    /// Verifications after this instant do not decide what the run is judged as of: the clock plus 24 hours.
    package var horizon: Instant
    /// False to count copies of an entry as well.
    public var removesDuplicates = true
    /// How many threads may work at once.
    package var jobs = 1
    package var scan = ScanOptions()
    /// How many rows of request logs, how many lines and how many verifications may wait for each other; 0 to read
    /// nothing but verifications.
    package var openLimit = 1_000_000
    /// The key of fingerprints in runs that read or write snapshots: it must be the same in all of them.
    package var snapshotKey = HashKey(phrase: "callcheck")

    public init(inputs: [LogInput], horizon: Instant) {
        self.inputs = inputs
        self.horizon = horizon
    }

    /// What a pass yields.
    public struct Result: Sendable {
        package var tally: Tally
        public var input: InputSummary
        /// What was joined; nil when nothing but verifications was to be read.
        package var evidence: CallEvidence?
        /// The days that counted where the bounds in time lie within days, of which snapshots know nothing.
        package var widenedDays: WholeDays?
        /// Sources of snapshots of which copies of entries cannot be found.
        package var sourcesWithoutFingerprints = 0
        /// Results of queries that have counted.
        package var countedSources = 0
        /// What was read of snapshots, which is part of ``input``; before it is known what counts.
        package var snapshots = InputSummary()
    }

    /// What a pass yields before it is known which verifications are believed.
    package struct RawResult: Sendable {
        package var tally = RawTally()
        package var input = InputSummary()
        /// Of the names in the tally.
        package var ranks = NameRanks()
        /// The functions by the keyed hashes of their names.
        var hashes: [UInt64: FunctionIdentity] = [:]
        var versions = ClientVersions()
        /// True when a labelled verification named its execution.
        var hasNamedExecutions = false
        /// True when one did not: it may be a copy that has lost it.
        var hasUnnamedExecutions = false
        /// What stands next to the verifications of an input that a history takes.
        var evidence: (seen: SeenVerifications, store: EvidenceStore)?
        /// What queries have counted.
        var counted = CountedSources()

        init() {}

        /// What one scanner has found, next to what it read.
        init(_ scanner: LogScanner<TallySink>, read input: InputSummary) {
            let (functions, projects) = (scanner.functions, scanner.projects)
            tally = scanner.sink.tally(functions: functions, projects: projects)
            self.input = input
            self.input.merge(scanner.sink.summary)
            (hasNamedExecutions, hasUnnamedExecutions) = scanner.sink.names
            for case let function? in functions where function.identity != .pooled {
                ranks.functions[function.identity] = function.rank
                hashes[function.hash] = function.identity
            }
            versions = scanner.clientVersions
            counted = scanner.sink.counted
            for case let project? in projects where project.name != FunctionIdentity.unknown {
                ranks.projects[ExactName(project.name)] = project.rank
            }
        }

        mutating func merge(_ other: RawResult) {
            tally.merge(other.tally)
            input.merge(other.input)
            ranks.merge(other.ranks)
            hashes.merge(other.hashes) { first, _ in first }
            versions.merge(other.versions)
            counted.merge(other.counted.tally, sources: other.counted.count)
            hasNamedExecutions = hasNamedExecutions || other.hasNamedExecutions
            hasUnnamedExecutions = hasUnnamedExecutions || other.hasUnnamedExecutions
        }
    }

    /// Reads all inputs.
    ///
    /// - Parameters:
    ///   - progress: Counts the bytes read on the way.
    ///   - begin: Called with each input before it is read, on the thread that reads it.
    /// - Returns: The counts, and what was read; inputs that failed are among its problems.
    public func run(
        progress: ReadProgress = ReadProgress(), begin: @Sendable (LogInput) -> Void = { _ in }
    ) -> Result {
        let (logs, snapshots) = sorted
        let seen = SeenVerifications(requestLimit: openLimit)
        let evidence = openLimit > 0 ? EvidenceStore(limit: openLimit) : nil
        var (scan, range) = (scan, range)
        scan.readsEvidence = evidence != nil
        if !snapshots.isEmpty {
            scan.fingerprintKey = snapshotKey
            range = range.days.range
        }
        let workers = max(1, min(jobs, logs.count))
        // With fewer sources than cores, a source takes two: one to inflate, one to read.
        let isPipelined = jobs > workers
        let queue = WorkQueue(largestFirst(logs))
        var parts = concurrentMap(workers) { [scan, range] _ in
            let sink = TallySink(seen: seen, evidence: evidence, range: range, horizon: horizon)
            var scanner = LogScanner(options: scan, sink: sink)
            var input = InputSummary()
            while let next = queue.next() {
                begin(next)
                input.merge(scanner.scan(next, isPipelined: isPipelined, progress: progress))
            }
            return RawResult(scanner, read: input)
        }
        // Each part goes as soon as it is merged: with very many functions they are large.
        var whole = parts.removeLast()
        while let part = parts.popLast() { whole.merge(part) }
        let read = count(
            snapshots, into: &whole, seen, evidence, range: range, progress: progress, begin: begin)
        whole.ranks.merge(whole.counted.ranks)
        seen.pool(beyond: scan.maxFunctions, by: whole.ranks)
        whole.count(seen, range: range, horizon: horizon, countsCopies: !removesDuplicates, jobs: jobs)
        whole.tally.mergeLarger(whole.counted.tally, toLog: true, &whole.input)
        whole.tally.pool(beyond: scan.maxFunctions, by: whole.ranks)
        let tally = whole.tally.resolved(&whole.input)
        var result = Result(tally: tally, input: whole.input)
        result.sourcesWithoutFingerprints = read.sourcesWithoutFingerprints
        result.countedSources = whole.counted.count
        result.snapshots = read.input
        if !snapshots.isEmpty || whole.counted.count > 0 { result.widenedDays = self.range.widenedDays }
        guard let evidence, !logs.isEmpty || snapshots.isEmpty || read.hasEvidence else { return result }
        var joined = join(evidence, seen, with: tally, &whole, range, givenUpThrough: read.givenUpThrough)
        joined.hasAddresses = !read.hasEvidence
        if joined.givenUpThrough != nil { result.input.problems.append(.evidenceLimit(openLimit)) }
        result.evidence = joined
        return result
    }

    /// Joins rows and lines with the verifications that count.
    private func join(
        _ store: EvidenceStore, _ seen: SeenVerifications, with tally: Tally, _ whole: inout RawResult,
        _ range: TimeRange, givenUpThrough: Day?
    ) -> CallEvidence {
        var state = store.take()
        guard !state.services.isEmpty else { return CallEvidence() }
        var believed: [FunctionIdentity: Provenance] = [:]
        for (function, counts) in tally.functions where function != .pooled {
            believed[function] = whole.tally.functions[function].map { counts.provenance(of: $0.believed) }
        }
        whole.versions.trim()
        var join = EvidenceJoin(
            seen, services: state.services, hashes: whole.hashes, believed: believed, versions: whole.versions,
            range: range, countsCopies: !removesDuplicates)
        let rows = state.rows.takeElements()
        var evidence = join.evidence(rows: rows, lines: state.lines.takeElements())
        evidence.givenUpThrough = [state.givenUpThrough, seen.givenUpThrough, givenUpThrough].compactMap { $0 }.max()
        return evidence
    }

    /// An input of fewer bytes is read before a second thread has begun: a folder may hold thousands of them.
    private static let smallInput = 1 << 20

    /// Reads one input, of which only what a history has not counted yet is to be counted.
    ///
    /// The ledger is queried on the calling thread; a second thread decompresses when ``jobs`` allows one.
    ///
    /// - Parameters:
    ///   - input: What to read, whatever ``inputs`` says.
    ///   - ledger: Knows what was counted; ``removesDuplicates`` and ``range`` have no say.
    ///   - progress: Counts the bytes read on the way.
    /// - Returns: The counts of what is new, and what was read.
    package func run(
        _ input: LogInput, new ledger: any CountLedger, progress: ReadProgress = ReadProgress()
    ) -> RawResult {
        let seen = SeenVerifications()
        var options = scan
        options.keepsFingerprints = true
        options.readsEvidence = openLimit > 0
        let evidence =
            openLimit > 0 ? (SeenVerifications(requestLimit: openLimit), EvidenceStore(limit: openLimit)) : nil
        let sink = TallySink(
            seen: seen, evidence: evidence?.1, range: TimeRange(), horizon: horizon, ledger: ledger,
            joined: evidence?.0)
        var scanner = LogScanner(options: options, sink: sink)
        let isSmall = input.size.map { $0 < LogAnalysis.smallInput } ?? false
        let read = scanner.scan(input, isPipelined: jobs > 1 && !isSmall, progress: progress)
        var result = RawResult(scanner, read: read)
        guard result.counted.count == 0 else {
            result.input.faults.insert(.unsupported)
            result.input.problems.append(.countsForHistory(input))
            return result
        }
        result.count(seen, range: TimeRange(), horizon: horizon, countsCopies: false, jobs: jobs)
        result.evidence = evidence
        return result
    }

    /// The inputs, large ones first, so that no core is left with the largest at the end.
    func largestFirst(_ inputs: [LogInput]) -> [LogInput] {
        inputs.sorted { ($0.size ?? Int.max, ExactName($1.name)) > ($1.size ?? Int.max, ExactName($0.name)) }
    }
}

/// Hands out inputs to whichever worker is free.
final class WorkQueue: Sendable {
    private let waiting: Mutex<[LogInput]>

    init(_ inputs: [LogInput]) { waiting = Mutex(inputs.reversed()) }

    func next() -> LogInput? { waiting.withLock { $0.popLast() } }
}

/// The part of the input that counts, by the time of its verifications.
package struct TimeRange: Hashable, Sendable {
    /// The first instant that counts; nil for no bound.
    package var since: Instant?
    /// The first instant that no longer counts; nil for no bound.
    package var until: Instant?

    package init(since: Instant? = nil, until: Instant? = nil) {
        self.since = since
        self.until = until
    }

    var isBounded: Bool { since != nil || until != nil }

    /// True when a verification counts; one without a time counts only where there is no bound.
    func contains(_ instant: Instant?) -> Bool {
        guard isBounded else { return true }
        guard let instant else { return false }
        return (since.map { instant >= $0 } ?? true) && (until.map { instant < $0 } ?? true)
    }
}

/// Bounds in time for what is kept by whole days.
extension TimeRange {
    /// The days that have a part in the range.
    ///
    /// A range may begin with the last nanosecond of a day (`--as-of 2026-10-14 --since 7d`): that day is not meant.
    package var days: WholeDays {
        WholeDays(first: since?.adding(nanoseconds: 1).day, last: until?.adding(nanoseconds: -1).day)
    }

    /// The same, where more counts than the bounds say.
    package var widenedDays: WholeDays? {
        let startsWithin = since.map { (1..<Instant.nanosecondsPerDay - 1).contains($0.nanosecondOfDay) } ?? false
        let endsWithin = until.map { $0.nanosecondOfDay != 0 } ?? false
        return startsWithin || endsWithin ? days : nil
    }
}

extension WholeDays {
    /// From the first instant of the first to the last of the last.
    fileprivate var range: TimeRange {
        TimeRange(
            since: first.map { Instant(day: $0, nanosecondOfDay: 0) },
            until: last.map { Instant(day: $0.advanced(by: 1), nanosecondOfDay: 0) })
    }
}

extension Problem {
    /// Counts cannot be told from those of entries that a history knows.
    fileprivate static func countsForHistory(_ input: LogInput) -> Problem {
        Problem(
            source: input.name, kind: .unsupportedFormat, byteOffset: nil, record: nil,
            detail: "counts of a query, which a history cannot tell from what it has counted already; nothing is "
                + "added. Keep the files, and pass all of them to check, explain or report")
    }

    /// More was open at once than is kept.
    fileprivate static func evidenceLimit(_ limit: Int) -> Problem {
        Problem(
            source: nil, kind: .evidenceLimit, byteOffset: nil, record: nil,
            detail: "more than \(limit) requests waited for their row or their verification at once: evidence on the "
                + "oldest was given up; raise --max-open, which takes up to 32 bytes for each")
    }
}
