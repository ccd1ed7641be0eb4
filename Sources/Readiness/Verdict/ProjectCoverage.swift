package import Verifications

/// The coverage of one project's log: the days it covers, and its streams of passed and failed verifications.
///
/// It is summed up from all functions of the project, regardless of the selection, and does not depend on the
/// as-of instant: a ``ProjectView`` leaves out the days after it.
package struct ProjectCoverage: Sendable {
    /// Days on which the log is there, ascending.
    package let coveredDays: [Day]
    /// Days with a verification, ascending.
    let trafficDays: [Day]
    /// Verifications of each of the covered days.
    let verifications: [Int]
    /// For each of them, the first day of the run it belongs to.
    let runStarts: [Day]
    let quietDays: QuietDays
    /// Days with a request that succeeded and left no verification, and days without any verification on which many
    /// were answered 5xx: functions fail before the SDK logs.
    private(set) var unloggedDays: Set<Day> = []
    /// Days with one of the SDK's lines "Allowing request…".
    private(set) var allowingDays: Set<Day> = []
    /// True with a row of the request log, and with anything beside verifications.
    private(set) var hasRows = false
    private(set) var hasEvidence = false
    /// Days before `--since`, as far as revisions show them, ascending.
    private let hiddenDays: [Day]
    private let streams: [Generation?: StreamCoverage]

    /// Covered days with more empty ones between them, quiet ones not counted, belong to different runs: one stray
    /// entry of last month must not make a log of three days look old.
    private static let longestPause = 3

    /// As many requests answered 5xx on a day without a verification show that they fail before the SDK logs.
    static let manyServerErrors = 10

    /// A project without a record.
    package static let none = ProjectCoverage(functions: [], project: ProjectTally(), quietDays: QuietDays())

    init(
        functions: [(generation: Generation?, table: CellTable)], project: ProjectTally, quietDays: QuietDays
    ) {
        var counts: [Day: Int] = [:]
        var sums: [Generation?: StreamSum] = [.second: StreamSum(errorStream: project)]
        var errors: [Day: Int] = [:]
        var hidden: Set<Day> = []
        for (generation, table) in functions {
            let traffic = table.days()
            sums[generation, default: StreamSum()].add(table, traffic)
            for day in traffic { counts[day.day, default: 0] += Int(day.requests) }
            allowingDays.formUnion(table.allowingDays)
            hasRows = hasRows || table.hasRows
            hasEvidence = hasEvidence || table.hasEvidence
            for cell in table.cells {
                if cell.isVerification {
                    if cell.isEarly { hidden.insert(cell.day) }
                } else if cell.answer == .success {
                    unloggedDays.insert(cell.day)
                } else if cell.answer == .serverError {
                    errors[cell.day, default: 0] += cell.count
                }
            }
        }
        let days = counts.keys.sorted()
        (coveredDays, trafficDays) = (days, days)
        verifications = days.map { counts[$0] ?? 0 }
        var starts: [Day] = []
        for (index, day) in days.enumerated() {
            let isSameRun = index > 0 && ProjectCoverage.isBridged(from: days[index - 1], to: day, quietDays)
            starts.append(isSameRun ? starts[index - 1] : day)
        }
        runStarts = starts
        streams = sums.mapValues(StreamCoverage.init)
        self.quietDays = quietDays
        hiddenDays = hidden.filter { counts[$0] == nil }.sorted()
        unloggedDays.formUnion(
            Set(errors.filter { $0.value >= ProjectCoverage.manyServerErrors }.keys).subtracting(days))
    }

    /// A project some of whose days all count, and whose failures cannot be missing.
    init(whole days: ClosedRange<Day>, of coverage: ProjectCoverage) {
        (trafficDays, hiddenDays) = (coverage.trafficDays, coverage.hiddenDays)
        coveredDays = Array(days)
        verifications = days.map { _ in 1 }
        runStarts = days.map { _ in days.lowerBound }
        (quietDays, streams) = (QuietDays(), [:])
        allowingDays = Set(days)
    }

    /// All projects of a tally.
    static func projects(of tally: Tally, quietDays: QuietDays) -> [ExactName: ProjectCoverage] {
        var functions = tally.projects.mapValues { _ in [(generation: Generation?, table: CellTable)]() }
        for (identity, function) in tally.functions {
            functions[ExactName(identity.project), default: []].append((identity.generation, function))
        }
        return Dictionary(
            uniqueKeysWithValues: functions.map { name, functions in
                let project = tally.projects[name] ?? ProjectTally()
                return (name, ProjectCoverage(functions: functions, project: project, quietDays: quietDays))
            })
    }

    /// The first day of a stretch that the log goes on from, before what `--since` lets count.
    func start(of stretch: Day) -> Day {
        var start = stretch
        for day in hiddenDays.reversed() where day < start {
            guard ProjectCoverage.isBridged(from: day, to: start, quietDays) else { break }
            start = day
        }
        return start
    }

    /// True if two covered days belong to one run.
    static func isBridged(from earlier: Day, to later: Day, _ quietDays: QuietDays) -> Bool {
        if earlier.distance(to: later) - 1 <= longestPause { return true }
        guard !quietDays.isEmpty else { return false }
        let empty = (earlier.advanced(by: 1)..<later).lazy.filter { !quietDays.contains($0) }
        return empty.prefix(longestPause + 1).count <= longestPause
    }

    func isCovered(_ day: Day) -> Bool {
        let index = coveredDays.firstIndex(notBefore: day)
        return index < coveredDays.count && coveredDays[index] == day
    }

    func stream(_ generation: Generation?) -> StreamCoverage {
        streams[generation] ?? StreamCoverage(StreamSum())
    }

    /// True when generation 2 has a failed verification, or a record of its standard-error log was read.
    var showsFailures: Bool {
        let stream = stream(.second)
        return stream.hasUndatedSign || !stream.signDays.isEmpty
    }
}

/// The verifications of one project and generation together.
struct StreamCoverage: Sendable {
    /// Days with a failed verification, ascending.
    let failedDays: [Day]
    /// Failed verifications of each of them.
    let failed: [Int]
    /// Days that show that the stream of failures arrived, ascending: with a failed verification, or with a record of
    /// generation 2's standard-error log.
    let signDays: [Day]
    /// True when such a sign has no day.
    let hasUndatedSign: Bool
    /// Days on which a labelled function has a passed verification.
    let labelledPassDays: Set<Day>

    fileprivate init(_ sum: StreamSum) {
        failedDays = sum.failed.keys.sorted()
        failed = failedDays.map { sum.failed[$0] ?? 0 }
        signDays = sum.errorStreamDays.isEmpty ? failedDays : sum.errorStreamDays.union(failedDays).sorted()
        hasUndatedSign = sum.hasUndatedSign
        labelledPassDays = sum.labelledPassDays
    }
}

private struct StreamSum {
    var failed: [Day: Int] = [:]
    var errorStreamDays: Set<Day> = []
    var hasUndatedSign = false
    var labelledPassDays: Set<Day> = []

    init() {}

    init(errorStream project: ProjectTally) {
        errorStreamDays = project.errorStreamDays
        hasUndatedSign = project.undatedErrorStream
    }

    mutating func add(_ function: CellTable, _ traffic: [DaySum]) {
        for day in traffic {
            let (all, passed) = (day.statuses.total, day.statuses.passed)
            if passed > 0, function.provenance == .labelled { labelledPassDays.insert(day.day) }
            if passed < all { failed[day.day, default: 0] += all - passed }
        }
        for matrix in [function.undated, function.pooledDays] where matrix.passed < matrix.total {
            hasUndatedSign = true
        }
    }
}

extension [Day] {
    /// The place of the first day that is not before the given one; the days are in order.
    func firstIndex(notBefore day: Day) -> Int {
        partitioningIndex { $0 < day }
    }
}
