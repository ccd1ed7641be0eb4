internal import GRDB
package import Readiness
package import Verifications

/// What a pass over an input found to be new.
package struct CountedInput: Sendable {
    package var tally: RawTally
    package var summary: InputSummary
    package var ranks: NameRanks

    package init(tally: RawTally, summary: InputSummary, ranks: NameRanks) {
        self.tally = tally
        self.summary = summary
        self.ranks = ranks
    }
}

/// What became of an input.
package struct IngestOutcome: Sendable {
    /// What was read; ``InputSummary/verifications`` were added, whether or not they will be believed.
    package var summary: InputSummary
    /// The input's number in the store; nil when there was nothing to write down.
    ///
    /// The same file once more, whatever it is called, has the number that it got the first time.
    package var number: Int?
    /// The damaged input that this copy replaces, as it is intact, or longer.
    package var replaced: ReplacedInput?
    /// The number of the input that this damaged one is a copy of.
    package var original: Int?
    /// True when the same file was added before.
    package var isKnown = false
    /// The day before which nothing is added any more, when all verifications are of earlier ones and the input is new.
    package var tooOldFor: Day?
}

/// A damaged input that a copy has taken the place of.
package struct ReplacedInput: Sendable {
    package let number: Int
    /// Its counts, where they were falsified and taken away; else 0.
    package let verifications: Int
}

extension HistoryStore {
    /// Adds an input: one transaction, which waits for other writers before it looks at anything.
    ///
    /// - Parameters:
    ///   - name: The input's path as given, or `-`.
    ///   - size: Its size as stored, in bytes; nil when it is not known beforehand, or the input can be read only once.
    ///   - now: The present.
    ///   - count: Reads the input and asks the ledger which verifications are new. May be called a second time, when
    ///     the input only looked like a copy of a damaged one.
    /// - Returns: What was added.
    /// - Throws: ``HistoryFailure``; the store is as it was then.
    package func ingest(
        _ name: String, size: Int?, at now: Instant, count: (any CountLedger) -> CountedInput
    ) throws(HistoryFailure) -> IngestOutcome {
        try write { store in
            try known.load(store)
            var (counted, falsified) = try read(ofSize: size, store, count)
            guard counted.summary.sources > 0, !counted.summary.faults.contains(.unsupported) else {
                return IngestOutcome(summary: counted.summary)
            }
            var row = InputRow(
                id: try store.nextInput(), name: name, ingestedAt: now, size: size ?? counted.summary.bytesRead,
                content: ledger.content, summary: counted.summary)
            if row.held == 0, size != nil, let sample = FileSample(of: name, key: key) { row.content = sample.hash }
            let match = try InputMatch(
                of: row, to: known, contained: ledger.contained, falsified: falsified, store)
            let layer = counted.summary.isTrustworthy ? 0 : row.id
            if layer != 0, match.sameFile != nil || match.original != nil { counted.leaveOut() }
            if let number = match.sameFile {
                return IngestOutcome(summary: counted.summary, number: number, original: match.original, isKnown: true)
            }
            if layer == 0 {
                for entry in ledger.replaced { try store.withdraw(entry, names: &names, from: &counted) }
            }
            row.summary = counted.summary
            row.replacedBy = match.original
            try store.insert(row, problems: counted.summary.problems)
            let replaced = try match.repaired.map { damaged in
                known.settle(damaged.id)
                return try store.replace(damaged, by: row.id, isFalsified: damaged.id == falsified?.id)
            }
            if layer == 0 || match.original == nil { try ledger.write(to: store, layer: layer) }
            try store.add(counted.tally, ranks: counted.ranks, layer: layer, names: &names)
            if layer == 0, let newest = counted.newest {
                store.settings.newest = max(store.settings.newest ?? newest, newest)
            }
            known.add(row)
            // Until the evidence of the run is added, some of it is missing.
            try store.raiseGap(ofRun: run, through: row.lastDay)
            return IngestOutcome(
                summary: counted.summary, number: row.id, replaced: replaced.first, original: match.original,
                tooOldFor: row.isTooOld ? store.settings.firstOpenDay : nil)
        }
    }

    /// Adds what stood next to the verifications of all inputs that were added: one transaction, the last one of a run.
    ///
    /// - Parameter join: Joins it, and asks the ledger what is new.
    /// - Throws: ``HistoryFailure``; then the store knows that evidence of these days may be missing.
    package func addEvidence(_ join: (any EvidenceLedger) -> StoredEvidence) throws(HistoryFailure) {
        try write { store in
            try ledger.begin(store, candidate: nil, awaited: [])
            let evidence = join(ledger)
            try ledger.end()
            try ledger.write(to: store, layer: 0)
            try store.add(evidence)
            try EvidenceGapRow.deleteOne(store.db, key: run)
            if let day = evidence.incompleteThrough { try store.raiseGap(ofRun: run, through: day) }
        }
    }

    /// Reads an input; twice when it has the size of a falsified one and turns out to be another file.
    ///
    /// - Returns: What is new, and the falsified input of which this is the intact copy.
    private func read(
        ofSize size: Int?, _ store: StoreTransaction, _ count: (any CountLedger) -> CountedInput
    ) throws -> (CountedInput, falsified: InputRow?) {
        func pass(candidate: Int?) throws -> CountedInput {
            try ledger.begin(store, candidate: candidate, awaited: known.awaited)
            let counted = count(ledger)
            try ledger.end()
            return counted
        }
        let falsified = known.falsified(ofSize: size)
        let counted = try pass(candidate: falsified?.id)
        guard let candidate = ledger.replacementCandidate else { return (counted, nil) }
        guard !counted.summary.isTrustworthy || candidate.found * 2 < candidate.known.count else {
            return (counted, falsified)
        }
        ledger.forget()
        return (try pass(candidate: nil), nil)
    }
}

extension CountedInput {
    /// Counts nothing of what looked new.
    fileprivate mutating func leaveOut() {
        summary.duplicates += summary.verifications
        summary.verifications = 0
        summary.undated = 0
        tally = RawTally()
    }

    /// The newest verification that may decide what a run is judged as of, of those that are believed.
    fileprivate var newest: Instant? {
        var summary = summary
        return tally.resolved(&summary).newest
    }
}
