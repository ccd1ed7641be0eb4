import Verifications

/// Writes a line as the SDK for Node gives it to standard output, before any logging agent has taken it apart.
///
/// ```
/// {"verifications":{"app":"VALID","auth":"VALID"},"logging.googleapis.com/labels":{"firebase-log-type":
///  "callable-request-verification"},"logging.googleapis.com/trace":"projects/demo-prod/traces/…",
///  "severity":"DEBUG","message":"Callable request verification passed"}
/// ```
///
/// It says neither when nor where: time and function are what the agent adds.
struct SDKLine {
    private let projects: [String]

    init(deployments: [Deployment]) {
        projects = deployments.map(\.identity.project)
    }

    /// Appends a line without its line feed.
    ///
    /// - Returns: False for what a function's process does not write: requests, and lines of the platform.
    func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Bool {
        switch entry.payload {
        case .verification(let app, let auth):
            bytes.append(#"{"verifications":{"app":""#)
            bytes.append(SDKMessage.spelling(app))
            bytes.append(#"","auth":""#)
            bytes.append(SDKMessage.spelling(auth))
            bytes.append(#""},"logging.googleapis.com/labels":{"firebase-log-type":"callable-request-verification"},"#)
            appendTrace(of: entry, to: &bytes)
            appendSeverity(of: entry, to: &bytes)
            bytes.append(#","message":""#)
            bytes.append(SDKMessage.text(app, auth))
            bytes.append(#""}"#)
        case .line(let line) where line.isObject:
            bytes.append("{")
            appendSeverity(of: entry, to: &bytes)
            bytes.append(",")
            let start = bytes.count
            line.appendText(to: &bytes)
            bytes.remove(at: start)
        case .line(let line):
            guard !line.isOfPlatform else { return false }
            bytes.append("{")
            appendTrace(of: entry, to: &bytes)
            appendSeverity(of: entry, to: &bytes)
            bytes.append(#","message":""#)
            line.appendJSON(asASCII: false, to: &bytes)
            bytes.append(#""}"#)
        case .request: return false
        }
        return true
    }

    private func appendSeverity(of entry: LogEntry, to bytes: inout [UInt8]) {
        bytes.append(#""severity":""#)
        bytes.append(entry.severity.name ?? "INFO")
        bytes.append("\"")
    }

    private func appendTrace(of entry: LogEntry, to bytes: inout [UInt8]) {
        guard let trace = entry.trace else { return }
        bytes.append(#""logging.googleapis.com/trace":"projects/"#)
        bytes.append(projects[entry.deployment])
        bytes.append("/traces/")
        bytes.append(hexadecimal: trace.high, digits: 16)
        bytes.append(hexadecimal: trace.low, digits: 16)
        bytes.append(#"","#)
    }
}
