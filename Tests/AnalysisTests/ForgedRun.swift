import Entries
import LogStream
import Readiness
import SyntheticLogs
import TestSupport
import Verifications

/// A log with forgeries, read in every way that must make no difference.
struct ForgedRun {
    let log: ForgedLog
    let result: LogAnalysis.Result

    init(_ log: ForgedLog) throws {
        self.log = log
        result = try ReadLogs([ForgedRun.text(log.lines)]).result
    }

    /// A day of a team's functions of both generations, with copies and entries that come late.
    static func scenario(seed: UInt64, requests: Int = 400) -> Scenario {
        .small(.mixed, seed: seed, requests: requests, undatedShare: 0)
    }

    /// What was read and what the truth says differently.
    func differences() throws -> [String] {
        var texts = try ReadLogs([ForgedRun.text(log.lines)]).differences(from: log.truth)
        for (identity, function) in result.tally.functions {
            let wanted = log.discarded[identity] ?? ForgedLog.Discarded()
            let found = function.discarded
            if found.unlabelled != wanted.unlabelled || found.otherMessage != wanted.otherMessage
                || found.repeated != wanted.repeated
            {
                texts.append("\(identity.name): discarded \(found), not \(wanted)")
            }
        }
        return texts
    }

    /// Readings of the same lines that give another result, by name.
    func disagreements(seed: UInt64) throws -> [String] {
        var random = SeededGenerator(seed: seed)
        let newestFirst = Array(log.lines.reversed())
        let shuffled = log.lines.shuffled(using: &random)
        let parts = [2, 7].map { count in
            var parts = Array(repeating: [String](), count: count)
            for line in shuffled { parts[Int.random(in: 0..<count, using: &random)].append(line) }
            return parts
        }
        let readings: [(name: String, parts: [[String]], jobs: Int)] = [
            ("newest first", [newestFirst], 1), ("shuffled", [shuffled], 1), ("two files, one job", parts[0], 1),
            ("two files, two jobs", parts[0], 2), ("seven files, four jobs", parts[1], 4),
            (
                "halves, newest first",
                [
                    Array(newestFirst.prefix(newestFirst.count / 2)),
                    Array(newestFirst.dropFirst(newestFirst.count / 2)),
                ], 2
            ),
        ]
        return try readings.compactMap { reading in
            let other = try ReadLogs(reading.parts.map(ForgedRun.text), jobs: reading.jobs).result
            return isSame(other) ? nil : reading.name
        } + (isSame(try ReadLogs([ForgedRun.array(newestFirst)]).result) ? [] : ["one array, newest first"])
    }

    /// Everything but what tells files apart: their number, their bytes, their names, and what weighs only next to a
    /// file without a believed entry.
    private func isSame(_ other: LogAnalysis.Result) -> Bool {
        let (left, right) = (result.input, other.input)
        return days(result) == days(other) && left.records == right.records
            && left.verifications == right.verifications && left.duplicates == right.duplicates
            && left.filtered == right.filtered && left.ignored == right.ignored && left.undated == right.undated
            && left.malformed == right.malformed && left.faults == right.faults
    }

    private func days(_ result: LogAnalysis.Result) -> [FunctionIdentity: [DaySum]] {
        result.tally.functions.mapValues { $0.days() }
    }

    private static func text(_ lines: [String]) -> [UInt8] {
        Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// As `gcloud logging read --format=json` writes.
    private static func array(_ lines: [String]) -> [UInt8] {
        Array(("[\n  " + lines.joined(separator: ",\n  ") + "\n]\n").utf8)
    }
}
