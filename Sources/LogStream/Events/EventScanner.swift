package import Verifications

/// Scans inputs of a rollout one after another: rows of a Google Analytics export, and Remote Config templates, told
/// apart by content.
///
/// Rows arrive as `bq extract` writes them (one per line), or as `bq query` prints them: an array.
package struct EventScanner<Sink: EventSink> {
    private var reader: EventReader<Sink>

    package init(options: ScanOptions, sink: Sink) { reader = EventReader(options: options, sink: sink) }

    /// What the sink has received.
    package var sink: Sink { reader.sink }

    /// The apps' versions by number; the first means all beyond ``EventReader/clientLimit``.
    package var clients: [ClientVersion] { reader.clients }

    /// Reads one source to its end; decompresses on a separate thread when it is pipelined.
    package mutating func scan(_ input: LogInput, isPipelined: Bool, progress: ReadProgress) -> ScannedSource {
        reader.scan(input, isPipelined: isPipelined, progress: progress)
    }
}

/// What a rollout needs to know of one row of a Google Analytics export.
///
/// Source of the format: <https://support.google.com/firebase/answer/7029846>, the tables `events_YYYYMMDD` and
/// `events_intraday_YYYYMMDD`.
package struct AnalyticsEvent {
    package enum Kind: Sendable {
        /// `AppAttestSuccess`: a token was obtained through App Attest.
        case success
        /// `AppAttestFailure`: none was.
        case failure
        /// Any other event of an iOS app.
        case other
        /// An event of another platform.
        case foreign
    }

    package let kind: Kind
    /// `event_date`, a day of the property's time zone; without it, the UTC day of ``instant``.
    package let day: Day?
    /// `event_timestamp`.
    package let instant: Instant?
    /// A hash of `user_pseudo_id` under the run's key, meaningless outside of the run; nil where the row has none.
    package let user: UInt64?
    /// Which of ``EventScanner/clients`` it came from.
    package let client: UInt16
}

/// Receives what is found in the inputs of a rollout, record by record.
package protocol EventSink {
    mutating func count(_ event: AnalyticsEvent)
    /// An object that may be a Remote Config template: its bytes, brace to brace.
    mutating func keep(template: [UInt8], of source: String)
    /// An entry of a function's log.
    mutating func countLogEntry()
}
