import Analysis
import Foundation
import GRDB
import History
import Readiness
import TestSupport
import Testing
import Verifications

/// What a store keeps of rows and lines: the sums that the log shows, however it comes in, and never more.
@Suite struct EvidenceTests {
    /// Requests of three functions on five days, of all kinds; each is the entries that it leaves.
    private static func requests(_ count: Int, seed: UInt64) -> [[String]] {
        var random = SeededGenerator(seed: seed)
        let agents = [
            "okhttp/4.12.0", "com.example.app/1.2 iPhone/17.1 hw/iPhone14_3", "curl/8.1",
            "com.example.app.widget/1.2 iPhone/17.1 hw/iPhone14_3", nil,
        ]
        return (1...count).map { number in
            var request = CalledRequest(number, second: .random(in: -200_000..<200_000, using: &random))
            request.function = ["f", "g", "h"].randomElement(using: &random) ?? "f"
            request.app = ["VALID", "VALID", "INVALID", "MISSING"].randomElement(using: &random) ?? "VALID"
            request.auth = ["VALID", "MISSING", "INVALID"].randomElement(using: &random) ?? "VALID"
            request.agent = agents.randomElement(using: &random) ?? nil
            request.status =
                request.auth == "INVALID" ? 401 : [200, 200, 200, 400, 500].randomElement(using: &random) ?? 0
            if request.app == "INVALID", number % 7 != 0 {
                request.cause = number % 2 == 0 ? CalledRequest.expired : CalledRequest.placeholder
                request.isAllowed = number % 3 == 0
            }
            request.hasExecution = number % 5 != 0
            request.hasRow = number % 11 != 0
            request.isLogged = number % 13 != 0
            return request.lines + (number % 9 == 0 ? [request.preflight, request.row] : [])
        }
    }

    private static func file(_ entries: [String], _ name: String) -> (bytes: [UInt8], name: String) {
        (Array(entries.joined(separator: "\n").utf8), name)
    }

    /// What a log shows, without addresses, of which a store keeps nothing.
    private func shown(_ requests: [[String]], by nights: Nights) throws -> CallEvidence? {
        withoutAddresses(try nights.analysis([requests.joined().joined(separator: "\n")]).evidence)
    }

    private func withoutAddresses(_ evidence: CallEvidence?) -> CallEvidence? {
        guard let evidence else { return nil }
        var other = CallEvidence()
        for (function, callers) in evidence.functions {
            var without = FunctionCallers()
            for (day, counts) in callers.days {
                without.update(day) { day in
                    day = counts
                    day.signedIn = counts.signedIn.withoutAddresses
                    day.signedOut = counts.signedOut.withoutAddresses
                }
            }
            other.add(without, for: function)
        }
        other.hasAddresses = false
        return other
    }

    /// Rows, lines and verifications come in files of their own, some of them twice.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func oneRunInAnyFiles(seed: UInt64) throws {
        let nights = try Nights()
        let requests = EvidenceTests.requests(300, seed: seed)
        var random = SeededGenerator(seed: seed)
        var parts = Array(repeating: [String](), count: 4)
        for line in requests.joined() {
            parts[Int.random(in: 0..<4, using: &random)].append(line)
            if Int.random(in: 0..<4, using: &random) == 0 { parts[Int.random(in: 0..<4, using: &random)].append(line) }
        }
        let files = parts.enumerated().map { EvidenceTests.file($1, "\($0).json") }
        try nights.run(files)
        let shown = try shown(requests, by: nights)
        #expect(shown?.functions.count == 3)
        #expect(try nights.evidence() == shown)
        // The same files again, in other order and under other names, add nothing.
        try nights.run(files.reversed().map { ($0.bytes, "again-\($0.name)") })
        #expect(try nights.evidence() == shown)
    }

    /// Nights overlap; what belongs to one request is together in one of them, whatever the others have of it.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func manyRunsThatOverlap(seed: UInt64) throws {
        let nights = try Nights()
        let requests = EvidenceTests.requests(300, seed: seed)
        var random = SeededGenerator(seed: seed)
        var runs = Array(repeating: [String](), count: 5)
        for request in requests {
            let home = Int.random(in: 0..<5, using: &random)
            for run in runs.indices {
                runs[run] += run == home ? request : request.filter { _ in Int.random(in: 0..<5, using: &random) == 0 }
            }
        }
        for (index, run) in runs.enumerated() {
            try nights.run([EvidenceTests.file(run.shuffled(using: &random), "\(index).json")])
        }
        let (stored, shown) = (try nights.evidence(), try shown(requests, by: nights))
        for (function, callers) in shown?.functions ?? [:] {
            let found = stored?.functions[function]
            for (day, counts) in callers.days {
                let kept = found?.days[day] ?? CallerDay()
                #expect(kept.rows == counts.rows && kept.successes == counts.successes)
                #expect(kept.withRow == counts.withRow && kept.unlogged == counts.unlogged)
                #expect(
                    kept.signedIn.clients == counts.signedIn.clients && kept.signedIn.joined == counts.signedIn.joined)
                #expect(kept.enforcement.allowed == counts.enforcement.allowed)
                for cause in RefusalCause.allCases.map({ Int($0.rawValue) }) {
                    // A line that came without its verification explains nothing.
                    #expect(kept.signedIn.causes[cause] == counts.signedIn.causes[cause])
                }
            }
        }
        #expect(stored?.functions.count == 3 && stored?.givenUpThrough == nil)
    }

    /// A store keeps as many clients of a day as one pass over the files.
    @Test func manyClients() throws {
        let nights = try Nights()
        let calls = (1...260).map { number in
            var call = CalledRequest(number)
            call.agent = "com.example.a\(number)/1.0 iPhone/18.2 hw/iPhone12_1"
            return call
        }
        try nights.run([EvidenceTests.file(calls.flatMap(\.lines), "log.json")])
        let day = try #require(try nights.evidence()?.functions.values.first?.days.values.first)
        #expect(day.signedIn.clients.count == CallerDay.clientLimit + 1)
    }

    /// Rows of a function of which nothing else was read count as soon as it is known, as requests that left no
    /// verification.
    @Test func rowsBeforeTheirFunction() throws {
        let nights = try Nights()
        let calls = (1...20).map { CalledRequest($0) }
        try nights.run([EvidenceTests.file(calls.prefix(10).map(\.row), "rows.json")])
        #expect(try nights.evidence()?.functions.isEmpty == true)
        try nights.run([EvidenceTests.file(calls.suffix(10).flatMap(\.lines), "log.json")])
        let day = try #require(try nights.evidence()?.functions.values.first?.days.values.first)
        #expect(day.rows == 20 && day.withRow == 10 && day.unlogged == 10)
        // Their verifications come: now nothing is unlogged.
        try nights.run([EvidenceTests.file(calls.prefix(10).flatMap(\.lines), "late.json")])
        let whole = try #require(try nights.evidence()?.functions.values.first?.days.values.first)
        #expect(whole.rows == 20 && whole.withRow == 20 && whole.unlogged == 0)
    }

    /// Text that claims to be the SDK's has rows as well; they are those of no verification once the SDK is heard.
    @Test func provenanceDecidesLater() throws {
        let nights = try Nights()
        let calls = (1...10).map { CalledRequest($0) }
        let text = calls.flatMap { call in
            [call.row, call.verification.replacing(labels: "{}")]
        }
        try nights.run([EvidenceTests.file(text, "text.json")])
        #expect(try nights.evidence()?.functions.values.first?.days.values.first?.withRow == 10)
        var labelled = CalledRequest(99)
        labelled.hasRow = false
        try nights.run([EvidenceTests.file([labelled.verification], "labelled.json")])
        let day = try #require(try nights.evidence()?.functions.values.first?.days.values.first)
        #expect(day.rows == 10 && day.withRow == 0 && day.unlogged == 10)
    }

    /// A run that was killed has added verifications alone: no day up to its newest proves anything.
    @Test func aKilledRunLeavesAGap() throws {
        let nights = try Nights()
        let requests = EvidenceTests.requests(100, seed: 1)
        let file = EvidenceTests.file(Array(requests.joined()), "log.json")
        try nights.run([file], isKilled: true)
        let killed = try #require(try nights.evidence() == nil ? nights.load().evidence : nil)
        let last = try #require(killed.incompleteThrough)
        #expect(last == (try nights.load().tally.functions.values.compactMap { $0.days.last?.day }.max()))
        try nights.run([file])
        var shown = try #require(try shown(requests, by: nights))
        shown.givenUpThrough = last
        #expect(try nights.evidence() == shown)
    }

    /// What an altered input says is kept by nobody; the intact copy brings all of it, and closes the gap.
    @Test func alteredInputs() throws {
        let nights = try Nights()
        let requests = EvidenceTests.requests(200, seed: 2)
        let (sound, altered) = (Array(requests.prefix(100)), Array(requests.suffix(100)))
        let intact = Gzip.member(Array(altered.joined().joined(separator: "\n").utf8))
        var broken = intact
        broken[broken.count - 8] ^= 1
        try nights.run([(broken, "b.json.gz"), EvidenceTests.file(Array(sound.joined()), "a.json")])
        let shownOfSound = try shown(sound, by: nights)
        let stored = try #require(try nights.evidence())
        #expect(stored.functions == shownOfSound?.functions && stored.givenUpThrough != nil)
        #expect(try nights.run([(intact, "b.json.gz")]).first?.replaced != nil)
        #expect(try nights.evidence() == shown(requests, by: nights))
    }

    @Test func daysAndPruning() throws {
        let nights = try Nights()
        let requests = EvidenceTests.requests(200, seed: 3)
        try nights.run([EvidenceTests.file(Array(requests.joined()), "log.json")])
        let whole = try #require(try nights.evidence())
        let days = Set(whole.functions.values.flatMap(\.days.keys)).sorted()
        let half = try nights.evidence(in: WholeDays(first: days[2], last: days[3]))
        #expect(Set(half?.functions.values.flatMap(\.days.keys) ?? []) == [days[2], days[3]])
        _ = try nights.store(.upkeep).prune(before: days[2], isDryRun: false)
        #expect(try nights.evidence() == nights.evidence(in: WholeDays(first: days[2], last: nil)))
        // What comes again is too old.
        try nights.run([EvidenceTests.file(Array(requests.joined().reversed()), "again.json")])
        #expect(try nights.evidence() == nights.evidence(in: WholeDays(first: days[2], last: nil)))
    }

    @Test(arguments: [
        "UPDATE caller_days SET logged = logged + 1", "UPDATE admitted_days SET joined = 0",
        "DELETE FROM admitted_clients", "UPDATE admitted_clients SET kind = kind || 's'",
        "INSERT INTO evidence_gaps VALUES (1, 1)",
    ])
    func alteredSumsAreDamage(sql: String) throws {
        let nights = try Nights()
        try nights.run([EvidenceTests.file(Array(EvidenceTests.requests(50, seed: 4).joined()), "log.json")])
        try DatabaseQueue(path: nights.path).inDatabase { try $0.execute(sql: sql) }
        #expect(throws: HistoryFailure.self) { try nights.load() }
    }
}

extension AdmittedCallers {
    fileprivate var withoutAddresses: AdmittedCallers {
        var other = AdmittedCallers(
            joined: joined, blockedJoined: blockedJoined, alreadyFailing: alreadyFailing, causes: causes,
            iOSPlaceholders: iOSPlaceholders)
        for (client, counts) in clients { other.add(counts, of: client) }
        return other
    }
}

extension String {
    /// An entry with other labels.
    fileprivate func replacing(labels: String) -> String {
        guard let start = range(of: #""labels":{"firebase"#)?.lowerBound,
            let end = self[start...].firstIndex(of: "}")
        else { return self }
        return replacingCharacters(in: start...end, with: #""labels":\#(labels)"#)
    }
}
