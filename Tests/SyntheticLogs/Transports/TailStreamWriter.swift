/// Writes the stream of `entries:tail` over REST: an array of pages, some of which say what was left out.
///
/// ```
/// [{
///   "entries": [
///     {
///       "insertId": "3f…",
/// …
///     }
///   ]
/// }
/// ,
/// {
///   "suppressionInfo": [
///     {
///       "reason": "RATE_LIMIT",
///       "suppressedCount": 5
///     }
///   ]
/// }
/// ]
/// ```
///
/// Source: <https://cloud.google.com/logging/docs/reference/v2/rest/v2/entries/tail>.
struct TailStreamWriter: TransportWriter {
    var document: EntryDocument
    private var pages = 0
    private var entriesOnPage = 0

    init(document: EntryDocument) {
        self.document = document
    }

    mutating func begin(_ bytes: inout [UInt8]) {
        bytes.append("[")
    }

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        document.read(entry)
        if entriesOnPage == 0 {
            beginPage(&bytes)
            bytes.append("\n  \"entries\": [")
        } else {
            bytes.append(",")
        }
        JSONLayout.breakLine(depth: 2, &bytes)
        JSONLayout.indented.append(of: document.outline, depth: 2, to: &bytes)
        entriesOnPage += 1
        // The few entries of some seconds.
        if entriesOnPage == 1 + pages % 5 { endPage(&bytes) }
        return 1
    }

    mutating func end(_ bytes: inout [UInt8]) {
        if entriesOnPage > 0 { endPage(&bytes) }
        bytes.append("]\n")
    }

    private mutating func beginPage(_ bytes: inout [UInt8]) {
        bytes.append(pages == 0 ? "{" : ",\n{")
        pages += 1
    }

    private mutating func endPage(_ bytes: inout [UInt8]) {
        bytes.append("\n  ]")
        if pages % 11 == 0 { appendSuppression(&bytes, behindEntries: true) }
        bytes.append("\n}\n")
        entriesOnPage = 0
        guard pages % 17 == 0 else { return }
        beginPage(&bytes)
        appendSuppression(&bytes, behindEntries: false)
        bytes.append("\n}\n")
    }

    private func appendSuppression(_ bytes: inout [UInt8], behindEntries: Bool) {
        if behindEntries { bytes.append(",") }
        bytes.append("\n  \"suppressionInfo\": [\n    {\n      \"reason\": \"RATE_LIMIT\",")
        bytes.append("\n      \"suppressedCount\": 5\n    }\n  ]")
    }
}
