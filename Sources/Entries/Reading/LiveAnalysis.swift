internal import LogStream
package import Verifications

/// Counts a log that never ends: what has come so far, as if that were all.
package struct LiveAnalysis {
    private let analysis: LogAnalysis
    private let name: String
    /// What has come of objects that are not whole yet, and the length at which to look at it again.
    private var waiting: [UInt8] = []
    private var nextLook = 0
    private var scanner: RecordReader<EntrySink>
    private var read = InputSummary()
    private var bytes = 0
    /// True as long as nothing has come that could be a record.
    package private(set) var isEmpty = true

    /// Reads as the analysis does; its inputs are ignored.
    package init(_ analysis: LogAnalysis, name: String) {
        self.analysis = analysis
        self.name = name
        scanner = analysis.scanner(analysis.range, identifies: false)
    }

    /// Takes the next bytes of the log, as they were read; true when they ended a record.
    package mutating func add(_ bytes: ArraySlice<UInt8>) -> Bool {
        self.bytes += bytes.count
        waiting += bytes
        return waiting.count >= nextLook && scan(isEnded: false)
    }

    /// Takes what is left when the log has ended; true when that was a record.
    package mutating func end() -> Bool { scan(isEnded: true) }

    private mutating func scan(isEnded: Bool) -> Bool {
        let found = scanner.scan(growing: &waiting, isEnded: isEnded, of: name)
        // No entry of Cloud Logging is as long; what is, is not looked at for each of its pieces.
        nextLook = waiting.count > 256 << 10 ? waiting.count / 8 * 9 : 0
        guard let found else { return false }
        isEmpty = false
        read.merge(found)
        return true
    }

    /// Returns the analysis that counts the log so far, with stores or without.
    package func analysis(horizon: Instant) -> LogAnalysis {
        var (whole, set) = (analysis, scanner.sink.entries(of: scanner, read: read))
        (set.input.sources, set.input.bytesRead, set.input.bytesDecompressed) = (1, bytes, bytes)
        (whole.inputs, whole.horizon, whole.growing) = ([], horizon, set)
        return whole
    }
}
