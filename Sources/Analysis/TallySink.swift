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

    private mutating func outcome(of verification: Verification) -> SeenOutcome {
        guard let seen, let fingerprint = verification.fingerprint.map({ numbered($0) }) else { return .isNew }
        guard let ledger else {
            return seen.take(verification, fingerprint, function: numbers[Int(verification.function)])
        }
        switch ledger.find(verification, fingerprint) {
        case .isCopy: return .isCopy
        case .isRepeated: return .isRepeated
        case .isNew: break
        }
        guard ledger.isOpen(at: verification.instant) else { return .isNew }
        let outcome = seen.take(verification, fingerprint, function: numbers[Int(verification.function)])
        switch outcome {
        case .isNew, .displaces: ledger.add(verification, fingerprint)
        case .isCopy, .isRepeated: break
        }
        return outcome
    }

    /// What tells equal records of a source apart, where nothing in them does: the second one of a source is a copy of
    /// the second one of another.
    private mutating func numbered(_ fingerprint: Fingerprint) -> Fingerprint {
        guard fingerprint.isOfRecord else { return fingerprint }
        let number = occurrences[fingerprint.value, default: 0]
        occurrences[fingerprint.value] = number + 1
        guard number > 0 else { return fingerprint }
        let value = mixed(fingerprint.value &+ mixed(number))
        return Fingerprint(
            value: value, legacy: fingerprint.legacy == fingerprint.value ? value : fingerprint.legacy,
            legacyDay: fingerprint.legacyDay, isOfRecord: true)
    }

    /// Uncounts a verification of which an earlier one of its execution has come; its cells are counted anew in the end.
    private mutating func takeBack(_ record: SeenRecord, of function: Int) {
        let isCounted = counts(record.instant)
        if isCounted {
            summary.verifications -= 1
            if record.instant == nil { summary.undated -= 1 }
        } else {
            summary.filtered -= 1
        }
        summary.duplicates -= record.copies
        summary.ignored += 1 + record.copies
        functions[function].update(record.provenance) { part in
            part.copies -= record.copies
            if !isCounted { part.filtered -= 1 }
        }
        functions[function].repeated += 1 + record.copies
    }

    private func counts(_ instant: Instant?) -> Bool {
        range.contains(instant) && ledger?.isOpen(at: instant) ?? true
    }

    mutating func noteErrorStream(project: Int32, at instant: Instant?) {
        guard counts(instant) else { return }
        while projects.count <= Int(project) { projects.append(ProjectTally()) }
        projects[Int(project)].addErrorStream(day: instant?.day)
    }

    mutating func retire(function: Int32) {
        guard Int(function) < functions.count else { return }
        functions[0].merge(functions[Int(function)])
        functions[Int(function)] = RawFunction()
    }

    mutating func retire(project: Int32) {
        guard Int(project) < projects.count else { return }
        projects[0].merge(projects[Int(project)])
        projects[Int(project)] = ProjectTally()
    }

    private mutating func makeRoom(for function: Int32) {
        while functions.count <= Int(function) {
            functions.append(RawFunction())
            numbers.append(0)
        }
    }

    /// What was counted, under the names that the scanner gives its indices.
    func tally(functions names: [ScannedFunction?], projects projectNames: [ScannedProject?]) -> RawTally {
        var tally = RawTally()
        tally.reserve(functions: functions.count)
        for (name, counts) in zip(names, functions) where counts != RawFunction() {
            guard let name else { continue }
            var counts = counts
            counts.label = name.label
            tally.add(counts, for: name.identity)
        }
        for (name, counts) in zip(projectNames, projects) where counts != ProjectTally() {
            guard let name else { continue }
            tally.add(counts, for: ExactName(name.name))
        }
        return tally
    }
}

extension RawTally {
    /// Counts anew what is left of a run's verifications.
    mutating func recount(_ seen: SeenVerifications, range: TimeRange, horizon: Instant) {
        forgetCounts()
        seen.forEach { identity, record in
            guard range.contains(record.instant) else { return }
            let verification = Verification(
                function: 0, app: record.app, auth: record.auth, severity: record.severity,
                provenance: record.provenance, instant: record.instant)
            update(identity) { function in
                function.update(record.provenance) { $0.add(verification, horizon: horizon) }
            }
        }
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014), which spreads each bit over all others.
private func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
}
