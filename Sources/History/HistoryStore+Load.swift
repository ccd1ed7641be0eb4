internal import GRDB
package import Readiness
package import Rollout
package import Verifications

/// All that a store holds, as one pass over all its inputs would have given it.
package struct StoredHistory: Sendable {
    package let tally: Tally
    /// What was read over the nights; the faults of the past are none of today.
    package let input: InputSummary
    /// Records that may have been verifications, each input's once, however often it came damaged.
    package let uncounted: UncountedRecords
    /// The newest day with counts of an older callcheck, which did not keep what they rest on; nil without any.
    package let lastDayOfVersion1: Day?
    /// Days of App Attest rollouts.
    package let rollouts: [RolloutHistory]
    /// What stood next to the verifications.
    package let evidence: StoredEvidence
}

extension HistoryStore {
    /// Reads everything, as it is at one moment.
    ///
    /// - Parameters:
    ///   - horizon: Verifications after it do not decide what is the newest one: the clock plus 24 hours.
    ///   - limit: How many functions, and how many projects, keep a name.
    /// - Returns: The counts, and what was read for them.
    /// - Throws: ``HistoryFailure`` when anything read is not what was written.
    package func load(horizon: Instant, limit: Int) throws(HistoryFailure) -> StoredHistory {
        try attempt {
            try queue.read { db in
                let store = try StoreTransaction(db)
                // Opening the store has verified it; somebody may have written to it since.
                if store.settings.revision != verifiedRevision { try store.verify() }
                var stored = try store.tally()
                let inputs = try store.inputs()
                var summary = store.summary(of: inputs)
                stored.tally.pool(beyond: limit, by: stored.ranks)
                var tally = stored.tally.resolved(&summary)
                if let newest = tally.newest(notAfter: horizon, noted: store.settings.newest) {
                    tally.note(newest: newest)
                }
                summary.settle(to: tally)
                var evidence = try store.evidence(of: inputs)
                for function in tally.functions.keys {
                    evidence.believed[function] = stored.tally.functions[function]?.believed
                }
                return StoredHistory(
                    tally: tally, input: summary, uncounted: store.uncounted(of: inputs),
                    lastDayOfVersion1: stored.lastDayOfVersion1, rollouts: try store.rollouts(),
                    evidence: evidence)
            }
        }
    }
}

extension StoreTransaction {
    /// What was read of all inputs.
    fileprivate func summary(of inputs: [InputRow]) -> InputSummary {
        var sum = InputSummary()
        for row in inputs {
            var summary = row.summary
            // What is wrong with an input that another one replaces, or that nothing can be added to any more, no
            // longer matters, or is reported there.
            if row.replacedBy != nil || isSealed(row) {
                summary.problems = ProblemLog()
                summary.malformed = 0
                summary.oversized = 0
                summary.unexpected = 0
            }
            sum.merge(summary)
        }
        sum.faults = []
        return sum
    }

    /// Those of a dated input count where its newest verification does; others until nothing can be added any more.
    fileprivate func uncounted(of inputs: [InputRow]) -> UncountedRecords {
        var uncounted = UncountedRecords()
        for row in inputs where row.replacedBy == nil && (row.newest != nil || !isSealed(row)) {
            uncounted.add(row.summary.unjudged, newest: row.newest)
        }
        return uncounted
    }

    private func isSealed(_ row: InputRow) -> Bool {
        settings.firstOpenDay.map { row.ingestedAt.day < $0 } ?? false
    }
}

extension InputSummary {
    /// Says of each verification that was added whether it still counts, and is believed.
    fileprivate mutating func settle(to tally: Tally) {
        let kept = tally.functions.values.reduce(0) { $0 + $1.totals.total }
        // Days that were pruned: verifications outside the time that counts.
        filtered = max(0, filtered) + max(0, verifications - kept)
        verifications = kept
        undated = tally.functions.values.reduce(0) { $0 + $1.undated.total }
        // Inputs that were pruned took their copies with them.
        duplicates = max(0, duplicates)
    }
}

extension Tally {
    /// The newest dated verification that is not later than an instant.
    ///
    /// - Parameters:
    ///   - horizon: The instant.
    ///   - noted: What was the newest one when it was read: it is needed where a day ends after the horizon.
    /// - Returns: Nil when nothing is dated.
    fileprivate func newest(notAfter horizon: Instant, noted: Instant?) -> Instant? {
        var newest: Instant?
        for function in functions.values {
            for day in function.days.reversed() {
                let last = Instant(day: day.day, nanosecondOfDay: day.lastNanosecond)
                if last <= horizon {
                    newest = max(newest ?? last, last)
                    break
                }
                // What was noted may have been discarded: a function that is believed must have been called by then.
                let first = Instant(day: day.day, nanosecondOfDay: day.firstNanosecond)
                if let noted, first <= noted, noted <= horizon { newest = max(newest ?? noted, noted) }
            }
        }
        return newest
    }
}
