public import LogStream
internal import Platform
package import Readiness
public import Verifications

/// One pass over all inputs of a run: from bytes to a tally.
///
/// The result does not depend on the number of jobs, on the order of the inputs, nor on how the records are split over
/// them.
public struct LogAnalysis: Sendable {
    package var inputs: [LogInput]
    package var range = TimeRange()
    /// Verifications after this instant do not decide what the run is judged as of: the clock plus 24 hours.
    package var horizon: Instant
    /// The instant that the run is judged as of; nil if the newest verification decides.
    package var asOf: Instant?
    /// When functions were enforced, by policy: the requests from then on are counted apart.
    package var switches: [Instant] = []
    /// The number of days before the as-of instant that need the apps and sites of clients.
    package var daysWithNames = PolicyRules().daysWithNames
    public var removesDuplicates = true
    package var jobs = 1
    package var scan = ScanOptions()
    /// The most rows to keep of request logs without a verification, and of services that may not be functions;
    /// 0 to read nothing but verifications.
    package var rowLimit = 1_000_000
    /// The entries read of a log that grows, if it is to be counted with stores.
    package var growing: EntrySet?

    public init(inputs: [LogInput], horizon: Instant) {
        self.inputs = inputs
        self.horizon = horizon
    }

    public struct Result: Sendable {
        package var tally: Tally
        public var input: InputSummary
        /// The days that counted where the bounds in time lie within days, of which counts of queries know nothing.
        package var widenedDays: WholeDays?
        package var countedSources = 0
        package var services = ServiceCounts()
        /// Projects of which there are entries as well as results, so that it is unknown how often a request counts.
        package var mixedProjects: [String] = []
    }

    /// Reads all inputs, and counts them.
    ///
    /// Entries of stores count as if they were in the inputs; a store that turns out damaged is handed to `refuse`,
    /// and nothing of it counts. `begin` is called with each input before it is read, on the thread that reads it.
    package func run(
        with stores: [StoredEntries], progress: ReadProgress = ReadProgress(),
        begin: @Sendable (LogInput) -> Void = { _ in }, refuse: (StoredEntries, any Error, inout InputSummary) -> Void
    ) -> Result {
        var (set, counted) = read(besides: stores, progress, begin)
        if let growing { set.merge(growing) }
        set.giveUpRows(beyond: rowLimit)
        var stores = stores
        // Nothing else owns what was resolved: two owners would copy each table as it is finished.
        while !stores.isEmpty {
            do throws(UnreadableStore) {
                return result(try (copy set).resolved(resolution, with: stores), counted, stores)
            } catch {
                refuse(stores[error.place], error.error, &set.input)
                stores.remove(at: error.place)
            }
        }
        return result(set.resolved(resolution), counted, [])
    }

    public func run(
        progress: ReadProgress = ReadProgress(), begin: @Sendable (LogInput) -> Void = { _ in }
    ) -> Result {
        run(with: [], progress: progress, begin: begin) { _, _, _ in }
    }

    private func result(
        _ resolved: consuming ResolvedSet, _ counted: CountedSources, _ stores: [StoredEntries]
    ) -> Result {
        var result = Result(tally: Tally(), input: InputSummary())
        result.mixedProjects = counted.projectNames.intersection(resolved.projects).sorted().map(\.text)
        let tooMany = max(resolved.tally.functions.count, resolved.projects.count) > scan.maxFunctions
        if tooMany { resolved.input.faults.insert(.tooManyFunctions) }
        finish(&result, &resolved)
        result.tally.merge(counted.resolved(&result.input))
        result.countedSources = counted.count
        result.services = counted.services
        result.input.serviceRequests = counted.services.requests
        if counted.count > 0 { result.widenedDays = range.widenedDays }
        guard !stores.isEmpty else { return result }
        let haveEvidence = stores.contains { $0.sources.contains(where: \.hasEvidence) }
        if inputs.isEmpty, growing == nil, !haveEvidence { result.tally.evidence = nil }
        return result
    }

    /// Reads all inputs into one set; one that stores hold is read, and not taken.
    private func read(
        besides stores: [StoredEntries], _ progress: ReadProgress, _ begin: @Sendable (LogInput) -> Void
    ) -> (EntrySet, CountedSources) {
        // Large ones first, so that no core is left with the largest at the end.
        let order = inputs.sorted { ($0.size ?? .max, ExactName($1.name)) > ($1.size ?? .max, ExactName($0.name)) }
        let (waiting, workers) = (WaitingList(order.reversed()), max(1, min(jobs, inputs.count)))
        // With fewer sources than cores, a source takes two: one to inflate, one to read.
        let isPipelined = jobs > workers
        // Days that a store has given up are in the log still.
        let known = Dictionary(grouping: stores.flatMap(\.sources), by: \.contents)
        var parts = concurrentMap(workers) { _ in
            var (set, counted) = (EntrySet(), CountedSources())
            guard known.isEmpty else {
                while let next = waiting.next() {
                    begin(next)
                    let (source, counts) = scan(next, isPipelined: isPipelined, progress)
                    if let counts { counted.merge(counts) }
                    let record = source.record
                    let isKnown = known[record.contents]?.contains { $0.ledger.covers(record.ledger) } ?? false
                    if !isKnown { set.merge(source.set) }
                }
                return (set, counted)
            }
            var scanner = scanner(range, identifies: false)
            var input = InputSummary()
            while let next = waiting.next() {
                begin(next)
                input.merge(scanner.scan(next, isPipelined: isPipelined, progress: progress).summary)
            }
            return (scanner.sink.entries(of: scanner, read: input), scanner.sink.counted)
        }
        var (set, counted) = (EntrySet(), CountedSources())
        // Each part goes as soon as it is merged: two owners would keep pages that are done.
        while let part = parts.popLast() {
            set.merge(part.0)
            counted.merge(part.1)
        }
        return (set, counted)
    }

    func scanner(_ range: TimeRange, identifies: Bool) -> RecordReader<EntrySink> {
        var options = scan
        (options.readsEvidence, options.identifies, options.horizon) = (rowLimit > 0, identifies, horizon)
        return RecordReader(
            options: options,
            sink: EntrySink(
                range: range, horizon: horizon, asOf: asOf, foldsCopies: removesDuplicates, rowLimit: rowLimit))
    }

    /// Reads one input as a store takes it; ``range`` is ignored.
    package func source(
        _ input: LogInput, progress: ReadProgress, begin: (LogInput) -> Void = { _ in }
    ) -> ReadSource {
        begin(input)
        var (source, counts) = scan(input, isPipelined: jobs > 1, progress)
        if counts != nil {
            source.record.input.faults.insert(.unsupported)
            source.record.input.problems.append(.counts(in: input))
        }
        return source
    }

    private func scan(
        _ input: LogInput, isPipelined: Bool, _ progress: ReadProgress
    ) -> (ReadSource, counted: CountedSources?) {
        var scanner = scanner(TimeRange(), identifies: true)
        let scanned = scanner.scan(input, isPipelined: isPipelined, progress: progress)
        var record = SourceRecord()
        (record.file.name, record.file.size, record.checksum) = (input.name, input.size, scanned.checksum)
        (record.isStrict, record.maxRecordBytes) = (scan.isStrict, scan.maxRecordBytes)
        record.hasEvidence = rowLimit > 0
        var set = scanner.sink.entries(of: scanner, read: scanned.summary)
        // Which of the services are functions is not known yet.
        if set.hasGivenUpRows { set.input.problems.append(.rowsLeftOut(input, rowLimit)) }
        let counted = scanner.sink.counted
        let hasCounts = counted.count > 0 || !counted.services.isEmpty
        return (ReadSource(set, record, horizon: horizon), hasCounts ? counted : nil)
    }

    var resolution: Resolution {
        var resolution = Resolution(horizon: horizon)
        (resolution.range, resolution.countsCopies, resolution.jobs) = (range, !removesDuplicates, jobs)
        (resolution.asOf, resolution.cuts, resolution.readsEvidence) = (asOf, switches, rowLimit > 0)
        resolution.daysWithNames = daysWithNames
        return resolution
    }

    /// Puts together what was counted, and what accompanies it.
    func finish(_ result: inout Result, _ resolved: inout ResolvedSet) {
        if resolved.finish(rowLimit: rowLimit > 0 ? rowLimit : nil, daysWithNames: daysWithNames, asOf: asOf) {
            resolved.input.problems.append(.evidenceLimit(rowLimit))
        }
        (result.tally, result.input) = (resolved.tally, resolved.input)
    }
}

extension Problem {
    fileprivate static func counts(in input: LogInput) -> Problem {
        Problem(
            source: input.name, kind: .unsupportedFormat,
            detail: "counts, which are not entries; nothing is added. Keep the files, and pass all of them to check, "
                + "explain or report")
    }

    fileprivate static func rowsLeftOut(_ input: LogInput, _ limit: Int) -> Problem {
        Problem(
            source: input.name, kind: .evidenceLimit,
            detail: "more than \(limit) rows are of services that nothing in it shows to be functions, so the oldest "
                + "were left out; if one of them is a function, split the input into smaller files")
    }

    fileprivate static func evidenceLimit(_ limit: Int) -> Problem {
        Problem(
            source: nil, kind: .evidenceLimit,
            detail: "more than \(limit) rows belong to no verification, so the oldest were left out; "
                + "raise max-open")
    }
}
