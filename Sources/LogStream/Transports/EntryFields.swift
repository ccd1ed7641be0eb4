/// The places of all fields of one record that callcheck has a use for.
///
/// Every transport fills these, regardless of its names for the fields; ``EntryReader`` draws the conclusions. A
/// container that occurs again replaces the earlier one as a whole, because the last value of a repeated key counts.
struct EntryFields {
    var logName = JSONValue.absent
    var insertId = JSONValue.absent
    var timestamp = JSONValue.absent
    var receiveTimestamp = JSONValue.absent
    var severity = JSONValue.absent
    var trace = JSONValue.absent
    var spanID = JSONValue.absent
    var request = RequestFields()
    var message = MessageFields()
    /// `textPayload`, or a console line that is not JSON.
    var text = JSONValue.absent
    /// The name before a line of `firebase functions:log`: that of a function or a service.
    var consoleName = RawText.empty
    var labels = LabelFields()
    /// The labels as they are spelled; empty for a record without, which no whole entry of a function is.
    var labelsText = RawText.empty
    /// True for the metadata of an entry, as the library for Node holds it: its payload is next to it, as `data`.
    var isNode = false
    var writtenLabels = LabelFields()
    var resource = ResourceFields()
    /// `jsonPayload`: what the SDK wrote, moved there by the logging agent.
    var payload = PayloadFields()
    /// True with a payload or a request, whatever it holds.
    var hasContent = false
    /// The record itself read as a payload: a line as the SDK writes it to standard output.
    var line = PayloadFields()
}

struct RequestFields {
    var method = JSONValue.absent
    var url = JSONValue.absent
    var status = JSONValue.absent
    var userAgent = JSONValue.absent
    var referer = JSONValue.absent
    var address = JSONValue.absent
}

/// The envelope of an entry in a Pub/Sub message.
struct MessageFields {
    /// `logging.googleapis.com/timestamp` among the attributes: the entry's own time.
    var entryTime = JSONValue.absent
    /// When Pub/Sub took the message on.
    var publishTime = JSONValue.absent
    /// The data of a message without an envelope.
    var bareData = JSONValue.absent
    var bareDataStart = 0
    var isBare = false
}

/// `labels` of an entry, or `logging.googleapis.com/labels` of a line.
struct LabelFields {
    /// The label that marks a verification: `firebase-log-type`.
    var logType = JSONValue.absent
    /// `goog-drz-cloudfunctions-id`: the function's name in lower case, with its underscores.
    var functionID = JSONValue.absent
    /// True with a `goog-managed-by`, which all entries of functions have that have labels.
    var isManaged = false
    var arePresent = false
    /// `execution_id`: one call of the function.
    var executionID = JSONValue.absent
    /// `instanceId`: the container that ran it.
    var instanceID = JSONValue.absent
}

struct ResourceFields {
    var type = JSONValue.absent
    var labels = ResourceLabelFields()

    var isEmpty: Bool { type.isAbsent && labels.isEmpty }
}

/// `resource.labels`: generation 1 has `function_name` and `region`, generation 2 `service_name` and `location`.
struct ResourceLabelFields {
    var projectID = JSONValue.absent
    var functionName = JSONValue.absent
    var region = JSONValue.absent
    var serviceName = JSONValue.absent
    var location = JSONValue.absent
    var revisionName = JSONValue.absent

    var isEmpty: Bool { projectID.isAbsent && functionName.isAbsent && serviceName.isAbsent }
}

struct PayloadFields {
    var message = JSONValue.absent
    var verifications = VerificationFields()
    /// `firebase-log-type` in `logging.googleapis.com/labels` of a payload.
    var logType = JSONValue.absent
    /// `verifications` in a separate `jsonPayload`, as simulators write it that copy an entry's shape.
    var nested = VerificationFields()
}

struct VerificationFields {
    var app = JSONValue.absent
    /// The name that Firebase's documentation gives `app`.
    var appCheck = JSONValue.absent
    var auth = JSONValue.absent
}
