package import Verifications

/// Scans inputs of a rollout one after another: rows of a Google Analytics export, and Remote Config templates, told
/// apart by content.
///
/// Rows arrive as `bq extract` writes them (one per line) or as `bq query --format=json` prints them (an array).
package struct EventScanner<Sink: EventSink> {
    private var reader: EventReader<Sink>
    private let options: ScanOptions

    package init(options: ScanOptions, sink: Sink) {
        self.options = options
        reader = EventReader(options: options, sink: sink)
    }

    /// What the sink has received.
    package var sink: Sink { reader.sink }

    /// The apps' versions by number; the first stands for all beyond ``EventReader/clientLimit``.
    package var clients: [ClientVersion] { reader.clients }

    /// Reads one source to its end.
    ///
    /// - Parameters:
    ///   - input: The source.
    ///   - isPipelined: True to decompress on a thread of its own.
    ///   - progress: Counts the bytes that are read.
    /// - Returns: What was read.
    package mutating func scan(_ input: LogInput, isPipelined: Bool, progress: ReadProgress) -> InputSummary {
        SourceScanner(options: options).scan(input, isPipelined: isPipelined, progress: progress, into: &reader)
        return reader.summary
    }
}
