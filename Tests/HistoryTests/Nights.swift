import Analysis
import Foundation
import History
import LogStream
import Readiness
import TestSupport
import Verifications

/// A day after all that tests log.
let laterThanAll = Instant(seconds: 1_900_000_000)
let now = Instant(seconds: 1_793_000_000)

/// A store in a directory of its own, and files beside it.
struct Nights {
    let directory: TemporaryDirectory
    var path: String { directory.path("store.db") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Opens the store anew, as each night does.
    func store(_ access: HistoryStore.Access = .adding) throws -> HistoryStore {
        try HistoryStore(path: path, access: access)
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
        try store.settle(retentionDays: nil)
        return outcome
    }

    /// A file as an input.
    func input(_ bytes: [UInt8], _ name: String) throws -> LogInput {
        LogInput.expand([try directory.write(bytes, to: name)])[0]
    }

    /// Adds files as one run does, with what stands next to their verifications; a killed run ends before that.
    @discardableResult
    func run(_ files: [(bytes: [UInt8], name: String)], isKilled: Bool = false) throws -> [IngestOutcome] {
        let store = try store()
        var analysis = LogAnalysis(inputs: [], horizon: laterThanAll)
        analysis.scan.fingerprintKey = store.key
        let evidence = IngestedEvidence(openLimit: analysis.openLimit)
        var outcomes: [IngestOutcome] = []
        for file in files {
            let input = try input(file.bytes, file.name)
            var found: LogAnalysis.RawResult?
            outcomes.append(
                try store.ingest(input.name, size: input.size, at: now) { ledger in
                    let result = analysis.run(input, new: ledger)
                    found = result
                    return CountedInput(tally: result.tally, summary: result.input, ranks: result.ranks)
                })
            if let found, outcomes.last?.summary.isTrustworthy == true { evidence.add(found) }
        }
        guard !isKilled else { return outcomes }
        try store.addEvidence { evidence.joined(with: $0) }
        try store.settle(retentionDays: nil)
        return outcomes
    }

    /// What the store says of callers.
    func evidence(in days: WholeDays = WholeDays(first: nil, last: nil)) throws -> CallEvidence? {
        let store = try store(.reading)
        let stored = try store.load(horizon: laterThanAll, limit: 100_000)
        return stored.evidence.evidence(of: stored.tally, in: days) {
            ScannedFunction($0, label: nil, key: store.key).hash
        }
    }

    static func ingest(_ input: LogInput, into store: HistoryStore) throws -> IngestOutcome {
        try store.ingest(input.name, size: input.size, at: now) { count(input, for: store, against: $0) }
    }

    static func count(_ input: LogInput, for store: HistoryStore, against ledger: any CountLedger) -> CountedInput {
        var analysis = LogAnalysis(inputs: [], horizon: laterThanAll)
        analysis.scan.fingerprintKey = store.key
        let result = analysis.run(input, new: ledger)
        return CountedInput(tally: result.tally, summary: result.input, ranks: result.ranks)
    }

    func load() throws -> StoredHistory {
        try store(.reading).load(horizon: laterThanAll, limit: 100_000)
    }

    /// What one pass over files says.
    func analysis(_ texts: [String]) throws -> LogAnalysis.Result {
        let inputs = try texts.enumerated().map { try input(Array($1.utf8), "whole-\($0).json") }
        return LogAnalysis(inputs: inputs, horizon: laterThanAll).run()
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
