internal import LogStream
internal import Readiness
internal import Verifications

/// Counts what one scanner finds.
struct TallySink: RecordSink {
    private let fingerprints: FingerprintSet?
    /// Knows what was counted on earlier nights; nil for a run that stands for itself.
    private let ledger: (any CountLedger)?
    private let range: TimeRange
    private let horizon: Instant
    /// By the scanner's indices.
    private var functions: [FunctionTally] = []
    private var projects: [ProjectTally] = []
    private var newest: Instant?
    /// The counts that are the sink's affair: verifications, duplicates, filtered, undated.
    private(set) var summary = InputSummary()

    /// - Parameters:
    ///   - fingerprints: What other scanners of the run have counted; nil to count copies as well.
    ///   - range: Verifications outside it are filtered.
    ///   - horizon: Verifications after it do not decide what a run is judged as of.
    init(fingerprints: FingerprintSet?, range: TimeRange, horizon: Instant) {
        self.fingerprints = fingerprints
        self.range = range
        self.horizon = horizon
        ledger = nil
    }

    /// - Parameters:
    ///   - ledger: Says of each verification whether it counts; what is too old for it is filtered.
    ///   - horizon: Verifications after it do not decide what a run is judged as of.
    init(ledger: any CountLedger, horizon: Instant) {
        self.ledger = ledger
        self.horizon = horizon
        fingerprints = nil
        range = TimeRange()
    }

    mutating func count(_ verification: Verification) {
        switch decision(on: verification) {
        case .counts: break
        case .isCopy:
            summary.duplicates += 1
            return
        case .isTooOld:
            summary.filtered += 1
            return
        }
        summary.verifications += 1
        if let instant = verification.instant {
            if instant <= horizon, newest.map({ instant > $0 }) ?? true { newest = instant }
        } else {
            summary.undated += 1
        }
        let function = Int(verification.function)
        while functions.count <= function { functions.append(FunctionTally()) }
        functions[function].add(verification)
    }

    private func decision(on verification: Verification) -> CountDecision {
        if let ledger { return ledger.take(verification) }
        if let fingerprint = verification.fingerprint, let fingerprints, !fingerprints.insert(fingerprint) {
            return .isCopy
        }
        return range.contains(verification.instant) ? .counts : .isTooOld
    }

    mutating func noteErrorStream(project: Int32, at instant: Instant?) {
        guard range.contains(instant), ledger?.isOpen(at: instant) ?? true else { return }
        while projects.count <= Int(project) { projects.append(ProjectTally()) }
        projects[Int(project)].addErrorStream(day: instant?.day)
    }

    mutating func retire(function: Int32) {
        guard Int(function) < functions.count else { return }
        functions[0].merge(functions[Int(function)])
        functions[Int(function)] = FunctionTally()
    }

    mutating func retire(project: Int32) {
        guard Int(project) < projects.count else { return }
        projects[0].merge(projects[Int(project)])
        projects[Int(project)] = ProjectTally()
    }

    /// What was counted, under the names that the scanner gives its indices.
    func tally(functions names: [ScannedFunction?], projects projectNames: [ScannedProject?]) -> Tally {
        var tally = Tally()
        tally.reserve(functions: functions.count)
        for (name, counts) in zip(names, functions) where counts != FunctionTally() {
            guard let name else { continue }
            var counts = counts
            counts.label = name.label
            if name.identity == .pooled { counts.markUnlabelled() }
            tally.add(counts, for: name.identity)
        }
        for (name, counts) in zip(projectNames, projects) {
            guard let name, counts != ProjectTally() else { continue }
            tally.add(counts, for: ExactName(name.name))
        }
        if let newest { tally.note(newest: newest) }
        return tally
    }
}
