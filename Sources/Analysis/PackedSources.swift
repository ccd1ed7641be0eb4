package import Entries
package import LogStream
internal import Platform
internal import Readiness
package import Verifications

extension LogAnalysis {
    /// What a run that writes a snapshot yields.
    package struct SnapshotResult: Sendable {
        /// The file.
        package var bytes: [UInt8]
        /// What was read; without the counts that need all sources.
        package var input: InputSummary
    }

    /// What every snapshot begins with.
    package static var snapshotMagic: [UInt8] { Snapshot.magic }

    /// A snapshot as it was read, unpacked; without bytes where they are damaged.
    package typealias FoundSnapshot = (input: LogInput, bytes: [UInt8]?)

    /// How logs are read, and told apart from snapshots.
    var scanOptions: ScanOptions {
        var options = scan
        (options.readsEvidence, options.snapshotMagic) = (openLimit > 0, Snapshot.magic)
        return options
    }

    /// Reads logs and snapshots into one snapshot; ``range``, ``horizon`` and ``removesDuplicates`` are ignored.
    ///
    /// - Parameters:
    ///   - stored: What a store holds, which is added.
    ///   - progress: Counts what was read.
    ///   - begin: Called with each input before it is read, on the thread that reads it.
    /// - Returns: The file, and what was read; inputs that failed are among its problems.
    package func snapshot(
        with stored: PackedSources = PackedSources(), progress: ReadProgress = ReadProgress(),
        begin: @Sendable (LogInput) -> Void = { _ in }
    ) -> SnapshotResult {
        let queue = WorkQueue(inputs, jobs: jobs)
        let parts = concurrentMap(queue.workers) { _ in
            var (logs, snapshots) = (PackedSources(), [FoundSnapshot]())
            while let next = queue.next() {
                begin(next)
                let (source, snapshot) = scan(next, isPipelined: queue.isPipelined, progress: progress)
                if let snapshot { snapshots.append(snapshot) } else { logs.add(source, of: next) }
            }
            return (logs, snapshots)
        }
        var read = stored
        for part in parts { read.merge(part.0) }
        for snapshot in parts.flatMap(\.1) { read.merge(packed(snapshot)) }
        let sections = read.sources.map { Snapshot.Section(name: $0.name, source: $0.source) }
        let merged = Snapshot(Snapshot.Options(scan), sections: sections, sealed: read.sealed)
        return SnapshotResult(bytes: merged.bytes, input: read.input)
    }

    /// Reads one input, which is a log or a snapshot, as a store takes it.
    package func packed(
        _ input: LogInput, progress: ReadProgress, begin: (LogInput) -> Void = { _ in }
    ) -> PackedSources {
        begin(input)
        let (source, snapshot) = scan(input, isPipelined: jobs > 1, progress: progress)
        if let snapshot { return packed(snapshot) }
        var read = PackedSources()
        read.add(source, of: input)
        return read
    }

    private func packed(_ found: FoundSnapshot) -> PackedSources {
        var read = PackedSources()
        guard let snapshot = open(found, &read.input), let summaries = summaries(of: snapshot, found, &read.input)
        else { return read }
        for (section, summary) in zip(snapshot.sections, summaries) {
            read.input.merge(summary)
            read.sources.append((section.name, section.source, section.source.size))
        }
        read.sealed = snapshot.sealed
        return read
    }

    /// All that a log holds, or what a query has counted where it is the result of one; or a snapshot.
    private func scan(
        _ input: LogInput, isPipelined: Bool, progress: ReadProgress
    ) -> (source: Source, snapshot: FoundSnapshot?) {
        var options = scanOptions
        options.identifies = true
        var scanner = LogScanner(
            options: options,
            sink: EntrySink(range: TimeRange(), horizon: Instant(seconds: .max), openLimit: openLimit))
        let scanned = scanner.scan(input, isPipelined: isPipelined, progress: progress)
        if scanned.isSnapshot { return (Source(), (input, scanned.snapshot)) }
        let counted = scanner.sink.counted
        var source = Source(
            set: scanner.sink.entries(of: scanner, read: scanned.summary),
            counted: counted.count > 0 ? counted.tally : nil, hasEvidence: openLimit > 0, identity: scanned.identity)
        // Which of the services are functions is not known yet.
        if source.set.hasGivenUpRows { source.set.input.problems.append(.rowsLeftOut(input, openLimit)) }
        return (source, nil)
    }

    /// What snapshots hold, each source once.
    ///
    /// - Returns: The sources with their sizes, the days that are sealed, and what is wrong with snapshots that are
    ///   refused.
    func sources(
        of snapshots: [FoundSnapshot]
    ) -> (sources: [(source: Source, size: Int)], sealed: SealedDays, faults: InputSummary) {
        var faults = InputSummary()
        var files = snapshots.compactMap { found in open(found, &faults).map { (found: found, snapshot: $0) } }
        func merged() -> (snapshot: Snapshot, sources: [(source: Source, size: Int)]?) {
            let union = files.reduce(into: Snapshot(Snapshot.Options(scan))) { $0.merge($1.snapshot) }
            let sources = try? union.sections.map { section in
                (source: try source(section, sealedBefore: union.sealed.end), size: section.source.size)
            }
            return (union, sources)
        }
        var (union, sources) = merged()
        if sources == nil {
            // Nothing counts of a file that has a damaged section.
            files.removeAll { summaries(of: $0.snapshot, $0.found, &faults) == nil }
            (union, sources) = merged()
        }
        var (others, versions) = ([(source: Source, size: Int)](), ClientVersions())
        for (section, read) in zip(union.sections, sources ?? []) {
            versions.merge(read.source.set.versions)
            if !known.contains(section.source.head.checkSum) { others.append(read) }
        }
        versions.trim()
        return (others, union.sealed.counted(range, horizon: horizon, versions: versions), faults)
    }

    private func source(
        _ section: Snapshot.Section, sealedBefore end: DayIndex? = nil
    ) throws(MalformedBytes) -> Source {
        try Source(section.source, named: section.name, range: range, horizon: horizon, sealedBefore: end) {
            $0.hash(scan.fingerprintKey)
        }
    }

    /// Opens a snapshot; of one that is refused nothing is left but what is wrong with it.
    private func open(_ found: FoundSnapshot, _ faults: inout InputSummary) -> Snapshot? {
        do throws(SnapshotFault) {
            guard let bytes = found.bytes else { throw .unreadable }
            let snapshot = try Snapshot(bytes, for: Snapshot.Options(scan))
            // What is sealed takes no entries: days to come are not.
            if let end = snapshot.sealed.end?.day, Instant(day: end, nanosecondOfDay: 0) > horizon { throw .damaged }
            return snapshot
        } catch {
            refuse(found, error, &faults)
            return nil
        }
    }

    /// What was read of the sections of a snapshot; nil where one of them is damaged, so that it is refused.
    private func summaries(
        of snapshot: Snapshot, _ found: FoundSnapshot, _ faults: inout InputSummary
    ) -> [InputSummary]? {
        let summaries = try? snapshot.sections.map { try source($0).set.input }
        if summaries == nil { refuse(found, .damaged, &faults) }
        return summaries
    }

    private func refuse(_ found: FoundSnapshot, _ fault: SnapshotFault, _ faults: inout InputSummary) {
        faults.faults.insert(found.bytes == nil ? .damaged : .unsupported)
        faults.bytesRead += found.bytes?.count ?? 0
        faults.problems.append(
            Problem(source: found.input.name, kind: .unsupportedFormat, detail: fault.wording))
    }
}

/// Sources as they are kept, and what was read of them.
package struct PackedSources: Sendable {
    /// What they are called, and how many bytes they took as stored.
    package var sources: [(name: String, source: PackedSource, size: Int)] = []
    package var sealed = SealedDays()
    package var input = InputSummary()

    package init() {}

    /// Sources as a store keeps them.
    package init(_ sources: [(name: String, source: PackedSource)], sealed: SealedDays, records: Int) {
        self.sources = sources.map { ($0.name, $0.source, $0.source.size) }
        self.sealed = sealed
        (input.sources, input.records) = (sources.count, records)
    }

    /// Packs what was read of a log; a file found in a directory that is not one is no source.
    fileprivate mutating func add(_ source: consuming Source, of log: LogInput) {
        let summary = source.set.input
        guard summary != InputSummary() else { return }
        input.merge(summary)
        sources.append((log.name, PackedSource(source, named: log.name), summary.bytesRead))
    }

    mutating func merge(_ other: PackedSources) {
        sources += other.sources
        sealed.merge(other.sealed)
        input.merge(other.input)
    }
}

extension Problem {
    fileprivate static func rowsLeftOut(_ input: LogInput, _ limit: Int) -> Problem {
        Problem(
            source: input.name, kind: .evidenceLimit,
            detail:
                "more than \(limit) rows are of services that nothing in it shows to be functions, so the oldest were left "
                + "out; if one of them is a function, split the input into smaller files")
    }
}
