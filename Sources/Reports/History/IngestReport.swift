package import Verifications

/// What happened to one input given to a history.
package struct IngestedInput: Sendable {
    package var name: String
    /// What was read: its verifications were added, its duplicates were in the store, filtered ones were too old.
    package var summary: InputSummary
    /// The input's number in the store; nil when it was not added.
    package var number: Int?
    /// The damaged input that this copy of it repairs.
    package var replaced: Int?
    /// The input that this damaged one is a copy of.
    package var original: Int?
    /// True when the store had the same file already.
    package var isKnown: Bool

    package init(
        name: String, summary: InputSummary, number: Int? = nil, replaced: Int? = nil, original: Int? = nil,
        isKnown: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.number = number
        self.replaced = replaced
        self.original = original
        self.isKnown = isKnown
    }
}

/// What a run has added to a history.
package struct IngestReport: Sendable {
    /// Names the schema; a changed schema gets a new number.
    package static let schema = "callcheck.ingest/2"

    /// Up to this many files that the store already knew have a line each; more share one.
    private static let listedKnown = 5

    package var store: String
    /// True when nothing was written: what would be added.
    package var isDryRun: Bool
    package var inputs: [IngestedInput] = []

    package init(store: String, isDryRun: Bool) {
        self.store = store
        self.isDryRun = isDryRun
    }

    /// All that was read.
    package var total: InputSummary {
        inputs.reduce(into: InputSummary()) { $0.merge($1.summary) }
    }

    /// Writes a line for each input, and their sum; many files that are passed again every night share one.
    package func writeTable(to sink: inout some TextOutputStream) {
        func row(_ summary: InputSummary, _ text: Wording) -> [Table.Cell] {
            [
                .number(summary.verifications), .number(summary.duplicates), .number(summary.filtered),
                .number(summary.records), .words(text),
            ]
        }
        let known = inputs.filter { $0.isKnown && $0.remark.isEmpty }
        let isFolded = known.count > IngestReport.listedKnown
        var rows = inputs.filter { !(isFolded && $0.isKnown && $0.remark.isEmpty) }
            .map { row($0.summary, "\(name: $0.name)\($0.remark)") }
        if isFolded {
            let sum = known.reduce(into: InputSummary()) { $0.merge($1.summary) }
            rows.append(row(sum, "\(Figures.grouped(known.count)) inputs already known, unchanged"))
        }
        let count = Figures.counted(inputs.count, "input")
        rows.append(row(total, "\(count) \(isDryRun ? "for" : "into") \(name: store)"))
        let numbers = [isDryRun ? "would add" : "added", "known", "too old", "records"]
        var document = Document(title: ["\(name: store)"])
        document.add([.table(Table(numbers: numbers, words: ["input"], rows: rows))])
        document.writeLines(to: &sink)
    }

    /// Writes the same for programs.
    package func writeJSON(to sink: inout some TextOutputStream) {
        var json = JSONWriter()
        json.object(.lines) { json in
            json.member("schema", IngestReport.schema)
            json.member("store", store)
            json.member("dryRun", isDryRun)
            json.object(.inline, key: "totals") { $0.addCounts(of: total) }
            json.array(.lines, key: "inputs") { json in
                for input in inputs {
                    json.object(.lines) { json in
                        json.member("source", input.name)
                        json.member("number", input.number)
                        json.member("replaced", input.replaced)
                        json.member("copyOf", input.original)
                        json.object(.inline, key: "counts") { $0.addCounts(of: input.summary) }
                        json.addProblems(of: input.summary)
                    }
                    json.drain(into: &sink)
                }
            }
        }
        json.drain(into: &sink)
    }
}

extension IngestedInput {
    /// What is worth knowing besides the counts.
    fileprivate var remark: String {
        if let replaced {
            let repair = " (repairs input \(replaced))"
            return summary.faults.isEmpty ? repair : "\(damage.dropLast()), more of input \(replaced))"
        }
        if let original, !summary.faults.isEmpty { return " (a damaged copy of input \(original))" }
        guard let number, isKnown, !damage.isEmpty else { return damage }
        return "\(damage.dropLast()), known as input \(number))"
    }

    /// Why it could not be read in full.
    var damage: String {
        if summary.faults.contains(.unopened) { return " (cannot be opened)" }
        if summary.faults.contains(.unsupported) { return " (no log)" }
        if summary.faults.contains(.readError) { return " (reading stopped early)" }
        return summary.faults.contains(.damaged) ? " (damaged)" : ""
    }
}

extension JSONWriter {
    mutating func addCounts(of summary: InputSummary) {
        member("sources", summary.sources)
        member("bytesRead", summary.bytesRead)
        member("bytesDecompressed", summary.bytesDecompressed)
        member("records", summary.records)
        member("added", summary.verifications)
        member("known", summary.duplicates)
        member("tooOld", summary.filtered)
        member("ignored", summary.ignored)
        member("malformed", summary.malformed)
        member("oversized", summary.oversized)
        member("unexpected", summary.unexpected)
        member("undated", summary.undated)
    }

    mutating func addProblems(of summary: InputSummary) {
        array(.lines, key: "problems") { json in
            for problem in summary.problems.entries {
                json.object(.inline) { json in
                    json.member("kind", problem.kind.rawValue)
                    json.member("byteOffset", problem.byteOffset)
                    json.member("record", problem.record)
                    json.member("detail", problem.detail)
                }
            }
        }
    }
}
