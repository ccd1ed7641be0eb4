package import Verifications

/// A report that is printed as a table or as JSON.
package protocol ListReport {
    func writeTable(to sink: inout some TextOutputStream)
    func writeJSON(to sink: inout some TextOutputStream)
}

package struct StoreListing: ListReport, Sendable {
    package struct Input: Sendable {
        package var name: String
        /// As stored, in bytes.
        package var size: Int?
        package var modified: Instant?
        package var addedAt: Instant
        package var summary: InputSummary
        /// Verifications of days that are kept, copies among them.
        package var verifications: Int
        /// True when none of its days is kept any more.
        package var isGone: Bool

        package init(
            name: String, size: Int?, modified: Instant?, addedAt: Instant, summary: InputSummary, verifications: Int,
            isGone: Bool
        ) {
            (self.name, self.size, self.modified, self.addedAt) = (name, size, modified, addedAt)
            (self.summary, self.verifications, self.isGone) = (summary, verifications, isGone)
        }
    }

    package var store: String
    package var bytes = 0
    package var functions = 0
    package var retentionDays = 0
    /// Entries of earlier days of these projects are not added.
    package var firstDays: [(project: String, day: Day)] = []
    package var days: [(day: Day, verifications: Int, functions: Int)] = []
    package var dayless = 0
    package var inputs: [Input] = []
    /// True to list each input, however many there are.
    package var listsAll = false

    /// More intact inputs share a line for each day on which they were added.
    private static let mostListed = 20

    package init(store: String) { self.store = store }

    private var verifications: Int { days.reduce(dayless) { $0 + $1.verifications } }

    package func writeTable(to sink: inout some TextOutputStream) {
        let counts = "\(Figures.counted(verifications, "request")) of \(Figures.counted(functions, "function"))"
        var lines: [Wording] = [
            "\(name: store): \(counts), \(Figures.bytes(bytes))",
            "Kept: \(Figures.counted(retentionDays, "day")) before the newest day of a project.",
        ]
        lines += firstDays.map { "\(name: $0.project): entries before \($0.day.description) are ignored." }
        if dayless > 0 { lines.append("\(Figures.counted(dayless, "request")) without a day.") }
        var document = Document(blocks: lines.map { .paragraph($0) })
        if !days.isEmpty { document.add([.table(dayTable)]) }
        if !inputs.isEmpty { document.add([.table(inputTable)]) }
        if isFolded { document.add([.paragraph("\(code: "--limit all") lists each input.")]) }
        document.writeLines(to: &sink)
    }

    private var dayTable: Table {
        Table(
            numbers: ["day", "requests", "functions"],
            rows: days.map { day in
                [.words("\(day.day.description)"), .number(day.verifications), .number(day.functions)]
            })
    }

    private var isFolded: Bool { !listsAll && inputs.count > StoreListing.mostListed }

    private var inputTable: Table {
        let folded = isFolded ? inputs.filter { !$0.hasRemark } : []
        let days = Dictionary(grouping: folded, by: \.addedAt.day).sorted { $0.key < $1.key }
        func sum(_ rows: [Input], _ count: (Input) -> Int) -> Int { rows.reduce(0) { $0 + count($1) } }
        func cells(_ rows: [Input], _ name: Wording) -> [Table.Cell] {
            let sizes = rows.compactMap(\.size)
            return [
                .words("\(sizes.isEmpty ? "" : Figures.bytes(sizes.reduce(0, +)))"),
                .number(sum(rows, \.summary.records)), .number(sum(rows, \.verifications)), .words(name),
            ]
        }
        return Table(
            numbers: ["first seen (UTC)", "size", "records", "requests"], words: ["input"],
            rows: days.map { day, rows in
                [.words("\(day.description)")] + cells(rows, "\(Figures.counted(rows.count, "input"))")
            }
                + inputs.filter { !isFolded || $0.hasRemark }.map { row in
                    [.words("\(row.addedAt.day.description) \(CalendarText.clock(row.addedAt))")]
                        + cells([row], "\(name: row.name)\(row.remark)")
                })
    }

    package func writeJSON(to sink: inout some TextOutputStream) {
        JSONWriter.write("callcheck.store-list/1", to: &sink) { json, sink in
            json.add([
                "store": store, "bytes": bytes, "functions": functions, "verifications": verifications,
                "withoutDay": dayless, "retentionDays": retentionDays,
            ])
            json.objects("firstDays", firstDays) { ["project": $0.project, "date": $0.day] }
            json.objects("days", days) { day in
                ["date": day.day, "verifications": day.verifications, "functions": day.functions]
            }
            json.array(.lines, key: "inputs") { json in
                for row in inputs {
                    json.object(.lines) { json in
                        json.add([
                            "name": row.name, "bytes": row.size, "modified": row.modified, "firstSeen": row.addedAt,
                            "kept": !row.isGone, "records": row.summary.records, "verifications": row.verifications,
                            "unread": row.summary.unread.total,
                        ])
                        json.addProblems(of: row.summary, namingSources: false)
                    }
                    json.drain(into: &sink)
                }
            }
        }
    }
}

extension StoreListing.Input {
    fileprivate var hasRemark: Bool { !summary.damageRemark.isEmpty }
    fileprivate var remark: Wording { "\(summary.damageRemark)\(isGone ? " (too old)" : "")" }
}

/// The report on what was taken out of a store: old days, or unused space.
package struct UpkeepReport: ListReport, Sendable {
    private let store: String
    private let sentence: Wording
    private let schema: String
    private let members: [(key: String, value: Leaf)]

    /// The days before a date; in a dry run, the days that would be removed.
    package static func pruned(
        store: String, before: Day, days: Int, verifications: Int, inputs: Int, isDryRun: Bool
    ) -> UpkeepReport {
        var counts: Wording = "\(Figures.counted(days, "day")) (\(Figures.counted(verifications, "request")))"
        if inputs > 0 { counts = counts + " and \(Figures.counted(inputs, "input"))" }
        let (delete, are) = isDryRun ? ("Would delete", "would be") : ("Deleted", "are")
        return UpkeepReport(
            store: store,
            sentence: """
                \(delete) \(counts) from \(name: store). Entries before \(before.description) \(are) ignored from \
                \(isDryRun ? "then" : "now") on.
                """,
            schema: "callcheck.store-prune/1",
            members: [
                ("dryRun", .flag(isDryRun)), ("before", .day(before)), ("days", .number(days)),
                ("verifications", .number(verifications)), ("inputs", .number(inputs)),
            ])
    }

    package static func compacted(store: String, bytesBefore: Int, bytesAfter: Int) -> UpkeepReport {
        UpkeepReport(
            store: store,
            sentence: "\(name: store): \(Figures.bytes(bytesAfter)), \(Figures.bytes(bytesBefore)) before.",
            schema: "callcheck.store-compact/1",
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
