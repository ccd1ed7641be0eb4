package import Verifications

/// What a history holds, for those who look after it.
package struct StoreListing: Sendable {
    /// Names the schema; a changed schema gets a new number.
    package static let schema = "callcheck.history/2"

    /// One day, of all functions together.
    package struct DayRow: Sendable {
        let day: Day
        let verifications: Int
        let functions: Int
        let fingerprints: Int

        package init(day: Day, verifications: Int, functions: Int, fingerprints: Int) {
            self.day = day
            self.verifications = verifications
            self.functions = functions
            self.fingerprints = fingerprints
        }
    }

    /// One input, and when it was first added.
    package struct InputRow: Sendable {
        let input: IngestedInput
        let firstSeen: Instant
        let size: Int?
        let replacedBy: Int?

        package init(_ input: IngestedInput, firstSeen: Instant, size: Int?, replacedBy: Int?) {
            self.input = input
            self.firstSeen = firstSeen
            self.size = size
            self.replacedBy = replacedBy
        }
    }

    package var store: String
    package var bytes = 0
    package var functions = 0
    package var retentionDays = 0
    /// Entries from days before this one are no longer added.
    package var sealedBefore: Day?
    package var days: [DayRow] = []
    /// Verifications that have no day.
    package var dayless = 0
    package var inputs: [InputRow] = []

    package init(store: String) {
        self.store = store
    }

    private var verifications: Int { days.reduce(dayless) { $0 + $1.verifications } }

    /// Writes the state of the store, then its days, then its inputs.
    package func writeTable(to sink: inout some TextOutputStream) {
        var document = Document(title: ["\(name: store)"])
        let counts = "\(Figures.counted(verifications, "verification")) of \(Figures.counted(functions, "function"))"
        var lines: [Wording] = [
            "\(name: store): \(counts), \(Figures.bytes(bytes))",
            "Fingerprints of the newest day and of the \(Figures.counted(retentionDays, "day")) before it are kept.",
        ]
        if let sealedBefore { lines.append("Entries before \(sealedBefore.description) are not added any more.") }
        if dayless > 0 { lines.append("\(Figures.counted(dayless, "verification")) without a day.") }
        document.add(lines.map { .paragraph($0) })
        if !days.isEmpty { document.add([.table(dayTable)]) }
        if !inputs.isEmpty { document.add([.table(inputTable)]) }
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

    private var inputTable: Table {
        let intact = Set(inputs.filter { $0.input.summary.faults.isEmpty }.compactMap(\.input.number))
        return Table(
            numbers: ["number", "first seen (UTC)", "size", "records", "added", "known", "too old"], words: ["input"],
            rows: inputs.map { row in
                let summary = row.input.summary
                return [
                    .words("\(row.input.number.map(String.init) ?? "")"),
                    .words("\(row.firstSeen.day.description) \(CalendarText.clock(row.firstSeen))"),
                    .words("\(row.size.map(Figures.bytes) ?? "")"), .number(summary.records),
                    .number(summary.verifications), .number(summary.duplicates), .number(summary.filtered),
                    .words("\(name: row.input.name)\(row.remark(intact: intact))"),
                ]
            })
    }

    /// Writes the same for programs.
    package func writeJSON(to sink: inout some TextOutputStream) {
        var json = JSONWriter()
        json.object(.lines) { json in
            json.member("schema", StoreListing.schema)
            json.member("store", store)
            json.member("bytes", bytes)
            json.member("functions", functions)
            json.member("verifications", verifications)
            json.member("withoutDay", dayless)
            json.member("retentionDays", retentionDays)
            json.member("sealedBefore", sealedBefore?.description)
            json.array(.lines, key: "days") { json in
                for day in days {
                    json.object(.inline) { json in
                        json.member("date", day.day.description)
                        json.member("verifications", day.verifications)
                        json.member("functions", day.functions)
                        json.member("fingerprints", day.fingerprints)
                    }
                }
            }
            json.array(.lines, key: "inputs") { json in
                for row in inputs {
                    json.object(.lines) { $0.add(row) }
                    json.drain(into: &sink)
                }
            }
        }
        json.drain(into: &sink)
    }
}

extension StoreListing.InputRow {
    /// What was wrong with it, and which complete input repairs it.
    fileprivate func remark(intact: Set<Int>) -> String {
        guard let replacedBy else { return input.damage }
        let relation = intact.contains(replacedBy) ? "repaired by input \(replacedBy)" : "see input \(replacedBy)"
        return input.damage.isEmpty ? " (\(relation))" : "\(input.damage.dropLast()), \(relation))"
    }
}

extension JSONWriter {
    fileprivate mutating func add(_ row: StoreListing.InputRow) {
        member("number", row.input.number)
        member("name", row.input.name)
        member("bytes", row.size)
        member("firstSeen", row.firstSeen.description)
        member("replacedBy", row.replacedBy)
        object(.inline, key: "counts") { $0.addCounts(of: row.input.summary) }
        addProblems(of: row.input.summary)
    }
}
