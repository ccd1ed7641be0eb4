internal import Verifications

/// Reads one record: finds its fields, and draws the conclusions that are the same for every transport.
struct EntryReader: ~Copyable {
    enum Finding {
        case notVerification
        /// It looks like the SDK's, and says what the SDK would not: a function may log what clients send.
        case foreign(NameKey, Provenance, blocked: TokenStatus?)
        /// A verification of which the export has left out the statuses.
        case withoutStatuses
        /// It may be one: the SDK's message in an entry that has labels, but neither the SDK's nor statuses.
        case perhapsWithoutStatuses
        case unusable
        case verification(VerificationRecord)
    }

    var scanner: JSONScanner
    var fields = EntryFields()
    let scratch: TextScratch
    var isInMessage = false
    /// True when the record comes from the emulator, which does not verify tokens.
    var isEmulated = false
    /// Text that the record held in another spelling: where a marker is looked for when it turns out to be broken.
    var decodedText = RawText.empty
    /// The longest entry that a compressed message may hold, in bytes.
    let longestInner: Int

    @inline(__always)
    init(_ cursor: JSONCursor, scratch: TextScratch, longestInner: Int) {
        scanner = JSONScanner(cursor)
        self.scratch = scratch
        self.longestInner = longestInner
    }

    mutating func readValue() throws(JSONFailure) {
        if try scanner.openObject() {
            try readLogEntry()
            if fields.isNode {
                try readNodePayload()
            } else if fields.message.isBare {
                try readBareMessage()
            }
        } else {
            try scanner.skipValue()
        }
    }

    /// Moves into the object that is spelled as JSON text in the string at the position, and returns where to read on
    /// after it; nil, after the value, when there is none.
    @inline(never)
    mutating func enterText() throws(JSONFailure) -> JSONScanner.Bookmark? {
        let value = try scanner.value()
        guard value.kind == .string, value.text.count > 1, value.text[0] == .openBrace else { return nil }
        let text = scratch.text(of: value)
        let outer = scanner.bookmark
        scanner = JSONScanner(JSONCursor(text))
        _ = try scanner.openObject()
        return outer
    }

    mutating func leaveText(to outer: JSONScanner.Bookmark) throws(JSONFailure) {
        guard scanner.isAtEnd() else { throw JSONFailure() }
        scanner = JSONScanner(outer)
    }

    /// The text of a string that is not empty.
    @inline(__always)
    func string(_ value: JSONValue) -> RawText? {
        guard value.kind == .string, value.text.count > 0 else { return nil }
        return scratch.text(of: value)
    }

    /// True for an entry or a row; a table that is written by columns has lists in their place.
    var isEntry: Bool { fields.insertId.kind == .string || fields.logName.kind == .string }
    var hasContent: Bool { fields.hasContent || !fields.text.isAbsent }
    /// True for a record of an SDK's logger, by itself or in a console.
    private var hasSeverity: Bool { !fields.severity.isAbsent || isEmulated }

    /// True for an entry whose labels hold the SDK's in a form that is not read, such as a list of pairs.
    var hasUnreadLabel: Bool {
        let labels = fields.labelsText.cut(fields.labelsText.indexOfNonSpace(from: 0)..<fields.labelsText.count)
        return labels.first == .openBracket && Marker.shows(in: labels)
    }

    /// A word, or a number with quotes or without.
    private var severity: RawText {
        fields.severity.kind == .number ? fields.severity.text : string(fields.severity) ?? .empty
    }

    // MARK: Conclusions

    /// Concludes from the fields what the record is, as it will be counted.
    ///
    /// Call this once per record: every escaped value is decoded once, which is what the scratch has room for.
    ///
    /// - Returns: The finding and, for every entry of generation 2's standard-error log, verification or not, its
    /// project and time.
    func conclude() -> (finding: Finding, errorStream: (project: RawText, instant: Instant?)?) {
        let statement = statement()
        let logName = string(fields.logName)
        let isErrorStream = logName.map { $0.hasSuffix(EntryReader.errorStreamSuffix) } ?? false
        let isStripped = statement == nil && !isErrorStream && saysPassWithoutLabel
        guard statement != nil || isErrorStream || saysNoStatuses || isStripped else { return (.notVerification, nil) }

        let (project, instant) = (project(logName), instant())
        let errorStream = isErrorStream && project.isName ? (project, instant) : nil
        if let statement { return (finding(statement, project, instant, logName ?? .empty), errorStream) }
        return (
            saysNoStatuses ? .withoutStatuses : isStripped ? .perhapsWithoutStatuses : .notVerification, errorStream
        )
    }

    private func finding(
        _ statement: Statement, _ project: RawText, _ instant: Instant?, _ logName: RawText
    ) -> Finding {
        guard statement.hasStatuses || !statement.isGenuine else { return .withoutStatuses }
        let identity = identity(project)
        let isSecond = identity.tag == Generation.second.rawValue
        let label = isSecond ? string(fields.labels.functionID) : nil
        guard identity.isName, label?.isName ?? true else { return .unusable }
        guard statement.isGenuine else {
            let isBlocked = statement.app != .valid && statement.auth != .invalid
            return .foreign(identity, statement.provenance, blocked: isBlocked ? statement.auth : nil)
        }
        return .verification(
            VerificationRecord(
                identity: identity, label: label, app: statement.app, auth: statement.auth,
                severity: PassSeverity(severity), provenance: statement.provenance,
                instant: instant, received: instant == nil ? time(fields.receiveTimestamp) : nil, logName: logName,
                insertId: string(fields.insertId) ?? .empty, execution: execution(),
                revisionName: isSecond ? string(fields.resource.labels.revisionName) ?? .empty : .empty))
    }

    private static let errorStreamSuffix: StaticString = "run.googleapis.com%2Fstderr"

    private struct Statement {
        var app: TokenStatus
        var auth: TokenStatus
        var hasStatuses = true
        var provenance = Provenance.labelled
        /// The SDK's message about the request; nil for words that are not the SDK's.
        var message: SDKMessage?

        var isGenuine: Bool { message?.fits(app, auth) ?? (provenance == .labelAlone) }
    }

    /// Returns the statement of the record about a request; nil if it is not a verification.
    ///
    /// A record is one by its label, in any place, or by the SDK's message together with its statuses.
    /// Functions log what clients send, and the SDK's logger spreads an object over the entry: so a label alone is not
    /// believed where the message next to it is not the SDK's, or contradicts the statuses. And of a line Cloud Logging
    /// takes the SDK's label out of the payload: one that is still there may be the client's, under another spelling.
    private func statement() -> Statement? {
        let payload = fields.payload.verifications.isEmpty ? fields.payload.nested : fields.payload.verifications
        let fromPayload = !payload.isEmpty
        let statuses = fromPayload ? payload : fields.line.verifications
        let isLabelledInPlace = isMarker(fields.labels.logType) || isMarker(fields.writtenLabels.logType)
        let isLabelled = isLabelledInPlace || isMarker(fields.payload.logType)
        guard isLabelled || !statuses.isEmpty else { return spokenStatement() }
        var statement = Statement(
            app: status(string(statuses.app.isAbsent ? statuses.appCheck : statuses.app)),
            auth: status(string(statuses.auth)), hasStatuses: !statuses.isEmpty)
        guard isLabelled else {
            // A payload by itself is a cell of a row.
            guard fromPayload || hasSeverity else { return nil }
            let text = string(fromPayload ? fields.payload.message : fields.line.message)
            guard let message = text.flatMap(SDKMessage.init) else { return spokenStatement() }
            statement.provenance = .unlabelled
            statement.message = message
            return statement
        }
        let message = fields.payload.message.isAbsent ? fields.line.message : fields.payload.message
        if message.isAbsent, fields.text.isAbsent {
            statement.provenance = .labelAlone
            return statement
        }
        guard let text = string(message.isAbsent ? fields.text : message), let said = SDKMessage(text) else {
            return statement
        }
        if statuses.isEmpty, let spoken = SDKText.statuses(in: text) {
            statement.app = status(spoken.app)
            statement.auth = status(spoken.auth)
            statement.hasStatuses = true
        }
        statement.message = said
        if !isLabelledInPlace { statement.provenance = .labelAlone }
        return statement
    }

    /// True for an entry with the SDK's message of which the export has left out labels and statuses.
    ///
    /// An entry with labels is whole, and an application may write what it likes into it.
    private var saysNoStatuses: Bool {
        guard fields.labelsText.isEmpty, isEntry || !fields.resource.labels.isEmpty,
            let text = string(fields.payload.message)
        else { return false }
        return text == EntryReader.pass || text.hasPrefix("Callable request verification failed")
    }

    /// The function of an entry whose payload has the statuses of a request that would be blocked, with neither the
    /// label nor the SDK's message: a projection, or what a client has sent.
    var bareBlocked: (identity: NameKey, auth: TokenStatus)? {
        let payload = fields.payload.verifications
        let app = payload.app.isAbsent ? payload.appCheck : payload.app
        guard let app = string(app), let auth = string(payload.auth).map({ TokenStatus($0) }) else { return nil }
        let identity = identity(project(string(fields.logName)))
        return identity.isName && status(app) != .valid && auth != .invalid ? (identity, auth) : nil
    }

    /// True for an entry with labels and the SDK's message, as a data frame leaves it that takes its columns from the
    /// first entries: keys that come later are gone.
    private var saysPassWithoutLabel: Bool {
        guard !fields.labelsText.isEmpty, isEntry, let text = string(fields.payload.message) else { return false }
        return text == EntryReader.pass
    }

    private static let pass: StaticString = "Callable request verification passed"

    private func spokenStatement() -> Statement? {
        spoken(fields.text) ?? spoken(fields.payload.message) ?? (hasSeverity ? spoken(fields.line.message) : nil)
    }

    private func spoken(_ value: JSONValue) -> Statement? {
        guard value.kind == .string, let initial = value.text.first, SDKText.mayBegin(with: initial),
            let text = string(value), let statuses = SDKText.statuses(in: text)
        else { return nil }
        return Statement(
            app: status(statuses.app), auth: status(statuses.auth), provenance: .unlabelled, message: statuses.message)
    }

    private func isMarker(_ value: JSONValue) -> Bool { string(value).map { $0 == Marker.label } ?? false }
    private func status(_ text: RawText?) -> TokenStatus { TokenStatus(text ?? .empty) }

    func execution() -> Execution? {
        if let call = string(fields.labels.executionID) ?? string(fields.writtenLabels.executionID) {
            let instance = string(fields.labels.instanceID) ?? string(fields.writtenLabels.instanceID)
            return .call(instance: instance ?? .empty, id: call)
        }
        // Python names no trace.
        guard let span = string(fields.spanID) else { return nil }
        return .span(trace: string(fields.trace) ?? .empty, id: span)
    }

    /// When the entry was written; nil when it has no time, or none that is believed.
    ///
    /// An entry stamped over an hour later than it was received takes that time. One stamped over a day earlier has
    /// none: the SDKs' lines carry no time, so it was imported again, or forged. A time before 2016, when there
    /// were no functions, is ignored.
    func instant() -> Instant? {
        guard let believed = believedTime(), believed.seconds >= EpochTime.earliest else { return nil }
        return believed
    }

    private func believedTime() -> Instant? {
        guard let stamped = time(fields.timestamp) else {
            return time(fields.receiveTimestamp) ?? time(fields.message.entryTime) ?? time(fields.message.publishTime)
        }
        if isSameHour(fields.timestamp, fields.receiveTimestamp) { return stamped }
        guard let received = time(fields.receiveTimestamp) else { return stamped }
        if stamped > received.adding(seconds: 3600) { return received }
        return stamped < received.adding(seconds: -Instant.secondsPerDay) ? nil : stamped
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
        if let instant = scratch.recentHour.instant(text) { return instant }
        guard let instant = text.withSpan({ Instant(timestamp: $0) }) else { return EpochTime.instant(text) }
        if let hour = RecentHour(of: instant, in: text) { scratch.recentHour = hour }
        return instant
    }

    func identity(_ project: RawText) -> NameKey {
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
    func project(_ logName: RawText?) -> RawText {
        if let project = string(fields.resource.labels.projectID) { return project }
        guard let logName, logName.hasPrefix("projects/") else { return .unknown }
        let start = "projects/".utf8.count
        let end = logName.index(of: UInt8(ascii: "/"), from: start) ?? logName.count
        return end > start ? logName.cut(start..<end) : .unknown
    }
}

extension RawText {
    var isName: Bool { count <= NameTable.textLimit }
}

extension TokenStatus {
    init(_ text: RawText) {
        self =
            switch text {
            case "VALID": .valid
            case "MISSING": .missing
            case "INVALID": .invalid
            default: .other
            }
    }
}

extension PassSeverity {
    /// A severity as Google's libraries write it: its name, or its number (100 for DEBUG, 200.0 for INFO) and those up
    /// to the next; empty for anything else.
    ///
    /// Source: <https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry#LogSeverity>.
    init(_ text: RawText) {
        switch text {
        case "DEBUG": self = .debug
        case "INFO": self = .info
        case "DEFAULT", "NOTICE", "WARNING", "ERROR", "CRITICAL", "ALERT", "EMERGENCY": self = .other
        default:
            let number = text.cut(0..<text.endOfDigits(from: 0))
            let isNumber = number.count == text.count || text[number.count] == UInt8(ascii: ".")
            let hundreds = isNumber ? number.wholeNumber.map { $0 / 100 } : nil
            switch hundreds {
            case 1: self = .debug
            case 2: self = .info
            case 0, 3, 4, 5, 6, 7, 8: self = .other
            default: self = []
            }
        }
    }
}

extension VerificationFields {
    var isEmpty: Bool { app.isAbsent && appCheck.isAbsent && auth.isAbsent }
}
