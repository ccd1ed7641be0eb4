package import Verifications

/// The coverage of one project's log: the days it covers, and its streams of passed and failed verifications.
///
/// It is summed up from all functions of the project, regardless of the selection, and does not depend on the
/// as-of instant: a ``ProjectView`` leaves out the days after it.
package struct ProjectCoverage: Sendable {
    /// Days with a verification, ascending.
    package let coveredDays: [Day]
    /// Verifications of each of them.
    let verifications: [Int]
    /// For each of them, the first day of the run it belongs to.
    let runStarts: [Day]
    let quietDays: QuietDays
    /// Days with a request that succeeded and left no verification, and those of ``failingDays``.
    private(set) var unloggedDays: Set<Day> = []
    /// Days with one of the SDK's lines "Allowing request…".
    private(set) var allowingDays: Set<Day> = []
    /// Days without a verification on which many requests were answered 5xx: functions fail before the SDK logs.
    private(set) var failingDays: Set<Day> = []
    /// Days before `--since`, as far as revisions show them, ascending.
    private let hiddenDays: [Day]
    private let streams: [Generation?: StreamCoverage]

    /// Covered days with more empty ones between them, quiet ones not counted, belong to different runs: one stray
    /// entry of last month must not make a log of three days look old.
    private static let longestPause = 3

    /// A project without a record.
    package static let none = ProjectCoverage(functions: [], project: ProjectTally(), quietDays: QuietDays())

    init(
        functions: [(generation: Generation?, tally: FunctionTally)], project: ProjectTally, quietDays: QuietDays
    ) {
        var counts: [Day: Int] = [:]
        var sums: [Generation?: StreamSum] = [.second: StreamSum(errorStream: project)]
        for (generation, tally) in functions {
            sums[generation, default: StreamSum()].add(tally)
            for day in tally.days { counts[day.day, default: 0] += day.counts.total }
        }
        let days = counts.keys.sorted()
        coveredDays = days
        verifications = days.map { counts[$0] ?? 0 }
        var starts: [Day] = []
        for (index, day) in days.enumerated() {
            let isSameRun = index > 0 && ProjectCoverage.isBridged(from: days[index - 1], to: day, quietDays)
            starts.append(isSameRun ? starts[index - 1] : day)
        }
        runStarts = starts
        streams = sums.mapValues(StreamCoverage.init)
        self.quietDays = quietDays
        hiddenDays = Set(functions.flatMap { $0.tally.revisions.lazy.map(\.day) }).filter { counts[$0] == nil }.sorted()
    }

    /// A project all of whose days count, and whose failures cannot be missing.
    init(whole days: ClosedRange<Day>) {
        coveredDays = Array(days)
        verifications = days.map { _ in 1 }
        runStarts = days.map { _ in days.lowerBound }
        (quietDays, streams, hiddenDays) = (QuietDays(), [:], [])
        allowingDays = Set(days)
    }

    /// All projects of a tally.
    static func projects(
        of tally: Tally, _ evidence: CallEvidence?, quietDays: QuietDays
    ) -> [ExactName: ProjectCoverage] {
        var functions = tally.projects.mapValues { _ in [(generation: Generation?, tally: FunctionTally)]() }
        for (identity, function) in tally.functions {
            functions[ExactName(identity.project), default: []].append((identity.generation, function))
        }
        let serverErrors = evidence?.serverErrors ?? [:]
        return Dictionary(
            uniqueKeysWithValues: functions.map { name, functions in
                let project = tally.projects[name] ?? ProjectTally()
                var found = ProjectCoverage(functions: functions, project: project, quietDays: quietDays)
                let failing = (serverErrors[name] ?? [:]).filter { $0.value >= CallerDay.manyServerErrors }
                found.failingDays = Set(failing.keys).subtracting(found.coveredDays)
                found.unloggedDays = found.failingDays.union(evidence?.unloggedDays[name] ?? [])
                found.allowingDays = evidence?.allowingDays[name] ?? []
                return (name, found)
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
    package var showsFailures: Bool {
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

    mutating func add(_ function: FunctionTally) {
        for day in function.days {
            let passed = day.counts.passed
            if passed > 0, function.provenance == .labelled { labelledPassDays.insert(day.day) }
            if passed < day.counts.total { failed[day.day, default: 0] += day.counts.total - passed }
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
