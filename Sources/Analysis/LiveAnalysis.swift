internal import Entries
internal import LogStream
internal import Readiness
package import Verifications

/// Counts a log that never ends, in memory that does not grow.
///
/// Single entries are kept for the newest ``keptHours`` alone, at most ``keptEntries`` verifications and as many rows
/// and lines: that is how far back copies, entries of one execution and rows are found. Older ones are only sums of
/// their days, and days leave after ``keptDays``.
package struct LiveAnalysis {
    private static let keptHours: Int64 = 26
    private static let keptEntries = 1_000_000
    private static let keptDays = 90

    private let analysis: LogAnalysis
    private let name: String
    private var splitter: RecordSplitter
    private var scanner: LogScanner<EntrySink>
    /// What was read before the scanner began, and is no sum yet.
    private var recent = EntrySet()
    /// What the scanner has read, and how much of it makes it time for sums.
    private var read = InputSummary()
    private var stretch: Int
    /// How many records are read, at least, before sums are made of what is old.
    private let shortestStretch: Int
    /// What is kept as sums.
    private var past = ResolvedSet()

    /// Reads as the analysis does; its inputs are ignored.
    package init(_ analysis: LogAnalysis, name: String, shortestStretch: Int = 200_000) {
        self.analysis = analysis
        self.name = name
        self.shortestStretch = shortestStretch
        stretch = shortestStretch
        splitter = RecordSplitter(limit: analysis.scan.maxRecordBytes)
        scanner = LiveAnalysis.scanner(analysis)
        past.input.sources = 1
    }

    private static func scanner(_ analysis: LogAnalysis) -> LogScanner<EntrySink> {
        LogScanner(
            options: analysis.scanOptions,
            sink: EntrySink(range: analysis.range, horizon: Instant(seconds: .max)))
    }

    /// Takes the next bytes of the log, as they were read.
    ///
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
        let unsummed = unsummed
        let activity = unsummed.activity(asOf: analysis.asOf, horizon: horizon)
        var resolution = resolution(horizon)
        resolution.showsLastHour = true
        whole.merge(unsummed.resolved(resolution))
        whole.bound(analysis.scan.maxFunctions)
        let tally = whole.tally.resolved(&whole.input)
        var result = LogAnalysis.Result(tally: tally, input: whole.input)
        if analysis.openLimit > 0 { result.evidence = whole.tally.evidence(of: tally, givenUpThrough: nil) }
        result.evidence?.revisionNames = whole.revisionNames
        result.activity = activity
        return result
    }

    /// What is no sum yet.
    private var unsummed: EntrySet {
        var set = recent
        set.merge(scanner.sink.entries(of: scanner, read: read))
        return set
    }

    private func resolution(_ horizon: Instant) -> Resolution {
        var resolution = Resolution(horizon: horizon)
        (resolution.range, resolution.asOf, resolution.cuts) = (analysis.range, analysis.asOf, analysis.switches)
        return resolution
    }

    /// Makes sums of what is old, and keeps the rest.
    private mutating func makeSums(horizon: Instant) {
        var old = unsummed
        var first = old.instant(ofNewest: LiveAnalysis.keptEntries, notAfter: horizon)
        if let newest = old.newest(notAfter: horizon) {
            first = max(first, newest.adding(seconds: -LiveAnalysis.keptHours * 3600))
        }
        recent = old.split(at: first, horizon: horizon)
        let kept = recent.count
        past.merge(old.resolved(resolution(horizon)))
        if let newest = past.newestDay(notAfter: horizon) {
            past.tally.forget(before: newest.advanced(by: -LiveAnalysis.keptDays))
        }
        scanner = LiveAnalysis.scanner(analysis)
        read = InputSummary()
        stretch = max(shortestStretch, kept)
    }
}

extension ResolvedSet {
    fileprivate func newestDay(notAfter horizon: Instant) -> Day? {
        tally.functions.values.flatMap { function in
            Provenance.allCases.compactMap { function[$0].tally.days.last { $0.day <= horizon.day }?.day }
        }.max()
    }
}
