package import Verifications

/// What was taken out of a history: old days, or what nobody needs.
package struct UpkeepReport: Sendable {
    private let store: String
    private let sentence: Wording
    /// Names the schema; a changed schema gets a new number.
    private let schema: String
    private let members: @Sendable (inout JSONWriter) -> Void

    /// The days before a date; in a dry run, the days that would be removed.
    package static func pruned(
        store: String, before: Day, days: Int, verifications: Int, fingerprints: Int, inputs: Int, isDryRun: Bool
    ) -> UpkeepReport {
        var counts: Wording = "\(Figures.counted(days, "day")) with \(Figures.counted(verifications, "verification"))"
        if inputs > 0 { counts = counts + ", and \(Figures.counted(inputs, "input"))," }
        let (drop, would) = isDryRun ? ("Would drop", "would not be") : ("Dropped", "are not")
        return UpkeepReport(
            store: store,
            sentence: """
                \(drop) \(counts) from \(name: store). Entries before \(before.description) \(would) added any more.
                """,
            schema: "callcheck.prune/2"
        ) { json in
            json.member("dryRun", isDryRun)
            json.member("before", before.description)
            json.member("days", days)
            json.member("verifications", verifications)
            json.member("fingerprints", fingerprints)
            json.member("inputs", inputs)
        }
    }

    /// Inputs that were listed more than once, and space that nothing used.
    package static func compacted(store: String, inputs: Int, bytesBefore: Int, bytesAfter: Int) -> UpkeepReport {
        let repeated = inputs > 0 ? "\(Figures.counted(inputs, "input")) stood in the list already. " : ""
        return UpkeepReport(
            store: store,
            sentence: "\(name: store): \(repeated)\(Figures.bytes(bytesAfter)), \(Figures.bytes(bytesBefore)) before.",
            schema: "callcheck.compact/1"
        ) { json in
            json.member("inputs", inputs)
            json.member("bytesBefore", bytesBefore)
            json.member("bytesAfter", bytesAfter)
        }
    }

    package func writeTable(to sink: inout some TextOutputStream) {
        var document = Document(title: ["\(name: store)"])
        document.add([.paragraph(sentence)])
        document.writeLines(to: &sink)
    }

    /// Writes the same for programs.
    package func writeJSON(to sink: inout some TextOutputStream) {
        var json = JSONWriter()
        json.object(.lines) { json in
            json.member("schema", schema)
            json.member("store", store)
            members(&json)
        }
        json.drain(into: &sink)
    }
}
