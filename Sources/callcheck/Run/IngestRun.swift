import Analysis
import History
import LogStream
import Reports
import Verifications

/// Inputs that are new to a store and hold nothing but entries of days that it takes no more.
struct LateInputs {
    /// The first one's name.
    let first: String
    let count: Int
    let sealedBefore: Day
}

/// Adds inputs to a store, one after the other, each as one transaction.
struct IngestRun {
    private(set) var report: IngestReport
    /// Why the run ended early; what came before it is in the store.
    private(set) var failure: HistoryFailure?
    /// Inputs that came too late; nil when none did.
    private(set) var tooOld: LateInputs?

    /// False when what is done is done to a copy, which is thrown away.
    let isKept: Bool
    private let store: HistoryStore
    private var analysis: LogAnalysis
    private let now: Instant

    /// - Parameters:
    ///   - path: The store.
    ///   - options: How to read.
    ///   - now: The present.
    ///   - isDryRun: True to tell what would be added.
    ///   - makesStore: False to make none where there is none, as nothing can be put into it.
    /// - Throws: ``Failure`` when the store cannot be used.
    init(
        _ path: String, _ options: ReadingOptions, now: Instant, isDryRun: Bool, makesStore: Bool
    ) throws(Failure) {
        isKept = !isDryRun && (makesStore || StoreFile.exists(path))
        store = try StoreFile.open(path, access: isKept ? .adding : .trying)
        report = IngestReport(store: path, isDryRun: isDryRun)
        analysis = LogAnalysis(inputs: [], horizon: now.adding(seconds: 86_400))
        analysis.scan = options.scan
        analysis.scan.fingerprintKey = store.key
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
                if let sealed = outcome.tooOldFor {
                    tooOld = LateInputs(
                        first: tooOld?.first ?? input.name, count: (tooOld?.count ?? 0) + 1, sealedBefore: sealed)
                }
                report.inputs.append(
                    IngestedInput(
                        name: input.name, summary: outcome.summary, number: isKept ? outcome.number : nil,
                        replaced: outcome.replaced?.number, original: outcome.original, isKnown: outcome.isKnown))
            }
            if isKept { try store.settle(retentionDays: retentionDays) }
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
