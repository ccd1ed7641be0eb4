import Verifications

/// Writes rows of the tables to which a sink of Cloud Logging exports.
///
/// ```
/// {"insertId":"3f…","jsonPayload":{"message":"…","verifications":{"app":"VALID","auth":"VALID"}},"resource":{…},
///  "timestamp":"2026-10-14 13:32:04.715384 UTC","labels":{"firebase_log_type":"callable-request-verification",…},…}
/// [{"insertId":"3f…","timestamp":"1.791984724715384E9","httpRequest":{"status":"200",…},…},{…},…]
/// ```
///
/// The first is a line of `bq extract --destination_format NEWLINE_DELIMITED_JSON`, the second what a query gives: one
/// array, times in seconds since 1970 as numbers or as their text. Names of users' fields are lower-cased, what is no
/// letter or digit becomes an underscore, INT64 is text, `< > &` are escaped in an extract, and columns without a value
/// are left out. A TIMESTAMP has microseconds. Source: <https://cloud.google.com/logging/docs/export/bigquery> and
/// <https://cloud.google.com/bigquery/docs/exporting-data>.
struct BigQueryWriter: TransportWriter {
    enum Form {
        case extract
        case query
    }

    var document: EntryDocument
    let form: Form
    private var isFirst = true

    init(document: EntryDocument, form: Form) {
        self.document = document
        self.form = form
    }

    mutating func begin(_ bytes: inout [UInt8]) {
        if form == .query { bytes.append("[") }
    }

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        document.read(entry)
        if form == .query && !isFirst { bytes.append(",") }
        isFirst = false
        let outline = document.outline
        bytes.append("{")
        let start = bytes.count
        outline.forEach(in: 0) { node in
            if bytes.count > start { bytes.append(",") }
            if outline.isKey(node, "timestamp") {
                append("timestamp", entry.timestamp, of: entry, to: &bytes)
            } else if outline.isKey(node, "receiveTimestamp") {
                append("receiveTimestamp", entry.receiveTimestamp, of: entry, to: &bytes)
            } else {
                let isOfUser = outline.isKey(node, "labels") || outline.isKey(node, "jsonPayload")
                appendKey(of: node, isOfUser: false, to: &bytes)
                appendValue(node, isOfUser: isOfUser, to: &bytes)
            }
        }
        bytes.append(form == .query ? "}" : "}\n")
        return 1
    }

    mutating func end(_ bytes: inout [UInt8]) {
        if form == .query { bytes.append("]\n") }
    }

    private func append(_ column: String, _ time: Instant?, of entry: LogEntry, to bytes: inout [UInt8]) {
        guard let time else { return }
        bytes.append("\"\(column)\":")
        switch form {
        case .extract:
            bytes.append("\"")
            bytes.append(microseconds: time, separator: " ", zone: " UTC")
            bytes.append("\"")
        case .query:
            let isNumber = entry.insertID.high & 1 == 1
            if !isNumber { bytes.append("\"") }
            bytes.append(epoch: time, isScientific: entry.insertID.high & 2 == 2)
            if !isNumber { bytes.append("\"") }
        }
    }

    private func appendKey(of node: Int, isOfUser: Bool, to bytes: inout [UInt8]) {
        bytes.append("\"")
        let key = document.outline.bytes[document.outline.nodes[node].key]
        if isOfUser { bytes.append(column: key) } else { bytes.append(contentsOf: key) }
        bytes.append("\":")
    }

    private func appendValue(_ node: Int, isOfUser: Bool, to bytes: inout [UInt8]) {
        let outline = document.outline
        let value = outline.nodes[node]
        switch value.kind {
        case .scalar: appendScalar(outline.bytes[value.text], to: &bytes)
        case .object, .array:
            let isObject = value.kind == .object
            bytes.append(isObject ? "{" : "[")
            let start = bytes.count
            outline.forEach(in: node) { child in
                if bytes.count > start { bytes.append(",") }
                if isObject { appendKey(of: child, isOfUser: isOfUser, to: &bytes) }
                appendValue(child, isOfUser: isOfUser, to: &bytes)
            }
            bytes.append(isObject ? "}" : "]")
        }
    }

    private func appendScalar(_ scalar: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        let isInteger = scalar.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        if isInteger { bytes.append("\"") }
        for byte in scalar {
            switch byte {
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
                guard form == .extract else { fallthrough }
                bytes.append("\\u00")
                bytes.append(hexadecimal: UInt64(byte), digits: 2)
            default: bytes.append(byte)
            }
        }
        if isInteger { bytes.append("\"") }
    }
}

extension [UInt8] {
    /// Appends a column's name for a field of users.
    fileprivate mutating func append(column key: ArraySlice<UInt8>) {
        for byte in key {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): append(byte | 0x20)
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): append(byte)
            default: append(UInt8(ascii: "_"))
            }
        }
    }

    /// Appends seconds since 1970 with six decimals, plain or as `1.791984724715384E9`.
    fileprivate mutating func append(epoch time: Instant, isScientific: Bool) {
        let start = count
        append(decimal: UInt64(time.seconds))
        append(decimal: UInt64(time.nanoseconds / 1000), digits: 6)
        insert(UInt8(ascii: "."), at: isScientific ? start + 1 : count - 6)
        if isScientific { append("E9") }
    }
}
