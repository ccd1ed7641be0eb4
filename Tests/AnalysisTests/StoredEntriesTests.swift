import Entries
import Foundation
import LogStream
import Readiness
import SyntheticLogs
import TestSupport
import Testing
import Verifications

/// What stores hold counts as if its logs were read, in any mix with logs.
@Suite struct StoredEntriesTests {
    private typealias Change = (inout LogAnalysis) -> Void

    @Test(arguments: Tier.some(of: 0..<12 as Range<UInt64>, every: 4))
    func anySplitAndMix(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let lines = StoredEntriesTests.lines(seed: seed)
        let parts = StoredEntriesTests.parts(of: lines, 2 + Int(seed % 7), using: &random)
        // Some are compressed, and some of those cut off.
        let logs = try Logs(parts) { seed % 3 == 0 ? .plain : $0 % 3 == 1 ? .damaged : .compressed }
        let bounds = [Int64.random(in: 1_791_000_000..<1_793_000_000, using: &random), 1_792_500_000].map {
            Instant(seconds: $0, nanoseconds: .random(in: 0..<1_000_000_000, using: &random))
        }
        // An entry's own time, and the nanosecond after it.
        let exact = try #require(StoredEntriesTests.aTime(in: lines, using: &random))
        let ranges = [
            TimeRange(), TimeRange(since: bounds[0]), TimeRange(until: bounds[1]), TimeRange(since: exact),
            TimeRange(since: exact.adding(nanoseconds: 1)), TimeRange(since: bounds.min(), until: exact),
        ]
        for range in ranges {
            let change: Change = { analysis in
                analysis.range = range
                analysis.switches = [bounds[0], exact]
            }
            let whole = logs.run(logs.inputs, configure: change)
            if range == TimeRange() {
                #expect(whole.input.verifications > 200 && whole.input.duplicates > 20 && whole.tally.evidence != nil)
            }
            for _ in 0..<3 {
                let (stores, rest) = try logs.spread(using: &random)
                let mixed = logs.run(
                    rest, with: stores, jobs: Int.random(in: 1...4, using: &random), configure: change)
                #expect(logs.differences(mixed, whole) == [], "\(range)")
            }
        }
    }

    /// A day's parts in any order and as often as there are stores; with so many jobs as days, or one.
    @Test(arguments: Tier.some(of: 0..<12 as Range<UInt64>, every: 4))
    func requestsOfOneTrace(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed + 40)
        let calls = EvidenceTests().randomCalls(seed: seed, count: 300).map { call in
            var call = call
            call.second += Int.random(in: 0..<(seed < 4 ? 5 : 12), using: &random) * 86_400
            guard seed >= 4 else { return call }
            call.trace = Int.random(in: 0...Int(seed % 4), using: &random)
            call.hasSpan = Int.random(in: 0..<3, using: &random) == 0
            let part = Int.random(in: 0..<4, using: &random)
            (call.hasRow, call.isLogged) = (part != 0, part != 1)
            return call
        }
        let parts = StoredEntriesTests.parts(of: calls.flatMap(\.lines), 4, using: &random)
        let logs = try Logs(parts) { _ in .plain }
        let whole = logs.run(logs.inputs)
        #expect(whole.tally.functions.values.contains { $0.days().count > 4 })
        let stores = try logs.inputs.map { try MadeStore([$0]).entries }
        for jobs in [1, 2, 30] {
            let stored = logs.run([], with: stores.shuffled(using: &random), jobs: jobs)
            #expect(logs.differences(stored, whole) == [])
        }
    }

    /// Times of any year come back to the nanosecond.
    @Test func anyTime() throws {
        let times = [2016, 2084, 2559, 2561, 9999].map { "\($0)-12-31T23:59:59.999999999Z" }
        let logs = try Logs([times.map { EntryText.second(id: $0, time: $0).text }.joined(separator: "\n")]) { _ in
            .plain
        }
        let last = Instant(timestamp: times[4])
        let stored = logs.run([], with: [try MadeStore(logs.inputs).entries]) { $0.asOf = last }
        #expect(logs.differences(stored, logs.run(logs.inputs) { $0.asOf = last }) == [])
        let function = try #require(stored.tally.functions.values.first)
        #expect(function.first == Instant(timestamp: times[0]) && function.last == last)
        #expect(function.totals.total == times.count)
    }

    @Test(arguments: Tier.some(of: Forgery.allCases, every: 3), [true, false])
    func forgeries(forgery: Forgery, hasExecutionIDs: Bool) throws {
        var random = SeededGenerator(seed: 11)
        let log = try ForgedLog(
            ForgedRun.scenario(seed: 6), forgeries: [forgery], share: 0.3, hasExecutionIDs: hasExecutionIDs)
        let logs = try Logs(StoredEntriesTests.parts(of: log.lines, 4, using: &random)) { _ in .plain }
        let stores = try logs.inputs.map { try MadeStore([$0]).entries }
        let whole = logs.run(logs.inputs)
        #expect(logs.differences(logs.run([], with: stores), whole) == [])
        #expect(
            logs.differences(logs.run([logs.inputs[0]], with: Array(stores[1...])), whole) == [])
    }

    /// A source is known by what it says: not by its name, nor by its compression.
    @Test func contents() throws {
        let lines = RandomLog(seed: 5, entries: 300).lines.filter { $0.contains("timestamp") && $0.hasSuffix("}") }
        let logs = try Logs([lines, lines, Array(lines.dropLast())].map { $0.joined(separator: "\n") }) {
            $0 == 1 ? .compressed : .plain
        }
        let contents = logs.inputs.map { MadeStore.source($0).record.contents }
        #expect(contents[0] == contents[1] && contents[0] != contents[2])
        #expect(MadeStore(logs.inputs).sources.count == 2)
        // One that is in a store is read and counts once.
        let both = logs.run([logs.inputs[1]], with: [try MadeStore([logs.inputs[0]]).entries])
        #expect(both.input.sources == 1 && both.input.records == lines.count)
        // Sources without an entry are told apart by their bytes.
        let empty = try Logs([#"{"a":1}"#, #"{"b":2}"#]) { _ in .plain }
        let store = MadeStore(empty.inputs)
        #expect(empty.run([], with: [try store.entries, try store.entries]).input.records == 2)
    }

    /// At most 14 bytes for a verification, 10 more for one that names a request, 32 for a function and day, 128 for a
    /// part.
    @Test(arguments: [300, 1000, 6000])
    func size(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let entries = (0..<count).map { number in
            let instant = Instant(
                seconds: Int64.random(in: 1_791_936_000..<1_792_108_800, using: &random),
                nanoseconds: UInt32.random(in: 0..<1_000_000_000, using: &random))
            let app = ["VALID", "VALID", "VALID", "VALID", "MISSING", "INVALID"].randomElement(using: &random) ?? ""
            let entry = EntryText.second(app: app, auth: "VALID", id: "\(number)", time: "\(instant)")
            guard number.isMultiple(of: 2) else { return entry.text }
            return entry.with(
                "trace", "\"projects/demo/traces/\(String(repeating: "0", count: 26))\(100_000 + number)\""
            ).with("spanId", "\"\(3_000_000_000_000_000_000 + number)\"").text
        }
        let halves = [entries.prefix(count * 2 / 3), entries.suffix(count * 2 / 3)]
        let logs = try Logs(halves.map { $0.joined(separator: "\n") }) { _ in .plain }
        let store = MadeStore(logs.inputs)
        let (whole, stored) = (logs.run(logs.inputs), logs.run([], with: [try store.entries]))
        #expect(whole.input.duplicates == 2 * (count * 2 / 3) - count)
        #expect(logs.differences(stored, whole) == [])
        #expect(store.parts.count == 2)
        #expect(store.bytes <= 2 * (128 + 32) + count * (14 + 5))
        #expect(try store.sources.allSatisfy { try JSONEncoder().encode($0).count <= 2000 })
    }

    /// A store that turns out to be damaged is named, and nothing of it counts.
    @Test func damagedStore() throws {
        var random = SeededGenerator(seed: 9)
        let logs = try Logs(StoredEntriesTests.parts(of: StoredEntriesTests.lines(seed: 9), 3, using: &random)) { _ in
            .plain
        }
        var stores = try logs.inputs.map { try MadeStore([$0]).entries }
        stores[1].name = "damaged"
        let (load, day) = (stores[1].load, try #require(stores[1].days.dropLast().last))
        stores[1].load = { wanted in
            guard wanted != day else { throw MalformedBytes() }
            return try load(wanted)
        }
        var refused: [String] = []
        let result = logs.run([], with: stores, jobs: 2) { _ in
        } refuse: {
            refused.append($0)
        }
        #expect(refused == ["damaged"])
        let whole = logs.run([logs.inputs[0], logs.inputs[2]])
        #expect(logs.differences(result, whole) == [])
    }

    // MARK: Logs

    /// Verifications of several projects and both generations, rows, lines on refused tokens, and other entries.
    static func lines(seed: UInt64, entries: Int = 400) -> [String] {
        var random = SeededGenerator(seed: seed &+ 100)
        let calls = (0..<entries / 3).flatMap { number -> [String] in
            var call = CalledRequest(number, second: Int.random(in: 0..<200_000, using: &random))
            call.function = ["f", "g"].randomElement(using: &random) ?? "f"
            call.app = ["VALID", "MISSING", "INVALID"].randomElement(using: &random) ?? "VALID"
            call.cause = call.app == "INVALID" ? CalledRequest.expired : nil
            call.isAllowed = call.app == "INVALID" && number % 2 == 0
            call.status = number % 13 == 0 ? 401 : number % 17 == 0 ? 404 : 200
            call.address = number % 9 == 0 ? nil : "203.0.113.\(Int.random(in: 0..<200, using: &random))"
            call.referer = number % 2 == 0 ? "https://shop.example/" : nil
            call.hasSpan = number % 5 != 0
            call.hasExecution = number % 4 != 0
            call.hasRow = number % 7 != 0
            call.isLogged = number % 11 != 0
            call.agent = number % 3 == 0 ? "com.example.app/1.\(number % 4) iPhone/18.5 hw/iPhone14_2" : call.agent
            return call.lines.map { line in
                // Some days have several revisions.
                let revision = "\"revision_name\":\"\(call.function)-0000\(1 + number % 3)-abc\""
                return seed % 2 == 0
                    ? line : line.replacing("\"service_name\":", with: "\(revision),\"service_name\":")
            }
        }
        return RandomLog(seed: seed, entries: entries).lines + calls
    }

    /// The lines in `count` parts; about a fifth of those with a timestamp are written twice.
    static func parts(of lines: [String], _ count: Int, using random: inout SeededGenerator) -> [String] {
        var parts = Array(repeating: [String](), count: count)
        for line in lines.shuffled(using: &random) {
            parts[Int.random(in: 0..<count, using: &random)].append(line)
            if Int.random(in: 0..<5, using: &random) == 0, line.contains("timestamp") {
                parts[Int.random(in: 0..<count, using: &random)].append(line)
            }
        }
        return parts.map { $0.joined(separator: "\n") }
    }

    private static func aTime(in lines: [String], using random: inout SeededGenerator) -> Instant? {
        lines.shuffled(using: &random).lazy.compactMap { line in
            line.firstMatch(of: #/"timestamp":"([^"]+)"/#).flatMap { Instant(timestamp: String($0.1)) }
        }.first { (1_791_000_000..<1_793_000_000).contains($0.seconds) }
    }
}

/// Logs in a temporary directory.
private struct Logs {
    enum Form {
        case plain
        case compressed
        /// Compressed, and cut off at two thirds.
        case damaged
    }

    private let directory: TemporaryDirectory
    private(set) var inputs: [LogInput] = []

    init(_ texts: [String], form: (Int) -> Form) throws {
        directory = try TemporaryDirectory()
        for (index, text) in texts.enumerated() {
            let plain = Array(text.utf8)
            let packed = Gzip.member(plain)
            let bytes: [UInt8] =
                switch form(index) {
                case .plain: plain
                case .compressed: packed
                case .damaged: Array(packed.prefix(packed.count * 2 / 3))
                }
            inputs.append(.file(try directory.write(bytes, to: "log\(index)")))
        }
    }

    /// Some of the logs in up to three stores, and the others as they are; a few are in several of them.
    func spread(using random: inout SeededGenerator) throws -> (stores: [StoredEntries], logs: [LogInput]) {
        let count = Int.random(in: 1...3, using: &random)
        var (inStores, rest) = (Array(repeating: [LogInput](), count: count), [LogInput]())
        for input in inputs {
            var isSomewhere = false
            for place in 0..<count where Int.random(in: 0..<count + 1, using: &random) == 0 {
                inStores[place].append(input)
                isSomewhere = true
            }
            if !isSomewhere || Int.random(in: 0..<6, using: &random) == 0 { rest.append(input) }
        }
        let stores = try inStores.filter { !$0.isEmpty }.map {
            try MadeStore($0.shuffled(using: &random), isMerged: Bool.random(using: &random)).entries
        }
        return (stores, rest.shuffled(using: &random))
    }

    func run(
        _ inputs: [LogInput], with stores: [StoredEntries] = [], jobs: Int = 1,
        configure: (inout LogAnalysis) -> Void = { _ in }, refuse: (String) -> Void = { Issue.record("refused \($0)") }
    ) -> LogAnalysis.Result {
        var analysis = LogAnalysis(inputs: inputs, horizon: laterThanAll)
        analysis.jobs = jobs
        configure(&analysis)
        return analysis.run(with: stores) { store, _, _ in refuse(store.name) }
    }

    /// The differences between two results, but for the number of bytes read.
    func differences(_ found: LogAnalysis.Result, _ logs: LogAnalysis.Result) -> [String] {
        var (mine, theirs) = (found.input, logs.input)
        (mine.bytesRead, theirs.bytesRead) = (0, 0)
        var texts: [String] = []
        if found.tally != logs.tally { texts.append("tally") }
        let lines = (found.tally.functions.mapValues(\.allowingDays), logs.tally.functions.mapValues(\.allowingDays))
        if lines.0 != lines.1 { texts.append("lines") }
        let visits = (found.tally.functions.mapValues(\.visits), logs.tally.functions.mapValues(\.visits))
        if visits.0 != visits.1 { texts.append("addresses") }
        let (names, other) = (found.tally.functions.mapValues(\.first), logs.tally.functions.mapValues(\.first))
        if names != other || found.tally.newest != logs.tally.newest { texts.append("times") }
        let problems = (mine.problems.entries, theirs.problems.entries)
        // Those of a store say the way out besides.
        for (first, second) in zip(problems.0, problems.1)
        where first.source != second.source || first.kind != second.kind || first.byteOffset != second.byteOffset
            || first.record != second.record || !first.detail.hasPrefix(second.detail)
        {
            texts.append("\(first) \(second)")
        }
        if problems.0.count != problems.1.count { texts.append("number of problems") }
        (mine.problems, theirs.problems) = (ProblemLog(), ProblemLog())
        if mine != theirs { texts.append("input: \(mine) \(theirs)") }
        let (evidence, wanted) = (found.tally.evidence, logs.tally.evidence)
        if (evidence == nil) != (wanted == nil) { texts.append("evidence") }
        if evidence?.givenUpThrough != wanted?.givenUpThrough { texts.append("what was given up") }
        if evidence?.revisionNames != wanted?.revisionNames { texts.append("revisions") }
        return texts
    }
}
