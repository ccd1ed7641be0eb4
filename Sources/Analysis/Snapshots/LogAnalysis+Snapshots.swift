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

    /// Reads logs and snapshots into one snapshot; ``range``, ``horizon`` and ``removesDuplicates`` have no say.
    ///
    /// - Parameters:
    ///   - keepsFingerprints: False to keep sums alone: copies between sources are counted, and nothing is joined.
    ///   - progress: Counts the bytes read on the way.
    ///   - begin: Called with each input before it is read, on the thread that reads it.
    /// - Returns: The file, and what was read; inputs that failed are among its problems.
    package func snapshot(
        keepsFingerprints: Bool = true, progress: ReadProgress = ReadProgress(),
        begin: @Sendable (LogInput) -> Void = { _ in }
    ) -> SnapshotResult {
        let (logs, snapshots) = sorted
        var scan = scan
        scan.fingerprintKey = snapshotKey
        let options = Snapshot.Options(scan)
        let queue = WorkQueue(largestFirst(logs))
        let workers = max(1, min(jobs, logs.count))
        let isPipelined = jobs > workers
        let parts = concurrentMap(workers) { [scan] _ in
            var (sections, read) = ([Snapshot.Section](), InputSummary())
            while let next = queue.next() {
                begin(next)
                let progress = ReadProgress(ofSourceIn: progress)
                var counts = self.counts(of: next, scan, isPipelined: isPipelined, progress, keepsFingerprints)
                // A file found in a directory that is not a log is no source.
                guard counts.raw.input != InputSummary() else { continue }
                let input = counts.raw.input
                counts.seen.map { counts.raw.countRepeated(of: $0) }
                read.merge(input)
                sections.append(
                    Snapshot.Section(
                        identity: Snapshot.Identity(progress, next, isOpened: input.sources > 0), name: next.name,
                        bytes: SectionWriter.section(of: counts)[...]))
            }
            return (sections, read)
        }
        var merged = Snapshot(options, sections: parts.flatMap(\.0))
        var input = parts.reduce(into: InputSummary()) { $0.merge($1.1) }
        for next in snapshots {
            begin(next)
            let opened = open(next, options, progress: progress)
            if let fault = opened.fault { input.merge(fault) }
            // They were read before, to their ends.
            for section in opened.snapshot.sections { (try? Snapshot.input(of: section)).map { input.merge($0) } }
            merged.merge(opened.snapshot)
        }
        return SnapshotResult(bytes: merged.bytes, input: input)
    }

    /// Reads one log by itself.
    private func counts(
        of input: LogInput, _ scan: ScanOptions, isPipelined: Bool, _ progress: ReadProgress, _ keepsFingerprints: Bool
    ) -> SourceCounts {
        let evidence = keepsFingerprints && openLimit > 0 ? EvidenceStore(limit: openLimit) : nil
        let seen = SeenVerifications(requestLimit: evidence == nil ? 0 : openLimit)
        var scan = scan
        scan.readsEvidence = evidence != nil
        let everything = Instant(seconds: .max)
        var scanner = LogScanner(
            options: scan,
            sink: TallySink(seen: seen, evidence: evidence, range: TimeRange(), horizon: everything))
        let read = scanner.scan(input, isPipelined: isPipelined, progress: progress)
        var raw = RawResult(scanner, read: read)
        if raw.counted.count > 0 { return SourceCounts(raw: raw) }
        guard keepsFingerprints else {
            raw.count(seen, range: TimeRange(), horizon: everything, countsCopies: false, jobs: 1)
            return SourceCounts(raw: raw)
        }
        return SourceCounts(raw: raw, seen: seen, evidence: evidence?.take())
    }

    /// The inputs that are logs, and those that are snapshots.
    var sorted: (logs: [LogInput], snapshots: [LogInput]) {
        var (logs, snapshots): ([LogInput], [LogInput]) = ([], [])
        for var input in inputs {
            if LogAnalysis.isSnapshot(&input) { snapshots.append(input) } else { logs.append(input) }
        }
        return (logs, snapshots)
    }

    /// Reads a snapshot; of one that is refused nothing is left but what is wrong with it.
    private func open(
        _ input: LogInput, _ options: Snapshot.Options, progress: ReadProgress
    ) -> (snapshot: Snapshot, fault: InputSummary?) {
        var fault = InputSummary()
        guard let bytes = input.contents(progress: progress) else {
            fault.faults = .readError
            fault.problems.append(.refused(input, "the snapshot cannot be read or unpacked; name a whole copy of it"))
            return (Snapshot(options), fault)
        }
        do throws(SnapshotFault) {
            let snapshot = try Snapshot(bytes, for: options)
            for section in snapshot.sections { _ = try Snapshot.input(of: section) }
            return (snapshot, nil)
        } catch {
            fault.faults = .unsupported
            fault.bytesRead = bytes.count
            fault.problems.append(.refused(input, error.wording))
            return (Snapshot(options), fault)
        }
    }

    /// Adds what snapshots say to what a run has read of logs.
    func count(
        _ snapshots: [LogInput], into whole: inout RawResult, _ seen: SeenVerifications, _ evidence: EvidenceStore?,
        range: TimeRange, progress: ReadProgress, begin: (LogInput) -> Void
    ) -> SnapshotsRead {
        var read = SnapshotsRead()
        var scan = scan
        scan.fingerprintKey = snapshotKey
        var merged = Snapshot(Snapshot.Options(scan))
        for next in snapshots {
            begin(next)
            let opened = open(next, merged.options, progress: progress)
            if let fault = opened.fault { read.input.merge(fault) }
            merged.merge(opened.snapshot)
        }
        whole.input.merge(read.input)
        for section in merged.sections {
            var feed = SectionFeed(
                seen: seen, evidence: evidence, range: range, horizon: horizon, key: snapshotKey)
            var reader = SectionReader(section.name, section.bytes)
            // It was read before, to its end.
            guard var rest = try? reader.read(into: &feed) else { continue }
            rest.input.bytesRead = section.bytes.count
            read.input.merge(rest.input)
            whole.merge(feed.finish(rest))
            read.givenUpThrough = [read.givenUpThrough, rest.givenUpThrough].compactMap { $0 }.max()
            read.hasEvidence = read.hasEvidence || rest.flags.contains(.evidence)
            if rest.flags.isDisjoint(with: [.fingerprints, .counts]) { read.sourcesWithoutFingerprints += 1 }
        }
        return read
    }
}

extension LogAnalysis.RawResult {
    /// Counts what repeats an earlier entry of its execution, which is found once and stays so.
    mutating func countRepeated(of seen: SeenVerifications) {
        let names = seen.names
        var functions: [UInt32: RawFunction] = [:]
        seen.forEach { record in
            guard record.isGone else { return }
            input.countRepeated(
                1 + record.copies, of: record.provenance, in: &functions[record.function, default: RawFunction()])
        }
        for (number, function) in functions {
            let name = names[Int(number)]
            tally.add(function, for: ranks.functions[name] == nil ? .pooled : name)
        }
    }
}

/// What the snapshots of a run are like.
struct SnapshotsRead {
    var input = InputSummary()
    var givenUpThrough: Day?
    var hasEvidence = false
    var sourcesWithoutFingerprints = 0
}

extension Snapshot.Identity {
    /// - Parameters:
    ///   - progress: Has seen all bytes of the source.
    ///   - input: The source.
    ///   - isOpened: False for one that has no bytes to know it by.
    fileprivate init(_ progress: ReadProgress, _ input: LogInput, isOpened: Bool) {
        guard !isOpened else {
            self.init(hash: progress.contentHash, size: progress.bytesRead)
            return
        }
        var hash = ContentHash()
        hash.add(Array(input.name.utf8)[...])
        self.init(hash: hash.value, size: 0)
    }
}

extension Snapshot {
    /// What was read of the source of a section.
    ///
    /// - Throws: That the section does not hold, to its end.
    fileprivate static func input(of section: Section) throws(SnapshotFault) -> InputSummary {
        var sink = UnheardSink()
        var reader = SectionReader(section.name, section.bytes)
        return try reader.read(into: &sink).input
    }
}

/// Takes nothing: for reading a section only to see whether it holds.
private struct UnheardSink: SectionSink {
    mutating func begin(_ function: FunctionIdentity, _ sums: RawFunction) {}
    mutating func add(_ verification: SeenCandidate) {}
    mutating func add(_ row: RequestRow) {}
    mutating func add(_ line: SDKLine) {}
}

extension Problem {
    fileprivate static func refused(_ input: LogInput, _ reason: String) -> Problem {
        Problem(source: input.name, kind: .unsupportedFormat, byteOffset: nil, record: nil, detail: reason)
    }
}
