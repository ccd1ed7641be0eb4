package import Verifications

/// A report that is printed as a table or as JSON.
package protocol ListReport {
    func writeTable(to sink: inout some TextOutputStream)
    func writeJSON(to sink: inout some TextOutputStream)
}

package struct StoreListing: ListReport, Sendable {
    private let store: String
    private let contents: StoreContents
    private let listsAll: Bool

    /// More intact inputs share a line for each day on which they were added.
    private static let mostListed = 20

    package init(_ contents: StoreContents, of store: String, listsAll: Bool) {
        (self.store, self.contents, self.listsAll) = (store, contents, listsAll)
    }

    private typealias Input = StoreContents.Input

    private var verifications: Int { contents.days.reduce(contents.dayless) { $0 + $1.verifications } }

    package func writeTable(to sink: inout some TextOutputStream) {
        let functions = Figures.counted(contents.functions, "function")
        let counts = "\(Figures.counted(verifications, "request")) of \(functions)"
        var lines: [Wording] = [
            "\(name: store): \(counts), \(Figures.bytes(contents.bytes))",
            "Kept: \(Figures.counted(contents.retentionDays, "day")) before the newest day of a project.",
        ]
        lines += contents.firstDays.map { "\(name: $0.project): entries before \($0.day.description) are ignored." }
        if contents.dayless > 0 { lines.append("\(Figures.counted(contents.dayless, "request")) without a day.") }
        var document = Document(blocks: lines.map { .paragraph($0) })
        if !contents.days.isEmpty { document.add([.table(dayTable)]) }
        if !contents.inputs.isEmpty { document.add([.table(inputTable)]) }
        if isFolded { document.add([.paragraph("\(code: "--limit all") lists each input.")]) }
        document.writeLines(to: &sink)
    }

    private var dayTable: Table {
        Table(
            numbers: ["day", "requests", "functions"],
            rows: contents.days.map { day in
                [.words("\(day.day.description)"), .number(day.verifications), .number(day.functions)]
            })
    }

    private var isFolded: Bool { !listsAll && contents.inputs.count > StoreListing.mostListed }

    private var inputTable: Table {
        let folded = isFolded ? contents.inputs.filter { !$0.hasRemark } : []
        let days = Dictionary(grouping: folded, by: \.addedAt.day).sorted { $0.key < $1.key }
        func sum(_ rows: [Input], _ count: (Input) -> Int) -> Int { rows.reduce(0) { $0 + count($1) } }
        func cells(_ rows: [Input], _ name: Wording) -> [Table.Cell] {
            let sizes = rows.compactMap(\.file.size)
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
                + contents.inputs.filter { !isFolded || $0.hasRemark }.map { row in
                    [.words("\(row.addedAt.day.description) \(CalendarText.clock(row.addedAt))")]
                        + cells([row], "\(name: row.file.name)\(row.remark)")
                })
    }

    package func writeJSON(to sink: inout some TextOutputStream) {
        JSONWriter.write("callcheck.store-list/1", to: &sink) { json, sink in
            json.add([
                "store": store, "bytes": contents.bytes, "functions": contents.functions,
                "verifications": verifications, "withoutDay": contents.dayless,
                "retentionDays": contents.retentionDays,
            ])
            json.objects("firstDays", contents.firstDays) { ["project": $0.project, "date": $0.day] }
            json.objects("days", contents.days) { day in
                ["date": day.day, "verifications": day.verifications, "functions": day.functions]
            }
            json.array(.lines, key: "inputs") { json in
                for row in contents.inputs {
                    json.object(.lines) { json in
                        json.add([
                            "name": row.file.name, "bytes": row.file.size, "modified": row.file.modified,
                            "firstSeen": row.addedAt,
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

extension StoreContents.Input {
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
