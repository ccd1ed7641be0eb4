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

    @Test func oldDaysLeave() {
        var live = LiveAnalysis(LogAnalysis(inputs: [], horizon: laterThanAll), name: "log", shortestStretch: 10)
        for day in 0..<400 {
            let time = Instant(seconds: 1_760_000_000 + Int64(day) * 86_400)
            let entry = EntryText.first(id: "\(day)", time: "\(time)").text
            _ = live.add(Array(entry.utf8)[...], horizon: laterThanAll)
        }
        let days = live.result(horizon: laterThanAll).tally.functions.values.map(\.days.count)
        #expect(days.count == 1 && (90...110).contains(days.first ?? 0), "\(days)")
    }
}
