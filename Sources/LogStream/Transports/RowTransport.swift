/// Finds the fields of table rows: an entry as a BigQuery sink stores it, and as Log Analytics shows it.
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
/// Sources: <https://cloud.google.com/logging/docs/export/bigquery> (fields of users are lower-cased, what is no letter
/// or digit becomes an underscore) and <https://cloud.google.com/logging/docs/analyze/query-and-view>. JSON columns
/// come as objects or as JSON text, depending on what exported the rows: ``EntryReader/enterObject()`` reads both.
/// Times come as text or as seconds since 1970: ``EpochTime``.
extension EntryReader {
    /// Reads a field that only rows spell this way.
    ///
    /// - Returns: False, without moving, when the name is none of theirs.
    mutating func readRowField(_ name: RawText) throws(JSONFailure) -> Bool {
        switch name.count {
        case 7 where name == "span_id": fields.spanID = try scanner.value()
        case 8 where name == "log_name": fields.logName = try scanner.value()
        case 9 where name == "insert_id": fields.insertId = try scanner.value()
        case 12 where name == "json_payload": fields.payload = try payload()
        case 12 where name == "text_payload": fields.text = try scanner.value()
        case 17 where name == "receive_timestamp": fields.receiveTimestamp = try scanner.value()
        default: return false
        }
        return true
    }
}
