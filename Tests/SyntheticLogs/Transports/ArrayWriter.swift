/// Writes one array on one line, as `jq -cs .` and many libraries do.
///
/// ```
/// [{"insertId":"3f…","jsonPayload":{…},…},{"labels":{…},"logName":"projects/demo-prod/logs/…",…},…]
/// ```
struct ArrayWriter: TransportWriter {
    let entries: LineWriter
    private var frame = ArrayFrame(isIndented: false, ending: .bracketAndLineFeed)

    init(entries: LineWriter) {
        self.entries = entries
    }

    mutating func begin(_ bytes: inout [UInt8]) {
        frame.begin(&bytes)
    }

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        frame.beginElement(&bytes)
        entries.appendObject(entry, to: &bytes)
        return 1
    }

    mutating func end(_ bytes: inout [UInt8]) {
        frame.end(&bytes)
    }
}
