/// Writes entries of Python functions: the SDK's text is `textPayload`, or the `message` of a structured handler.
///
/// ```
/// {"insertId":"3f…","textPayload":"Callable request verification passed: {'app': 'VALID', …}}","resource":{…},…}
/// {"insertId":"b2…","jsonPayload":{"message":"Callable request verification failed: $[('AppCheck …"},…}
/// ```
///
/// No label marks such an entry. Which of the two it is depends on the bits of its `insertId`.
struct PythonTextWriter: TransportWriter {
    var document: EntryDocument
    private let messages = PythonMessage()

    init(document: EntryDocument) {
        self.document = document
    }

    mutating func append(_ entry: LogEntry, to bytes: inout [UInt8]) -> Int {
        document.read(entry)
        let outline = document.outline
        guard let (app, auth) = entry.verification else {
            outline.append(0, to: &bytes)
            bytes.append("\n")
            return 1
        }
        bytes.append("{")
        outline.forEach(in: 0) { node in
            if node > 1 { bytes.append(",") }
            if outline.isKey(node, "jsonPayload") {
                let isText = entry.insertID.low & 1 == 0
                bytes.append(isText ? #""textPayload":""# : #""jsonPayload":{"message":""#)
                bytes.append(contentsOf: messages[app, auth])
                bytes.append(isText ? "\"" : "\"}")
            } else if outline.isKey(node, "labels") {
                appendLabels(node, to: &bytes)
            } else {
                outline.appendMember(node, to: &bytes)
            }
        }
        bytes.append("}\n")
        return 1
    }

    private func appendLabels(_ node: Int, to bytes: inout [UInt8]) {
        bytes.append(#""labels":{"#)
        let start = bytes.count
        document.outline.forEach(in: node) { label in
            guard !document.outline.isKey(label, "firebase-log-type") else { return }
            if bytes.count > start { bytes.append(",") }
            document.outline.appendMember(label, to: &bytes)
        }
        bytes.append("}")
    }
}
