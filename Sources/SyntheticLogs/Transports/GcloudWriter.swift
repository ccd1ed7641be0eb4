/// Writes what `gcloud logging read --format=json` prints, and `gcloud logging tail` until it is interrupted.
///
/// ```
/// [
///   {
///     "insertId": "3f…",
///     "jsonPayload": {
///       "message": "Callable request verification passed",
/// …
///   },
///   {
///     "insertId": "b2…",
/// …
///   }
/// ]
/// ```
///
/// Keys are sorted. A tail never comes to its last bracket: Ctrl-C ends it behind an entry. An empty result is `[]`.
/// Source: the Google Cloud SDK, `googlecloudsdk/core/resource/json_printer.py`.
struct GcloudWriter: TransportWriter {
    var document: EntryDocument
    let isClosed: Bool
    private var isFirst = true

    init(document: EntryDocument, isClosed: Bool) {
        self.document = document
        self.isClosed = isClosed
    }

    mutating func begin(_ bytes: inout [UInt8]) {
        bytes.append("[")
    }

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        document.read(entry)
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        JSONLayout.breakLine(depth: 1, &bytes)
        JSONLayout.gcloud.append(of: document.outline, depth: 1, to: &bytes)
        return 1
    }

    mutating func end(_ bytes: inout [UInt8]) {
        guard isClosed else { return }
        bytes.append(isFirst ? "]\n" : "\n]\n")
    }
}
