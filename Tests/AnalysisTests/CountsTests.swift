import Entries
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

/// What a query has counted gives the tally of the log that it counted.
@Suite struct CountsTests {
    private let log = CountedLog(seed: 1, entries: 600)

    @Test func everyForm() throws {
        let files = try Files([log.text])
        let whole = files.run { $0.rowLimit = 0 }
        for form in CountedLog.Form.allCases {
            let counts = try Files([log.counts(form)]) { _ in form == .windows }
            let result = counts.run()
            #expect(result.tally.counted == whole.tally.counted, "\(form)")
            #expect(result.input.verifications == 600 && result.input.records == 600, "\(form)")
            #expect(result.input.faults.isEmpty && result.countedSources == 1, "\(form)")
            #expect(result.input.undated == whole.input.undated, "\(form)")
        }
    }

    /// Overlapping results count once: the same result twice, or a part of it, in any order.
    @Test func overlapsCountOnce() throws {
        let part = CountedLog(log.entries.filter { $0.instant.day.number.isMultiple(of: 2) })
        let texts = [log.counts(.csv), log.counts(.lines), part.counts(.array)]
        let whole = try Files([log.text]).run { $0.rowLimit = 0 }
        for order in [[0, 1, 2], [2, 1, 0], [0, 1], [2, 0]] {
            let files = try Files(order.map { texts[$0] })
            for jobs in [1, 3] {
                let result = files.run(inputs: files.inputs.reversed(), jobs: jobs)
                #expect(result.tally.counted == whole.tally.counted, "\(order)")
                #expect(result.input.verifications == 600, "\(order)")
                #expect(result.input.records == result.input.verifications + result.input.duplicates, "\(order)")
            }
        }
    }

    /// Results of different days add up, in separate files and one after the other in a file.
    @Test func daysAddUp() throws {
        let whole = try Files([log.counts(.csv)]).run()
        let (even, odd) = (
            CountedLog(log.entries.filter { $0.instant.day.number.isMultiple(of: 2) }),
            CountedLog(log.entries.filter { !$0.instant.day.number.isMultiple(of: 2) })
        )
        let apart = try Files([even.counts(.csv), odd.counts(.lines)]).run(jobs: 2)
        #expect(apart.tally == whole.tally && apart.input.duplicates == 0)
        let together = try Files([even.counts(.csv) + odd.counts(.csv)]).run()
        #expect(together.tally == whole.tally && together.countedSources == 1)
    }

    /// A project has results or entries, never both; others are counted beside it.
    @Test func neverBesideEntriesOfTheProject() throws {
        let other = EntryText.first("f", id: "1", project: "elsewhere").text
        let apart = try Files([log.counts(.csv), other]).run { $0.rowLimit = 0 }
        #expect(apart.input.verifications == 601 && apart.mixedProjects.isEmpty)
        let both = try Files([log.counts(.csv), log.text]).run()
        #expect(both.mixedProjects == Set(both.tally.functions.keys.map(\.project)).sorted())
    }

    @Test func boundsTakeWholeDays() throws {
        let range = TimeRange(since: Instant(seconds: 1_792_000_000), until: Instant(seconds: 1_792_500_000))
        let days = TimeRange(since: Instant(seconds: 1_791_936_000), until: Instant(seconds: 1_792_540_800))
        let result = try Files([log.counts(.csv)]).run { $0.range = range }
        let counted = try Files([log.text]).run { ($0.range, $0.rowLimit) = (days, 0) }
        #expect(result.tally.counted == counted.tally.counted)
        #expect(result.widenedDays?.first?.description == "2026-10-14")
        #expect(result.input.filtered > 0 && result.input.verifications + result.input.filtered == 600)
    }

    /// Sums are no entries: a store does not take them.
    @Test func storesRefuseThem() throws {
        let files = try Files([log.counts(.csv)])
        let source = MadeStore.source(files.inputs[0])
        #expect(source.days.isEmpty && source.record.input.faults == .unsupported)
        #expect(source.record.input.problems.entries.map(\.kind) == [.unsupportedFormat])
    }

    /// A result with anything wrong in it counts for nothing, and nobody reads what was in it.
    @Test(arguments: [
        ("count=-4", "no usable count"), ("count=0", "no usable count"), ("count=1e30", "no usable count"),
        ("count=99999999999999999999", "no usable count"), ("count=1099511627777", "no usable count"),
        ("count=3.0", "no usable count"), ("count=", "no usable count"), ("day=2026-02-30", "no usable day"),
        ("day=yesterday", "no usable day"), ("day=", "no usable day"), ("hour=24", "no usable hour"),
        ("hour=", "no usable hour"), ("first=2026-10-15T00:00:00Z", "no usable first"),
        ("last=never", "no usable last"),
        ("last=2026-10-14T12:00:00Z", "no usable last"), ("labelled=perhaps", "no usable labelled"),
        ("generation=3", "no usable generation"), ("row_count=", "no usable row_count"),
        ("row_count=4312", "1 of 2 rows are there"), ("row_count=1", "beyond"),
        ("project=\(String(repeating: "p", count: 257))", "no usable project"), ("name=count", "no column count"),
        ("name=labelled", "no column labelled"), ("extra=,", "row 2 is not a row"), ("extra=\"", "no usable row_count"),
    ])
    func faults(change: String, wording: String) throws {
        let result = try Files([CountedLog.csv(changing: change)]).run()
        guard wording != "beyond" else {
            return #expect(result.input.verifications == 5, "two results of one row each")
        }
        #expect(result.input.verifications == 0 && result.input.records == 0 && result.tally.functions.isEmpty)
        #expect(result.input.faults == .unsupported && result.countedSources == 0)
        let detail = result.input.problems.entries.first?.detail ?? ""
        #expect(detail.contains(wording), "\(detail)")
        let value = change.split(separator: "=").last.map(String.init) ?? ""
        if value.utf8.count > 3, !wording.contains(value) { #expect(!detail.contains(value), "\(detail)") }
    }

    @Test func otherFaults() throws {
        let array = log.counts(.array)
        let row = CountedLog.csv(changing: "none").split(separator: "\n")
        let texts: [(String, String)] = [
            (String(CountedLog.csv(changing: "none").dropLast(5)), "row 2 is not a row"),
            (String(array.dropLast(3)), "damaged or ends too early"),
            (String(log.counts(.lines).dropLast(3)), "not a row"),
            ([row[0], row[1], row[1]].joined(separator: "\n"), "row 2 counts what an earlier row counts"),
            (array.replacing("\"count\":", with: "\"number\":"), "no column count"),
            (array.replacing("\"labelled\":\"true\"", with: "\"labelled\":{\"a\":[1]}"), "no usable labelled"),
        ]
        for (text, wording) in texts {
            let result = try Files([text]).run()
            #expect(result.input.faults == .unsupported && result.tally.functions.isEmpty, "\(wording)")
            let details = result.input.problems.entries.map(\.detail)
            #expect(details.contains { $0.contains(wording) }, "\(details)")
        }
    }

    /// Very large counts are counted, as far as a number tells.
    @Test func sums() throws {
        let most = CountedLog.csv(changing: "count=1099511627773")
        #expect(try Files([most]).run().input.verifications == 1 << 40)
        let tooMany = try Files([CountedLog.csv(changing: "count=1099511627774")]).run()
        #expect(tooMany.input.problems.entries.first?.detail.contains("more requests than there can be") ?? false)
        #expect(tooMany.input.faults == .unsupported)
    }

    @Test func otherTablesStayCSV() throws {
        for text in ["insertId,timestamp,severity\n1,2,3\n", "day,hour,count\n1,2,3\n4,5,6\n", "a,b\n1,2\n"] {
            let result = try Files([text]).run(inputs: nil)
            #expect(result.countedSources == 0 && result.input.verifications == 0)
            #expect(result.input.problems.entries.allSatisfy { !$0.detail.contains("counts that") })
        }
    }
}

/// Verifications as a log, and as the result of a query that counts them.
private struct CountedLog {
    struct Entry {
        let name: String
        let generation: Generation
        let app: String
        let auth: String
        let instant: Instant
        let id: String
    }

    enum Form: CaseIterable {
        case csv, quoted, windows, array, lines, numbers
    }

    let entries: [Entry]

    static let heading =
        "project,region,function,id,generation,labelled,severity,day,hour,app,auth,count,first,last,row_count"

    init(_ entries: [Entry]) { self.entries = entries }

    init(seed: UInt64, entries count: Int) {
        var random = SeededGenerator(seed: seed)
        entries = (0..<count).map { number in
            let isFirst = Bool.random(using: &random)
            return Entry(
                name: (isFirst ? "addMessage" : "add-message") + "\(Int.random(in: 0..<3, using: &random))",
                generation: isFirst ? .first : .second,
                app: ["VALID", "VALID", "VALID", "MISSING", "INVALID", "OTHER"].randomElement(using: &random) ?? "",
                auth: ["VALID", "VALID", "MISSING", "INVALID"].randomElement(using: &random) ?? "",
                instant: Instant(
                    seconds: Int64.random(in: 1_791_500_000..<1_792_900_000, using: &random),
                    nanoseconds: UInt32.random(in: 0..<1_000_000, using: &random) * 1000),
                id: "id-\(number)")
        }
    }

    var text: String {
        entries.map { entry in
            let time = entry.instant.description
            let text =
                entry.generation == .first
                ? EntryText.first(entry.name, app: entry.app, auth: entry.auth, id: entry.id, time: time)
                : EntryText.second(entry.name, app: entry.app, auth: entry.auth, id: entry.id, time: time)
            return text.text
        }.joined(separator: "\n") + "\n"
    }

    /// The columns of each row.
    private var rows: [[String]] {
        let groups = Dictionary(grouping: entries) { entry in
            let isFailed = entry.app == "INVALID" || entry.auth == "INVALID"
            let isFirst = entry.generation == .first
            return [
                "demo", isFirst ? "us-central1" : "europe-west1", entry.name, isFirst ? "" : "add_message",
                "\(entry.generation.rawValue)", "true", isFirst || !isFailed ? "DEBUG" : "OTHER",
                entry.instant.day.description, "\(entry.instant.nanosecondOfDay / 3_600_000_000_000)", entry.app,
                entry.auth,
            ]
        }
        let streams = Set(
            entries.filter { $0.generation == .second && ($0.app == "INVALID" || $0.auth == "INVALID") }
                .map(\.instant.day.description))
        let count = groups.count + streams.count
        let counted = groups.map { key, entries in
            let instants = entries.map(\.instant).sorted()
            return key + ["\(entries.count)", "\(instants[0])", "\(instants[instants.count - 1])", "\(count)"]
        }
        return counted
            + streams.map { ["demo", "", "", "", "2", "false", "", $0, "", "", "", "9", "", "", "\(count)"] }
    }

    func counts(_ form: Form) -> String {
        let names = CountedLog.heading.split(separator: ",").map(String.init)
        func object(_ row: [String]) -> String {
            let members = zip(names, row).map { name, cell in
                let isBare = form == .numbers && (Int(cell) != nil || cell == "true" || cell == "false")
                return "\"\(name)\":" + (cell.isEmpty ? "null" : isBare ? cell : "\"\(cell)\"")
            }
            // An extract leaves null out.
            return "{" + members.filter { form != .lines || !$0.hasSuffix("null") }.joined(separator: ",") + "}"
        }
        return switch form {
        case .csv: ([names] + rows).map { $0.joined(separator: ",") + "\n" }.joined()
        case .quoted: ([names] + rows).map { $0.map { "\"\($0)\"" }.joined(separator: ",") + "\n" }.joined()
        case .windows: "\u{FEFF}" + ([names] + rows).map { $0.joined(separator: ",") + "\r\n" }.joined()
        case .array: "[" + rows.map(object).joined(separator: ",\n  ") + "]\n"
        case .lines, .numbers: rows.map { object($0) + "\n" }.joined()
        }
    }

    /// Two good rows, of which one cell of the second, or a column's name, is changed.
    static func csv(changing change: String) -> String {
        var names = heading.split(separator: ",").map(String.init)
        let first =
            "demo,us-central1,f,,1,true,DEBUG,2026-10-14,9,VALID,VALID,3,2026-10-14T09:00:00Z,2026-10-14T09:30:00Z,2"
        var second =
            "demo,us-central1,f,,1,true,DEBUG,2026-10-14,10,VALID,VALID,2,2026-10-14T10:00:00Z,2026-10-14T10:30:00Z,2"
            .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let parts = change.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        if let place = names.firstIndex(of: parts[0]) { second[place] = parts[1] }
        if parts[0] == "name", let place = names.firstIndex(of: parts[1]) { names[place] = "renamed" }
        let extra = parts[0] == "extra" ? parts[1] : ""
        let one = change == "row_count=1" ? first.dropLast() + "1" : first[...]
        return [names.joined(separator: ","), String(one), second.joined(separator: ",") + extra]
            .joined(separator: "\n") + "\n"
    }
}

/// What is left of a function's log where a query has counted it.
private struct CountedTable: Equatable {
    let days: [DaySum]
    let undated: StatusMatrix
    let pooledDays: StatusMatrix
    let first: Instant?
    let last: Instant?
    let severities: PassSeverity
    let label: ExactName?
    let provenance: Provenance
    let discarded: Discarded

    init(_ table: CellTable) {
        (days, undated, pooledDays) = (table.days(), table.undated, table.pooledDays)
        (first, last, severities) = (table.first, table.last, table.passSeverities)
        (label, provenance, discarded) = (table.label, table.provenance, table.discarded)
    }
}

private struct CountedTally: Equatable {
    let functions: [FunctionIdentity: CountedTable]
    let projects: [ExactName: ProjectTally]
    let newest: Instant?
}

extension Tally {
    fileprivate var counted: CountedTally {
        CountedTally(functions: functions.mapValues(CountedTable.init), projects: projects, newest: newest)
    }
}
