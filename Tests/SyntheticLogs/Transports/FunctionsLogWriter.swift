import Verifications

/// Writes what `firebase functions:log` prints.
///
/// ```
/// 2026-10-14T13:32:04.715384Z D addmessage: {"message":"Callable request verification passed","verifications":{…}}
/// 2026-10-14T13:32:04.706Z I addmessage:
/// 2026-10-14T13:32:04.723Z W scanreceipt: Failed to validate AppCheck token. FirebaseAppCheckError: Decoding …
///     at AppCheckTokenVerifier.verifyToken (/workspace/node_modules/firebase-admin/lib/app-check/verifier.js)
/// ```
///
/// Time (`---` without one), first letter of the severity, name, and text or payload; a request says nothing. Text over
/// several lines is printed as it is. Source: firebase-tools, `src/functions/functionslog.ts`.
struct FunctionsLogWriter: TransportWriter {
    var document: EntryDocument
    let names: [String]

    init(deployments: [Deployment]) {
        document = EntryDocument(deployments)
        names = deployments.map(\.identity.name)
    }

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        if let time = entry.timestamp { bytes.append(time) } else { bytes.append("---") }
        bytes.append(" ")
        bytes.append(String(entry.severity.name?.first ?? "?"))
        bytes.append(" ")
        bytes.append(names[entry.deployment])
        bytes.append(": ")
        switch entry.payload {
        case .verification:
            document.read(entry)
            if let payload = document.payload { document.outline.append(payload.node, to: &bytes) }
        case .line(let line): line.appendText(to: &bytes)
        case .request: break
        }
        bytes.append("\n")
        return 1
    }
}
