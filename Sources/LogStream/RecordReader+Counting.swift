internal import Verifications

/// What a record that was read counts as.
extension RecordReader {
    mutating func count(_ reader: borrowing EntryReader, of text: RawText, offset: Int) {
        let conclusion = reader.conclude()
        if case .notVerification = conclusion.finding, !reader.isEntry, StrayEntry.isIn(text) {
            return readStray(text, offset: offset)
        }
        summary.records += 1
        if let entry = conclusion.errorStream {
            sink.noteErrorStream(project: index(ofProject: entry.project), at: entry.instant)
        }
        switch conclusion.finding {
        case .notVerification where reader.isEmulated || !options.readsEvidence: break
        case .notVerification: noteEvidence(reader, of: text)
        case .unusable: reportMalformed(.nameTooLong, offset: offset)
        case .foreign where reader.isEmulated: summary.ignored += 1
        case .verification where reader.isEmulated: summary.ignored += 1
        case .foreign(let identity, let provenance):
            sink.discardForeign(provenance, function: index(of: identity))
        case .verification(let record): count(record, reader, of: text)
        }
    }

    private mutating func count(_ record: VerificationRecord, _ reader: borrowing EntryReader, of text: RawText) {
        let function = index(of: record.identity)
        if let label = record.label, function != NameTable.pooled { keep(label, of: Int(function)) }
        let hash = functions.hash(of: record.identity, at: function)
        let execution = record.execution(options.fingerprintKey, function: hash)
        let verification = Verification(
            function: function, app: record.app, auth: record.auth, severity: record.severity,
            provenance: record.provenance, instant: record.instant,
            fingerprint: fingerprint(of: record, execution, function: hash, text), execution: execution,
            request: options.readsEvidence && record.identity.tag == Generation.second.rawValue
                ? reader.request(options.fingerprintKey, service: hash, isRow: false) : .none)
        sink.count(verification)
    }

    private func fingerprint(
        of record: VerificationRecord, _ execution: UInt64?, function: UInt64, _ text: RawText
    ) -> Fingerprint {
        if let execution, !options.keepsFingerprints, let order = record.order {
            return Fingerprint(value: execution, order: order)
        }
        if let fingerprint = record.fingerprint(options.fingerprintKey, function: function) { return fingerprint }
        return Fingerprint(
            value: text.hash(options.fingerprintKey), legacy: record.legacyFingerprint(options.fingerprintKey),
            legacyDay: record.instant == nil ? record.stamped?.day : nil, isOfRecord: true)
    }

    /// The index of a function, which the sink has met.
    private mutating func index(of identity: NameKey) -> Int32 {
        let function = functions.index(of: identity) { retired in
            labels[Int(retired)] = nil
            isRegistered[Int(retired)] = false
            sink.retire(function: retired)
        }
        while labels.count < functions.count {
            labels.append(nil)
            isRegistered.append(false)
        }
        if !isRegistered[Int(function)], function != NameTable.pooled {
            isRegistered[Int(function)] = true
            if let known = functions.identity(at: function) { sink.register(known, as: function) }
        }
        return function
    }

    private mutating func index(ofProject project: RawText) -> Int32 {
        // Entries that name no project go where those of all projects beyond the limit go.
        guard project != RawText.unknown else { return NameTable.pooled }
        return projects.index(of: NameKey(project: project)) { sink.retire(project: $0) }
    }

    private mutating func keep(_ label: RawText, of function: Int) {
        if let known = labels[function] {
            guard !label.equals(known.text) else { return }
            labels[function] = min(known, ExactName(label.string))
        } else {
            labels[function] = ExactName(label.string)
        }
    }

    // MARK: Problems

    /// Counts a record of a kind that is not read here; the source's first one is reported.
    mutating func reportUnexpected(_ detail: String, offset: Int) {
        summary.records += 1
        summary.unexpected += 1
        if summary.unexpected == 1 { report(.unexpectedContainer, detail, offset: offset) }
    }

    mutating func reportMalformed(_ cause: Malformation, offset: Int) {
        summary.malformed += 1
        report(.malformedRecord, ProblemWording.malformed(cause, limit: options.maxRecordBytes), offset: offset)
    }

    /// Reports a problem of the record that was counted last.
    mutating func report(_ kind: Problem.Kind, _ detail: String, offset: Int) {
        summary.problems.append(
            Problem(source: source, kind: kind, byteOffset: offset, record: summary.records, detail: detail))
    }
}
