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

    /// True for an input that is a snapshot by its first bytes.
    package static func isSnapshot(_ input: inout LogInput) -> Bool { input.begins(with: Snapshot.magic) }

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
        let (logs, snapshots) = sorted
        let queue = WorkQueue(logs, jobs: jobs)
        let parts = concurrentMap(queue.workers) { _ in
            var read = PackedSources()
            while let next = queue.next() {
                begin(next)
                read.merge(packed(log: next, isPipelined: queue.isPipelined, progress: progress))
            }
            return read
        }
        var read = stored
        for part in parts { read.merge(part) }
        for next in snapshots {
            begin(next)
            read.merge(packed(snapshot: next, progress: progress))
        }
        let sections = read.sources.map { Snapshot.Section(name: $0.name, source: $0.source) }
        let merged = Snapshot(Snapshot.Options(scan), sections: sections, sealed: read.sealed)
        return SnapshotResult(bytes: merged.bytes, input: read.input)
    }

    /// Reads one input, which is a log or a snapshot, as a store takes it.
    package func packed(
        _ input: LogInput, progress: ReadProgress, begin: (LogInput) -> Void = { _ in }
    ) -> PackedSources {
        var input = input
        begin(input)
        return LogAnalysis.isSnapshot(&input)
            ? packed(snapshot: input, progress: progress)
            : packed(log: input, isPipelined: jobs > 1, progress: progress)
    }

    private func packed(log input: LogInput, isPipelined: Bool, progress: ReadProgress) -> PackedSources {
        var read = PackedSources()
        let source = entries(of: input, isPipelined: isPipelined, progress: progress)
        // A file found in a directory that is not a log is no source.
        guard source.set.input != InputSummary() else { return read }
        read.input = source.set.input
        read.sources = [(input.name, SourceWriter.packed(source, named: input.name), source.set.input.bytesRead)]
        return read
    }

    private func packed(snapshot input: LogInput, progress: ReadProgress) -> PackedSources {
        var read = PackedSources()
        let opened = open(input, progress: progress)
        if let fault = opened.fault { read.input.merge(fault) }
        for section in opened.snapshot.sections {
            let size = section.source.size
            if let summary = try? source(section).set.input { read.input.merge(summary) }
            read.sources.append((section.name, section.source, size))
        }
        read.sealed = opened.snapshot.sealed
        return read
    }

    /// All that a log holds, or what a query has counted where it is the result of one.
    package func entries(
        of input: LogInput, isPipelined: Bool = false, progress: ReadProgress = ReadProgress()
    ) -> Source {
        let progress = ReadProgress(ofSourceIn: progress)
        var scan = scan
        scan.readsEvidence = openLimit > 0
        var scanner = LogScanner(
            options: scan,
            sink: EntrySink(range: TimeRange(), horizon: Instant(seconds: .max), openLimit: openLimit))
        let read = scanner.scan(input, isPipelined: isPipelined, progress: progress)
        let counted = scanner.sink.counted
        var source = Source(
            set: scanner.sink.entries(of: scanner, read: read), counted: counted.count > 0 ? counted.tally : nil,
            hasEvidence: openLimit > 0)
        // Nobody knows yet which of the services are functions.
        if source.set.hasGivenUpRows { source.set.input.problems.append(.rowsLeftOut(input, openLimit)) }
        (source.checksum, source.beginnings) = (progress.plainChecksum, progress.plainBeginnings)
        return source
    }

    /// The inputs that are logs, and those that are snapshots.
    var sorted: (logs: [LogInput], snapshots: [LogInput]) {
        var (logs, snapshots): ([LogInput], [LogInput]) = ([], [])
        for var input in inputs {
            if LogAnalysis.isSnapshot(&input) { snapshots.append(input) } else { logs.append(input) }
        }
        return (logs, snapshots)
    }

    /// What snapshots hold, each source once.
    ///
    /// - Returns: The sources with their sizes, the days that are sealed, and what is wrong with snapshots that are
    ///   refused.
    func sources(
        of snapshots: [LogInput], progress: ReadProgress, begin: (LogInput) -> Void
    ) -> (sources: [(source: Source, size: Int)], sealed: SealedDays, faults: InputSummary) {
        var faults = InputSummary()
        var merged = Snapshot(Snapshot.Options(scan))
        for next in snapshots {
            begin(next)
            let opened = open(next, progress: progress)
            if let fault = opened.fault { faults.merge(fault) }
            merged.merge(opened.snapshot)
        }
        var (sources, versions) = ([(source: Source, size: Int)](), ClientVersions())
        for section in merged.sections {
            guard let source = try? source(section, sealedBefore: merged.sealed.end) else { continue }
            versions.merge(source.set.versions)
            if !known.contains(section.source.head.checkSum) { sources.append((source, section.source.size)) }
        }
        versions.trim()
        return (sources, merged.sealed.counted(range, horizon: horizon, versions: versions), faults)
    }

    private func source(_ section: Snapshot.Section, sealedBefore end: StoredDay? = nil) throws(PackedFault) -> Source {
        try SourceReader.source(
            section.source, name: section.name, range: range, horizon: horizon, sealedBefore: end
        ) {
            $0.hash(scan.fingerprintKey)
        }
    }

    /// Reads a snapshot; of one that is refused nothing is left but what is wrong with it.
    private func open(_ input: LogInput, progress: ReadProgress) -> (snapshot: Snapshot, fault: InputSummary?) {
        var fault = InputSummary()
        let options = Snapshot.Options(scan)
        guard let bytes = input.contents(progress: progress) else {
            fault.faults = .damaged
            fault.problems.append(.refused(input, "the snapshot cannot be read or unpacked; name a whole copy of it"))
            return (Snapshot(options), fault)
        }
        var reason = SnapshotFault.damaged
        do {
            let snapshot = try Snapshot(bytes, for: options)
            // What is sealed takes no entries: days to come are not.
            if let end = snapshot.sealed.end?.day, Instant(day: end, nanosecondOfDay: 0) > horizon {
                throw SnapshotFault.damaged
            }
            for section in snapshot.sections { _ = try source(section) }
            return (snapshot, nil)
        } catch let refused as SnapshotFault {
            reason = refused
        } catch {}
        fault.faults = .unsupported
        fault.bytesRead = bytes.count
        fault.problems.append(.refused(input, reason.wording))
        return (Snapshot(options), fault)
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

    fileprivate static func refused(_ input: LogInput, _ reason: String) -> Problem {
        Problem(source: input.name, kind: .unsupportedFormat, detail: reason)
    }
}
