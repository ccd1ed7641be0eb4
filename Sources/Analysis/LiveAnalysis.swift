internal import Entries
internal import LogStream
internal import Readiness
package import Verifications

/// Counts a log that never ends, in memory that does not grow with it.
///
/// Single entries are kept of the newest days alone: of a function, all but its two newest days are counted for good,
/// and of what comes later nothing is added to them. Beside stores all are kept, as each may be in a store as well.
package struct LiveAnalysis {
    private let analysis: LogAnalysis
    private let name: String
    private var splitter: RecordSplitter
    private var scanner: RecordReader<EntrySink>
    private var recent = EntrySet()
    private var read = InputSummary()
    private var stretch: Int
    private let shortestStretch: Int
    private var days = LiveDays()
    private var bytes = 0
    /// True as long as nothing has come that could be a record.
    package private(set) var isEmpty = true

    /// Reads as the analysis does; its inputs are ignored.
    package init(_ analysis: LogAnalysis, name: String, shortestStretch: Int = 50_000) {
        self.analysis = analysis
        self.name = name
        self.shortestStretch = shortestStretch
        stretch = shortestStretch
        splitter = RecordSplitter(limit: analysis.scan.maxRecordBytes)
        scanner = analysis.scanner(analysis.range, identifies: false)
    }

    /// Takes the next bytes of the log, as they were read; true when they ended a record.
    package mutating func add(_ bytes: ArraySlice<UInt8>, horizon: Instant) -> Bool {
        self.bytes += bytes.count
        return scan(splitter.append(bytes), horizon: horizon)
    }

    /// Takes what is left when the log has ended; true when that was a record.
    package mutating func end(horizon: Instant) -> Bool { scan(splitter.end(), horizon: horizon) }

    private mutating func scan(_ objects: [UInt8], horizon: Instant) -> Bool {
        guard !objects.isEmpty else { return false }
        isEmpty = false
        read.merge(scanner.scan(objects, of: name))
        if read.records > stretch { countOldDays(horizon: horizon) }
        return true
    }

    package func result(horizon: Instant) -> LogAnalysis.Result {
        var (result, resolution) = (LogAnalysis.Result(tally: Tally(), input: InputSummary()), analysis.resolution)
        resolution.horizon = horizon
        var resolved = days.resolved(with: unsettled, resolution)
        (resolved.input.sources, resolved.input.bytesRead, resolved.input.bytesDecompressed) = (1, bytes, bytes)
        if resolved.tally.functions.count > analysis.scan.maxFunctions {
            resolved.input.faults.insert(.tooManyFunctions)
        }
        analysis.finish(&result, &resolved)
        return result
    }

    /// Returns the analysis that counts the log so far together with stores, for a log of which no days were counted.
    package func analysis(horizon: Instant) -> LogAnalysis {
        var (whole, set) = (analysis, unsettled)
        (set.input.sources, set.input.bytesRead, set.input.bytesDecompressed) = (1, bytes, bytes)
        (whole.inputs, whole.horizon, whole.growing) = ([], horizon, set)
        return whole
    }

    private var unsettled: EntrySet {
        var set = recent
        set.merge(scanner.sink.entries(of: scanner, read: read))
        return set
    }

    private mutating func countOldDays(horizon: Instant) {
        var resolution = analysis.resolution
        resolution.horizon = horizon
        recent = days.settle(unsettled, resolution)
        scanner = analysis.scanner(analysis.range, identifies: false)
        read = InputSummary()
        stretch = max(shortestStretch, recent.count)
    }
}
