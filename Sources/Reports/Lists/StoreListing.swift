package import Verifications

/// What is printed as a table or as JSON.
package protocol ListReport {
    func writeTable(to sink: inout some TextOutputStream)
    func writeJSON(to sink: inout some TextOutputStream)
}

package struct StoreListing: ListReport, Sendable {
    package typealias DayRow = (day: Day, verifications: Int, functions: Int, fingerprints: Int)
    package typealias InputRow = (input: IngestedInput, firstSeen: Instant, size: Int?, replacedBy: Int?)

    package var store: String
    package var bytes = 0
    package var functions = 0
    package var retentionDays = 0
    /// Entries from days before this one are no longer added.
    package var sealedBefore: Day?
    package var days: [DayRow] = []
    package var dayless = 0
    package var inputs: [InputRow] = []
    /// True to list each input, however many there are.
    package var listsAll = false

    /// More intact inputs share a line for each day on which they were added.
    private static let mostListed = 20

    package init(store: String) { self.store = store }

    private var verifications: Int { days.reduce(dayless) { $0 + $1.verifications } }

    package func writeTable(to sink: inout some TextOutputStream) {
        let counts = "\(Figures.counted(verifications, "verification")) of \(Figures.counted(functions, "function"))"
        var lines: [Wording] = [
            "\(name: store): \(counts), \(Figures.bytes(bytes))",
            "Retention: \(Figures.counted(retentionDays, "day")) before the newest day.",
        ]
        if let sealedBefore { lines.append("Entries before \(sealedBefore.description) are ignored.") }
        if dayless > 0 { lines.append("\(Figures.counted(dayless, "verification")) without a day.") }
        var document = Document(blocks: lines.map { .paragraph($0) })
        if !days.isEmpty { document.add([.table(dayTable)]) }
        if !inputs.isEmpty { document.add([.table(inputTable)]) }
        if isFolded { document.add([.paragraph("\(code: "--limit all") lists each input.")]) }
        document.writeLines(to: &sink)
    }

    private var dayTable: Table {
        Table(
            numbers: ["day", "verifications", "functions", "fingerprints"],
            rows: days.map { day in
                [
                    .words("\(day.day.description)"), .number(day.verifications), .number(day.functions),
                    .number(day.fingerprints),
                ]
            })
    }

    private var isFolded: Bool { !listsAll && inputs.count > StoreListing.mostListed }

    private var inputTable: Table {
        let folded = isFolded ? inputs.filter { remark(on: $0).isEmpty } : []
        let days = Dictionary(grouping: folded, by: \.firstSeen.day).sorted { $0.key < $1.key }
        func cells(_ size: Int?, _ summary: InputSummary, _ name: Wording) -> [Table.Cell] {
            [
                .words("\(size.map(Figures.bytes) ?? "")"), .number(summary.records),
                .number(summary.verifications), .number(summary.duplicates), .number(summary.filtered), .words(name),
            ]
        }
        return Table(
            numbers: ["number", "first seen (UTC)", "size", "records", "added", "known", "too old"], words: ["input"],
            rows: days.map { day, rows in
                let sum = rows.reduce(into: InputSummary()) { $0.merge($1.input.summary) }
                return [.empty, .words("\(day.description)")]
                    + cells(rows.reduce(0) { $0 + ($1.size ?? 0) }, sum, "\(Figures.counted(rows.count, "input"))")
            }
                + inputs.filter { !isFolded || !remark(on: $0).isEmpty }.map { row in
                    [
                        .words("\(row.input.number.map(String.init) ?? "")"),
                        .words("\(row.firstSeen.day.description) \(CalendarText.clock(row.firstSeen))"),
                    ]
                        + cells(row.size, row.input.summary, "\(name: row.input.name)\(remark(on: row))")
                })
    }

    private func remark(on row: InputRow) -> String {
        let damage = row.input.damage
        guard let replacedBy = row.replacedBy else { return damage }
        let isIntact = inputs.contains { $0.input.number == replacedBy && $0.input.summary.faults.isEmpty }
        let relation = isIntact ? "repaired by input \(replacedBy)" : "see input \(replacedBy)"
        return damage.isEmpty ? " (\(relation))" : "\(damage.dropLast()), \(relation))"
    }

    package func writeJSON(to sink: inout some TextOutputStream) {
        JSONWriter.write("callcheck.history/2", to: &sink) { json, sink in
            json.add([
                "store": store, "bytes": bytes, "functions": functions, "verifications": verifications,
                "withoutDay": dayless, "retentionDays": retentionDays, "sealedBefore": sealedBefore,
            ])
            json.objects("days", days) { day in
                [
                    "date": day.day, "verifications": day.verifications, "functions": day.functions,
                    "fingerprints": day.fingerprints,
                ]
            }
            json.array(.lines, key: "inputs") { json in
                for row in inputs {
                    json.object(.lines) { json in
                        json.add([
                            "number": row.input.number, "name": row.input.name, "bytes": row.size,
                            "firstSeen": row.firstSeen, "replacedBy": row.replacedBy,
                        ])
                        json.object(.inline, key: "counts") { $0.addStoredCounts(of: row.input.summary) }
                        json.addProblems(of: row.input.summary, namingSources: false)
                    }
                    json.drain(into: &sink)
                }
            }
        }
    }
}

/// What was taken out of a store: old days, or unused space.
package struct UpkeepReport: ListReport, Sendable {
    private let store: String
    private let sentence: Wording
    private let schema: String
    private let members: [(key: String, value: Leaf)]

    /// The days before a date; in a dry run, the days that would be removed.
    package static func pruned(
        store: String, before: Day, days: Int, verifications: Int, fingerprints: Int, inputs: Int, isDryRun: Bool
    ) -> UpkeepReport {
        var counts: Wording = "\(Figures.counted(days, "day")) (\(Figures.counted(verifications, "verification")))"
        if inputs > 0 { counts = counts + " and \(Figures.counted(inputs, "input"))" }
        let (delete, are) = isDryRun ? ("Would delete", "would be") : ("Deleted", "are")
        return UpkeepReport(
            store: store,
            sentence: """
                \(delete) \(counts) from \(name: store). Entries before \(before.description) \(are) ignored from \
                \(isDryRun ? "then" : "now") on.
                """,
            schema: "callcheck.prune/2",
            members: [
                ("dryRun", .flag(isDryRun)), ("before", .day(before)), ("days", .number(days)),
                ("verifications", .number(verifications)), ("fingerprints", .number(fingerprints)),
                ("inputs", .number(inputs)),
            ])
    }

    package static func compacted(store: String, bytesBefore: Int, bytesAfter: Int) -> UpkeepReport {
        UpkeepReport(
            store: store,
            sentence: "\(name: store): \(Figures.bytes(bytesAfter)), \(Figures.bytes(bytesBefore)) before.",
            schema: "callcheck.compact/2",
            members: [("bytesBefore", .number(bytesBefore)), ("bytesAfter", .number(bytesAfter))])
    }

    package func writeTable(to sink: inout some TextOutputStream) {
        Document(blocks: [.paragraph(sentence)]).writeLines(to: &sink)
    }

    package func writeJSON(to sink: inout some TextOutputStream) {
        JSONWriter.write(schema, to: &sink) { json, _ in
            json.member("store", store)
            for member in members { json.member(member.key, member.value) }
        }
    }
}
