/// Writes one array over many lines: what `gcloud logging read --format=json` prints, `gcloud logging tail` until it is
/// interrupted, and what Logs Explorer downloads as JSON (`downloaded-logs-20261014-235959.json`).
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
/// `gcloud` sorts the keys; a tail never reaches its last bracket, because Ctrl-C ends it after an entry. In a download
/// they are in the order of the entry, and no line feed ends the file. An empty result is `[]`. Source: the Google
/// Cloud SDK, `googlecloudsdk/core/resource/json_printer.py`.
struct IndentedArrayWriter: TransportWriter {
    private var document: EntryDocument
    private let layout: JSONLayout
    private var frame: ArrayFrame

    init(document: EntryDocument, layout: JSONLayout, ending: ArrayFrame.Ending) {
        self.document = document
        self.layout = layout
        frame = ArrayFrame(isIndented: true, ending: ending)
    }

    mutating func begin(_ bytes: inout [UInt8]) {
        frame.begin(&bytes)
    }

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        document.read(entry)
        frame.beginElement(&bytes)
        layout.append(of: document.outline, depth: 1, to: &bytes)
        return 1
    }

    mutating func end(_ bytes: inout [UInt8]) {
        frame.end(&bytes)
    }
}
