internal import GRDB
public import Readiness
public import Verifications

/// What a pass over an input found to be new.
public struct CountedInput: Sendable {
    public var tally: RawTally
    public var summary: InputSummary
    public var ranks: NameRanks

    public init(tally: RawTally, summary: InputSummary, ranks: NameRanks) {
        self.tally = tally
        self.summary = summary
        self.ranks = ranks
    }
}

/// What became of an input.
public struct IngestOutcome: Sendable {
    /// What was read; ``InputSummary/verifications`` were added, whether or not they will be believed.
    public var summary: InputSummary
    /// The input's number in the store; nil when there was nothing to write down.
    ///
    /// The same file once more, whatever it is called, has the number that it got the first time.
    public var number: Int?
    /// The damaged input in whose place this copy of it stands now, which is intact, or longer.
    public var replaced: ReplacedInput?
    /// The number of the input that this damaged one is a copy of.
    public var original: Int?
    /// True when the same file was added before.
    public var isKnown = false
    /// The day before which nothing is added any more, when all verifications are of earlier ones and the input is new.
    public var tooOldFor: Day?
}

/// A damaged input that a copy has taken the place of.
public struct ReplacedInput: Sendable {
    public let number: Int
    public let name: String
    /// Its counts, where they were falsified and taken away; else 0.
    public let verifications: Int
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
    public func ingest(
        _ name: String, size: Int?, at now: Instant, count: (any CountLedger) -> CountedInput
    ) throws(HistoryFailure) -> IngestOutcome {
        let (outcome, revision) = try write { register in
            if register.settings.revision != self.revision { forget() }
            try known.load(register)
            var (counted, falsified) = try read(ofSize: size, register, count)
            guard counted.summary.sources > 0, !counted.summary.faults.contains(.unsupported) else {
                return (IngestOutcome(summary: counted.summary), register.settings.revision)
            }
            var row = InputRow(
                id: try register.nextInput(), name: name, ingestedAt: now, size: size ?? counted.summary.bytesRead,
                content: ledger.content, summary: counted.summary)
            if row.held == 0, size != nil, let sample = FileSample(of: name, key: key) { row.content = sample.hash }
            let kin = try Kinship(
                of: row, to: known, contained: ledger.contained, falsified: falsified, register)
            let layer = counted.summary.isTrustworthy ? 0 : row.id
            if layer != 0, kin.twin != nil || kin.original != nil { counted.leaveOut() }
            if let twin = kin.twin {
                let outcome = IngestOutcome(
                    summary: counted.summary, number: twin, original: kin.original, isKnown: true)
                return (outcome, register.settings.revision)
            }
            row.summary = counted.summary
            row.replacedBy = kin.original
            try register.put(row, problems: counted.summary.problems)
            let replaced = try kin.repaired.map { damaged in
                known.settle(damaged.id)
                return try register.replace(damaged, by: row.id, isFalsified: damaged.id == falsified?.id)
            }
            if layer == 0 || kin.original == nil { try ledger.write(to: register, layer: layer) }
            try register.add(counted.tally, ranks: counted.ranks, layer: layer, names: &names)
            if layer == 0, let newest = counted.newest {
                register.settings.newest = max(register.settings.newest ?? newest, newest)
            }
            known.add(row)
            try register.close()
            let outcome = IngestOutcome(
                summary: counted.summary, number: row.id, replaced: replaced.first, original: kin.original,
                tooOldFor: row.isTooOld ? register.settings.sealedBefore : nil)
            return (outcome, register.settings.revision)
        }
        self.revision = revision
        return outcome
    }

    /// Reads an input; twice when it has the size of a falsified one and turns out to be another file.
    ///
    /// - Returns: What is new, and the falsified input of which this is the intact copy.
    private func read(
        ofSize size: Int?, _ register: Register, _ count: (any CountLedger) -> CountedInput
    ) throws -> (CountedInput, falsified: InputRow?) {
        func pass(rival: Int?) throws -> CountedInput {
            try ledger.begin(register, rival: rival, awaited: known.awaited)
            let counted = count(ledger)
            try ledger.end()
            return counted
        }
        let falsified = known.falsified(ofSize: size)
        let counted = try pass(rival: falsified?.id)
        guard let rival = ledger.rival else { return (counted, nil) }
        guard !counted.summary.isTrustworthy || rival.found * 2 < rival.known.count else { return (counted, falsified) }
        ledger.forget()
        return (try pass(rival: nil), nil)
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
