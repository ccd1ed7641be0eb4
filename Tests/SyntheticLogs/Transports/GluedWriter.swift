/// Writes documents behind one another without any line feed in between, as `printf` and careless joins do.
///
/// ```
/// {"insertId":"3f…","jsonPayload":{…},…}{"labels":{…},"logName":"projects/demo-prod/logs/…",…}{"insertId":…
/// ```
struct GluedWriter: TransportWriter {
    let entries: LineWriter

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        entries.appendObject(entry, to: &bytes)
        return 1
    }
}
