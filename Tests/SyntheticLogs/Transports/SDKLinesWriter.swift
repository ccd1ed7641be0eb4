/// Writes what a function's process prints: ``SDKLine`` after ``SDKLine``.
///
/// ```
/// {"logging.googleapis.com/trace":"projects/demo-prod/traces/…","severity":"INFO","message":"Loaded profile of …"}
/// {"verifications":{"app":"VALID","auth":"VALID"},"logging.googleapis.com/labels":{…},…}
/// ```
struct SDKLinesWriter: TransportWriter {
    let line: SDKLine

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        guard line.append(entry, to: &bytes) else { return 0 }
        bytes.append("\n")
        return 1
    }
}
