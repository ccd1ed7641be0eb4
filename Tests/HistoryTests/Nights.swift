import Analysis
import Entries
import Foundation
import History
import LogStream
import Readiness
import TestSupport
import Verifications

/// A day after all that tests log.
let laterThanAll = Instant(seconds: 1_900_000_000)
let now = Instant(seconds: 1_793_000_000)

/// A store in a temporary directory, and files next to it.
struct Nights {
    let directory: TemporaryDirectory
    var path: String { directory.path("store.db") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Opens the store anew, as each night does.
    func store(_ access: Store.Access = .adding) throws -> Store {
        try Store(path: path, access: access) { $0.hash($1) }
    }

    /// Writes a file and adds it to the store.
    @discardableResult
    func ingest(_ text: String, as name: String, isCompressed: Bool = false) throws -> IngestOutcome {
        try ingest(bytes: isCompressed ? Gzip.member(Array(text.utf8)) : Array(text.utf8), as: name)
    }

    @discardableResult
    func ingest(bytes: [UInt8], as name: String) throws -> IngestOutcome {
        let store = try store()
        let outcome = try Nights.ingest(try input(bytes, name), into: store)
        try store.finishRun(retentionDays: nil, at: now)
        return outcome
    }

    /// A file as an input.
    func input(_ bytes: [UInt8], _ name: String) throws -> LogInput {
        LogInput.expand([try directory.write(bytes, to: name)])[0]
    }

    /// Adds files as one run does; a killed run ends before it tidies up.
    @discardableResult
    func run(_ files: [(bytes: [UInt8], name: String)], isKilled: Bool = false) throws -> [IngestOutcome] {
        let store = try store()
        let outcomes = try files.map { try Nights.ingest(try input($0.bytes, $0.name), into: store) }
        if !isKilled { try store.finishRun(retentionDays: nil, at: now) }
        return outcomes
    }

    /// Adds a log, or the sources of a snapshot, and returns the last outcome.
    static func ingest(
        _ input: LogInput, into store: Store, at instant: Instant = now
    ) throws -> IngestOutcome {
        var analysis = LogAnalysis(inputs: [], horizon: laterThanAll)
        analysis.scan.fingerprintKey = store.key
        let read = analysis.packed(input, progress: ReadProgress())
        try store.add(read.sealed)
        let outcomes = try read.sources.map { source in
            try store.ingest(
                source.source, named: source.name, size: source.size, bytesRead: source.size, at: instant,
                beside: read.sealed)
        }
        return outcomes.last ?? IngestOutcome(summary: read.input)
    }

    /// What the store says, with what is read beside it.
    func load(
        _ texts: [String] = [], in range: TimeRange = TimeRange(), limit: Int = 100_000
    ) throws -> LogAnalysis.Result {
        let inputs = try texts.enumerated().map { try input(Array($1.utf8), "beside-\($0).json") }
        var analysis = LogAnalysis(inputs: inputs, horizon: laterThanAll)
        (analysis.range, analysis.scan.maxFunctions) = (range, limit)
        let store = try store(.reading)
        return try analysis.run { set, sealed, resolution throws(StoreFailure) in
            try store.answer(set, sealed: sealed, resolution).resolved
        }
    }

    /// What the store holds, as a snapshot.
    func snapshot() throws -> [UInt8] {
        let held = try store(.reading).packed()
        let stored = PackedSources(held.sources, sealed: held.sealed, records: held.records)
        return LogAnalysis(inputs: [], horizon: laterThanAll).snapshot(with: stored).bytes
    }

    /// What the store says of callers.
    func evidence(in range: TimeRange = TimeRange()) throws -> CallEvidence? {
        var evidence = try load(in: range).evidence
        evidence?.hasAddresses = true
        return evidence
    }

    /// What one pass over files says.
    func analysis(_ texts: [String], in range: TimeRange = TimeRange()) throws -> LogAnalysis.Result {
        let inputs = try texts.enumerated().map { try input(Array($1.utf8), "whole-\($0).json") }
        var analysis = LogAnalysis(inputs: inputs, horizon: laterThanAll)
        analysis.range = range
        return analysis.run()
    }
}

/// A log in which everything occurs that a store must keep apart, as groups of lines that belong together.
struct MixedLog {
    /// Entries in JSON; a group holds the copies of one.
    private(set) var entries: [[String]] = []
    /// Lines of `firebase functions:log`, which have no `insertId`; a group holds equal lines, each of which counts.
    private(set) var lines: [[String]] = []

    init(seed: UInt64, entries count: Int = 400, days: Int = 12) {
        var random = SeededGenerator(seed: seed)
        for number in 0..<count { entries.append(entry(number, days: days, using: &random)) }
        for _ in 0..<count / 4 {
            let second = Int.random(in: 0..<days * 86_400, using: &random)
            let time = Instant(seconds: 1_791_000_000 + Int64(second)).description
            let app = ["VALID", "MISSING", "INVALID"].randomElement(using: &random) ?? "VALID"
            let payload = EntryText.payload(app: app, auth: "VALID")
            let letter = app == "INVALID" ? "W" : "D"
            let line = "\(time) \(letter) f\(second % 3): \(payload)"
            lines.append(Array(repeating: line, count: second % 9 == 0 ? 3 : 1))
        }
    }

    /// Everything, once.
    var whole: [String] { [entries.joined().joined(separator: "\n"), lines.joined().joined(separator: "\n")] }

    /// Files that overlap at random and together hold everything, in random order.
    func parts(_ count: Int, using random: inout SeededGenerator) -> [String] {
        let parts = [entries, lines].flatMap { groups -> [String] in
            var parts = Array(repeating: [String](), count: count)
            for group in groups.shuffled(using: &random) {
                let home = Int.random(in: 0..<count, using: &random)
                for index in 0..<count where index == home || Int.random(in: 0..<4, using: &random) == 0 {
                    parts[index] += group
                }
            }
            return parts.map { $0.shuffled(using: &random).joined(separator: "\n") }
        }
        return parts.filter { !$0.isEmpty }.shuffled(using: &random)
    }

    private func entry(_ number: Int, days: Int, using random: inout SeededGenerator) -> [String] {
        let time = Instant(
            seconds: 1_791_000_000 + Int64.random(in: 0..<Int64(days) * 86_400, using: &random),
            nanoseconds: UInt32.random(in: 0..<1_000_000_000, using: &random)
        ).description
        let app = ["VALID", "VALID", "INVALID", "MISSING", "ODD"].randomElement(using: &random) ?? "VALID"
        let auth = ["VALID", "VALID", "INVALID", "MISSING", "ODD"].randomElement(using: &random) ?? "VALID"
        let function = Int.random(in: 0..<7, using: &random)
        let entry =
            function.isMultiple(of: 2)
            ? EntryText.first("f\(function)", app: app, auth: auth, id: "\(number)", time: time)
                .with("severity", [#""DEBUG""#, #""INFO""#, #""NOTICE""#].randomElement(using: &random) ?? nil)
            : EntryText.second(
                "s\(function)", app: app, auth: auth, id: "\(number)", time: time, project: "p\(function % 3)",
                label: ["s_\(function)", "S_\(function)", nil].randomElement(using: &random) ?? nil)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return [entry.with("timestamp", nil).with("receiveTimestamp", nil).text]
        case 1: return Array(repeating: entry.with("insertId", nil).text, count: 2)
        case 2, 3: return Array(repeating: entry.text, count: Int.random(in: 2...4, using: &random))
        case 4:
            return [
                EntryText.application("stderr \(number)", time: time)
                    .with("logName", "\"projects/p1/logs/run.googleapis.com%2Fstderr\"")
                    .with("resource", "null").text
            ]
        default: return [entry.text]
        }
    }
}
