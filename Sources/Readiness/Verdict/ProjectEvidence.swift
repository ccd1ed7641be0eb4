public import Verifications

/// What one project's log shows as a whole: which days it covers, and its streams of passed and failed verifications.
///
/// It is summed up from all functions of the project, whatever is selected for display, and does not depend on the
/// as-of instant: who asks leaves out the days after it.
public struct ProjectEvidence: Sendable {
    /// Days with a verification, ascending.
    public let coveredDays: [Day]
    /// Verifications of each of them.
    let verifications: [Int]
    private let streams: [Generation?: StreamEvidence]

    /// A project of which nothing was seen.
    static let none = ProjectEvidence(functions: [], project: ProjectTally())

    init(functions: [(generation: Generation?, tally: FunctionTally)], project: ProjectTally) {
        var counts: [Day: Int] = [:]
        var streams: [Generation?: StreamEvidence] = [:]
        for (generation, tally) in functions {
            streams[generation, default: StreamEvidence()].add(tally)
            for day in tally.days { counts[day.day, default: 0] += day.counts.total }
        }
        streams[.second, default: StreamEvidence()].add(project)
        self.streams = streams
        coveredDays = counts.keys.sorted()
        verifications = coveredDays.map { counts[$0] ?? 0 }
    }

    /// All projects of a tally.
    static func projects(of tally: Tally) -> [ExactName: ProjectEvidence] {
        var functions = tally.projects.mapValues { _ in [(generation: Generation?, tally: FunctionTally)]() }
        for (identity, function) in tally.functions {
            functions[ExactName(identity.project), default: []].append((identity.generation, function))
        }
        return Dictionary(
            uniqueKeysWithValues: functions.map { name, functions in
                (name, ProjectEvidence(functions: functions, project: tally.projects[name] ?? ProjectTally()))
            })
    }

    /// True when the project has a verification on the day.
    func isCovered(_ day: Day) -> Bool {
        let index = coveredDays.firstIndex(notBefore: day)
        return index < coveredDays.count && coveredDays[index] == day
    }

    /// The last day with a verification up to the given one.
    func lastDay(upTo day: Day) -> Day? {
        let index = coveredDays.firstIndex(notBefore: day.advanced(by: 1))
        return index > 0 ? coveredDays[index - 1] : nil
    }

    func stream(_ generation: Generation?) -> StreamEvidence {
        streams[generation] ?? StreamEvidence()
    }

    /// True when generation 2 has a failed verification, or a record of its standard-error log was read.
    public var showsFailures: Bool {
        let stream = stream(.second)
        return stream.hasUndatedFailure || !stream.failed.isEmpty || !stream.errorStreamDays.isEmpty
    }
}

/// The verifications of one project and generation together.
struct StreamEvidence: Sendable {
    /// Failed verifications of each day that has any.
    private(set) var failed: [Day: Int] = [:]
    /// Days on which a labelled function has a passed verification.
    private(set) var labelledPassDays: Set<Day> = []
    /// Days on which a record of the standard-error log was read.
    private(set) var errorStreamDays: Set<Day> = []
    /// True when a failure, or a record of the standard-error log, has no day.
    private(set) var hasUndatedFailure = false

    fileprivate mutating func add(_ function: FunctionTally) {
        for day in function.days {
            let passed = day.counts.passed
            if passed > 0, function.provenance == .labelled { labelledPassDays.insert(day.day) }
            if passed < day.counts.total { failed[day.day, default: 0] += day.counts.total - passed }
        }
        for matrix in [function.undated, function.pooledDays] where matrix.passed < matrix.total {
            hasUndatedFailure = true
        }
    }

    fileprivate mutating func add(_ project: ProjectTally) {
        errorStreamDays.formUnion(project.errorStreamDays)
        if project.undatedErrorStream { hasUndatedFailure = true }
    }
}

extension [Day] {
    /// The place of the first day that is not before the given one; the days are in order.
    func firstIndex(notBefore day: Day) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < day { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
