import Entries
import LogStream
import Readiness
import SyntheticLogs
import TestSupport
import Verifications

/// A log that was written in one transport, in one part or several, and the truth about it.
struct WrittenLog {
    let parts: [[UInt8]]
    let truth: Truth

    init(_ scenario: Scenario, as transport: Transport, shards: Int = 1) throws {
        let written = Written(shards)
        truth = try scenario.write(as: transport, shards: shards) { written.parts[$0] += $1 }
        parts = written.parts
    }

    private final class Written {
        var parts: [[UInt8]]

        init(_ count: Int) {
            parts = Array(repeating: [], count: count)
        }
    }
}

extension Scenario {
    /// A preset with about this many requests, and with everything that can go wrong on the way.
    static func small(_ preset: Preset, seed: UInt64, requests: Int, undatedShare: Double = 0.02) -> Scenario {
        let whole = preset.scenario(seed: seed)
        var scenario = whole.scaled(by: Double(requests) / Double(max(1, whole.requestCount)))
        scenario.duplicateShare = max(scenario.duplicateShare, 0.03)
        scenario.lateShare = 0.05
        scenario.undatedShare = undatedShare
        return scenario
    }
}

/// Logs read from memory.
struct ReadLogs {
    let result: LogAnalysis.Result

    init(_ parts: [[UInt8]], jobs: Int = 1, chunkBytes: Int = 256 << 10, key: HashKey = .standard) throws {
        let files = try parts.map { try MemoryFile($0) }
        var analysis = LogAnalysis(inputs: files.map { .file($0.path) }, horizon: laterThanAll)
        analysis.jobs = jobs
        analysis.scan.chunkBytes = chunkBytes
        analysis.scan.fingerprintKey = key
        result = withExtendedLifetime(files) { analysis.run() }
    }

    /// Each number that is not that of the truth.
    func differences(from truth: Truth) -> [String] {
        var found = Differences()
        let input = result.input
        found.compare("records", input.records, truth.records)
        found.compare("verifications", input.verifications, truth.verifications)
        found.compare("duplicates", input.duplicates, truth.duplicates)
        found.compare("undated", input.undated, truth.undated)
        found.compare("ignored", input.ignored, truth.ignored)
        found.compare("filtered", input.filtered, 0)
        found.compare("malformed", input.malformed, 0)
        found.compare("oversized", input.oversized, 0)
        found.compare("faults", input.faults, [])
        found.compare("functions", Set(result.tally.functions.keys), Set(truth.functions.map(\.identity)))
        for function in truth.functions {
            found.compare(function, result.tally.functions[function.identity] ?? CellTable())
        }
        for stream in truth.streams {
            let tally = result.tally.projects[ExactName(stream.project)]
            if stream.generation == .second {
                found.compare("days of standard error", tally?.errorStreamDays ?? [], stream.errorStreamDays)
            }
        }
        return found.texts
    }
}

/// What two accounts of a log do not agree on.
private struct Differences {
    private(set) var texts: [String] = []

    mutating func compare<Value: Equatable>(_ what: String, _ counted: Value, _ wanted: Value) {
        if counted != wanted { texts.append("\(what): \(counted), not \(wanted)") }
    }

    mutating func compare(_ truth: FunctionTruth, _ table: CellTable) {
        let name = truth.identity.name
        compare("first of \(name)", table.first, truth.first)
        compare("last of \(name)", table.last, truth.last)
        compare("label of \(name)", table.label, truth.label.map { ExactName($0) })
        compare("undated of \(name)", cells(table.undated), cells(truth.undated))
        func days(_ admission: Admission) -> [DaySum] {
            table.days(blocked: { $0.isBlocked && admission.admits(auth: $0.auth) })
        }
        compare("days of \(name)", days(.notRefused).map(\.day), truth.days.map(\.day))
        for (counted, day) in zip(days(.notRefused), truth.days) {
            compare("\(name) on \(day.day)", cells(counted.statuses), cells(day.counts))
            compare("hours of \(name) on \(day.day)", counted.blockedHours, day.blockedHours)
            let last = day.lastBlocked?.nanosecondOfDay
            compare("last blocked of \(name) on \(day.day)", counted.lastBlocked, last)
        }
        for (counted, day) in zip(days(.signedIn), truth.days) {
            compare("signed-in hours of \(name) on \(day.day)", counted.blockedHours, day.signedInBlockedHours)
        }
    }

    private func cells(_ matrix: StatusMatrix) -> [Int] {
        TokenStatus.allCases.flatMap { app in TokenStatus.allCases.map { matrix[app, $0] } }
    }

    private func cells(_ counts: StatusCounts) -> [Int] {
        TokenStatus.allCases.flatMap { app in TokenStatus.allCases.map { counts[app, $0] } }
    }
}
