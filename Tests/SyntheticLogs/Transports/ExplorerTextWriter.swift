import Verifications

/// Writes what Logs Explorer puts on the clipboard: a line that sums the entry up, then the entry.
///
/// ```
/// DEBUG 2026-10-14T13:32:04.715384Z Callable request verification passed
/// {
///   "insertId": "3f…",
///   "jsonPayload": {
///     "message": "Callable request verification passed",
/// …
/// }
/// ```
///
/// The line may have `> ` in front of it, and may be there twice. It shows the entry's message, the first line of
/// its text, or the request.
struct ExplorerTextWriter: TransportWriter {
    var document: EntryDocument

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        document.read(entry)
        if let time = entry.timestamp {
            let form = entry.insertID.low & 3
            appendSummary(of: entry, at: time, isMarked: form == 1, to: &bytes)
            if form == 2 { appendSummary(of: entry, at: time, isMarked: true, to: &bytes) }
        }
        JSONLayout.indented.append(of: document.outline, to: &bytes)
        bytes.append(0x0A)
        return 1
    }

    private func appendSummary(of entry: LogEntry, at time: Instant, isMarked: Bool, to bytes: inout [UInt8]) {
        if isMarked { bytes.append("> ") }
        bytes.append(entry.severity.name ?? "DEFAULT")
        bytes.append(UInt8(ascii: " "))
        bytes.append(time)
        bytes.append(UInt8(ascii: " "))
        switch entry.payload {
        case .verification(let app, let auth):
            bytes.append(SDKMessage.text(app, auth))
        case .line(let line):
            appendFirstLine(of: line, to: &bytes)
        case .request(let request):
            bytes.append(request.method.name)
            bytes.append(UInt8(ascii: " "))
            bytes.append(decimal: UInt64(request.status))
            bytes.append(" ")
            bytes.append(decimal: UInt64(request.responseSize))
            bytes.append(" B ")
            bytes.append(HTTPRequest.userAgents[request.userAgent])
        }
        bytes.append(0x0A)
    }

    private func appendFirstLine(of line: Line, to bytes: inout [UInt8]) {
        guard !line.isObject else {
            guard let payload = document.payload, let message = document.outline.child("message", of: payload.node)
            else { return }
            let text = document.outline.nodes[message].text
            bytes.append(contentsOf: document.outline.bytes[text.lowerBound + 1..<text.upperBound - 1])
            return
        }
        let start = bytes.count
        line.appendText(to: &bytes)
        let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
        bytes.removeLast(bytes.count - end)
    }
}
