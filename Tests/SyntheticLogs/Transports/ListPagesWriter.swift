/// Writes the answers of `entries.list`, one page behind the other.
///
/// ```
/// {
///   "entries": [
///     {
///       "insertId": "3f…",
/// …
///     }
///   ],
///   "nextPageToken": "EAE4page1"
/// }
/// {
///   "nextPageToken": "EAE4page2"
/// }
/// ```
///
/// A page that found nothing has no `entries`, and the last one no token; it may be `{}`.
/// Source: <https://cloud.google.com/logging/docs/reference/v2/rest/v2/entries/list>.
struct ListPagesWriter: TransportWriter {
    var document: EntryDocument
    private var entriesOnPage = 0
    private var page: UInt64 = 1

    init(document: EntryDocument) {
        self.document = document
    }

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        document.read(entry)
        bytes.append(entriesOnPage == 0 ? "{\n  \"entries\": [" : ",")
        JSONLayout.breakLine(depth: 2, &bytes)
        JSONLayout.indented.append(of: document.outline, depth: 2, to: &bytes)
        entriesOnPage += 1
        if entriesOnPage == 30 + Int(page % 7) * 10 { turnPage(&bytes) }
        return 1
    }

    mutating func end(_ bytes: inout [UInt8]) {
        bytes.append(entriesOnPage == 0 ? "{}\n" : "\n  ]\n}\n")
    }

    private mutating func turnPage(_ bytes: inout [UInt8]) {
        bytes.append("\n  ],")
        endWithToken(&bytes)
        // A search over a long time answers with empty pages on the way.
        if page % 3 == 0 {
            bytes.append(UInt8(ascii: "{"))
            endWithToken(&bytes)
        }
        entriesOnPage = 0
    }

    private mutating func endWithToken(_ bytes: inout [UInt8]) {
        bytes.append("\n  \"nextPageToken\": \"EAE4page")
        bytes.append(decimal: page)
        bytes.append("\"\n}\n")
        page += 1
    }
}
