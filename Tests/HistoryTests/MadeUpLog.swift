import History
import Readiness
import TestSupport
import Verifications

@testable import Entries

/// The present of tests: after all that they log.
let now = Instant(seconds: 1_793_000_000)
/// The first day of which tests log something.
let firstDay = Day(number: 20_700)

/// What was read of a log that a test makes up.
struct MadeUpLog {
    private(set) var set = EntrySet()
    var record = SourceRecord()

    init(_ name: String, damage: Int = 0) {
        record.file.name = name
        record.addedAt = now
        record.file.size = 1000
        record.hasEvidence = true
        set.input.sources = 1
        set.input.malformed = damage
        set.input.unread.add(damage)
    }

    static func hash(_ function: Int) -> UInt64 { mixed(UInt64(function) &+ 99) }

    static func time(_ day: Int, _ second: Int) -> Instant {
        Instant(
            day: firstDay.advanced(by: day), nanosecondOfDay: Int64(second) * 1_000_000_007 % Instant.nanosecondsPerDay)
    }

    /// Adds a verification.
    mutating func add(
        _ id: Int, function: Int = 1, day: Int?, second: Int? = nil, app: TokenStatus = .valid, project: String = "p",
        revision: Revision = .none, isTraced: Bool = false
    ) {
        let hash = MadeUpLog.hash(function)
        let mark = mixed(UInt64(id) &+ 7)
        set[hash].name.merge(
            ServiceName(
                identity: FunctionIdentity(project: project, region: "r", name: "f\(function)", generation: .second),
                label: ExactName("label\(id % 3)")))
        set[hash].add(
            Verification(
                function: 0, app: app, auth: .valid, severity: .debug,
                instant: day.map { MadeUpLog.time($0, second ?? id) },
                execution: id.isMultiple(of: 2) ? mark : nil, revision: revision,
                request: isTraced ? PackedRequestID(trace: mark, span: mark) : .none),
            Fingerprint(value: mark, digest: mark))
        set.input.records += 1
    }

    /// Adds a row of the request log.
    mutating func addRow(_ id: Int, function: Int = 1, day: Int) {
        let (hash, mark) = (MadeUpLog.hash(function), mixed(UInt64(id) &+ 13))
        let version = mixed(UInt64(id % 7)) & ClientVersions.hashMask
        set.versions.add(ClientVersion(app: "com.example.app", version: "\(id % 7).0", os: "17"), hash: version)
        set[hash].add(
            RequestRow(
                service: hash, instant: MadeUpLog.time(day, id), answer: .success,
                request: PackedRequestID(trace: mark, span: mark), fingerprint: mark,
                client: ClientCode(.ios, device: .iphone, nameHash: version),
                address: UInt16(id % 9), sign: .function))
        set.input.records += 1
    }

    mutating func addProblem(_ detail: String) {
        set.input.problems.append(Problem(source: record.file.name, kind: .truncatedGzip, detail: detail))
    }

    /// Adds what shows that the standard-error log of a project arrived.
    mutating func addErrorStream(day: Int?, project: String = "p") {
        set.projects[ExactName(project), default: ProjectTally()].addErrorStream(
            day: day.map { firstDay.advanced(by: $0) }, at: 7)
    }

    /// Adds records that may not be of the SDK.
    mutating func addUncounted(function: Int = 1) {
        let hash = MadeUpLog.hash(function)
        set[hash].uncounted.addForeign(.labelled, blocked: .missing)
        set[hash].uncounted.addForeign(.unlabelled, blocked: nil)
        set[hash].uncounted.endSource(on: firstDay)
    }

    /// Adds what holds any number of entries that cannot be read.
    mutating func addUnread(newest day: Int?) {
        set.input.unread.add(nil)
        set.input.newestEntry = day.map { MadeUpLog.time($0, 0) }
    }

    /// Adds the name of a revision that somebody chose.
    mutating func nameRevision(_ name: String, _ hash: UInt64) {
        set.versions.add(ClientVersion(version: name), hash: hash)
    }

    var read: ReadSource { ReadSource(set, record, horizon: now) }

    /// Logs that overlap: all kinds of entries, copies, undated ones, several functions, projects and revisions.
    static func several(_ count: Int, entries: Int = 60, days: Int = 5, seed: UInt64) -> [ReadSource] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { number in
            var log = MadeUpLog("\(number).json")
            for _ in 0..<entries {
                let id = Int.random(in: 0..<entries * count / 2, using: &random)
                // What an entry says follows from its number, but for what only some exports keep.
                let (function, day) = (id % 5, id % 97 == 0 ? nil : id % days)
                let keepsAll = Bool.random(using: &random)
                log.add(
                    id, function: function, day: day, app: id.isMultiple(of: 4) ? .missing : .valid,
                    project: "p\(function % 2)",
                    revision: keepsAll ? Revision(number: UInt64(id % 3 + 1), letters: 97) : .none,
                    isTraced: keepsAll && id.isMultiple(of: 3))
                if id.isMultiple(of: 3) { log.addRow(id, function: function, day: id % days) }
            }
            return log.read
        }
    }
}
