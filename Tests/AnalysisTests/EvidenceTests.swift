import Entries
import LogStream
import Readiness
import SyntheticLogs
import TestSupport
import Testing
import Verifications

/// Rows and lines are joined with the verifications that they belong to.
@Suite struct EvidenceTests {
    /// The same in all runs, so that their hashes of addresses can be compared.
    static let key = HashKey(low: 3, high: 4)
    static let noon = Instant(seconds: 1_791_979_200)
    static let function = FunctionIdentity(
        project: "demo", region: "europe-west1", name: "f", generation: .second)

    func run(
        _ lines: [String], configure: (inout LogAnalysis) -> Void = { _ in }
    ) throws -> LogAnalysis.Result {
        try Files([lines.joined(separator: "\n")]).run {
            $0.scan.fingerprintKey = EvidenceTests.key
            configure(&$0)
        }
    }

    func day(
        _ lines: [String], configure: (inout LogAnalysis) -> Void = { _ in }
    ) throws -> ShownCallers {
        try day(run(lines, configure: configure))
    }

    func day(_ result: LogAnalysis.Result) -> ShownCallers {
        ShownCallers(result.tally.functions[EvidenceTests.function], on: EvidenceTests.noon.day)
    }

    func requests(_ count: Int, _ change: (inout CalledRequest) -> Void = { _ in }) -> [CalledRequest] {
        (1...count).map { number in
            var request = CalledRequest(number)
            change(&request)
            return request
        }
    }

    @Test func everyRequestHasItsRow() throws {
        let calls = requests(40) { $0.app = $0.number % 4 == 0 ? "MISSING" : "VALID" }
        let lines = calls.flatMap(\.lines) + [calls[0].preflight]
        let result = try run(lines)
        let day = day(result)
        #expect(day.withRow == 40 && day.openRows == 0 && day.unlogged == 0)
        #expect(day.joined == 40 && day.blocked == 10 && day.signedIn == 40 && day.failing == 0)
        #expect(day.clients().keys.map(\.kind) == [.android])
        #expect(result.tally.blockedAddresses(of: EvidenceTests.function) == 1)
    }

    @Test func copiesCountOnce() throws {
        let lines = requests(10) { request in
            request.app = "INVALID"
            request.cause = CalledRequest.expired
            request.isAllowed = true
        }.flatMap(\.lines)
        let once = try run(lines)
        let twice = try Files([lines.joined(separator: "\n"), lines.reversed().joined(separator: "\n")]).run {
            $0.scan.fingerprintKey = EvidenceTests.key
        }
        #expect(once.tally == twice.tally)
        let day = day(twice)
        #expect(day.withRow == 10 && day.openRows == 0 && day.causes[Int(RefusalCause.expired.rawValue)] == 10)
        #expect(day.isAllowing)
        let cells = twice.tally.functions.values.flatMap(\.cells)
        #expect(Set(cells.map(\.line)) == [.allowing] && cells.reduce(0) { $0 + $1.count } == 10)
    }

    /// Requests that run at the same time, their entries in each other's midst, and requests that share a trace.
    @Test func concurrency() throws {
        var random = SeededGenerator(seed: 80)
        let calls = requests(80) { request in
            request.second = 0
            request.trace = request.number % 5
            request.app = request.number % 2 == 0 ? "INVALID" : "VALID"
            request.status = request.number % 2 == 0 ? 401 : 200
            request.cause = request.number % 2 == 0 ? CalledRequest.expired : nil
        }
        for _ in 0..<5 {
            let day = try day(calls.flatMap(\.lines).shuffled(using: &random))
            #expect(day.joined == 80 && day.blocked == 40 && day.failing == 40)
            #expect(day.causes[Int(RefusalCause.expired.rawValue)] == 40 && day.unlogged == 0)
        }
    }

    @Test func unloggedRequests() throws {
        let calls = requests(10) { request in
            request.isLogged = request.number > 4
            request.status = request.number == 1 ? 403 : 200
        }
        let day = try day(calls.flatMap(\.lines))
        #expect(day.unlogged == 3 && day.withRow == 6 && day.openRows == 4)
    }

    /// A verification that does not count for lack of time takes its row all the same.
    @Test func boundsInTime() throws {
        let lines = requests(10).flatMap(\.lines)
        for (since, joined) in [(5, 6), (0, 10)] {
            // Row 5 starts before its verification: at this bound it lies inside, a millisecond later outside.
            let found = try day(lines) { $0.range.since = EvidenceTests.noon.adding(seconds: Int64(since)) }
            #expect(found.joined == joined && found.withRow == joined && found.openRows == 0)
        }
        let cut = try day(lines) {
            $0.range.until = EvidenceTests.noon.adding(seconds: 5).adding(nanoseconds: 1_000_000)
        }
        #expect(cut.joined == 4 && cut.withRow == 4 && cut.openRows == 0)
    }

    @Test func causesOfRefusals() throws {
        let texts = [
            CalledRequest.expired, CalledRequest.placeholder,
            "The provided App Check token has \\\"kid\\\" claim which does not correspond to a known public key.",
            "Error fetching Json Web Keys: connect ETIMEDOUT", nil,
        ]
        let calls = requests(25) { request in
            request.app = "INVALID"
            request.auth = request.number > 20 ? "INVALID" : "VALID"
            request.cause = texts[request.number % 5]
        }
        let day = try day(calls.flatMap(\.lines))
        #expect(day.causes == [4, 4, 0, 4, 0, 0, 4, 0, 0])
        // What the function itself logs afterwards, in the same execution, changes nothing.
        let forged = calls.map { call in
            var call = call
            call.cause = "The provided App Check token has invalid signature."
            return call.lines[0].replacing("\"why-", with: "\"later-").replacing(".004Z", with: ".007Z")
        }
        let again = try self.day(calls.flatMap(\.lines) + forged)
        #expect(again.causes == day.causes)
    }

    /// Without executions, the request or the time alone distinguishes the lines.
    @Test(arguments: [true, false])
    func causesWithoutExecutions(hasTrace: Bool) throws {
        let calls = requests(9) { request in
            request.app = "INVALID"
            request.hasExecution = false
            request.hasSpan = request.number % 2 == 0
            request.cause = request.number % 3 == 0 ? CalledRequest.expired : CalledRequest.placeholder
        }
        let lines = calls.flatMap(\.lines).map { line in
            hasTrace ? line : line.replacing("\"trace\"", with: "\"untrace\"")
        }
        let day = try day(lines.reversed())
        #expect(day.causes == [6, 3, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test func printedLines() throws {
        let text = """
            2026-10-14T12:00:00.1Z W f: Failed to validate AppCheck token. FirebaseAppCheckError: Decoding App Check token failed
                at verify (/workspace/x.js)
            2026-10-14T12:00:00.2Z W f: {"verifications":{"app":"INVALID","auth":"VALID"},"message":"Callable request \
            verification failed: AppCheck token was rejected."}
            2026-10-14T12:00:00.3Z W f: Allowing request with invalid AppCheck token because enforcement is disabled
            2026-10-14T12:00:00.4Z D f: {"verifications":{"app":"VALID","auth":"VALID"},"message":"Callable request \
            verification passed"}

            """
        let name = FunctionIdentity(project: "-", region: "-", name: "f", generation: nil)
        for texts in [[text], [text, text]] {
            let found = try ShownCallers(Files(texts).run().tally.functions[name], on: EvidenceTests.noon.day)
            #expect(found.causes.first == 1 && found.isAllowing)
        }
    }

    @Test func appsAndTheirExtensions() throws {
        let agents = [
            "com.example.app/1.0 iPhone/18.2 hw/iPhone12_1", "com.example.app.Widget/1.0 iPhone/18.2 hw/iPhone12_1",
            "com.example.apple/1.0 iPhone/18.2 hw/iPhone12_1", "com.example.app/1.0 iPhone/18.2 hw/sim",
        ]
        let calls = requests(8) { $0.agent = agents[$0.number % 4] }
        let clients = try day(calls.flatMap(\.lines)).clients()
        let kinds = clients.map { "\($0.key.kind.name) \($0.key.version?.app ?? "-"): \($0.value)" }.sorted()
        #expect(
            kinds == [
                "ios com.example.app: 2", "ios com.example.apple: 2", "iosExtension com.example.app.Widget: 2",
                "iosSimulator com.example.app: 2",
            ])
    }

    /// Anybody can send what makes a row, and nobody turns another app into an extension by it.
    @Test(arguments: [true, false]) func onlyAVerifiedAppHasExtensions(isLogged: Bool) throws {
        let agents = [
            "com.example.app/1.0 iPhone/18.2 hw/iPhone12_1", "com.example.app.Widget/1.0 iPhone/18.2 hw/iPhone12_1",
        ]
        let calls = requests(8) { request in
            request.agent = agents[request.number % 2]
            guard request.number % 2 == 0 else { return }
            (request.app, request.isLogged) = ("INVALID", isLogged)
        }
        let kinds = try day(calls.flatMap(\.lines)).clients().map { "\($0.key.kind.name): \($0.value)" }.sorted()
        #expect(kinds == (isLogged ? ["ios: 4", "ios: 4"] : ["ios: 4"]))
    }

    /// Only apps on a device: a simulator has no App Attest, and other clients never have.
    @Test func placeholdersOfIOSApps() throws {
        let agents = [
            "com.example.app/1.0 iPhone/18.2 hw/iPhone12_1", "com.example.app.Widget/1.0 iPhone/18.2 hw/iPhone12_1",
            "com.example.app/1.0 iPhone/18.2 hw/sim", "okhttp/4.12.0",
        ]
        let calls = requests(24) { request in
            request.agent = agents[request.number % 4]
            request.app = request.number % 3 == 0 ? "VALID" : "INVALID"
            request.cause = request.number % 3 == 1 ? CalledRequest.placeholder : nil
            request.hasExecution = request.number % 2 == 0
        }
        let tally = try run(calls.flatMap(\.lines).reversed()).tally
        #expect(tally.iOSTokens(from: nil) == (4, 4))
        let day = EvidenceTests.noon.day
        #expect(tally.iOSTokens(from: day) == (4, 4))
        #expect(tally.iOSTokens(from: day.advanced(by: 1)) == (0, 0))
    }

    /// User agents that are made up do not fill the memory, and what is kept does not depend on the order.
    @Test func tooManyVersions() throws {
        let calls = requests(CellTable.clientLimit + 500) {
            $0.agent = "com.example.a\($0.number)/1.0 iPhone/18.2 hw/iPhone12_1"
        }
        let lines = calls.flatMap(\.lines)
        let day = try day(lines)
        #expect(day.clients().count == CellTable.clientLimit + 1)
        #expect(day.clients().values.reduce(0, +) == calls.count)
        #expect(try self.day(lines.reversed()) == day)
    }

    /// All of them up to 64, and above that one more, whatever the order.
    @Test(arguments: [1, 63, 64, 65, 66, 500])
    func addresses(count: Int) throws {
        let calls = requests(2 * count) { request in
            request.app = request.number.isMultiple(of: 2) ? "MISSING" : "VALID"
            request.address = "2001:db8:\(request.number)::\(request.number)"
        }
        let lines = calls.flatMap(\.lines)
        let tally = try run(lines).tally
        #expect(tally.blockedAddresses(of: EvidenceTests.function) == min(count, 65))
        #expect(try run(lines.reversed()).tally == tally)
    }

    /// Where no row shows one, nobody knows how many there are; of a row in two exports, one shows it.
    @Test func rowsWithoutAddresses() throws {
        let calls = requests(10) { $0.app = "MISSING" }
        let bare = calls.map { call in
            var call = call
            call.address = nil
            return call
        }
        #expect(try run(bare.flatMap(\.lines)).tally.blockedAddresses(of: EvidenceTests.function) == nil)
        for lines in [bare.flatMap(\.lines) + calls.map(\.row), calls.map(\.row) + bare.flatMap(\.lines)] {
            #expect(try run(lines).tally.blockedAddresses(of: EvidenceTests.function) == 1)
        }
    }

    /// The limit is on what is open: a request whose row and verification were both read is not.
    @Test func limits() throws {
        let calls = requests(50)
        let lines = calls.flatMap(\.lines)
        let whole = try run(lines)
        #expect(try run(lines) { $0.rowLimit = 0 }.tally.evidence == nil)
        for limit in [1, 20, 50] {
            let result = try run(lines.shuffled()) { $0.rowLimit = limit }
            #expect(result.input.problems.isEmpty && result.tally == whole.tally)
        }
        // Without rows and lines there is nothing to give up.
        let bare = try run(calls.map(\.verification)) { $0.rowLimit = 20 }
        #expect(bare.input.problems.isEmpty && bare.tally.evidence != nil)
        #expect(day(bare).withRow == 0 && day(bare).openRows == 0)
    }

    /// Above the limit, the oldest unmatched entries are given up; verifications with their rows are kept.
    @Test func whatIsTooMuchIsGivenUp() throws {
        var calls = requests(50)
        for index in 10..<50 { calls[index].hasRow = false }
        let lost = requests(40).map { call in
            var call = call
            call.number += 1000
            return call.row
        }
        let lines = calls.flatMap(\.lines)
        #expect(try run(lines + lost) { $0.rowLimit = 40 }.input.problems.isEmpty)
        for log in [lines + lost, lost + lines, (lines + lost).shuffled()] {
            let result = try run(log) { $0.rowLimit = 20 }
            #expect(result.input.problems.entries.map(\.kind) == [.evidenceLimit])
            #expect(result.tally.evidence?.givenUpThrough == EvidenceTests.noon.day)
            #expect(result.input.verifications == 50)
            #expect(day(result).joined == 10)
            #expect(day(result).openRows == 0, "those with their verification stay")
        }
    }

    /// Rows that come in another file than their verifications wait for these; copies of what is closed do not count.
    @Test func limitsOverManyFiles() throws {
        let calls = requests(4500)
        let whole = try run(calls.flatMap(\.lines)).tally
        let chunks = stride(from: 0, to: calls.count, by: 100).flatMap { start in
            let part = calls[start..<start + 100]
            return part.map(\.row) + part.map(\.verification)
        }
        let twice = chunks + chunks
        let result = try run(twice) { $0.rowLimit = 500 }
        #expect(result.input.problems.isEmpty && result.tally == whole)
        let apart = try run(calls.map(\.row) + calls.map(\.verification)) { $0.rowLimit = 500 }
        #expect(apart.input.problems.isEmpty && apart.tally == whole)
    }

    /// Rows of services that nothing shows to be functions do not stay, and no answer misses them.
    @Test(arguments: [#"{"instanceId":"00aa"}"#, nil])
    func rowsOfOtherServicesGo(labels: String?) throws {
        let calls = requests(50)
        let whole = try run(calls.flatMap(\.lines))
        let others = (0..<4500).map { number in
            var call = CalledRequest(number + 1000, second: -number)
            call.function = "other\(number % 20)"
            return EvidenceTests.labelled(call.row, labels)
        }
        for log in [others + calls.flatMap(\.lines), calls.flatMap(\.lines) + others] {
            let result = try run(log) { $0.rowLimit = 100 }
            #expect(result.input.problems.isEmpty && result.tally == whole.tally)
            let files = try Files([log.joined(separator: "\n")])
            let store = MadeStore(files.inputs) {
                ($0.rowLimit, $0.scan.fingerprintKey) = (100, EvidenceTests.key)
            }
            #expect(store.bytes < 100_000, "of 4,500 rows")
            let problems = store.sources.flatMap(\.input.problems.entries)
            #expect(problems.map(\.kind) == [.evidenceLimit], "one may yet be a function")
            var analysis = LogAnalysis(inputs: [], horizon: laterThanAll)
            analysis.scan.fingerprintKey = EvidenceTests.key
            let read = analysis.run(with: [try store.entries]) { _, error, _ in Issue.record(error) }
            #expect(read.tally == whole.tally)
        }
    }

    /// A service that turns out to be a function after its rows were dropped is reported.
    @Test func rowsThatAreMissedAreSaid() throws {
        let calls = requests(4500)
        let whole = try run(calls.flatMap(\.lines)).tally
        let rows = calls.map { EvidenceTests.labelled($0.row, nil) }
        let late = try run(rows + calls.map(\.verification)) { $0.rowLimit = 500 }
        #expect(late.input.problems.entries.map(\.kind) == [.evidenceLimit])
        #expect(late.tally.evidence?.givenUpThrough == EvidenceTests.noon.day)
        let early = try run(calls.map(\.verification) + rows) { $0.rowLimit = 500 }
        #expect(early.input.problems.isEmpty && early.tally == whole)
    }

    private static func labelled(_ row: String, _ labels: String?) -> String {
        let usual = #""labels":{"goog-managed-by":"cloudfunctions"}"#
        return row.replacing("," + usual, with: labels.map { #","labels":\#($0)"# } ?? "")
    }

    // MARK: Nothing depends on how the log is cut

    func randomCalls(seed: UInt64, count: Int) -> [CalledRequest] {
        var random = SeededGenerator(seed: seed)
        let agents = [
            nil, "okhttp/4.12.0", "curl/8", "com.example.a/1.2 iPhone/17.1 hw/x", "node", "Mozilla/5.0 (X11)",
        ]
        return (1...count).map { number in
            var call = CalledRequest(number, second: Int.random(in: -90_000...80_000, using: &random))
            call.function = Bool.random(using: &random) ? "f" : "g"
            call.app = ["VALID", "VALID", "MISSING", "INVALID"].randomElement(using: &random) ?? ""
            call.auth = ["VALID", "MISSING", "INVALID"].randomElement(using: &random) ?? ""
            call.trace = Int.random(in: 0..<10, using: &random) == 0 ? number % 3 : nil
            call.hasSpan = Int.random(in: 0..<5, using: &random) != 0
            call.hasExecution = call.function == "f"
            call.status = [200, 200, 400, 401, 403, 404, 429, 500].randomElement(using: &random) ?? 0
            call.agent = agents.randomElement(using: &random) ?? nil
            call.address = "203.0.\(Int.random(in: 0..<4, using: &random)).\(Int.random(in: 0..<50, using: &random))"
            call.referer = [nil, "https://shop.example/", "https://intranet/"].randomElement(using: &random) ?? nil
            if call.app == "INVALID" {
                call.cause =
                    [nil, CalledRequest.expired, CalledRequest.placeholder].randomElement(using: &random) ?? nil
                call.isAllowed = Bool.random(using: &random)
            }
            call.hasRow = Int.random(in: 0..<9, using: &random) != 0
            call.isLogged = Int.random(in: 0..<9, using: &random) != 0
            return call
        }
    }

    @Test(arguments: Tier.some(of: 0..<4 as Range<UInt64>, every: 2))
    func orderSplitsAndJobs(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed + 100)
        let lines = randomCalls(seed: seed, count: 400).flatMap(\.lines)
        let whole = try run(lines)
        #expect(whole.tally.functions.count == 2)
        for (files, jobs) in [(1, 1), (3, 2), (9, 4), (30, 3)] {
            var parts = Array(repeating: [String](), count: files)
            // About one line in ten is written twice.
            for line in lines.shuffled(using: &random) {
                parts[Int.random(in: 0..<files, using: &random)].append(line)
                if Int.random(in: 0..<10, using: &random) == 0 {
                    parts[Int.random(in: 0..<files, using: &random)].append(line)
                }
            }
            let split = try Files(parts.map { $0.joined(separator: "\n") }).run(jobs: jobs) {
                $0.scan.fingerprintKey = EvidenceTests.key
            }
            #expect(split.tally == whole.tally, "\(files) files, \(jobs) jobs")
        }
    }

    /// The sums are those of the requests themselves.
    @Test(arguments: 0..<4 as Range<UInt64>)
    func sumsAreTheTruth(seed: UInt64) throws {
        let calls = randomCalls(seed: seed, count: 300).map { call in
            var call = call
            call.hasSpan = true
            return call
        }
        let tally = try Files([calls.flatMap(\.lines).joined(separator: "\n")]).run {
            // Rows that are later than all verifications count, too.
            $0.asOf = laterThanAll
        }.tally
        for name in ["f", "g"] {
            let identity = FunctionIdentity(project: "demo", region: "europe-west1", name: name, generation: .second)
            let found = ShownCallers(tally.functions[identity])
            let mine = calls.filter { $0.function == name }
            let joined = mine.filter { $0.hasRow && $0.isLogged }
            let admitted = joined.filter { $0.auth != "INVALID" }
            let blocked = admitted.filter { $0.app != "VALID" }
            #expect(found.withRow + found.openRows == mine.count(where: \.hasRow))
            #expect(found.withRow == joined.count)
            #expect(found.unlogged == mine.count { $0.hasRow && !$0.isLogged && $0.status == 200 })
            #expect(found.joined == admitted.count && found.blocked == blocked.count)
            #expect(found.failing == blocked.count { $0.status >= 400 })
            #expect(found.signedIn == admitted.count { $0.auth == "VALID" })
            if name == "f" {
                let caused = mine.filter {
                    $0.isLogged && $0.app == "INVALID" && $0.auth != "INVALID" && $0.cause != nil
                }
                #expect(found.causes.reduce(0, +) == caused.count)
                let expired = caused.count { $0.cause == CalledRequest.expired }
                #expect(found.causes[Int(RefusalCause.expired.rawValue)] == expired)
                let ofIOS = joined.filter { $0.agent?.contains("iPhone") ?? false }
                let placeholders = ofIOS.filter {
                    $0.app == "INVALID" && $0.auth != "INVALID" && $0.cause == CalledRequest.placeholder
                }
                var own = Tally()
                own.add(try #require(tally.functions[identity]), for: identity)
                let verified = ofIOS.count { $0.app == "VALID" && $0.auth != "INVALID" }
                #expect(own.iOSTokens(from: nil) == (verified, placeholders.count))
            }
        }
    }

    /// The same requests give the same evidence in every transport that loses nothing.
    @Test(arguments: Transport.allCases.filter { $0.loss.isEmpty })
    func transportsAgree(transport: Transport) throws {
        let scenario = Scenario.small(.mixed, seed: 41, requests: 250, undatedShare: 0)
        let lines = try ReadLogs(WrittenLog(scenario, as: .lines).parts, key: EvidenceTests.key).result.tally
        let other = try ReadLogs(
            WrittenLog(scenario, as: transport, shards: 3).parts, jobs: 2, key: EvidenceTests.key
        ).result.tally
        #expect(lines == other && lines.functions.count > 3)
        #expect(lines.functions.values.contains { ShownCallers($0).blocked > 0 })
    }
}
