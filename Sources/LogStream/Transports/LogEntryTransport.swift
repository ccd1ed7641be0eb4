/// Finds the fields of a LogEntry as sinks and `gcloud` write it, and of a line as the SDK writes it.
///
/// ```
/// {"insertId":"68ac65d4000aea7843e7cf31","jsonPayload":{"message":"Callable request verification passed",
///  "verifications":{"app":"MISSING","auth":"MISSING"}},"resource":{"type":"cloud_run_revision","labels":
///  {"service_name":"getcarouselads","project_id":"PROJ","location":"us-central1"}},"timestamp":
///  "2025-08-25T13:32:04.715384Z","severity":"DEBUG","labels":{"firebase-log-type":"callable-request-verification"},
///  "logName":"projects/PROJ/logs/run.googleapis.com%2Fstdout","receiveTimestamp":"2025-08-25T13:32:04.724592299Z"}
///
/// {"verifications":{"app":"MISSING","auth":"MISSING"},"logging.googleapis.com/labels":
///  {"firebase-log-type":"callable-request-verification"},"severity":"DEBUG",
///  "message":"Callable request verification passed"}
/// ```
///
/// Source: <https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry>. Keys come in any order.
///
/// Rows of tables are the same entry in other spellings: as a BigQuery sink stores it, and as Log Analytics shows it.
///
/// ```
/// {"logName":"projects/PROJ/logs/run.googleapis.com%2Fstdout","insertId":"68ac…","severity":"DEBUG",
///  "timestamp":"2025-08-25 13:32:04.715384 UTC","labels":{"firebase_log_type":"callable-request-verification",
///  "goog_drz_cloudfunctions_id":"add_message"},"jsonPayload":{"verifications":{"app":"VALID","auth":"VALID"}},…}
///
/// {"log_name":"projects/PROJ/logs/run.googleapis.com%2Fstdout","insert_id":"68ac…","severity":"DEBUG",
///  "timestamp":"2025-08-25T13:32:04.715384Z","resource":{"type":"cloud_run_revision","labels":"{\"location\":…}"},
///  "labels":"{\"firebase-log-type\":\"callable-request-verification\"}","json_payload":"{\"verifications\":{…}}",…}
/// ```
///
/// Google's library for Node holds an entry as metadata and data, and people write it out as it is.
///
/// ```
/// {"metadata":{"logName":"…","insertId":"68ac…","labels":{…},…},"data":{"message":"…","verifications":{…}}}
/// ```
///
/// Sources: <https://cloud.google.com/logging/docs/export/bigquery> (field names are in lower case, with underscores
/// for everything but letters and digits), <https://cloud.google.com/logging/docs/analyze/query-and-view>. JSON columns
/// come as objects or as JSON text, depending on what exported the rows: ``EntryReader/enterText()`` reads both.
/// Times come as text or as seconds since 1970: ``EpochTime``.
extension EntryReader {
    mutating func readLogEntry() throws(JSONFailure) {
        var isFirst = true
        while let key = try scanner.nextKey(&isFirst) {
            let name = scratch.text(of: key)
            switch EntryKey.first(where: { spelling, _ in name == spelling }) {
            case .insertID: fields.insertId = try scanner.value()
            case .logName: fields.logName = try scanner.value()
            case .payload:
                noteContent()
                fields.payload = try payload()
            case .text: fields.text = try scanner.value()
            case .timestamp: fields.timestamp = try scanner.value()
            case .receiveTimestamp: fields.receiveTimestamp = try scanner.value()
            case .severity: fields.severity = try scanner.value()
            case .resource: fields.resource = try resource()
            case .labels:
                let start = scanner.position
                fields.labels = try labels()
                fields.labelsText = scanner.cursor.text(from: start)
            case .trace: fields.trace = try scanner.value()
            case .spanID: fields.spanID = try scanner.value()
            case .request:
                noteContent()
                fields.request = try request()
            case .auditLog:
                noteContent()
                try scanner.skipValue()
            case .metadata: try readMetadata()
            case .message: try readMessage()
            case .verifications: fields.line.verifications = try verifications()
            case .writtenLabels: fields.writtenLabels = try labels()
            case .unread: try scanner.skipValue()
            case nil: if try !readMessageField(name) { try scanner.skipValue() }
            }
        }
    }

    /// Takes note of an object, or of the text of one: rows of tables have null in all columns but one.
    private mutating func noteContent() {
        if scanner.isAtObject() || scanner.cursor.current == .quote { fields.hasContent = true }
    }

    /// Calls `read` for each member of the object at the position, with its key; `read` moves over the value.
    @inline(__always)
    mutating func readMembers(
        _ read: (inout EntryReader, RawText) throws(JSONFailure) -> Void
    ) throws(JSONFailure) {
        var outer: JSONScanner.Bookmark?
        if try !scanner.openObject() {
            outer = try enterText()
            if outer == nil { return }
        }
        var isFirst = true
        while let key = try scanner.nextKey(&isFirst) { try read(&self, scratch.text(of: key)) }
        if let outer { try leaveText(to: outer) }
    }

    private mutating func labels() throws(JSONFailure) -> LabelFields {
        var labels = LabelFields()
        labels.arePresent = true
        try readMembers { (reader, name) throws(JSONFailure) in
            switch name {
            case "firebase-log-type", "firebase_log_type": labels.logType = try reader.scanner.value()
            case "goog-drz-cloudfunctions-id", "goog_drz_cloudfunctions_id":
                labels.functionID = try reader.scanner.value()
            case "goog-managed-by", "goog_managed_by":
                labels.isManaged = true
                try reader.scanner.skipValue()
            case "execution_id": labels.executionID = try reader.scanner.value()
            case "instanceId", "instanceid": labels.instanceID = try reader.scanner.value()
            default: try reader.scanner.skipValue()
            }
        }
        return labels
    }

    /// Reads an entry without its payload, which is next to it: see ``readNodePayload()``.
    private mutating func readMetadata() throws(JSONFailure) {
        // An entry may have its own metadata.
        guard !isInMessage, !isEntry, try scanner.openObject() else { return try scanner.skipValue() }
        let outer = fields
        fields = EntryFields()
        try readInnerEntry()
        if isEntry {
            fields.isNode = true
            fields.message = outer.message
        } else {
            // An entry's own metadata, of the machine that it came from.
            fields = outer
        }
    }

    /// Reads `data` next to an entry's metadata: text, or what the entry has as `jsonPayload`.
    mutating func readNodePayload() throws(JSONFailure) {
        let data = fields.message.bareData
        if data.kind == .string {
            fields.text = data
        } else if data.kind == .other {
            let outer = scanner
            scanner.rewind(to: fields.message.bareDataStart)
            noteContent()
            fields.payload = try payload()
            scanner = outer
        }
    }

    private mutating func resource() throws(JSONFailure) -> ResourceFields {
        var resource = ResourceFields()
        try readMembers { (reader, name) throws(JSONFailure) in
            switch name {
            case "type": resource.type = try reader.scanner.value()
            case "labels": resource.labels = try reader.resourceLabels()
            default: try reader.scanner.skipValue()
            }
        }
        return resource
    }

    @inline(never)
    private mutating func resourceLabels() throws(JSONFailure) -> ResourceLabelFields {
        var labels = ResourceLabelFields()
        try readMembers { (reader, name) throws(JSONFailure) in
            switch name {
            case "region": labels.region = try reader.scanner.value()
            case "location": labels.location = try reader.scanner.value()
            case "project_id": labels.projectID = try reader.scanner.value()
            case "service_name": labels.serviceName = try reader.scanner.value()
            case "revision_name": labels.revisionName = try reader.scanner.value()
            case "function_name": labels.functionName = try reader.scanner.value()
            default: try reader.scanner.skipValue()
            }
        }
        return labels
    }

    private mutating func request() throws(JSONFailure) -> RequestFields {
        var request = RequestFields()
        guard try scanner.openObject() else {
            try scanner.skipValue()
            return request
        }
        var isFirst = true
        while let key = try scanner.nextKey(&isFirst) {
            switch scratch.text(of: key) {
            case "status": request.status = try scanner.value()
            case "remoteIp", "remote_ip": request.address = try scanner.value()
            case "userAgent", "user_agent": request.userAgent = try scanner.value()
            case "referer": request.referer = try scanner.value()
            case "requestMethod", "request_method": request.method = try scanner.value()
            case "requestUrl", "request_url": request.url = try scanner.value()
            default: try scanner.skipValue()
            }
        }
        return request
    }

    private mutating func payload() throws(JSONFailure) -> PayloadFields {
        var payload = PayloadFields()
        try readMembers { (reader, name) throws(JSONFailure) in
            switch name {
            case "message": payload.message = try reader.scanner.value()
            case "jsonPayload": payload.nested = try reader.nestedVerifications()
            case "verifications": payload.verifications = try reader.verifications()
            case "logging.googleapis.com/labels", "logging_googleapis_com_labels":
                payload.logType = try reader.labels().logType
            default: try reader.scanner.skipValue()
            }
        }
        return payload
    }

    @inline(never)
    private mutating func nestedVerifications() throws(JSONFailure) -> VerificationFields {
        var verifications = VerificationFields()
        try readMembers { (reader, name) throws(JSONFailure) in
            switch name {
            case "verifications": verifications = try reader.verifications()
            default: try reader.scanner.skipValue()
            }
        }
        return verifications
    }

    @inline(never)
    private mutating func verifications() throws(JSONFailure) -> VerificationFields {
        var verifications = VerificationFields()
        try readMembers { (reader, name) throws(JSONFailure) in
            switch name {
            case "app": verifications.app = try reader.scanner.value()
            case "auth": verifications.auth = try reader.scanner.value()
            case "appCheck", "appcheck": verifications.appCheck = try reader.scanner.value()
            default: try reader.scanner.skipValue()
            }
        }
        return verifications
    }
}
