/// Writes what Logs Explorer downloads as JSON: `downloaded-logs-20261014-235959.json`.
///
/// ```
/// [
///   {
///     "textPayload": "Loaded profile of …",
///     "insertId": "3f…",
/// …
///   }
/// ]
/// ```
///
/// Keys stand in the order of the entry, and no line feed ends the file.
struct ExplorerDownloadWriter: TransportWriter {
    var document: EntryDocument
    private var isFirst = true

    init(document: EntryDocument) {
        self.document = document
    }

    mutating func begin(_ bytes: inout [UInt8]) {
        bytes.append("[")
    }

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        document.read(entry)
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        JSONLayout.breakLine(depth: 1, &bytes)
        JSONLayout.indented.append(of: document.outline, depth: 1, to: &bytes)
        return 1
    }

    mutating func end(_ bytes: inout [UInt8]) {
        bytes.append(isFirst ? "]" : "\n]")
    }
}
