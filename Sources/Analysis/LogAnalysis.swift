package import Entries
public import LogStream
internal import Platform
package import Readiness
public import Verifications

/// One pass over all inputs of a run: from bytes to a tally.
///
/// The result does not depend on the number of jobs, on the order of the inputs, nor on how the records are split over
/// them.
public struct LogAnalysis: Sendable {
    /// What to read.
    package var inputs: [LogInput]
    /// Snapshots that were read before.
    package var snapshots: [FoundSnapshot] = []
    /// What counts.
    package var range = TimeRange()
    /// Verifications after this instant do not decide what the run is judged as of: the clock plus 24 hours.
    package var horizon: Instant
    /// What the run is judged as of; nil where the newest verification decides.
    package var asOf: Instant?
    /// When functions were enforced, by policy: the requests from then on are counted apart.
    package var switches: [Instant] = []
    /// False to count copies of an entry as well.
    public var removesDuplicates = true
    /// How many threads may work at once.
    package var jobs = 1
    package var scan = ScanOptions()
    /// How many rows of request logs may belong to no verification, and how many of services stay that may be no
    /// functions; 0 to read nothing but verifications.
    package var openLimit = 1_000_000
    /// True to look at the last hour of logs as well.
    package var showsActivity = false
    /// The checksums of heads of sources that are counted otherwise: snapshots may have them, too.
    package var known: Set<UInt64> = []

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
        /// The last hour; nil unless requested.
        package var activity: Activity?
        /// True when rows and lines were looked for in any of the inputs.
        package var hasEvidence = true
        /// The days that counted where the bounds in time lie within days, of which counts of queries know nothing.
        package var widenedDays: WholeDays?
        /// The newest day of which a damaged input that a store keeps may have lost something; nil without one.
        package var incompleteThrough: Day?
        /// Results of queries that have counted.
        package var countedSources = 0
        /// Projects of which there are entries as well as results, so that it is unknown how often a request counts.
        package var mixedProjects: [String] = []
        /// What was read of snapshots, which is part of ``input``; before it is known what counts.
        package var snapshots = InputSummary()
    }

    /// Counts a set, with what is sealed in snapshots; a store counts it together with what it holds.
    package typealias Resolve<Failure: Error> = (
        consuming EntrySet, SealedDays, Resolution
    ) throws(Failure) -> ResolvedSet

    /// Reads all inputs, and calls `begin` with each before, on the thread that reads it.
    ///
    /// - Returns: The counts, and what was read; inputs that failed are among its problems.
    public func run(
        progress: ReadProgress = ReadProgress(), begin: @Sendable (LogInput) -> Void = { _ in }
    ) -> Result {
        var result = run(progress: progress, begin: begin) { set, sealed, resolution throws(Never) in
            set.resolved(resolution, with: sealed)
        }
        if !result.hasEvidence { result.evidence = nil }
        return result
    }

    /// Reads all inputs, and counts them with other entries.
    ///
    /// - Parameters:
    ///   - progress: Counts what was read.
    ///   - begin: Called with each input before it is read, on the thread that reads it.
    ///   - resolve: Counts what was read.
    /// - Returns: The counts, and what was read; inputs that failed are among its problems. Evidence is there where it
    ///   was asked for, whether or not any of the inputs has it.
    /// - Throws: What `resolve` throws.
    package func run<Failure>(
        progress: ReadProgress = ReadProgress(), begin: @Sendable (LogInput) -> Void = { _ in },
        resolve: Resolve<Failure>
    ) throws(Failure) -> Result {
        let queue = WorkQueue(inputs, jobs: jobs)
        var parts = concurrentMap(queue.workers) { [scanOptions, range, openLimit] _ in
            var scanner = LogScanner(
                options: scanOptions,
                sink: EntrySink(
                    range: range, horizon: horizon, foldsCopies: removesDuplicates, openLimit: openLimit))
            var (input, snapshots) = (InputSummary(), [FoundSnapshot]())
            while let next = queue.next() {
                begin(next)
                let scanned = scanner.scan(next, isPipelined: queue.isPipelined, progress: progress)
                if scanned.isSnapshot {
                    snapshots.append((next, scanned.snapshot))
                } else {
                    input.merge(scanned.summary)
                }
            }
            return (scanner.sink.entries(of: scanner, read: input), scanner.sink.counted, snapshots)
        }
        let found = parts.flatMap(\.2)
        let (snapshots, hasLogs) = (snapshots + found, inputs.count > found.count)
        var (set, counted) = (EntrySet(), CountedSources())
        // Each part goes as soon as it is merged: two owners would keep pages that are done.
        while let part = parts.popLast() {
            set.merge(part.0)
            counted.merge(part.1.tally, sources: part.1.count)
        }
        var read = sources(of: snapshots)
        var result = Result(tally: Tally(), input: InputSummary())
        result.snapshots = read.faults
        let snapshotsHaveEvidence = read.sources.contains(where: \.source.hasEvidence)
        while let (source, size) = read.sources.popLast() {
            var input = source.set.input
            input.bytesRead = size
            result.snapshots.merge(input)
            set.merge(source.set)
            set.input.bytesRead += size
            if let tally = source.counted { counted.merge(tally, sources: 1) }
        }
        set.giveUpRows(beyond: openLimit)
        set.input.merge(read.faults)
        var resolution = Resolution(horizon: horizon)
        (resolution.range, resolution.countsCopies, resolution.jobs) = (range, !removesDuplicates, jobs)
        (resolution.asOf, resolution.cuts, resolution.showsLastHour) = (asOf, switches, true)
        if showsActivity { result.activity = set.activity(asOf: asOf, horizon: horizon) }
        var resolved = try resolve(consume set, read.sealed, resolution)
        let hasEntries = resolved.tally.projectNames
        result.mixedProjects = counted.tally.projectNames.intersection(hasEntries).sorted().map(\.text)
        let givenUp = resolved.givenUpThrough(beyond: openLimit)
        resolved.add(counted.tally)
        resolved.bound(scan.maxFunctions)
        result.tally = resolved.tally.resolved(&resolved.input)
        result.countedSources = counted.count
        result.incompleteThrough = resolved.incompleteThrough
        if counted.count > 0 { result.widenedDays = range.widenedDays }
        result.hasEvidence = hasLogs || snapshots.isEmpty || snapshotsHaveEvidence
        if openLimit > 0 {
            result.evidence = resolved.tally.evidence(of: result.tally, givenUpThrough: givenUp)
            result.evidence?.hasAddresses = !snapshotsHaveEvidence
            result.evidence?.revisionNames = resolved.revisionNames
            result.evidence?.givenUpThrough = [givenUp, resolved.incompleteThrough].compactMap(\.self).max()
            if givenUp != nil { resolved.input.problems.append(.evidenceLimit(openLimit)) }
        }
        result.input = resolved.input
        return result
    }
}

/// Hands out inputs to whichever worker is free: large ones first, so that no core is left with the largest at the end.
final class WorkQueue: Sendable {
    private let waiting: WaitingList<LogInput>
    let workers: Int
    /// With fewer sources than cores, a source takes two: one to inflate, one to read.
    let isPipelined: Bool

    init(_ inputs: [LogInput], jobs: Int) {
        waiting = WaitingList(
            inputs.sorted { ($0.size ?? .max, ExactName($1.name)) > ($1.size ?? .max, ExactName($0.name)) }.reversed())
        workers = max(1, min(jobs, inputs.count))
        isPipelined = jobs > workers
    }

    func next() -> LogInput? { waiting.next() }
}

extension Problem {
    /// More was open at once than is kept.
    fileprivate static func evidenceLimit(_ limit: Int) -> Problem {
        Problem(
            source: nil, kind: .evidenceLimit,
            detail: "more than \(limit) rows belong to no verification, so the oldest were left out; "
                + "raise max-open")
    }
}
