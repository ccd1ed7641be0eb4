internal import Verifications

extension RecordReader {
    mutating func count(_ reader: borrowing EntryReader, of text: RawText, offset: Int) {
        let conclusion = reader.conclude()
        let data = reader.decodedText
        let markers = unread(conclusion.finding, reader, data.isEmpty ? text : data)
        if markers.any {
            if data.isEmpty {
                if !readDamagedPage(text, offset: offset) { reportUnread(markers, text, offset: offset) }
            } else if !readBatch(data, of: text, offset: offset) {
                reportUnread(inMessage: markers, text, offset: offset)
            }
            return
        }
        current.unread.pass(offset..<offset + text.count, isRead: true)
        current.hasEntries = current.hasEntries || reader.isEntry
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
            current.stripped += reader.isEmulated ? 0 : 1
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
    mutating func readBatch(_ data: RawText, of message: RawText, offset: Int) -> Bool {
        guard !current.isInBatch, !data.isEmpty else { return false }
        guard JSONScanner.areValues(data) else { return false }
        current.unread.pass(offset..<offset + message.count, isRead: true)
        var copy = ByteCollector()
        copy.append(data)
        // The data is bytes by itself, plain or not.
        var others = UnreadCount(at: offset)
        others.search(copy.text)
        swap(&current.unread, &others)
        current.isInBatch = true
        readPage(copy.text, isDamaged: false, offset: offset)
        current.isInBatch = false
        swap(&current.unread, &others)
        summary.unread.add(others.end(messageIn: &current.unread))
        return true
    }

    private mutating func count(_ record: VerificationRecord, _ reader: borrowing EntryReader, of text: RawText) {
        if let instant = record.instant { current.pull.take(instant) } else { summary.unread.addUndated() }
        guard let function = index(of: record.identity) else { return }
        if let label = record.label { keep(label, of: Int(function)) }
        current.hasLabelled = current.hasLabelled || record.provenance == .labelled
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

    mutating func handleText(markers: MarkerCount, _ range: Range<Int>) {
        guard markers.any else {
            // What its lines of summary repeat is read.
            if current.container == .valuesAmongText { current.unread.pass(range, isRead: true) }
            return
        }
        summary.records += 1
        leaveUnread(markers, range)
    }

    /// Counts a record of a kind that is not read here; the source's first one is reported.
    mutating func reportUnread(_ markers: MarkerCount, _ record: RawText, offset: Int) {
        summary.records += 1
        leaveUnread(markers, offset..<offset + record.count)
    }

    /// The same for a message: what it holds is its own, and may not be plain.
    private mutating func reportUnread(inMessage markers: MarkerCount, _ message: RawText, offset: Int) {
        current.unread.pass(offset..<offset + message.count, isRead: true)
        summary.unread.add(markers.atLeastOne)
        summary.records += 1
        noteUnread(markers, offset: offset)
    }

    /// The same for what has been counted as records already.
    mutating func leaveUnread(_ markers: MarkerCount, _ range: Range<Int>) {
        current.unread.leave(markers, range)
        noteUnread(markers, offset: range.lowerBound)
    }

    mutating func noteUnread(_ markers: MarkerCount, offset: Int) {
        summary.unexpected += 1
        guard summary.unexpected == 1 else { return }
        let isOfServices = markers.isOfServices
        report(
            .unexpectedContainer, isOfServices ? ProblemWording.servicesInLog : ProblemWording.notRead, offset: offset)
    }

    /// Counts the markers in a record, or in the data of a message, that was parsed and is none that is read.
    ///
    /// An entry may quote anything: a function logs what clients send.
    @inline(__always)
    private func unread(
        _ finding: EntryReader.Finding, _ reader: borrowing EntryReader, _ text: RawText
    ) -> MarkerCount {
        switch finding {
        case .verification(let record) where record.provenance == .unlabelled && reader.hasUnreadLabel: break
        // Behind the emulator's mark, as mail is quoted: it writes no entries.
        case _ where reader.isEntry && reader.isEmulated: return MarkerCount(in: text)
        case .notVerification where reader.isWhole || !text.isJSON: return .none
        case .notVerification where reader.isEmulated: return MarkerCount(in: text)
        case .notVerification: return MarkerCount(unread: text, isBare: !reader.hasContent)
        default: return .none
        }
        return MarkerCount(unread: text)
    }

    /// Counts verifications of which the export has left out the statuses; the source's first one is reported.
    mutating func reportWithoutStatuses(_ count: Int = 1) {
        if !current.lacksStatuses { report(.noStatuses, ProblemWording.noStatuses) }
        current.lacksStatuses = true
        summary.unread.add(count)
    }
}

extension RawText {
    /// False for a line of a console, which is an application's own.
    var isJSON: Bool {
        let start = indexOfNonSpace(from: 0)
        return start < count && (self[start].opensContainer || self[start] == .quote)
    }
}

extension EntryReader {
    /// True for an entry, a row or a line of the SDK together with what it says.
    fileprivate var isWhole: Bool {
        hasContent && (isEntry || !fields.resource.isEmpty) && !hasUnreadLabel || isLine
    }

    /// True for a line of an SDK's logger, which always gives its severity next to its text; what a projection has left
    /// of a verification is none.
    private var isLine: Bool {
        let message = fields.line.message
        guard !fields.severity.isAbsent, message.kind == .string else { return false }
        return SDKMessage(message.text) == nil || !fields.line.verifications.isEmpty
    }
}
