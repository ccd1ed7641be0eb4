/// Writes pretty-printed documents one behind the other, as `jq .` does.
///
/// ```
/// {
///   "insertId": "3f…",
///   "jsonPayload": {
///     "message": "Callable request verification passed",
/// …
/// }
/// {
///   "labels": {
/// ```
struct PrettyWriter: TransportWriter {
    var document: EntryDocument

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        document.read(entry)
        JSONLayout.indented.append(of: document.outline, to: &bytes)
        bytes.append(0x0A)
        return 1
    }
}
