/// One entry in the JSON of Cloud Logging, outlined for writers that lay it out anew.
struct EntryDocument {
    private let writer: LineWriter
    private(set) var outline = JSONOutline()

    init(_ deployments: [Deployment]) {
        writer = LineWriter(deployments: deployments)
    }

    /// Takes the next entry.
    mutating func read(_ entry: LogEntry) {
        outline.replace { writer.appendObject(entry, to: &$0) }
    }

    /// What the entry says: the value of `jsonPayload` or `textPayload`; nil for a request.
    var payload: (node: Int, isObject: Bool)? {
        if let node = outline.child("jsonPayload") { return (node, true) }
        return outline.child("textPayload").map { ($0, false) }
    }
}
