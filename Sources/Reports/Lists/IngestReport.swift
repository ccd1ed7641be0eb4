package import Verifications

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

package struct IngestReport: ListReport, Sendable {
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

    package var total: InputSummary { inputs.reduce(into: InputSummary()) { $0.merge($1.summary) } }

    /// A line for each input, and their sum; many files that are passed again every night share one.
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
            .map { row($0.summary, "\(name: $0.name)\($0.remark)\($0.summary.unreadRemark)") }
        if isFolded {
            let sum = known.reduce(into: InputSummary()) { $0.merge($1.summary) }
            rows.append(row(sum, "\(Figures.grouped(known.count)) inputs already known, unchanged\(sum.unreadRemark)"))
        }
        let count = Figures.counted(inputs.count, "input")
        rows.append(row(total, "\(count) \(isDryRun ? "for" : "into") \(name: store)\(total.unreadRemark)"))
        let numbers = [isDryRun ? "would add" : "added", "known", "too old", "records"]
        Document(blocks: [.table(Table(numbers: numbers, words: ["input"], rows: rows))]).writeLines(to: &sink)
    }

    package func writeJSON(to sink: inout some TextOutputStream) {
        JSONWriter.write("callcheck.ingest/2", to: &sink) { json, sink in
            json.add(["store": store, "dryRun": isDryRun])
            json.object(.inline, key: "totals") { $0.addStoredCounts(of: total) }
            json.array(.lines, key: "inputs") { json in
                for input in inputs {
                    json.object(.lines) { json in
                        json.add([
                            "source": input.name, "number": input.number, "replaced": input.replaced,
                            "copyOf": input.original,
                        ])
                        json.object(.inline, key: "counts") { $0.addStoredCounts(of: input.summary) }
                        json.addProblems(of: input.summary, namingSources: false)
                    }
                    json.drain(into: &sink)
                }
            }
        }
    }
}

extension IngestedInput {
    fileprivate var remark: String {
        if let replaced { return " (repairs input \(replaced))" }
        if let original, !summary.faults.isEmpty { return " (a damaged copy of input \(original))" }
        guard let number, isKnown, !damage.isEmpty else { return damage }
        return "\(damage.dropLast()), known as input \(number))"
    }

    var damage: String {
        if summary.faults.contains(.unopened) { return " (cannot be opened)" }
        if summary.faults.contains(.unsupported) { return " (not a log)" }
        if summary.faults.contains(.tooManyFunctions) { return " (too many functions)" }
        if summary.faults.contains(.readError) { return " (reading stopped early)" }
        return summary.faults.contains(.damaged) ? " (damaged)" : ""
    }
}

extension InputSummary {
    fileprivate var unreadRemark: String {
        guard !unread.isEmpty else { return "" }
        return unread.total.map { ", up to \(Figures.counted($0, "request")) not read" } ?? ", a part of it not read"
    }
}

extension JSONWriter {
    mutating func addStoredCounts(of summary: InputSummary) {
        addCounts(of: summary, verifications: "added", duplicates: "known", filtered: "tooOld")
    }
}
