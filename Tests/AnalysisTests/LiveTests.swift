import Entries
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

    /// Oldest first, as a tail gives them; newest first, as a read does; one log after the other.
    private static func orders(_ lines: [String]) -> [[String]] {
        [
            lines, lines.reversed(), lines.filter { $0.contains("VALID") } + lines.filter { !$0.contains("VALID") },
            Array(lines[(lines.count / 2)...] + lines[..<(lines.count / 2)]),
        ]
    }

    /// Rows join in a log that grows, as in one that is read at once.
    @Test(arguments: Tier.some(of: orders(linesAndRows), every: 3))
    func rows(lines: [String]) throws {
        let text = lines.joined(separator: "\n") + "\n"
        let whole = try Files([text]).run { _ in }
        var live = LiveAnalysis(LogAnalysis(inputs: [], horizon: laterThanAll), name: "log")
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            _ = live.add(rest.prefix(50_000))
            rest = rest.dropFirst(50_000)
        }
        _ = live.end()
        let result = live.analysis(horizon: laterThanAll).run()
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

    /// Copies are left out on the way, so that a log that comes again and again takes memory once.
    @Test func copiesOnTheWay() throws {
        let log = Array((LiveTests.linesAndRows.joined(separator: "\n") + "\n").utf8)
        func read(_ times: Int) -> LogAnalysis {
            var live = LiveAnalysis(LogAnalysis(inputs: [], horizon: laterThanAll), name: "log")
            for _ in 0..<times { _ = live.add(log[...]) }
            _ = live.end()
            return live.analysis(horizon: laterThanAll)
        }
        let (once, often) = (read(1), read(40))
        let (rows, kept) = (try #require(once.growing).rowCount, try #require(often.growing).rowCount)
        #expect(kept < 20 * rows)
        let (whole, result) = (once.run(), often.run())
        #expect(result.tally == whole.tally && result.input.verifications == whole.input.verifications)
        let others = whole.input.verifications + whole.input.ignored
        #expect(result.input.duplicates + result.input.ignored > 39 * others)
    }

    private func days(_ tally: Tally) -> [FunctionIdentity: [DaySum]] { tally.functions.mapValues { $0.days() } }

    @Test(arguments: ["[", ""], Tier.some(of: orders(lines), every: 3))
    func pieces(opening: String, lines: [String]) throws {
        let text = opening + lines.joined(separator: opening.isEmpty ? "\n" : ",\n") + "\n"
        let whole = try Files([text]).run { $0.rowLimit = 0 }
        #expect(whole.input.duplicates > 400 && whole.input.ignored > 200)
        var random = SeededGenerator(seed: 1)
        var live = LiveAnalysis(LogAnalysis(inputs: [], horizon: laterThanAll), name: "log")
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...6000, using: &random))
            _ = live.add(piece)
            rest = rest.dropFirst(piece.count)
        }
        _ = live.end()
        let result = live.analysis(horizon: laterThanAll).run()
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
            _ = live.add(Array(text.utf8)[...])
        }
        let result = live.analysis(horizon: laterThanAll).run()
        #expect(result.input.verifications == 2, "\(result.input)")
    }

    /// The clock goes on, and apps are updated, while the log grows.
    @Test func laterAnswersKnowMore() throws {
        var live = LiveAnalysis(LogAnalysis(inputs: [], horizon: EvidenceTests.noon), name: "log")
        func result(_ day: Int) throws -> LogAnalysis.Result {
            let horizon = EvidenceTests.noon.adding(seconds: Int64(day + 1) * 86_400)
            let calls = (0..<20).map { number in
                var call = CalledRequest(day * 20 + number, second: day * 86_400 + number)
                call.agent = "com.example.app/1.\(day) iPhone/18.5 hw/iPhone14_2"
                return call
            }
            for line in calls.flatMap(\.lines) { _ = live.add(Array(line.utf8)[...]) }
            return live.analysis(horizon: horizon).run()
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
