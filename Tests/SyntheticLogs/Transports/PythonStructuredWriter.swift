/// Writes what a Python function's process prints with the structured handler of google-cloud-logging.
///
/// ```
/// {"message":"Callable request verification passed: {'app': 'VALID', …}}","severity":"INFO",
///  "logging.googleapis.com/labels":{"python_logger":"root"},"logging.googleapis.com/trace":"",
///  "logging.googleapis.com/spanId":"","logging.googleapis.com/trace_sampled":false,"httpRequest":{}}
/// ```
///
/// Source: google-cloud-logging for Python, `handlers/structured_log.py`.
struct PythonStructuredWriter: TransportWriter {
    private let messages = PythonMessage()

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        switch entry.payload {
        case .verification(let app, let auth):
            bytes.append(#"{"message":""#)
            bytes.append(contentsOf: messages[app, auth])
            bytes.append("\"")
        case .line(let line) where line.isObject:
            line.appendText(to: &bytes)
            bytes.removeLast()
        case .line(let line) where !line.isOfPlatform:
            bytes.append(#"{"message":""#)
            line.appendJSON(asASCII: true, to: &bytes)
            bytes.append("\"")
        case .line, .request: return 0
        }
        bytes.append(#","severity":""#)
        bytes.append(entry.severity.name ?? "INFO")
        bytes.append(#"","logging.googleapis.com/labels":{"python_logger":"root"},"#)
        bytes.append(#""logging.googleapis.com/trace":"","logging.googleapis.com/spanId":"","#)
        bytes.append(#""logging.googleapis.com/trace_sampled":false,"httpRequest":{}}"#)
        bytes.append("\n")
        return 1
    }
}
