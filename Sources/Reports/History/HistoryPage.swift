public import Verifications

/// What a history holds, for whoever looks after it.
public struct HistoryPage: Sendable {
    /// Names the shape; another shape gets another number.
    public static let schema = "callcheck.history/2"

    /// One day, of all functions together.
    public struct Day: Sendable {
        let day: Verifications.Day
        let verifications: Int
        let functions: Int
        let fingerprints: Int

        public init(day: Verifications.Day, verifications: Int, functions: Int, fingerprints: Int) {
            self.day = day
            self.verifications = verifications
            self.functions = functions
            self.fingerprints = fingerprints
        }
    }

    /// One input, and when it was first added.
    public struct Input: Sendable {
        let input: IngestedInput
        let firstSeen: Instant
        let size: Int?
        let replacedBy: Int?

        public init(_ input: IngestedInput, firstSeen: Instant, size: Int?, replacedBy: Int?) {
            self.input = input
            self.firstSeen = firstSeen
            self.size = size
            self.replacedBy = replacedBy
        }
    }

    public var store: String
    public var bytes = 0
    public var functions = 0
    public var retentionDays = 0
    /// Entries of days before this one are not added any more.
    public var sealedBefore: Verifications.Day?
    public var days: [Day] = []
    /// Verifications that have no day.
    public var dayless = 0
    public var inputs: [Input] = []

    public init(store: String) {
        self.store = store
    }

    private var verifications: Int { days.reduce(dayless) { $0 + $1.verifications } }

    /// Writes the state of the store, then its days, then its inputs.
    public func writeTable(to sink: inout some TextOutputStream) {
        sink.write("\(DisplayText(name: store).text): \(Figures.counted(verifications, "verification")) of ")
        sink.write("\(Figures.counted(functions, "function")), \(Figures.bytes(bytes))\n")
        sink.write(
            "Fingerprints of the newest day and of the \(Figures.counted(retentionDays, "day")) before it are kept.\n")
        if let sealedBefore { sink.write("Entries before \(sealedBefore) are not added any more.\n") }
        if dayless > 0 { sink.write("\(Figures.counted(dayless, "verification")) without a day.\n") }
        if !days.isEmpty { writeDays(to: &sink) }
        if !inputs.isEmpty { writeInputs(to: &sink) }
    }

    private func writeDays(to sink: inout some TextOutputStream) {
        var table = PlainTable(numbers: ["day", "verifications", "functions", "fingerprints"], texts: [])
        for day in days {
            table.add(
                [day.day.description] + [day.verifications, day.functions, day.fingerprints].map(Figures.grouped))
        }
        sink.write("\n")
        table.write(to: &sink)
    }

    private func writeInputs(to sink: inout some TextOutputStream) {
        var table = PlainTable(
            numbers: ["number", "first seen (UTC)", "size", "records", "added", "known", "too old"], texts: ["input"])
        let intact = Set(inputs.filter { $0.input.summary.faults.isEmpty }.compactMap(\.input.number))
        for row in inputs {
            let summary = row.input.summary
            table.add(
                [
                    row.input.number.map(String.init) ?? "",
                    "\(row.firstSeen.day) \(CalendarText.clock(row.firstSeen))",
                    row.size.map(Figures.bytes) ?? "",
                ] + [summary.records, summary.verifications, summary.duplicates, summary.filtered].map(Figures.grouped)
                    + [DisplayText(name: row.input.name).text + row.remark(intact: intact)])
        }
        sink.write("\n")
        table.write(to: &sink)
    }

    /// Writes the same for programs.
    public func writeJSON(to sink: inout some TextOutputStream) {
        var json = JSONWriter()
        json.object(.lines) { json in
            json.member("schema", HistoryPage.schema)
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

extension HistoryPage.Input {
    /// What was wrong with it, and which of the inputs read as a whole makes it good.
    fileprivate func remark(intact: Set<Int>) -> String {
        guard let replacedBy else { return input.damage }
        let relation = intact.contains(replacedBy) ? "repaired by input \(replacedBy)" : "see input \(replacedBy)"
        return input.damage.isEmpty ? " (\(relation))" : "\(input.damage.dropLast()), \(relation))"
    }
}

extension JSONWriter {
    fileprivate mutating func add(_ row: HistoryPage.Input) {
        member("number", row.input.number)
        member("name", row.input.name)
        member("bytes", row.size)
        member("firstSeen", row.firstSeen.description)
        member("replacedBy", row.replacedBy)
        object(.inline, key: "counts") { $0.addCounts(of: row.input.summary) }
        addProblems(of: row.input.summary)
    }
}
