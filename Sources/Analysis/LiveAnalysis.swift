internal import LogStream
internal import Readiness
package import Verifications

/// Counts a log that never ends, in memory that does not grow.
///
/// Single verifications are kept for the newest ``keptHours`` alone, at most ``keptVerifications`` of them: that is how
/// far back copies and entries of one execution are found. Older ones are only sums of their days, and days leave after
/// ``keptDays``.
package struct LiveAnalysis {
    private static let keptHours: Int64 = 26
    private static let keptVerifications = 1_000_000
    private static let keptDays = 90

    private let analysis: LogAnalysis
    private let name: String
    private var splitter: RecordSplitter
    private var scanner: LogScanner<TallySink>
    private var seen = SeenVerifications()
    /// What the scanner has read, and how much of it makes it time for sums.
    private var read = InputSummary()
    private var stretch: Int
    /// How many records are read, at least, before sums are made of what is old.
    private let shortestStretch: Int
    /// What is kept as sums.
    private var past = LogAnalysis.RawResult()

    /// - Parameters:
    ///   - analysis: How to read; its inputs have no say.
    ///   - name: The source's.
    ///   - shortestStretch: How many records are read, at least, before sums are made of what is old.
    package init(_ analysis: LogAnalysis, name: String, shortestStretch: Int = 200_000) {
        self.analysis = analysis
        self.name = name
        self.shortestStretch = shortestStretch
        stretch = shortestStretch
        splitter = RecordSplitter(limit: analysis.scan.maxRecordBytes)
        scanner = LiveAnalysis.scanner(analysis, seen)
        past.input.sources = 1
    }

    private static func scanner(_ analysis: LogAnalysis, _ seen: SeenVerifications) -> LogScanner<TallySink> {
        var scan = analysis.scan
        scan.readsEvidence = false
        return LogScanner(
            options: scan, sink: TallySink(seen: seen, range: analysis.range, horizon: Instant(seconds: .max)))
    }

    /// Takes the next bytes of the log.
    ///
    /// - Parameters:
    ///   - bytes: As they were read.
    ///   - horizon: Verifications after this instant do not decide what the run is judged as of.
    /// - Returns: True when they ended a record.
    package mutating func add(_ bytes: ArraySlice<UInt8>, horizon: Instant) -> Bool {
        past.input.bytesRead += bytes.count
        past.input.bytesDecompressed += bytes.count
        return scan(splitter.append(bytes), horizon: horizon)
    }

    /// Takes what is left when the log has ended.
    ///
    /// - Returns: True when that was a record.
    package mutating func end(horizon: Instant) -> Bool { scan(splitter.end(), horizon: horizon) }

    private mutating func scan(_ objects: [UInt8], horizon: Instant) -> Bool {
        guard !objects.isEmpty else { return false }
        read.merge(scanner.scan(objects, of: name))
        if read.records > stretch { makeSums(horizon: horizon) }
        return true
    }

    /// The counts until now.
    package func result(horizon: Instant) -> LogAnalysis.Result {
        var whole = past
        whole.merge(LogAnalysis.RawResult(scanner, read: read))
        LiveAnalysis.count(seen, into: &whole, range: analysis.range, horizon: horizon)
        whole.tally.pool(beyond: analysis.scan.maxFunctions, by: whole.ranks)
        let tally = whole.tally.resolved(&whole.input)
        return LogAnalysis.Result(tally: tally, input: whole.input)
    }

    private static func count(
        _ seen: SeenVerifications, into whole: inout LogAnalysis.RawResult, range: TimeRange, horizon: Instant
    ) {
        // All of a stream came the same way: no copy of an entry has lost its execution.
        (whole.hasNamedExecutions, whole.hasUnnamedExecutions) = (false, false)
        whole.count(seen, range: range, horizon: horizon, countsCopies: false, jobs: 1)
    }

    /// Makes sums of what is old, and keeps the rest in a set of its own.
    private mutating func makeSums(horizon: Instant) {
        past.merge(LogAnalysis.RawResult(scanner, read: read))
        past.countRepeated(of: seen)
        let oldest = oldestKept(horizon: horizon)
        let names = seen.names
        let (kept, gone) = (SeenVerifications(), SeenVerifications())
        var count = 0
        seen.forEachCandidate { candidate in
            guard !candidate.record.isGone else { return }
            let isKept = candidate.record.sortingSecond >= oldest
            let set = isKept ? kept : gone
            if isKept { count += 1 }
            _ = set.insert(candidate.numbered(set.number(of: names[Int(candidate.record.function)])))
        }
        LiveAnalysis.count(gone, into: &past, range: analysis.range, horizon: horizon)
        if let newest = past.newestDay(notAfter: horizon) {
            past.tally.forget(before: newest.advanced(by: -LiveAnalysis.keptDays))
        }
        seen = kept
        scanner = LiveAnalysis.scanner(analysis, seen)
        read = InputSummary()
        stretch = max(shortestStretch, count)
    }

    /// The first second that is kept.
    private func oldestKept(horizon: Instant) -> Int64 {
        var seconds: [Int64] = []
        seen.forEach { record in
            if record.sortingSecond <= horizon.seconds { seconds.append(record.sortingSecond) }
        }
        seconds.sort()
        guard let newest = seconds.last else { return .min }
        let limit = seconds.count - LiveAnalysis.keptVerifications
        return max(newest - LiveAnalysis.keptHours * 3600, limit > 0 ? seconds[limit] : .min)
    }
}

extension LogAnalysis.RawResult {
    fileprivate func newestDay(notAfter horizon: Instant) -> Day? {
        tally.functions.values.flatMap { function in
            Provenance.allCases.compactMap { function[$0].tally.days.last { $0.day <= horizon.day }?.day }
        }.max()
    }
}
