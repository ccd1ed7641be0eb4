/// The fields of a record that a rollout reads, and what the others say of it.
///
/// ```
/// {"event_date":"20261012","event_timestamp":"1791800000123456","event_name":"AppAttestSuccess","platform":"IOS",
///  "app_info":{"id":"com.example.app","version":"1.4",…},"device":{"operating_system_version":"17.5.1",…},
///  "user_pseudo_id":"…",…}
/// ```
///
/// `bq extract` writes 64-bit integers as strings and leaves nulls out; `bq query` writes every scalar as a string and
/// nulls as null. The last value of a repeated key counts.
struct EventFields {
    var name = JSONValue.absent
    var date = JSONValue.absent
    var timestamp = JSONValue.absent
    var platform = JSONValue.absent
    var user = JSONValue.absent
    var app = JSONValue.absent
    var version = JSONValue.absent
    var system = JSONValue.absent
    /// True for an object that has a key of Remote Config templates, or that wraps one.
    private(set) var isTemplate = false
    private(set) var isLogEntry = false

    init() {}

    init(_ record: RawText) throws(JSONFailure) {
        var scanner = JSONScanner(JSONCursor(record))
        try readMembers(of: &scanner)
        guard scanner.isAtEnd() else { throw JSONFailure() }
    }

    private mutating func readMembers(of scanner: inout JSONScanner) throws(JSONFailure) {
        try scanner.readMembers { (key, scanner) throws(JSONFailure) in try readMember(key, of: &scanner) }
    }

    private mutating func readMember(_ key: RawText, of scanner: inout JSONScanner) throws(JSONFailure) {
        switch key {
        case "event_name": name = try scanner.value()
        case "event_date": date = try scanner.value()
        case "event_timestamp": timestamp = try scanner.value()
        case "platform": platform = try scanner.value()
        case "user_pseudo_id": user = try scanner.value()
        case "app_info": (app, version) = try EventFields.members("id", "version", of: &scanner)
        case "device": (system, _) = try EventFields.members("operating_system_version", "", of: &scanner)
        case "conditions", "parameters", "parameterGroups":
            isTemplate = true
            try scanner.skipValue()
        // What `firebase --json` wraps its answer in.
        case "result": try readMembers(of: &scanner)
        default:
            if RecordKeys.areOnlyInEntries(key) { isLogEntry = true }
            try scanner.skipValue()
        }
    }

    /// Two members of the object at the position, which is passed over; absent where it is no object.
    private static func members(
        _ first: StaticString, _ second: StaticString, of scanner: inout JSONScanner
    ) throws(JSONFailure) -> (JSONValue, JSONValue) {
        var found = (JSONValue.absent, JSONValue.absent)
        try scanner.readMembers { (key, scanner) throws(JSONFailure) in
            if key == first {
                found.0 = try scanner.value()
            } else if key == second {
                found.1 = try scanner.value()
            } else {
                try scanner.skipValue()
            }
        }
        return found
    }
}
