import Analysis
import LogStream
import Readiness
import Rollout
import Verifications

/// One pass over the inputs of a rollout: rows of a Google Analytics export and a Remote Config template.
///
/// Logs of functions among them are read once more, for who called; so are snapshots of logs.
///
/// The result does not depend on the order of the inputs, nor on how the rows are split over them.
struct RolloutAnalysis: Sendable {
    var inputs: [LogInput]
    /// Rows of later days do not decide which days are judged.
    var horizon: Day
    /// How many threads may work at once.
    var jobs = 1
    var scan = ScanOptions()

    init(inputs: [LogInput], horizon: Day) {
        self.inputs = inputs
        self.horizon = horizon
    }

    struct Result: Sendable {
        var tally: EventTally
        var input = InputSummary()
        /// The templates among the inputs, each once; at most two, because two are one too many.
        var templates: [TemplateDocument]
        /// What the logs and snapshots among the inputs show of callers; nil without any, and where logs cannot be read
        /// twice.
        var evidence: CallEvidence?
    }

    func run(progress: ReadProgress = ReadProgress()) -> Result {
        var scanner = EventScanner(options: scan, sink: RolloutSink(tally: EventTally(horizon: horizon)))
        var input = InputSummary()
        var logs: [LogInput] = []
        for var next in inputs {
            guard !LogAnalysis.isSnapshot(&next) else {
                logs.append(next)
                continue
            }
            let known = scanner.sink.tally.logEntries
            input.merge(scanner.scan(next, isPipelined: jobs > 1, progress: progress))
            // What has no size, such as a pipe, is gone once it was read.
            if scanner.sink.tally.logEntries > known, next.size != nil { logs.append(next) }
        }
        var tally = scanner.sink.tally
        tally.clients = scanner.clients
        var evidence: CallEvidence?
        if !logs.isEmpty {
            let read = callers(logs)
            evidence = read.evidence
            input.merge(read.snapshots)
            tally.logEntries += read.snapshots.records - read.snapshots.malformed - read.snapshots.oversized
        }
        return Result(tally: tally, input: input, templates: scanner.sink.templates, evidence: evidence)
    }

    private func callers(_ logs: [LogInput]) -> LogAnalysis.Result {
        var analysis = LogAnalysis(inputs: logs, horizon: Instant(day: horizon.advanced(by: 1), nanosecondOfDay: 0))
        analysis.jobs = jobs
        analysis.scan = scan
        return analysis.run()
    }
}

private struct RolloutSink: EventSink {
    var tally: EventTally
    var templates: [TemplateDocument] = []

    mutating func count(_ event: AnalyticsEvent) {
        tally.note(day: event.day, instant: event.instant)
        let kind: EventTally.Kinds =
            switch event.kind {
            case .success: .success
            case .failure: .failure
            case .other: .other
            case .foreign: []
            }
        guard !kind.isEmpty else { return }
        tally.count(kind, user: event.user, day: event.day, client: event.client)
    }

    mutating func keep(template: [UInt8], of source: String) {
        guard templates.count < 2, !templates.contains(where: { $0.bytes == template }) else { return }
        templates.append(TemplateDocument(source: source, bytes: template))
    }

    mutating func countLogEntry() { tally.logEntries += 1 }
}
