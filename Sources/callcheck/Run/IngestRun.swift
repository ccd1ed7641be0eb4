import Analysis
import History
import LogStream
import Reports
import Verifications

/// Adds inputs to a store, one after the other, each as one transaction.
struct IngestRun {
    private(set) var report: IngestReport
    /// Why the run ended early; what came before it is in the store.
    private(set) var failure: HistoryFailure?

    private let store: HistoryStore
    private var analysis: LogAnalysis
    private let now: Instant

    /// - Parameters:
    ///   - path: The store.
    ///   - options: How to read.
    ///   - now: The present.
    ///   - isDryRun: True to tell what would be added.
    /// - Throws: ``Failure`` when the store cannot be used.
    init(_ path: String, _ options: InputOptions, now: Instant, isDryRun: Bool) throws(Failure) {
        store = try StoreFile.open(path, access: isDryRun ? .trying : .adding)
        report = IngestReport(store: path, isDryRun: isDryRun)
        analysis = LogAnalysis(inputs: [], horizon: now.adding(seconds: 86_400))
        analysis.scan = options.scan
        analysis.scan.fingerprintKey = store.key
        analysis.scan.hashesRecords = true
        analysis.jobs = options.threads
        self.now = now
    }

    /// Adds the inputs.
    mutating func add(_ inputs: [LogInput], retentionDays: Int?, progress: ReadProgress) {
        do throws(HistoryFailure) {
            for input in inputs {
                let outcome = try add(input, progress: progress)
                // What was found in a directory and is no log counts for nothing.
                guard outcome.summary != InputSummary() else { continue }
                report.inputs.append(
                    IngestedInput(
                        name: input.name, summary: outcome.summary, number: report.isDryRun ? nil : outcome.number,
                        replaced: outcome.replaced?.number, original: outcome.original))
            }
            if !report.isDryRun { try store.settle(retentionDays: retentionDays) }
        } catch {
            failure = error
        }
    }

    private func add(_ input: LogInput, progress: ReadProgress) throws(HistoryFailure) -> IngestOutcome {
        func count(_ ledger: any CountLedger) -> CountedInput {
            let result = analysis.run(input, new: ledger, progress: progress)
            return CountedInput(tally: result.tally, summary: result.input, ranks: result.ranks)
        }
        return try store.ingest(input.name, size: input.size, at: now, count: count)
    }
}
