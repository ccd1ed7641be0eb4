/// Writes one array on one line, as `jq -cs .` and many libraries do.
///
/// ```
/// [{"insertId":"3f…","jsonPayload":{…},…},{"labels":{…},"logName":"projects/demo-prod/logs/…",…},…]
/// ```
struct ArrayWriter: TransportWriter {
    let entries: LineWriter
    private var isFirst = true

    init(entries: LineWriter) {
        self.entries = entries
    }

    mutating func begin(_ bytes: inout [UInt8]) {
        bytes.append("[")
    }

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        entries.appendObject(entry, to: &bytes)
        return 1
    }

    mutating func end(_ bytes: inout [UInt8]) {
        bytes.append("]\n")
    }
}
