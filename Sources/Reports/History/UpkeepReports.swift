package import Verifications

/// What was taken out of a history.
package struct PruneReport: Sendable {
    /// Names the shape; another shape gets another number.
    package static let schema = "callcheck.prune/2"

    private let store: String
    private let before: Day
    private let days: Int
    private let verifications: Int
    private let fingerprints: Int
    private let inputs: Int
    private let isDryRun: Bool

    package init(
        store: String, before: Day, days: Int, verifications: Int, fingerprints: Int, inputs: Int, isDryRun: Bool
    ) {
        self.store = store
        self.before = before
        self.days = days
        self.verifications = verifications
        self.fingerprints = fingerprints
        self.inputs = inputs
        self.isDryRun = isDryRun
    }

    package func writeTable(to sink: inout some TextOutputStream) {
        var counts: Wording = "\(Figures.counted(days, "day")) with \(Figures.counted(verifications, "verification"))"
        if inputs > 0 { counts = counts + ", and \(Figures.counted(inputs, "input"))," }
        let (drop, would) = isDryRun ? ("Would drop", "would not be") : ("Dropped", "are not")
        var document = Document(title: ["\(name: store)"])
        document.add([
            .paragraph(
                "\(drop) \(counts) from \(name: store). Entries before \(before.description) \(would) added any more.")
        ])
        document.writeLines(to: &sink)
    }

    /// Writes the same for programs.
    package func writeJSON(to sink: inout some TextOutputStream) {
        var json = JSONWriter()
        json.object(.lines) { json in
            json.member("schema", PruneReport.schema)
            json.member("store", store)
            json.member("dryRun", isDryRun)
            json.member("before", before.description)
            json.member("days", days)
            json.member("verifications", verifications)
            json.member("fingerprints", fingerprints)
            json.member("inputs", inputs)
        }
        json.drain(into: &sink)
    }
}

/// What was taken out of a history that nobody needs.
package struct CompactReport: Sendable {
    /// Names the shape; another shape gets another number.
    package static let schema = "callcheck.compact/1"

    private let store: String
    private let inputs: Int
    private let bytesBefore: Int
    private let bytesAfter: Int

    package init(store: String, inputs: Int, bytesBefore: Int, bytesAfter: Int) {
        self.store = store
        self.inputs = inputs
        self.bytesBefore = bytesBefore
        self.bytesAfter = bytesAfter
    }

    package func writeTable(to sink: inout some TextOutputStream) {
        let repeated = inputs > 0 ? "\(Figures.counted(inputs, "input")) stood in the list already. " : ""
        var document = Document(title: ["\(name: store)"])
        document.add([
            .paragraph(
                "\(name: store): \(repeated)\(Figures.bytes(bytesAfter)), \(Figures.bytes(bytesBefore)) before.")
        ])
        document.writeLines(to: &sink)
    }

    /// Writes the same for programs.
    package func writeJSON(to sink: inout some TextOutputStream) {
        var json = JSONWriter()
        json.object(.lines) { json in
            json.member("schema", CompactReport.schema)
            json.member("store", store)
            json.member("inputs", inputs)
            json.member("bytesBefore", bytesBefore)
            json.member("bytesAfter", bytesAfter)
        }
        json.drain(into: &sink)
    }
}
