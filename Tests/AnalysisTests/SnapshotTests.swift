@_spi(Stages) import Analysis
import Foundation
import LogStream
import Readiness
import SyntheticLogs
import TestSupport
import Testing
import Verifications

/// Counts from snapshots equal those of one pass over the logs, regardless of how logs are split and snapshots merged.
@Suite struct SnapshotTests {
    @Test(arguments: 0..<8 as Range<UInt64>)
    func anySplitAndTree(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let log = SnapshotTests.lines(seed: seed)
        let parts = SnapshotTests.parts(of: log, 2 + Int(seed), using: &random)
        // Some parts are cut off in the middle of their compression.
        let files = try SnapshotFiles(parts) { $0 % 3 == 1 ? .damaged : $0 % 3 == 2 ? .compressed : .plain }
        let whole = files.run(files.logs)
        #expect(whole.input.verifications > 200 && whole.input.duplicates > 20 && whole.evidence != nil)

        let single = try files.logs.map { try files.snapshot([$0]) }
        let tree = try files.merged(single.shuffled(using: &random), using: &random)
        #expect(differences(files.run([tree]), whole) == [])
        let half = files.logs.count / 2
        let mixed = Array(files.logs.prefix(half)) + single.suffix(files.logs.count - half)
        #expect(differences(files.run(mixed.shuffled(using: &random), jobs: 3), whole) == [])
        #expect(differences(files.run([tree] + single.shuffled(using: &random)), whole) == [], "once each")
    }

    @Test(arguments: Forgery.allCases, [true, false])
    func forgeries(forgery: Forgery, hasExecutionIDs: Bool) throws {
        var random = SeededGenerator(seed: 11)
        let log = try ForgedLog(
            ForgedRun.scenario(seed: 6), forgeries: [forgery], share: 0.3, hasExecutionIDs: hasExecutionIDs)
        let parts = SnapshotTests.parts(of: log.lines, 4, using: &random)
        let files = try SnapshotFiles(parts) { _ in .plain }
        let snapshots = try files.logs.map { try files.snapshot([$0]) }
        #expect(differences(files.run(snapshots), files.run(files.logs)) == [])
    }

    @Test func mergingIsAUnion() throws {
        var random = SeededGenerator(seed: 1)
        let files = try SnapshotFiles(SnapshotTests.parts(of: SnapshotTests.lines(seed: 1), 3, using: &random)) { _ in
            .plain
        }
        let single = try files.logs.map { try files.snapshot([$0]) }
        let (a, b, c) = (single[0], single[1], single[2])
        let left = try files.snapshot([try files.snapshot([a, b]), c])
        let right = try files.snapshot([a, try files.snapshot([c, b])])
        let again = try files.snapshot([left, b, right, a])
        #expect(try files.bytes(of: left) == files.bytes(of: right))
        #expect(try files.bytes(of: left) == files.bytes(of: again))
        #expect(try files.bytes(of: left) == files.bytes(of: files.snapshot(files.logs)))
        // The same bytes twice are one source, compressed or not; others that say no more are another.
        let packed = try files.input(Gzip.member(files.bytes(of: files.logs[0])), "packed")
        #expect(try files.bytes(of: files.snapshot([files.logs[0], files.logs[0]])) == files.bytes(of: a))
        #expect(files.run([try files.snapshot([files.logs[0], packed])]).input.sources == 1)
        let empty = try [#"{"a":1}"#, #"{"b":2}"#].map { try files.input(Array($0.utf8), $0) }
        #expect(files.run([try files.snapshot(empty)]).input.records == 2)
    }

    @Test func compressedOnesAreKnown() throws {
        let files = try SnapshotFiles([RandomLog(seed: 5, entries: 300).lines.joined(separator: "\n")]) { _ in .plain }
        let snapshot = try files.snapshot(files.logs)
        let bytes = try files.bytes(of: snapshot)
        let packed = try files.input(Gzip.member(bytes), "packed")
        #expect(differences(files.run([packed]), files.run(files.logs)) == [])
        #expect(differences(files.run([packed, snapshot]), files.run([snapshot])) == [])
        let cut = try files.input(Array(Gzip.member(bytes).dropLast(40)), "cut")
        #expect(files.run([cut]).input.faults == .damaged && files.run([cut]).tally.functions.isEmpty)
    }

    @Test func boundsWithinDaysAreExact() throws {
        var random = SeededGenerator(seed: 2)
        let files = try SnapshotFiles(SnapshotTests.parts(of: SnapshotTests.lines(seed: 2), 3, using: &random)) { _ in
            .plain
        }
        let snapshots = try files.logs.map { try files.snapshot([$0]) }
        let within = files.run(snapshots) {
            $0.range = TimeRange(since: Instant(seconds: 1_792_000_000), until: Instant(seconds: 1_792_500_000))
        }
        let logs = files.run(files.logs) {
            $0.range = TimeRange(since: Instant(seconds: 1_792_000_000), until: Instant(seconds: 1_792_500_000))
        }
        #expect(differences(within, logs) == [])
        #expect(within.input.filtered > 0 && within.input.verifications > 0 && within.widenedDays == nil)
    }

    // MARK: Size

    /// Times are exact, and the bounds hold.
    @Test(arguments: [300, 1000, 6000])
    func size(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let entries = (0..<count).map { number in
            let instant = Instant(
                seconds: Int64.random(in: 1_791_936_000..<1_792_108_800, using: &random),
                nanoseconds: UInt32.random(in: 0..<1_000_000_000, using: &random))
            let app = ["VALID", "VALID", "VALID", "VALID", "MISSING", "INVALID"].randomElement(using: &random) ?? ""
            return EntryText.second(app: app, auth: "VALID", id: "\(number)", time: "\(instant)")
                .with("trace", "\"projects/demo/traces/\(String(repeating: "0", count: 26))\(100_000 + number)\"")
                .with("spanId", "\"\(3_000_000_000_000_000_000 + number)\"").text
        }
        let halves = [entries.prefix(count * 2 / 3), entries.suffix(count * 2 / 3)]
        let files = try SnapshotFiles(halves.map { $0.joined(separator: "\n") }) { _ in .plain }
        let snapshots = try files.logs.map { try files.snapshot([$0]) { $0.openLimit = 0 } }
        let whole = files.run(files.logs) { $0.openLimit = 0 }
        #expect(whole.input.duplicates == 2 * (count * 2 / 3) - count)
        #expect(differences(files.run(snapshots), whole) == [])
        #expect(differences(files.run([files.logs[0], snapshots[1]]) { $0.openLimit = 0 }, whole) == [])
        for snapshot in snapshots {
            #expect(try files.bytes(of: snapshot).count <= 2048 + 2 * 128 + 12 * (count * 2 / 3))
        }
    }

    // MARK: What is refused

    @Test func otherKeysAndOptions() throws {
        let files = try SnapshotFiles([EntryText.first().text]) { _ in .plain }
        let snapshot = try files.snapshot(files.logs)
        let changes: [(inout LogAnalysis) -> Void] = [
            { $0.scan.fingerprintKey = HashKey(phrase: "other") }, { $0.scan.isStrict = true },
            { $0.scan.maxRecordBytes = 1 << 20 },
        ]
        for change in changes {
            let result = files.run([snapshot], configure: change)
            #expect(result.input.faults == .unsupported && result.counted == 0)
            #expect(result.input.problems.entries.map(\.kind) == [.unsupportedFormat])
        }
        var bytes = try files.bytes(of: snapshot)
        bytes[8] = 99
        let newer = files.run([try files.input(SnapshotStages.sealed(bytes), "newer")])
        #expect(newer.input.problems.entries.first?.detail.contains("format 99") == true)
    }

    /// Snapshots with a changed byte or a missing end, and a correct checksum: refused, or counted as something else;
    /// never a crash, and never a name that controls a terminal.
    @Test func hostileBytes() throws {
        var random = SeededGenerator(seed: 4)
        let lines = SnapshotTests.lines(seed: 4, entries: 40) + ["{\"broken", "callable-request-verification {"]
        let files = try SnapshotFiles([lines.joined(separator: "\n")]) { _ in .damaged }
        let intact = try files.bytes(of: try files.snapshot(files.logs))
        for place in intact.indices {
            var changed = intact
            changed[place] = changed[place] &+ UInt8.random(in: 1...255, using: &random)
            #expect(files.run([try files.input(changed, "x")]).counted == 0, "the check sum")
            files.run([try files.input(SnapshotStages.sealed(changed), "x")])
            if place.isMultiple(of: 7) {
                files.run([try files.input(SnapshotStages.sealed(Array(intact[..<place])), "x")])
            }
        }
    }

    // MARK: Logs

    /// Verifications of several projects and both generations, rows, lines on refused tokens, and other entries.
    private static func lines(seed: UInt64, entries: Int = 400) -> [String] {
        var random = SeededGenerator(seed: seed &+ 100)
        let calls = (0..<entries / 3).flatMap { number -> [String] in
            var call = CalledRequest(number, second: Int.random(in: 0..<200_000, using: &random))
            call.function = ["f", "g"].randomElement(using: &random) ?? "f"
            call.app = ["VALID", "MISSING", "INVALID"].randomElement(using: &random) ?? "VALID"
            call.cause = call.app == "INVALID" ? CalledRequest.expired : nil
            call.isAllowed = call.app == "INVALID" && number % 2 == 0
            call.hasSpan = number % 5 != 0
            call.hasExecution = number % 4 != 0
            call.hasRow = number % 7 != 0
            call.isLogged = number % 11 != 0
            call.agent = number % 3 == 0 ? "com.example.app/1.\(number % 4) iPhone/18.5 hw/iPhone14_2" : call.agent
            call.address = nil
            return call.lines
        }
        return RandomLog(seed: seed, entries: entries).lines + calls
    }

    /// The lines in `count` parts; about a fifth of those with a timestamp are written twice.
    private static func parts(of lines: [String], _ count: Int, using random: inout SeededGenerator) -> [String] {
        var parts = Array(repeating: [String](), count: count)
        for line in lines.shuffled(using: &random) {
            parts[Int.random(in: 0..<count, using: &random)].append(line)
            if Int.random(in: 0..<5, using: &random) == 0, line.contains("timestamp") {
                parts[Int.random(in: 0..<count, using: &random)].append(line)
            }
        }
        return parts.map { $0.joined(separator: "\n") }
    }

    /// All that is known of callers but their addresses.
    private func known(_ evidence: CallEvidence?) -> [FunctionIdentity: [Day: [AnyHashable]]]? {
        evidence?.functions.mapValues { function in
            function.days.mapValues { day in
                [day.rows, day.successes, day.unlogged, day.withRow, day.signs]
                    + [day.signedIn, day.signedOut].flatMap { callers -> [AnyHashable] in
                        [
                            callers.clients, callers.blockedUnclear, callers.causes,
                        ]
                    }
            }
        }
    }

    /// The differences between two results, except for the number of bytes read.
    private func differences(_ left: LogAnalysis.Result, _ right: LogAnalysis.Result) -> [String] {
        var (mine, theirs) = (left.input, right.input)
        (mine.bytesRead, theirs.bytesRead) = (0, 0)
        var found: [String] = []
        if left.tally != right.tally { found.append("tally") }
        let (names, other) = (left.tally.functions.mapValues(\.first), right.tally.functions.mapValues(\.first))
        if names != other || left.tally.newest != right.tally.newest { found.append("times") }
        let problems = (mine.problems.entries, theirs.problems.entries)
        for (first, second) in zip(problems.0, problems.1) where first != second {
            found.append("\(first) \(second)")
        }
        if problems.0.count != problems.1.count { found.append("number of problems") }
        (mine.problems, theirs.problems) = (ProblemLog(), ProblemLog())
        if mine != theirs { found.append("input: \(mine) \(theirs)") }
        if known(left.evidence) != known(right.evidence) { found.append("evidence") }
        if left.evidence?.unloggedDays != right.evidence?.unloggedDays { found.append("unlogged days") }
        return found
    }
}

/// Logs and the snapshots that were made of them, in a temporary directory.
private final class SnapshotFiles {
    enum Form {
        case plain
        case compressed
        /// Compressed, and cut off at two thirds.
        case damaged
    }

    let directory: TemporaryDirectory
    private(set) var logs: [LogInput] = []
    private var count = 0

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
            logs.append(try input(bytes, "log\(index)"))
        }
    }

    func input(_ bytes: [UInt8], _ name: String) throws -> LogInput { .file(try directory.write(bytes, to: name)) }

    @discardableResult
    func run(
        _ inputs: [LogInput], jobs: Int = 1, configure: (inout LogAnalysis) -> Void = { _ in }
    ) -> LogAnalysis.Result {
        var analysis = LogAnalysis(inputs: inputs, horizon: laterThanAll)
        analysis.jobs = jobs
        configure(&analysis)
        return analysis.run()
    }

    func snapshot(
        _ inputs: [LogInput], configure: (inout LogAnalysis) -> Void = { _ in }
    ) throws -> LogInput {
        var analysis = LogAnalysis(inputs: inputs, horizon: laterThanAll)
        analysis.jobs = 2
        configure(&analysis)
        count += 1
        return try input(analysis.snapshot().bytes, "snapshot\(count)")
    }

    /// One snapshot of several, merged in a tree of some shape.
    func merged(_ snapshots: [LogInput], using random: inout SeededGenerator) throws -> LogInput {
        guard snapshots.count > 1 else { return try snapshot(snapshots) }
        let cut = Int.random(in: 1..<snapshots.count, using: &random)
        let (left, right) = (Array(snapshots[..<cut]), Array(snapshots[cut...]))
        return try snapshot([try merged(left, using: &random), try merged(right, using: &random)])
    }

    func bytes(of input: LogInput) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: input.name))) }
}
