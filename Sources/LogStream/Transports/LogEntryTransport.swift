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
/// Source: <https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry>. Keys come in any order. Rows of
/// BigQuery and Log Analytics are the same entry under other spellings, which `RowTransport.swift` shows.
extension EntryReader {
    /// Reads the members of the entry whose opening brace was just passed.
    mutating func readLogEntry() throws(JSONFailure) {
        var isFirst = true
        while let key = try scanner.nextKey(&isFirst) {
            let name = scratch.text(of: key)
            // The length decides nearly always, so that a key costs one comparison.
            switch name.count {
            case 5 where name == "trace": fields.trace = try scanner.value()
            case 6 where name == "spanId": fields.spanID = try scanner.value()
            case 6 where name == "labels": fields.labels = try labels()
            case 7 where name == "logName": fields.logName = try scanner.value()
            case 7 where name == "message": try readMessage()
            case 8 where name == "resource": fields.resource = try resource()
            case 8 where name == "insertId": fields.insertId = try scanner.value()
            case 8 where name == "severity": fields.severity = try scanner.value()
            case 9 where name == "timestamp": fields.timestamp = try scanner.value()
            case 11 where name == "jsonPayload": fields.payload = try payload()
            case 11 where name == "textPayload": fields.text = try scanner.value()
            case 13 where name == "verifications": fields.line.verifications = try verifications()
            case 16 where name == "receiveTimestamp": fields.receiveTimestamp = try scanner.value()
            case 28 where name == "logging.googleapis.com/trace": fields.trace = try scanner.value()
            case 29 where isLabelsOfLine(name): fields.writtenLabels = try labels()
            case 29 where name == "logging.googleapis.com/spanId": fields.spanID = try scanner.value()
            default: if try !readRowField(name), try !readMessageField(name) { try scanner.skipValue() }
            }
        }
    }

    private func isLabelsOfLine(_ name: RawText) -> Bool {
        name == "logging.googleapis.com/labels" || name == "logging_googleapis_com_labels"
    }

    private mutating func labels() throws(JSONFailure) -> LabelFields {
        var labels = LabelFields()
        guard let outer = try enterObject() else { return labels }
        var isFirst = true
        while let key = try scanner.nextKey(&isFirst) {
            let name = scratch.text(of: key)
            switch name.count {
            case 10 where name == "instanceId" || name == "instanceid": labels.instanceID = try scanner.value()
            case 12 where name == "execution_id": labels.executionID = try scanner.value()
            case 17 where name == "firebase-log-type" || name == "firebase_log_type":
                labels.logType = try scanner.value()
            case 26 where name == "goog-drz-cloudfunctions-id" || name == "goog_drz_cloudfunctions_id":
                labels.functionID = try scanner.value()
            default: try scanner.skipValue()
            }
        }
        try leaveObject(to: outer)
        return labels
    }

    private mutating func resource() throws(JSONFailure) -> ResourceFields {
        var resource = ResourceFields()
        guard let outer = try enterObject() else { return resource }
        var isFirst = true
        while let key = try scanner.nextKey(&isFirst) {
            let name = scratch.text(of: key)
            switch name.count {
            case 4 where name == "type": resource.type = try scanner.value()
            case 6 where name == "labels": resource.labels = try resourceLabels()
            default: try scanner.skipValue()
            }
        }
        try leaveObject(to: outer)
        return resource
    }

    private mutating func resourceLabels() throws(JSONFailure) -> ResourceLabelFields {
        var labels = ResourceLabelFields()
        guard let outer = try enterObject() else { return labels }
        var isFirst = true
        while let key = try scanner.nextKey(&isFirst) {
            let name = scratch.text(of: key)
            switch name.count {
            case 6 where name == "region": labels.region = try scanner.value()
            case 8 where name == "location": labels.location = try scanner.value()
            case 10 where name == "project_id": labels.projectID = try scanner.value()
            case 12 where name == "service_name": labels.serviceName = try scanner.value()
            case 13 where name == "function_name": labels.functionName = try scanner.value()
            default: try scanner.skipValue()
            }
        }
        try leaveObject(to: outer)
        return labels
    }

    mutating func payload() throws(JSONFailure) -> PayloadFields {
        var payload = PayloadFields()
        guard let outer = try enterObject() else { return payload }
        var isFirst = true
        while let key = try scanner.nextKey(&isFirst) {
            let name = scratch.text(of: key)
            switch name.count {
            case 7 where name == "message": payload.message = try scanner.value()
            case 11 where name == "jsonPayload": payload.nested = try nestedVerifications()
            case 13 where name == "verifications": payload.verifications = try verifications()
            case 29 where isLabelsOfLine(name): payload.logType = try labels().logType
            default: try scanner.skipValue()
            }
        }
        try leaveObject(to: outer)
        return payload
    }

    /// `verifications` of a payload inside the payload.
    private mutating func nestedVerifications() throws(JSONFailure) -> VerificationFields {
        var verifications = VerificationFields()
        guard let outer = try enterObject() else { return verifications }
        var isFirst = true
        while let key = try scanner.nextKey(&isFirst) {
            if scratch.text(of: key) == "verifications" {
                verifications = try self.verifications()
            } else {
                try scanner.skipValue()
            }
        }
        try leaveObject(to: outer)
        return verifications
    }

    private mutating func verifications() throws(JSONFailure) -> VerificationFields {
        var verifications = VerificationFields()
        guard let outer = try enterObject() else { return verifications }
        var isFirst = true
        while let key = try scanner.nextKey(&isFirst) {
            let name = scratch.text(of: key)
            switch name.count {
            case 3 where name == "app": verifications.app = try scanner.value()
            case 4 where name == "auth": verifications.auth = try scanner.value()
            case 8 where name == "appCheck" || name == "appcheck": verifications.appCheck = try scanner.value()
            default: try scanner.skipValue()
            }
        }
        try leaveObject(to: outer)
        return verifications
    }
}
