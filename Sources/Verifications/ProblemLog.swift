/// The problems of a run, bounded: each source's first stream problem and the first record problems in source order.
///
/// Logs form a commutative monoid under ``merge(_:)``, so that the result does not depend on which input was read
/// first.
package struct ProblemLog: Hashable, Codable, Sendable {
    /// The most record problems that are kept with their place; the others are counted.
    package static let recordLimit = 20

    private var sourceProblems: [Problem] = []
    private var recordProblems: [Problem] = []
    package private(set) var dropped = 0

    package init() {}
    package var isEmpty: Bool { sourceProblems.isEmpty && recordProblems.isEmpty && dropped == 0 }

    /// Adds one problem of a source.
    ///
    /// Stream problems of one source must come in the order of their bytes.
    package mutating func append(_ problem: Problem) {
        if problem.kind.isRecord {
            recordProblems.append(problem)
            trim()
        } else if problem.kind.isStream,
            sourceProblems.last?.source == problem.source, sourceProblems.last?.kind.isStream == true
        {
            dropped += 1
        } else {
            sourceProblems.append(problem)
        }
    }

    package func map(_ change: (Problem) -> Problem) -> ProblemLog {
        var log = self
        (log.sourceProblems, log.recordProblems) = (sourceProblems.map(change), recordProblems.map(change))
        return log
    }

    package mutating func drop(_ count: Int) { dropped.addClamped(count) }

    package mutating func merge(_ other: ProblemLog) {
        sourceProblems += other.sourceProblems
        recordProblems += other.recordProblems
        dropped.addClamped(other.dropped)
        sourceProblems.sort(by: ProblemLog.precedes)
        recordProblems.sort(by: ProblemLog.precedes)
        trim()
    }

    /// In source order, each source's stream problem before its records', and one closing entry that counts the rest.
    package var entries: [Problem] {
        var all = (sourceProblems + recordProblems).sorted(by: ProblemLog.precedes)
        if dropped > 0 {
            let noun = dropped == 1 ? "problem" : "problems"
            let detail = "\(dropped) more \(noun) of the same kinds, counted but not listed"
            all.append(Problem(source: nil, kind: .more, detail: detail))
        }
        return all
    }

    private mutating func trim() {
        let excess = recordProblems.count - ProblemLog.recordLimit
        guard excess > 0 else { return }
        recordProblems.removeLast(excess)
        dropped += excess
    }

    private static func precedes(_ left: Problem, _ right: Problem) -> Bool {
        // An array without end has a place and no number, so that the place comes first.
        func key(_ problem: Problem) -> (ExactName, Int, Int, Int, String) {
            (
                ExactName(problem.source ?? ""), problem.kind.isStream ? 0 : problem.kind.isRecord ? 2 : 1,
                problem.byteOffset ?? 0,
                problem.record ?? .max, problem.kind.rawValue
            )
        }
        return key(left) < key(right)
    }
}
