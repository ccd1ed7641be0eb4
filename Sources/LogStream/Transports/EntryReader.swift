internal import Verifications

/// Reads one record: finds its fields, and draws the conclusions that are the same for every transport.
struct EntryReader {
    /// What a record turned out to be.
    enum Finding {
        case notVerification
        /// A name that would be kept is longer than ``NameTable/textLimit``.
        case unusable
        case verification(VerificationRecord)
    }

    /// What one record says.
    struct Conclusion {
        var finding = Finding.notVerification
        /// Set for every entry of generation 2's standard-error log, verification or not.
        var errorStream: (project: RawText, instant: Instant?)?
    }

    var scanner: JSONScanner
    var fields = EntryFields()
    let scratch: TextScratch
    /// True while the entry inside a message is read.
    var isInMessage = false
    /// True when the record comes from the emulator, which does not verify tokens.
    var isEmulated = false
    /// Text that the record held in another spelling: where a marker is looked for when it turns out to be broken.
    var hiddenText = RawText.empty
    /// The longest entry that a compressed message may hold, in bytes.
    let longestInner: Int

    init(_ cursor: JSONCursor, scratch: TextScratch, longestInner: Int) {
        scanner = JSONScanner(cursor)
        self.scratch = scratch
        self.longestInner = longestInner
    }

    /// Reads the next value of the record's line into ``fields``.
    mutating func readValue() throws(JSONFailure) {
        fields = EntryFields()
        if try scanner.openObject() {
            try readLogEntry()
            if fields.message.isBare { try readBareMessage() }
        } else {
            try scanner.skipValue()
        }
    }

    /// Where reading goes on behind an object.
    enum Outer {
        /// The object stands in place.
        case same
        /// The object was JSON text inside a string of this scanner.
        case text(JSONScanner)
    }

    /// Moves into the object at the position, be it spelled as JSON text inside a string; nil, behind the value, when
    /// there is none.
    mutating func enterObject() throws(JSONFailure) -> Outer? {
        if try scanner.openObject() { return .same }
        let value = try scanner.value()
        guard value.kind == .string, value.text.count > 1, value.text[0] == UInt8(ascii: "{") else { return nil }
        let text = scratch.text(of: value)
        let outer = scanner
        scanner = JSONScanner(JSONCursor(text))
        _ = try scanner.openObject()
        return .text(outer)
    }

    /// Moves out of the object that ``enterObject()`` moved into.
    mutating func leaveObject(to outer: Outer) throws(JSONFailure) {
        guard case .text(let outer) = outer else { return }
        guard scanner.isAtEnd() else { throw JSONFailure() }
        scanner = outer
    }

    /// The text of a string that is not empty.
    private func string(_ value: JSONValue) -> RawText? {
        guard value.kind == .string, value.text.count > 0 else { return nil }
        return scratch.text(of: value)
    }

    /// True when what was read is a log entry, whatever it is about.
    var isEntry: Bool { !fields.insertId.isAbsent || !fields.logName.isAbsent }

    // MARK: Conclusions

    /// What the fields say, as it will be counted.
    ///
    /// Asked once per record: every escaped value is decoded once, which is what the scratch has room for.
    func conclude() -> Conclusion {
        var conclusion = Conclusion()
        let statuses = statuses()
        let logName = string(fields.logName)
        let isErrorStream = logName.map { $0.hasSuffix(EntryReader.errorStreamSuffix) } ?? false
        guard statuses != nil || isErrorStream else { return conclusion }

        let project = project(logName)
        let instant = instant()
        if isErrorStream, project.isName { conclusion.errorStream = (project, instant) }
        if let statuses {
            let identity = identity(project)
            let label = identity.tag == Generation.second.rawValue ? string(fields.labels.functionID) : nil
            let isUsable = project.isName && identity.region.isName && identity.name.isName && label?.isName ?? true
            conclusion.finding =
                isUsable
                ? .verification(
                    VerificationRecord(
                        identity: identity, label: label, app: statuses.app, auth: statuses.auth,
                        severity: severity(), instant: instant, logName: logName ?? .empty,
                        insertId: string(fields.insertId) ?? .empty))
                : .unusable
        }
        return conclusion
    }

    private static let errorStreamSuffix: StaticString = "run.googleapis.com%2Fstderr"

    /// The statuses of a verification; nil when the record is none.
    ///
    /// A record is one by its label, wherever the label stands, or by the SDK's message together with its statuses.
    private func statuses() -> (app: TokenStatus, auth: TokenStatus)? {
        let payload = fields.payload.verifications.isEmpty ? fields.payload.nested : fields.payload.verifications
        let line = fields.line.verifications
        let statuses = payload.isEmpty ? line : payload
        let isLabelled =
            isMarker(fields.labels.logType) || isMarker(fields.line.logType) || isMarker(fields.payload.logType)
        if !statuses.isEmpty {
            let isMarked =
                isLabelled || (!payload.isEmpty && isMessage(fields.payload.message))
                || (!line.isEmpty && isMessage(fields.line.message))
            if isMarked {
                let app = statuses.app.isAbsent ? statuses.appCheck : statuses.app
                return (status(string(app)), status(string(statuses.auth)))
            }
        }
        if let spoken = spokenStatuses(fields.text) { return spoken }
        if let spoken = spokenStatuses(fields.payload.message) { return spoken }
        if let spoken = spokenStatuses(fields.line.message) { return spoken }
        return isLabelled ? (.other, .other) : nil
    }

    /// The statuses that the SDK's text holds, where it writes no structure.
    private func spokenStatuses(_ value: JSONValue) -> (app: TokenStatus, auth: TokenStatus)? {
        guard let text = string(value), let statuses = SDKText.statuses(in: text) else { return nil }
        return (status(statuses.app), status(statuses.auth))
    }

    private func isMarker(_ value: JSONValue) -> Bool {
        string(value).map { $0 == Marker.label } ?? false
    }

    private func isMessage(_ value: JSONValue) -> Bool {
        string(value).map { SDKText.isMessage($0) } ?? false
    }

    private func status(_ text: RawText?) -> TokenStatus {
        guard let text else { return .other }
        if text == "VALID" { return .valid }
        if text == "MISSING" { return .missing }
        if text == "INVALID" { return .invalid }
        return .other
    }

    private func severity() -> PassSeverity {
        guard let text = string(fields.severity) else { return .other }
        if text == "DEBUG" { return .debug }
        if text == "INFO" { return .info }
        return .other
    }

    /// When the entry was written; an entry stamped over an hour later than it was received takes that time instead.
    private func instant() -> Instant? {
        guard let stamped = time(fields.timestamp) else {
            return time(fields.receiveTimestamp) ?? time(fields.message.entryTime) ?? time(fields.message.publishTime)
        }
        if isSameHour(fields.timestamp, fields.receiveTimestamp) { return stamped }
        let received = time(fields.receiveTimestamp)
        if let received, stamped > received.adding(seconds: 3600) { return received }
        return stamped
    }

    /// True when both times are spelled with the same date and hour of UTC, as nearly all are: they cannot be more than
    /// an hour apart then.
    private func isSameHour(_ left: JSONValue, _ right: JSONValue) -> Bool {
        let length = "2026-10-14T23".utf8.count
        let (left, right) = (left.text, right.text)
        return left.count > length && right.count > length && left.cut(0..<length) == right.cut(0..<length)
            && left[left.count - 1] == UInt8(ascii: "Z") && right[right.count - 1] == UInt8(ascii: "Z")
    }

    private func time(_ value: JSONValue) -> Instant? {
        if value.kind == .number { return EpochTime.instant(value.text) }
        guard let text = string(value) else { return nil }
        if let instant = text.withSpan({ Instant(timestamp: $0) }) { return instant }
        return EpochTime.instant(text)
    }

    private func identity(_ project: RawText) -> NameKey {
        let labels = fields.resource.labels
        let functionName = string(labels.functionName)
        let serviceName = string(labels.serviceName)
        let type = string(fields.resource.type) ?? .empty
        let isFirst = type == "cloud_function" || (functionName != nil && !(type == "cloud_run_revision"))
        let isSecond = !isFirst && (serviceName != nil || type == "cloud_run_revision")
        var key = NameKey(project: project)
        if isSecond {
            key.region = string(labels.location) ?? .unknown
            key.name = serviceName ?? .unknown
            key.tag = Generation.second.rawValue
        } else if !fields.consoleName.isEmpty {
            key.region = .unknown
            key.name = fields.consoleName
        } else {
            key.region = string(labels.region) ?? string(labels.location) ?? .unknown
            key.name = functionName ?? .unknown
            key.tag = isFirst ? Generation.first.rawValue : 0
        }
        return key
    }

    /// `project_id` of the resource, else the project in the log's name.
    private func project(_ logName: RawText?) -> RawText {
        if let project = string(fields.resource.labels.projectID) { return project }
        guard let logName, logName.hasPrefix("projects/") else { return .unknown }
        let start = "projects/".utf8.count
        var end = start
        while end < logName.count, logName[end] != UInt8(ascii: "/") { end += 1 }
        return end > start ? logName.cut(start..<end) : .unknown
    }
}

/// One verification, as places in its record.
struct VerificationRecord {
    let identity: NameKey
    /// `goog-drz-cloudfunctions-id`, for generation 2.
    let label: RawText?
    let app: TokenStatus
    let auth: TokenStatus
    let severity: PassSeverity
    let instant: Instant?
    let logName: RawText
    /// Empty when the entry has none.
    let insertId: RawText

    /// Keyed hash of what tells an entry from every other; nil when it has no time or no `insertId`.
    func fingerprint(_ key: HashKey) -> UInt64? {
        guard let instant, !insertId.isEmpty else { return nil }
        var hash = SipHash(key: key)
        hash.add(word: UInt64(bitPattern: instant.seconds))
        hash.add(word: UInt64(instant.nanoseconds))
        hash.add(insertId)
        hash.add(logName)
        hash.add(identity.project)
        return hash.finish()
    }
}

extension RawText {
    /// True when the text is short enough to be kept as a name.
    fileprivate var isName: Bool { count <= NameTable.textLimit }
}

extension VerificationFields {
    /// True when no status was given at all.
    var isEmpty: Bool { app.isAbsent && appCheck.isAbsent && auth.isAbsent }
}
