import Analysis
import History
import LogStream
import Readiness
import Verifications

/// What was read, from inputs or from a store.
struct ReadCounts {
    var tally: Tally
    var input: InputSummary
    /// Records that may have been verifications.
    var uncounted = UncountedRecords()
    /// See ``Summary/lastDayOfUnknownProvenance``.
    var lastDayOfUnknownProvenance: Day?
}

extension RunPlan {
    /// Reads the store, or the inputs, and shows how far it is.
    ///
    /// - Returns: What counts of it.
    /// - Throws: ``Failure`` when the store cannot be used.
    func read() throws(Failure) -> ReadCounts {
        if let store { return try counts(of: store) }
        let progress = Progress(total: found.size, isWanted: showsProgress)
        defer { progress.finish() }
        let result = analysis.run(progress: progress.counter)
        var uncounted = UncountedRecords()
        uncounted.add(result.input.unjudged, newest: nil)
        return ReadCounts(tally: result.tally, input: result.input, uncounted: uncounted)
    }

    private func counts(of store: String) throws(Failure) -> ReadCounts {
        let stored: StoredHistory
        do throws(HistoryFailure) {
            stored = try HistoryStore(path: store, access: .reading)
                .load(horizon: analysis.horizon, limit: analysis.scan.maxFunctions)
        } catch {
            throw StoreFile.failure(error, store)
        }
        let days = analysis.range.days
        let tally = stored.tally.days(from: days.first, through: days.last)
        var input = stored.input
        let kept = tally.functions.values.reduce(0) { $0 + $1.totals.total }
        input.filtered += input.verifications - kept
        input.verifications = kept
        input.undated = tally.functions.values.reduce(0) { $0 + $1.undated.total }
        return ReadCounts(
            tally: tally, input: input, uncounted: stored.uncounted,
            lastDayOfUnknownProvenance: stored.lastDayOfVersion1)
    }
}
