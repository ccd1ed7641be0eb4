import Analysis
import LogStream
import Readiness
import TestSupport
import Testing
import Verifications

/// A log that arrives piece by piece is counted as if it had been read at once.
@Suite struct LiveTests {
    /// Five days in order, with copies that come a little later, and a second entry of some executions.
    private static let lines: [String] = (0..<4000).map { number in
        let place = number % 7 == 6 ? number - 5 : number
        let instant = Instant(seconds: 1_791_936_000 + Int64(place) * 108)
        let app = place % 5 == 0 ? "MISSING" : place % 11 == 0 ? "INVALID" : "VALID"
        let execution = place % 13 == 12 ? place - 1 : place
        return EntryText.second("s\(execution % 3)", app: app, id: "id-\(place)", time: "\(instant)")
            .with(
                "labels",
                """
                {"firebase-log-type":"callable-request-verification","instanceId":"i","execution_id":"e\(execution)"}
                """
            ).text
    }

    /// Each verification with its row, which comes a little later; of some there is only one of the two.
    private static let linesAndRows: [String] = lines.enumerated().flatMap { number, line -> [String] in
        let place = number % 7 == 6 ? number - 5 : number
        let instant = Instant(seconds: 1_791_936_000 + Int64(place) * 108)
        let trace = "\"projects/demo/traces/\(place)\""
        var verification = line
        verification.removeLast()
        verification += ",\"trace\":\(trace),\"spanId\":\"\(place)\"}"
        let service = "s\((place % 13 == 12 ? place - 1 : place) % 3)"
        let row = EntryText.second(service, id: "row-\(place)", time: "\(instant)")
            .with("logName", "\"projects/demo/logs/run.googleapis.com%2Frequests\"")
            .with("jsonPayload", "null").with("labels", "{}").with("trace", trace).with("spanId", "\"\(place)\"")
            .with(
                "httpRequest",
                #"{"requestMethod":"POST","status":\#(place % 5 == 0 ? 401 : 200),"userAgent":"okhttp/4.9"}"#)
        return place % 17 == 0 ? [verification] : place % 19 == 0 ? [row.text] : [verification, row.text]
    }

    /// Rows join in a log that grows, as in one that is read at once.
    @Test(arguments: [1, 300, 100_000])
    func rows(stretch: Int) throws {
        let text = LiveTests.linesAndRows.joined(separator: "\n") + "\n"
        let whole = try Files([text]).run { _ in }
        var live = LiveAnalysis(
            LogAnalysis(inputs: [], horizon: laterThanAll), name: "log", shortestStretch: stretch)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            _ = live.add(rest.prefix(50_000), horizon: laterThanAll)
            rest = rest.dropFirst(50_000)
        }
        _ = live.end(horizon: laterThanAll)
        let result = live.result(horizon: laterThanAll)
        #expect(days(result.tally) == days(whole.tally))
        #expect(result.tally.functions.count == 3 && result.tally.evidence != nil)
        for (function, table) in whole.tally.functions {
            for day in Set(table.cells.map(\.day)) {
                let wanted = ShownCallers(table, on: day)
                let found = ShownCallers(result.tally.functions[function], on: day)
                #expect(found.openRows == wanted.openRows && found.unlogged == wanted.unlogged, "\(day)")
                #expect(found.withRow == wanted.withRow && found.isAllowing == wanted.isAllowing, "\(day)")
            }
        }
    }

    private func days(_ tally: Tally) -> [FunctionIdentity: [DaySum]] { tally.functions.mapValues { $0.days() } }

    @Test(arguments: ["[", ""], [1, 200, 100_000])
    func pieces(opening: String, stretch: Int) throws {
        let text = opening + LiveTests.lines.joined(separator: opening.isEmpty ? "\n" : ",\n") + "\n"
        let whole = try Files([text]).run { $0.openLimit = 0 }
        #expect(whole.input.duplicates > 400 && whole.input.ignored > 200)
        var random = SeededGenerator(seed: UInt64(stretch))
        var live = LiveAnalysis(
            LogAnalysis(inputs: [], horizon: laterThanAll), name: "log", shortestStretch: stretch)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...6000, using: &random))
            _ = live.add(piece, horizon: laterThanAll)
            rest = rest.dropFirst(piece.count)
        }
        _ = live.end(horizon: laterThanAll)
        let result = live.result(horizon: laterThanAll)
        #expect(result.tally == whole.tally)
        #expect(result.input.verifications == whole.input.verifications)
        #expect(result.input.duplicates == whole.input.duplicates && result.input.ignored == whole.input.ignored)
        #expect(result.input.records == whole.input.records)
    }

    /// What is broken does not hold up what comes after it.
    @Test func brokenObjects() {
        var live = LiveAnalysis(LogAnalysis(inputs: [], horizon: laterThanAll), name: "log")
        let good = EntryText.first(id: "1").text
        for text in [
            "ERROR: lost\n", String(good.dropLast(9)), "\n{\"a\": \"b\n", good, "}}]", EntryText.first(id: "2").text,
        ] {
            _ = live.add(Array(text.utf8)[...], horizon: laterThanAll)
        }
        let result = live.result(horizon: laterThanAll)
        #expect(result.input.verifications == 2, "\(result.input)")
    }

    /// Without a dated verification there is no way to tell what is old.
    @Test(
        arguments: [
            EntryText.first(id: "1", time: "yesterday"), EntryText.first(id: "1", time: "9999-12-31T23:59:59Z"),
            EntryText.first(id: "1", time: "2016-01-01T00:00:00Z").with("labels", "{}").with("jsonPayload", "{}"),
            EntryText.first(id: "1").with("timestamp", "-99999999999999999999").with("labels", "{}"),
        ])
    func recordsWithoutTime(entry: EntryText) {
        var live = LiveAnalysis(LogAnalysis(inputs: [], horizon: laterThanAll), name: "log", shortestStretch: 10)
        for _ in 0..<100 { _ = live.add(Array(entry.text.utf8)[...], horizon: laterThanAll) }
        #expect(live.result(horizon: laterThanAll).input.records == 100)
    }

    /// All days but the two newest of a function are counted for good, and nothing is added to them.
    @Test func oldDaysStayAsTheyAre() throws {
        var live = LiveAnalysis(LogAnalysis(inputs: [], horizon: laterThanAll), name: "log", shortestStretch: 10)
        func add(_ day: Int, _ id: String) {
            let time = Instant(seconds: 1_760_000_000 + Int64(day) * 86_400)
            let entry = EntryText.first(id: id, time: "\(time)").text
            _ = live.add(Array(entry.utf8)[...], horizon: laterThanAll)
        }
        for day in 0..<400 { add(day, "\(day)") }
        func counts() throws -> [Int] {
            try #require(live.result(horizon: laterThanAll).tally.functions.values.first).days().map(\.statuses.total)
        }
        #expect(try counts() == Array(repeating: 1, count: 400))
        for day in 300..<400 { add(day, "late \(day)") }
        #expect(try counts().prefix(380) == Array(repeating: 1, count: 400).prefix(380))
        #expect(try counts().suffix(2) == [2, 2])
    }

    /// The clock goes on, and apps are updated, after days have been counted for good.
    @Test func laterAnswersKnowMore() throws {
        var live = LiveAnalysis(
            LogAnalysis(inputs: [], horizon: EvidenceTests.noon), name: "log", shortestStretch: 10)
        func result(_ day: Int) throws -> LogAnalysis.Result {
            let horizon = EvidenceTests.noon.adding(seconds: Int64(day + 1) * 86_400)
            let calls = (0..<20).map { number in
                var call = CalledRequest(day * 20 + number, second: day * 86_400 + number)
                call.agent = "com.example.app/1.\(day) iPhone/18.5 hw/iPhone14_2"
                return call
            }
            for line in calls.flatMap(\.lines) { _ = live.add(Array(line.utf8)[...], horizon: horizon) }
            return live.result(horizon: horizon)
        }
        for day in 0..<6 {
            let result = try result(day)
            #expect(result.tally.newest?.day == EvidenceTests.noon.day.advanced(by: day))
            let table = try #require(result.tally.functions[EvidenceTests.function])
            let versions = Set(ShownCallers(table).clients().keys.compactMap { $0.version?.version })
            #expect(versions == Set((0...day).map { "1.\($0)" }))
        }
    }
}
