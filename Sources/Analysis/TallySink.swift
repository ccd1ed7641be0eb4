internal import LogStream
internal import Readiness
internal import Verifications

/// Counts what one scanner finds.
struct TallySink: RecordSink {
    /// What other scanners of the run have counted; nil to count copies as well.
    private let seen: SeenVerifications?
    /// Knows what was counted on earlier nights; nil for a run that stands for itself.
    private let ledger: (any CountLedger)?
    private let range: TimeRange
    /// Verifications after it do not decide what a run is judged as of.
    private let horizon: Instant
    /// By the scanner's indices.
    private var functions: [RawFunction] = []
    /// By the scanner's indices: what stands for the function in ``seen``.
    private var numbers: [UInt32] = []
    private var projects: [ProjectTally] = []
    /// How often each record that has no `insertId` or no time was read of this source.
    private var occurrences: [UInt64: UInt64] = [:]
    /// The counts that are the sink's affair: verifications, duplicates, filtered, undated, ignored.
    private(set) var summary = InputSummary()

    init(seen: SeenVerifications?, range: TimeRange, horizon: Instant, ledger: (any CountLedger)? = nil) {
        self.seen = seen
        self.range = range
        self.horizon = horizon
        self.ledger = ledger
    }

    mutating func beginSource() {
        if !occurrences.isEmpty { occurrences.removeAll() }
    }

    mutating func meet(_ function: FunctionIdentity, as index: Int32) {
        makeRoom(for: index)
        numbers[Int(index)] = seen?.number(of: function) ?? 0
    }

    mutating func count(_ verification: Verification) {
        makeRoom(for: verification.function)
        let function = Int(verification.function)
        switch outcome(of: verification) {
        case .isCopy:
            summary.duplicates += 1
            functions[function].update(verification.provenance) { $0.copies += 1 }
            return
        case .isRepeated:
            summary.ignored += 1
            functions[function].repeated += 1
            return
        case .displaces(let records):
            for record in records { takeBack(record, of: function) }
        case .isNew: break
        }
        guard counts(verification.instant) else {
            summary.filtered += 1
            functions[function].update(verification.provenance) { $0.filtered += 1 }
            return
        }
        summary.verifications += 1
        if verification.instant == nil { summary.undated += 1 }
        functions[function].update(verification.provenance) { $0.add(verification, horizon: horizon) }
    }

    mutating func discardForeign(function: Int32) {
        makeRoom(for: function)
        summary.ignored += 1
        functions[Int(function)].otherMessage += 1
    }

    private func outcome(of verification: Verification) -> SeenOutcome {
        guard let seen, var fingerprint = verification.fingerprint else { return .isNew }
        if fingerprint.isOfRecord { fingerprint = numbered(fingerprint) }
        if let ledger {
            guard ledger.isOpen(at: verification.instant) else { return .isNew }
            switch ledger.find(verification, fingerprint) {
            case .isNew: break
            case .isCopy: return .isCopy
            case .isRepeated: return .isRepeated
            }
        }
        return seen.take(verification, fingerprint, function: numbers[Int(verification.function)])
    }
}
