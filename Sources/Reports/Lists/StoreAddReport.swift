package import Verifications

package struct StoreAddReport: ListReport, Sendable {
    /// Up to this many inputs that the store already knew have a line each; more share one.
    private static let listedKnown = 5

    package var store: String
    /// True when nothing was written: what would be added.
    package var isDryRun: Bool
    package var inputs: [AddedInput] = []
    /// The number of deleted days, which are older than the store keeps them, and that of their verifications.
    package var deletedDays = 0
    package var deletedVerifications = 0

    package init(store: String, isDryRun: Bool) {
        self.store = store
        self.isDryRun = isDryRun
    }

    package var total: InputSummary { inputs.reduce(into: InputSummary()) { $0.merge($1.summary) } }

    /// A line for each input, and their sum; many files that are passed again every night share one.
    package func writeTable(to sink: inout some TextOutputStream) {
        func row(_ summary: InputSummary, _ days: Int?, _ text: Wording) -> [Table.Cell] {
            [
                .number(summary.records), days.map { .number($0) } ?? .empty, .number(summary.verifications),
                .number(summary.duplicates), .number(summary.filtered), .words(text),
            ]
        }
        let known = inputs.filter(\.isKnownAndWhole)
        let isFolded = known.count > StoreAddReport.listedKnown
        var rows = inputs.filter { !(isFolded && $0.isKnownAndWhole) }
            .map { row($0.summary, $0.days, "\(name: $0.name)\($0.remark)\($0.summary.unreadRemark)") }
        if isFolded {
            let sum = known.reduce(into: InputSummary()) { $0.merge($1.summary) }
            rows.append(
                row(sum, nil, "\(Figures.grouped(known.count)) inputs already known, unchanged\(sum.unreadRemark)"))
        }
        let count = Figures.counted(inputs.count, "input")
        rows.append(row(total, nil, "\(count) \(isDryRun ? "for" : "into") \(name: store)\(total.unreadRemark)"))
        let numbers = ["records", "days", isDryRun ? "would add" : "added", "known", "too old"]
        var document = Document(blocks: [.table(Table(numbers: numbers, words: ["input"], rows: rows))])
        if deletedDays > 0 {
            document.add([
                .paragraph(
                    """
                    \(Figures.counted(deletedDays, "day")) (\(Figures.counted(deletedVerifications, "request"))) \
                    \(isDryRun ? "would be" : deletedDays == 1 ? "was" : "were") deleted: older than the store keeps them.
                    """)
            ])
        }
        document.writeLines(to: &sink)
    }

    package func writeJSON(to sink: inout some TextOutputStream) {
        JSONWriter.write("callcheck.store-add/1", to: &sink) { json, sink in
            json.add(["store": store, "dryRun": isDryRun])
            json.object(.inline, key: "totals") { $0.addStoredCounts(of: total) }
            json.object("deleted", ["days": deletedDays, "verifications": deletedVerifications])
            json.array(.lines, key: "inputs") { json in
                for input in inputs {
                    json.object(.lines) { json in
                        json.add([
                            "source": input.name, "known": input.isKnown, "days": input.days,
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

extension AddedInput {
    fileprivate var isKnownAndWhole: Bool { isKnown && summary.damageRemark.isEmpty }

    fileprivate var remark: Wording {
        let damage = summary.damageRemark
        return isKnown && !damage.isEmpty ? "\(damage.dropLast().description), already known)" : "\(damage)"
    }
}

extension InputSummary {
    var damageRemark: String {
        if faults.contains(.unopened) { return " (cannot be opened)" }
        if faults.contains(.unsupported) { return " (not a log)" }
        if faults.contains(.tooManyFunctions) { return " (too many functions)" }
        if faults.contains(.readError) { return " (reading stopped early)" }
        return faults.contains(.damaged) ? " (damaged)" : ""
    }

    fileprivate var unreadRemark: String {
        guard !unread.isEmpty else { return "" }
        return unread.total.map { ", up to \(Figures.counted($0, "request")) not read" } ?? ", a part of it not read"
    }
}

extension JSONWriter {
    fileprivate mutating func addStoredCounts(of summary: InputSummary) {
        addCounts(of: summary, verifications: "added", duplicates: "known", filtered: "tooOld")
    }
}
