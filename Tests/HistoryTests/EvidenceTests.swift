import Analysis
import Foundation
import GRDB
import History
import LogStream
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
            "com.example.app.widget/1.2 iPhone/17.1 hw/iPhone14_3", nil, "Mozilla/5.0 Chrome/139.0 Safari/537.36",
            "Mozilla/5.0 Firefox/141.0", "Mozilla/5.0 (Linux; Android 14; wv) Chrome/139.0",
        ]
        let pages = [
            "https://www.example.com/", "https://Parents.example.com:8443/x?y#z", "https://parents.example.com./", nil,
            #"https:\/\/parents.example.com\/"#, "https://203.0.113.7/", "https://\\u001b[31m.example/", "://", "",
        ]
        return (1...count).map { number in
            var request = CalledRequest(number, second: .random(in: -200_000..<200_000, using: &random))
            request.function = ["f", "g", "h"].randomElement(using: &random) ?? "f"
            request.app = ["VALID", "VALID", "INVALID", "MISSING"].randomElement(using: &random) ?? "VALID"
            request.auth = ["VALID", "MISSING", "INVALID"].randomElement(using: &random) ?? "VALID"
            request.agent = agents.randomElement(using: &random) ?? nil
            request.referer = pages.randomElement(using: &random) ?? nil
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
        return other
    }

    /// Rows, lines and verifications are spread over six files, some of them twice.
    ///
    /// Each file is added in a separate run, with a truncated copy among them. For half of the seeds the files are
    /// snapshots. Half of the files are also read next to a store that holds the others.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func anyFilesInAnyOrder(seed: UInt64) throws {
        let nights = try Nights()
        let requests = EvidenceTests.requests(300, seed: seed)
        var random = SeededGenerator(seed: seed)
        var parts = Array(repeating: [String](), count: 6)
        for line in requests.joined() {
            parts[Int.random(in: 0..<6, using: &random)].append(line)
            if Int.random(in: 0..<4, using: &random) == 0 { parts[Int.random(in: 0..<6, using: &random)].append(line) }
        }
        let files = parts.enumerated().map { EvidenceTests.file($1, "\($0).json") }
        let cut = Gzip.member(files[0].bytes).dropLast(600)
        var order = (files + [(Array(cut), "cut.json.gz")]).shuffled(using: &random)
        let truth = try nights.analysis(parts.map { $0.joined(separator: "\n") })
        if seed % 2 == 0 {
            order = try order.map { file in
                var analysis = LogAnalysis(inputs: [try nights.input(file.bytes, file.name)], horizon: laterThanAll)
                analysis.jobs = 1
                return (analysis.snapshot().bytes, "\(file.name).snapshot")
            }
        }
        for file in order { try nights.run([file]) }
        try check(nights.load(), truth)
        // The same files beside the store, or once more, change nothing.
        let copied = try nights.load(parts.prefix(2).map { $0.joined(separator: "\n") })
        #expect(copied.tally == truth.tally && withoutAddresses(copied.evidence) == withoutAddresses(truth.evidence))
        try nights.run(files.reversed().map { ($0.bytes, "again-\($0.name)") })
        try check(nights.load(), truth)
        // Half of them in a store, the other half beside it.
        let half = try Nights()
        for file in files.prefix(3) { try half.run([file]) }
        try check(half.load(parts.suffix(3).map { $0.joined(separator: "\n") }), truth)
        // A part of the time, which begins and ends within days.
        let range = TimeRange(
            since: Instant(seconds: 1_791_979_200 - 90_000), until: Instant(seconds: 1_791_979_200 + 100_000))
        let within = try nights.analysis(parts.map { $0.joined(separator: "\n") }, in: range)
        try check(nights.load(in: range), within)
        #expect(within.input.filtered > 20 && within.input.verifications > 50)
    }

    private func check(
        _ stored: LogAnalysis.Result, _ truth: LogAnalysis.Result, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expectEqual(stored.tally, truth.tally, sourceLocation: sourceLocation)
        let isEqual = withoutAddresses(stored.evidence) == withoutAddresses(truth.evidence)
        #expect(isEqual, sourceLocation: sourceLocation)
        for count in [\InputSummary.verifications, \.duplicates, \.ignored, \.filtered, \.undated, \.records] {
            #expect(stored.input[keyPath: count] == truth.input[keyPath: count], sourceLocation: sourceLocation)
        }
        #expect(stored.input.unread == truth.input.unread, sourceLocation: sourceLocation)
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

    /// A row may be all that its day has: its verification is of the day before, and came on another night.
    @Test func aRowAlone() throws {
        let nights = try Nights()
        let calls = (0..<10).map { CalledRequest($0 + 1, second: ($0 - 5) * 86_400) }
        let night = calls.flatMap { [$0.row, $0.verification] }
        let alone = CalledRequest(99, second: 6 * 86_400)
        let verification = alone.verification.replacing("2026-10-20T", with: "2026-10-19T")
        #expect(verification != alone.verification)
        try nights.run([EvidenceTests.file(night + [verification], "a.json")])
        try nights.run([EvidenceTests.file([alone.row], "b.json")])
        let shown = try shown([night + [verification, alone.row]], by: nights)
        #expect(try nights.evidence() == shown)
        #expect(shown?.functions.values.first?.days.values.allSatisfy { $0.unlogged == 0 } == true)
    }

    /// A night on which nothing is stale: the days before are read as sums.
    private static let later = (5..<9).map { CalledRequest(1000 + $0, second: $0 * 86_400) }.flatMap(\.lines)

    /// A transport may lose the execution of a copy, and its trace may be that of a row of the next day.
    @Test func aCopyThatHasLostItsExecution() throws {
        let nights = try Nights()
        var call = CalledRequest(1, second: 0)
        // With a span it would name its execution by that.
        call.hasSpan = false
        let named = call.verification.replacing("\"trace\":", with: "\"other\":")
        call.hasExecution = false
        let row = call.row.replacing("2026-10-14T", with: "2026-10-15T")
        #expect(named.contains("call1") && !call.verification.contains("call1") && row != call.row)
        let text = [named, call.verification, row, CalledRequest(2, second: 40_000).verification] + EvidenceTests.later
        try nights.run([EvidenceTests.file(text, "a.json")])
        let shown = try shown([text], by: nights)
        #expect(try nights.evidence() == shown)
        #expect(shown?.functions.values.first?.days.values.reduce(0) { $0 + $1.unlogged } == 1)
    }

    /// An entry without any time belongs to no day, and no row is next to it.
    @Test func entriesWithoutATimeHaveNoRow() throws {
        let nights = try Nights()
        let (call, other) = (CalledRequest(1, second: 0), CalledRequest(2, second: 60))
        let timeless = call.verification.replacing("\"timestamp\":", with: "\"other\":")
            .replacing("\"receiveTimestamp\":", with: "\"another\":")
        let text = [timeless, call.row, other.row, other.verification] + EvidenceTests.later
        try nights.run([EvidenceTests.file(text, "a.json")])
        let (stored, whole) = (try nights.load(), try nights.analysis([text.joined(separator: "\n")]))
        check(stored, whole)
        #expect(whole.input.undated == 1)
        #expect(whole.evidence?.functions.values.first?.days.values.reduce(0) { $0 + $1.unlogged } == 1)
    }

    /// Another entry of an execution may come without a trace, two days before a row that its copy would take.
    @Test func executionsBesideARow() throws {
        let nights = try Nights()
        let first = CalledRequest(1, second: -86_400 + 100).verification.replacing("\"trace\":", with: "\"other\":")
        let call = CalledRequest(1, second: 100)
        let again = call.verification.replacing("checked-1", with: "again-1")
        let row = call.row.replacing("2026-10-14T", with: "2026-10-15T")
        let text = [first, again, row, CalledRequest(2, second: 90_000).verification] + EvidenceTests.later
        try nights.run([EvidenceTests.file(text, "a.json")])
        let shown = try shown([text], by: nights)
        #expect(again != call.verification && row != call.row)
        #expect(try nights.evidence() == shown)
        #expect(shown?.functions.values.first?.days.values.reduce(0) { $0 + $1.unlogged } == 1)
    }

    /// The versions of clients on sealed days are kept when a snapshot is read next to the store that it was made of.
    @Test func versionsOfSealedDays() throws {
        let nights = try Nights()
        var call = CalledRequest(1, second: 0)
        call.agent = "com.example.app/1.2 iPhone/17.1 hw/iPhone14_3"
        let store = try nights.store()
        let text = (call.lines + EvidenceTests.later).joined(separator: "\n")
        _ = try Nights.ingest(try nights.input(Array(text.utf8), "a.json"), into: store)
        try store.finishRun(retentionDays: 2, at: now)
        let reading = try nights.store(.reading)
        var analysis = LogAnalysis(
            inputs: [try nights.input(try nights.snapshot(), "own.snapshot")], horizon: laterThanAll)
        analysis.known = try reading.heads()
        let found = try analysis.run { set, sealed, resolution throws(StoreFailure) in
            try reading.answer(set, sealed: sealed, resolution).resolved
        }
        #expect(withoutAddresses(found.evidence) == withoutAddresses(try nights.load().evidence))
        let clients = found.evidence?.functions.values.first?.days.values.flatMap(\.signedIn.clients.keys)
        #expect(clients?.contains { $0.version?.version == "1.2" } == true)
    }

    /// The line of a verification before the bound is not free for another one of its trace on the next day.
    @Test func aBoundFreesNoLine() throws {
        let nights = try Nights()
        let calls = [0, 43_210].map { second in
            var call = CalledRequest(second + 1, second: second)
            (call.app, call.trace, call.hasSpan, call.hasExecution) = ("INVALID", 7, false, false)
            if second == 0 { call.cause = CalledRequest.expired }
            return call
        }
        let text = calls.flatMap(\.lines) + EvidenceTests.later
        try nights.run([EvidenceTests.file(text, "a.json")])
        let range = TimeRange(since: Instant(seconds: 1_791_979_200 + 3600))
        let whole = try nights.analysis([text.joined(separator: "\n")], in: range)
        try check(nights.load(in: range), whole)
        let days = whole.evidence?.functions.values.first?.days.values.filter { $0.signedIn.joined > 0 }
        #expect(days?.contains { $0.signedIn.causes[Int(RefusalCause.expired.rawValue)] > 0 } == false)
    }

    /// What a day before the date shares with one after it stays.
    @Test func pruningBesideARow() throws {
        let nights = try Nights()
        let call = CalledRequest(1, second: 43_199)
        let row = call.row.replacing("2026-10-14T", with: "2026-10-15T")
        try nights.run([EvidenceTests.file([call.verification, row], "a.json")])
        try nights.run([EvidenceTests.file(EvidenceTests.later, "b.json")])
        let day = try #require(Day(iso8601: "2026-10-15"))
        #expect(try nights.store(.upkeep).prune(before: day, isDryRun: false).verifications == 1)
        #expect(try nights.load().input.verifications == 4)
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

    /// What an altered input says goes when the intact copy comes.
    @Test func alteredInputs() throws {
        let nights = try Nights()
        let requests = EvidenceTests.requests(200, seed: 2)
        let (sound, altered) = (Array(requests.prefix(100)), Array(requests.suffix(100)))
        let text = altered.joined().joined(separator: "\n")
        let other = text.replacing("\"VALID\"", with: "\"MISSING\"")
        let broken = Gzip.header() + Gzip.deflate(Array(other.utf8)) + Gzip.trailer(Array(text.utf8))
        try nights.run([(broken, "b.json.gz"), EvidenceTests.file(Array(sound.joined()), "a.json")])
        #expect(try nights.evidence() != shown(requests, by: nights))
        let intact = Gzip.member(Array(text.utf8))
        #expect(try nights.run([(intact, "b.json.gz")]).first?.replaced == nil, "it does not begin as the other does")
        let cut = try Nights()
        try cut.run([(Array(intact.dropLast(500)), "b.json.gz"), EvidenceTests.file(Array(sound.joined()), "a.json")])
        #expect(try cut.run([(intact, "b.json.gz")]).first?.replaced == 1)
        #expect(try cut.evidence() == shown(requests, by: nights))
    }

    @Test func daysAndPruning() throws {
        let nights = try Nights()
        let requests = EvidenceTests.requests(200, seed: 3)
        try nights.run([EvidenceTests.file(Array(requests.joined()), "log.json")])
        let whole = try #require(try nights.evidence())
        let days = Set(whole.functions.values.flatMap(\.days.keys)).sorted()
        let half = try nights.evidence(in: WholeDays(first: days[2], last: days[3]).range)
        #expect(Set(half?.functions.values.flatMap(\.days.keys) ?? []) == [days[2], days[3]])
        _ = try nights.store(.upkeep).prune(before: days[2], isDryRun: false)
        #expect(try nights.evidence() == nights.evidence(in: WholeDays(first: days[2], last: nil).range))
        // What comes again is too old.
        try nights.run([EvidenceTests.file(Array(requests.joined().reversed()), "again.json")])
        #expect(try nights.evidence() == nights.evidence(in: WholeDays(first: days[2], last: nil).range))
    }

    @Test(arguments: [
        "UPDATE parts SET bytes = x'00'", "UPDATE sources SET head_bytes = x'00'", "UPDATE days SET bytes = x'00'",
    ])
    func alteredSumsAreDamage(sql: String) throws {
        let nights = try Nights()
        try nights.run([EvidenceTests.file(Array(EvidenceTests.requests(50, seed: 4).joined()), "log.json")])
        try DatabaseQueue(path: nights.path).inDatabase { try $0.execute(sql: sql) }
        #expect(throws: StoreFailure.self) { try nights.load() }
    }
}

extension AdmittedCallers {
    fileprivate var withoutAddresses: AdmittedCallers {
        var other = AdmittedCallers()
        (other.causes, other.iOSPlaceholders, other.blockedUnclear) = (causes, iOSPlaceholders, blockedUnclear)
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
