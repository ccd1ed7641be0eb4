internal import Verifications

/// What a record that was read counts as.
extension RecordReader {
    mutating func count(_ reader: borrowing EntryReader, of text: RawText, offset: Int) {
        let conclusion = reader.conclude()
        if case .notVerification = conclusion.finding, !reader.isEntry {
            let data = reader.decodedText
            if StrayEntry.isIn(data) {
                if !readBatch(data, offset: offset) {
                    reportStray(data, offset: offset)
                }
                return
            }
            if StrayEntry.isIn(text) { return readStray(text, offset: offset) }
            if !reader.isEmulated, reportHidden(text, data, offset: offset) { return }
        }
        if case .notVerification = conclusion.finding, reader.saysNothing, StrayEntry.isFlattened(text) {
            return reportUnexpected(
                ProblemWording.flattenedEntry(in: source), MarkerCount(in: text).verifications, offset: offset)
        }
        if case .verification(let record) = conclusion.finding, record.provenance == .unlabelled, reader.hasUnreadLabel
        {
            return reportUnexpected(ProblemWording.unreadLabels, 1, offset: offset)
        }
        // Quoted, as mail is quoted: the emulator writes no entries.
        if reader.isEmulated, reader.isEntry, Marker.shows(in: text) {
            return reportUnexpected(ProblemWording.unexpectedText, MarkerCount(in: text).verifications, offset: offset)
        }
        hasEntries = hasEntries || reader.isEntry
        summary.records += 1
        if let entry = conclusion.errorStream {
            sink.addErrorStream(project: index(ofProject: entry.project), at: entry.instant)
        }
        switch conclusion.finding {
        case .notVerification where reader.isEmulated || !options.readsEvidence: break
        case .notVerification: addEvidence(reader, of: text)
        case .withoutStatuses where reader.isEmulated: summary.ignored += 1
        case .withoutStatuses: reportWithoutStatuses()
        case .unusable: reportMalformed(.nameTooLong, unread: 1, offset: offset)
        case .foreign where reader.isEmulated: summary.ignored += 1
        case .verification where reader.isEmulated: summary.ignored += 1
        case .foreign(let identity, let provenance):
            if let function = index(of: identity) { sink.discardForeign(provenance, function: function) }
        case .verification(let record): count(record, reader, of: text)
        }
    }

    /// Reads the data of a message that is more than one entry.
    ///
    /// - Returns: False when it is not JSON to its last byte, or lies in a message of a message.
    mutating func readBatch(_ data: RawText, offset: Int) -> Bool {
        guard !isInBatch, !data.isEmpty else { return false }
        guard JSONScanner.areValues(data) else { return false }
        var copy = ByteCollector()
        copy.append(data)
        isInBatch = true
        readPage(copy.text, isDamaged: false, offset: offset)
        isInBatch = false
        return true
    }

    private mutating func count(_ record: VerificationRecord, _ reader: borrowing EntryReader, of text: RawText) {
        if let instant = record.instant { pull.take(instant) } else { summary.unread.addUndated() }
        guard let function = index(of: record.identity) else { return }
        if let label = record.label { keep(label, of: Int(function)) }
        let hash = functions.hash(at: function)
        let execution = record.execution(options.fingerprintKey, function: hash)
        let verification = Verification(
            function: function, app: record.app, auth: record.auth, severity: record.severity,
            provenance: record.provenance, instant: record.instant, received: record.received,
            fingerprint: fingerprint(of: record, execution, function: hash, text), execution: execution,
            revision: record.revisionName.isEmpty ? .none : revision(record.revisionName, of: record.identity.name),
            request: options.readsEvidence && record.identity.tag == Generation.second.rawValue
                ? reader.request(options, service: hash, isRow: false) : .none)
        sink.count(verification)
    }

    /// The revision of a name, of which the text is kept where somebody chose it.
    mutating func revision(_ name: RawText, of service: RawText) -> Revision {
        let numbered = Revision(endOf: name)
        guard numbered == .none else { return numbered }
        // As Cloud Run has it: the service's name, a hyphen, and small letters, digits and hyphens.
        let isOwn = name.count > service.count + 1 && name.hasPrefix(service)
        let rest = isOwn ? name.cut(service.count + 1..<name.count) : name
        let chosen = Revision(chosen: rest)
        let isPlain = (0..<rest.count).allSatisfy { Revision.isLetter(rest[$0]) || rest[$0] == UInt8(ascii: "-") }
        if isOwn, isPlain, rest.count <= Revision.longestName, let hash = chosen.nameHash, !clientVersions.knows(hash) {
            clientVersions.add(ClientVersion(version: rest.string), hash: hash)
        }
        return chosen
    }

    private func fingerprint(
        of record: VerificationRecord, _ execution: UInt64?, function: UInt64, _ text: RawText
    ) -> Fingerprint {
        if let execution, let digest = record.digest { return Fingerprint(value: execution, digest: digest) }
        if let fingerprint = record.fingerprint(options.fingerprintKey, function: function) { return fingerprint }
        return Fingerprint(value: text.hash(options.fingerprintKey))
    }

    /// The index of a function, which the sink has met; nil when there are too many.
    private mutating func index(of identity: NameKey) -> Int32? {
        let function = functions.index(of: identity)
        guard function != NameTable.none else {
            summary.faults.insert(.tooManyFunctions)
            return nil
        }
        if labels.count < functions.count {
            labels += Array(repeating: nil, count: functions.count - labels.count)
            sink.register(functions.identity(at: function), as: function)
            sink.expectRows(of: functions.hash(at: function))
        }
        return function
    }

    /// The index of a project; that of no name where the record has none.
    private mutating func index(ofProject project: RawText) -> Int32 {
        guard project != RawText.unknown else { return NameTable.none }
        let index = projects.index(of: NameKey(project: project))
        if index == NameTable.none { summary.faults.insert(.tooManyFunctions) }
        return index
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

    mutating func handleConsoleText(markers: MarkerCount, offset: Int) {
        reportUnexpected(ProblemWording.unexpectedText, markers.verifications, offset: offset)
    }

    mutating func handleSkipped(markers: MarkerCount) { summary.unread.add(markers.verifications) }

    /// Counts a record of a kind that is not read here; the source's first one is reported.
    mutating func reportUnexpected(_ detail: String, _ verifications: Int?, offset: Int) {
        summary.records += 1
        noteUnexpected(detail, verifications, offset: offset)
    }

    /// The same for what has been counted as a record already.
    mutating func noteUnexpected(_ detail: String, _ verifications: Int?, offset: Int) {
        summary.unexpected += 1
        summary.unread.add(verifications.map { max(1, $0) })
        if summary.unexpected == 1 { report(.unexpectedContainer, detail, offset: offset) }
    }

    /// Counts a record that is not an entry and may hold verifications in another form; `data` is a message's content.
    ///
    /// - Returns: False, without counting it, where nothing suggests that it does.
    mutating func reportHidden(_ record: RawText, _ data: RawText, offset: Int) -> Bool {
        let subject = data.isEmpty ? record : data
        guard record.first == .openBrace, !StrayEntry.isEntry(subject) else { return false }
        let signs = ValueSigns(of: subject)
        if signs.isHidden {
            reportUnexpected(ProblemWording.binary, nil, offset: offset)
        } else if signs.hasStatus {
            let shape = ForeignShape(record)
            reportUnexpected(
                shape.map { ProblemWording.foreign($0, in: source) } ?? ProblemWording.statusesAlone,
                shape?.verifications(in: record) ?? MarkerCount(in: record).entries, offset: offset)
        } else {
            return false
        }
        return true
    }

    /// Counts a record that holds entries in another object or a string.
    mutating func reportStray(_ record: RawText, offset: Int) {
        let detail =
            ForeignShape(record).map { ProblemWording.foreign($0, in: source) } ?? ProblemWording.strayEntry(in: source)
        reportUnexpected(detail, MarkerCount(in: record).entries, offset: offset)
    }

    /// Counts a verification of which the export has left out the statuses; the source's first one is reported.
    private mutating func reportWithoutStatuses() {
        if !lacksStatuses { report(.noStatuses, ProblemWording.noStatuses) }
        lacksStatuses = true
        summary.unread.add(1)
    }

    mutating func reportMalformed(_ cause: Malformation, unread: Int?, offset: Int) {
        summary.malformed += 1
        summary.unread.add(unread)
        report(.malformedRecord, ProblemWording.malformed(cause, limit: options.maxRecordBytes), offset: offset)
    }
}
