/// Writes what a Python function's process prints: lines of `logging.basicConfig`.
///
/// ```
/// WARNING:root:Callable request verification failed: $[('AppCheck token was rejected.', {'app': 'INVALID', …})]
/// INFO:root:Loaded profile of … in 12 ms
/// ```
struct PythonLinesWriter: TransportWriter {
    private let messages = PythonMessage()

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        let start = bytes.count
        bytes.append(entry.severity.name ?? "INFO")
        bytes.append(":root:")
        switch entry.payload {
        case .verification(let app, let auth): bytes.append(contentsOf: messages[app, auth])
        case .line(let line) where !line.isOfPlatform: line.appendText(to: &bytes)
        case .line, .request:
            bytes.removeLast(bytes.count - start)
            return 0
        }
        bytes.append("\n")
        return bytes[start...].count { $0 == 0x0A }
    }
}
