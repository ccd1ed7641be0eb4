import Verifications

/// Writes rows of Log Analytics: the view `_AllLogs`, exported as newline-delimited JSON.
///
/// ```
/// {"insert_id":"3f…","json_payload":{"message":"…","verifications":{…}},"resource":{"type":"cloud_run_revision",
///  "labels":{"service_name":"addmessage",…}},"timestamp":"2026-10-14T13:32:04.715384Z",
///  "labels":{"firebase-log-type":"callable-request-verification",…},"log_name":"projects/demo-prod/logs/…",…}
/// {"insert_id":"b2…","json_payload":"{\"message\":\"…\",\"verifications\":{…}}","labels":"{\"firebase-log-type\":…",…}
/// ```
///
/// Columns are in snake case; keys in the columns of type JSON (`labels`, `resource.labels`, `json_payload`) are as
/// they were logged. Depending on the exporter these columns are objects or JSON text. A TIMESTAMP has microseconds.
/// Source: <https://cloud.google.com/logging/docs/analyze/query-and-view>.
struct LogAnalyticsWriter: TransportWriter {
    var document: EntryDocument
    /// True when columns of type JSON are JSON text.
    let hasTextColumns: Bool

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        document.read(entry)
        let outline = document.outline
        bytes.append("{")
        outline.forEach(in: 0) { node in
            if node > 1 { bytes.append(",") }
            appendName(of: node, to: &bytes)
            if outline.isKey(node, "timestamp"), let time = entry.timestamp {
                append(time, to: &bytes)
            } else if outline.isKey(node, "receiveTimestamp"), let time = entry.receiveTimestamp {
                append(time, to: &bytes)
            } else if outline.isKey(node, "labels") || outline.isKey(node, "jsonPayload") {
                appendColumn(node, to: &bytes)
            } else if outline.nodes[node].kind == .object {
                appendRecord(node, to: &bytes)
            } else {
                outline.append(node, to: &bytes)
            }
        }
        bytes.append("}\n")
        return 1
    }

    private func append(_ time: Instant, to bytes: inout [UInt8]) {
        bytes.append("\"")
        bytes.append(microseconds: time, separator: "T", zone: "Z")
        bytes.append("\"")
    }

    /// Appends `resource` or `http_request`: a column that has its own columns.
    private func appendRecord(_ node: Int, to bytes: inout [UInt8]) {
        bytes.append("{")
        let start = bytes.count
        document.outline.forEach(in: node) { child in
            if bytes.count > start { bytes.append(",") }
            appendName(of: child, to: &bytes)
            if document.outline.nodes[child].kind == .object {
                appendColumn(child, to: &bytes)
            } else {
                document.outline.append(child, to: &bytes)
            }
        }
        bytes.append("}")
    }

    private func appendColumn(_ node: Int, to bytes: inout [UInt8]) {
        guard hasTextColumns else { return document.outline.append(node, to: &bytes) }
        bytes.append("\"")
        for byte in document.outline.bytes[document.outline.nodes[node].text] {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append("\"")
    }

    /// Appends a key in snake case.
    private func appendName(of node: Int, to bytes: inout [UInt8]) {
        bytes.append("\"")
        for byte in document.outline.bytes[document.outline.nodes[node].key] {
            let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            if isUpper { bytes.append(UInt8(ascii: "_")) }
            bytes.append(isUpper ? byte | 0x20 : byte)
        }
        bytes.append("\":")
    }
}
