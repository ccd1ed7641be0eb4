internal import Verifications

extension RecordReader {
    mutating func count(_ reader: borrowing EntryReader, of text: RawText, offset: Int) {
        let conclusion = reader.conclude()
        let unread = unread(conclusion.finding, reader, text)
        if unread.any {
            let data = reader.decodedText
            let isRead =
                data.isEmpty ? readDamagedPage(text, offset: offset) : readBatch(data, offset: offset)
            return isRead ? () : reportUnread(unread, offset: offset)
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
        case .perhapsWithoutStatuses:
            stripped += reader.isEmulated ? 0 : 1
            if options.readsEvidence, !reader.isEmulated { addEvidence(reader, of: text) }
        case .unusable: reportMalformed(.nameTooLong, unread: 1, offset: offset)
        case .foreign where reader.isEmulated: summary.ignored += 1
        case .verification where reader.isEmulated: summary.ignored += 1
        case .foreign(let identity, let provenance, let blocked):
            guard let function = index(of: identity) else { return }
            sink.discardForeign(provenance, function: function, blocked: blocked)
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
        hasLabelled = hasLabelled || record.provenance == .labelled
        let hash = functionNames.hash(at: function)
        let execution = record.execution(options.fingerprintKey, function: hash)
        let verification = Verification(
            function: function, app: record.app, auth: record.auth, severity: record.severity,
            provenance: record.provenance, instant: record.instant, received: record.received,
            fingerprint: fingerprint(of: record, execution, function: hash, text), execution: execution,
            revision: record.revisionName.isEmpty ? .none : revision(record.revisionName, of: record.identity.name),
            request: record.identity.tag == Generation.second.rawValue
                ? reader.request(options, service: hash, isRow: false) : .none)
        sink.count(verification)
    }

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
    mutating func index(of identity: NameKey) -> Int32? {
        let function = functionNames.index(of: identity)
        guard function != NameTable.none else {
            summary.faults.insert(.tooManyFunctions)
            return nil
        }
        if labels.count < functionNames.count {
            labels += Array(repeating: nil, count: functionNames.count - labels.count)
            sink.register(functionNames.identity(at: function), as: function)
            sink.expectRows(of: functionNames.hash(at: function))
        }
        return function
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

    mutating func handleText(markers: MarkerCount, offset: Int) {
        if markers.any { reportUnread(markers, offset: offset) }
    }

    /// Counts a record of a kind that is not read here; the source's first one is reported.
    mutating func reportUnread(_ markers: MarkerCount, offset: Int) {
        summary.records += 1
        noteUnread(markers, offset: offset)
    }

    /// The same for what has been counted as records already.
    mutating func noteUnread(_ markers: MarkerCount, offset: Int) {
        summary.unexpected += 1
        summary.unread.add(markers.atLeastOne)
        guard summary.unexpected == 1 else { return }
        let isOfServices = markers.isOfServices
        report(
            .unexpectedContainer, isOfServices ? ProblemWording.servicesInLog : ProblemWording.notRead, offset: offset)
    }

    /// Counts the markers in a record that was read as JSON and is not counted.
    ///
    /// An entry may quote anything: a function logs what clients send.
    @inline(__always)
    private func unread(
        _ finding: EntryReader.Finding, _ reader: borrowing EntryReader, _ text: RawText
    ) -> MarkerCount {
        switch finding {
        case .verification(let record) where record.provenance == .unlabelled && reader.hasUnreadLabel:
            return MarkerCount(unread: text)
        // Behind the emulator's mark, as mail is quoted: it writes no entries.
        case _ where reader.isEntry && reader.isEmulated: return MarkerCount(in: text)
        case .notVerification where reader.isEntry:
            return reader.saysNothing && reader.holdsLabel(atTopOf: text) ? MarkerCount(unread: text) : .none
        case .notVerification:
            let subject = reader.decodedText.isEmpty ? text : reader.decodedText
            guard StrayRecord.isJSON(subject), !StrayRecord.isEntry(subject) || ServicesReader.isIn(subject) else {
                return .none
            }
            return reader.isEmulated ? MarkerCount(in: subject) : MarkerCount(unread: subject)
        default: return .none
        }
    }

    /// Counts verifications of which the export has left out the statuses; the source's first one is reported.
    mutating func reportWithoutStatuses(_ count: Int = 1) {
        if !lacksStatuses { report(.noStatuses, ProblemWording.noStatuses) }
        lacksStatuses = true
        summary.unread.add(count)
    }
}

enum StrayRecord {
    /// False for a line of a console, which is an application's own.
    static func isJSON(_ text: RawText) -> Bool {
        let start = text.indexOfNonSpace(from: 0)
        return start < text.count && (text[start].opensContainer || text[start] == .quote)
    }

    /// True for an object with a key that entries and rows have at their top, for a message with data, and for a line
    /// of the SDK, which always gives its severity next to its text.
    static func isEntry(_ record: RawText) -> Bool {
        var (hasSeverity, hasText) = (false, false)
        return record.hasMember { key, scanner in
            if RecordKeys.areOnlyInEntries(key) { return true }
            switch EntryKey(key) {
            case .resource, .request: return true
            case .severity: hasSeverity = true
            case .message where scanner.isAtObject():
                let message = record.cut(scanner.position..<record.count)
                return message.hasMember { key, _ in MessageKey(key) == .data }
            case .message: hasText = true
            default: break
            }
            return hasSeverity && hasText
        }
    }
}

extension EntryReader {
    fileprivate var saysNothing: Bool {
        fields.text.isAbsent && fields.payload.message.isAbsent && fields.payload.verifications.isEmpty
            && fields.line.message.isAbsent && fields.request.method.isAbsent
    }

    /// True for an entry whose label is no label, as a data frame leaves it: clients have no say in what is at the top.
    fileprivate func holdsLabel(atTopOf record: RawText) -> Bool {
        let scratch = scratch
        return record.firstAnswer { (_, scanner) throws(JSONFailure) in
            let value = try scanner.value()
            return value.kind == .string && scratch.text(of: value) == Marker.label ? true : nil
        } ?? false
    }
}
