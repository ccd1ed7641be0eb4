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
    private let scratch: TextScratch

    init(_ cursor: JSONCursor, scratch: TextScratch) {
        scanner = JSONScanner(cursor)
        self.scratch = scratch
    }

    /// The text of a key or a string value, with its escapes undone.
    @inline(__always)
    func text(of value: JSONValue) -> RawText {
        let spelling = scanner.text(of: value)
        return value.isEscaped ? scratch.decode(spelling, isEscaped: true) : spelling
    }

    /// Reads the next value of the record's line into ``fields``.
    mutating func readValue() throws(JSONFailure) {
        fields = EntryFields()
        if try scanner.openObject() {
            try readLogEntry()
        } else {
            try scanner.skipValue()
        }
    }

    /// The text of a string that is not empty.
    private func string(_ value: JSONValue) -> RawText? {
        guard value.kind == .string, value.count > 0 else { return nil }
        return text(of: value)
    }

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
    /// A record is one by its label, wherever the label stands, or by the SDK's message beside its statuses.
    private func statuses() -> (app: TokenStatus, auth: TokenStatus)? {
        let payload = fields.payload.verifications
        let line = fields.line.verifications
        let statuses = payload.isEmpty ? line : payload
        let isLabelled =
            isMarker(fields.labels.logType) || isMarker(fields.line.logType) || isMarker(fields.payload.logType)
        let isSpoken =
            (!payload.isEmpty && isMessage(fields.payload.message)) || (!line.isEmpty && isMessage(fields.line.message))
        guard isLabelled || isSpoken else { return nil }
        let app = statuses.app.isAbsent ? statuses.appCheck : statuses.app
        return (status(app), status(statuses.auth))
    }

    private func isMarker(_ value: JSONValue) -> Bool {
        string(value).map { $0 == Marker.label } ?? false
    }

    private func isMessage(_ value: JSONValue) -> Bool {
        guard let message = string(value), message.hasPrefix(Marker.message) else { return false }
        let rest = message.cut(Marker.length..<message.count)
        return rest.hasPrefix(" passed") || rest.hasPrefix(" failed")
    }

    private func status(_ value: JSONValue) -> TokenStatus {
        guard let text = string(value) else { return .other }
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
        let stamped = time(fields.timestamp)
        let received = time(fields.receiveTimestamp)
        guard let stamped else { return received }
        if let received, stamped > received.adding(seconds: 3600) { return received }
        return stamped
    }

    private func time(_ value: JSONValue) -> Instant? {
        string(value)?.withSpan { Instant(timestamp: $0) }
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

extension JSONValue {
    /// True when the key does not occur or holds null, as exports of databases write a missing value.
    var isAbsent: Bool { kind == .absent || kind == .null }
}
