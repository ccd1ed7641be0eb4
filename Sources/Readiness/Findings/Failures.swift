import Verifications

/// Failed verifications may be missing from the log.
///
/// Generation 2 writes passes to standard output and failures to standard error, two logs; an export that has only the
/// first looks perfectly safe.
package enum Failures: Hashable, Sendable {
    /// Generation 2 has no failed verification, and nothing was read from its standard-error log.
    case notSeen
    /// Failed verifications ended `days` before the as-of instant, though `perDay` came before.
    case stopped(days: Double, perDay: Double)
    /// Advice: safe, but not one failed verification of the generation shows that failures are in the log.
    case unproven(admitted: Int)

    var facts: Finding {
        switch self {
        case .notSeen: .init("failures-not-seen", .incomplete(.failures), nil, .shared)
        case .stopped(let days, let perDay):
            .init(
                "failures-stopped", .incomplete(.failures), value: days * perDay,
                limit: FailureStream.expectedFailures)
        case .unproven(let admitted): .init("failures-unproven", .advice, value: Double(admitted))
        }
    }
}

extension Failures {
    /// A safe function with this many requests and no failure: all is well, or a filter drops warnings.
    private static let unprovenRequests = 300.0

    /// Looks at the stream within the function's own window.
    static func find(_ evaluation: Evaluation) -> [Reason] {
        if let lasting = evaluation.lasting?.failures { return lasting }
        guard evaluation.numbers.assumeComplete == .nothing, !evaluation.proof.showsEverything,
            let asOf = evaluation.asOf,
            let window = evaluation.window, let recent = evaluation.recentWindow, let project = evaluation.project
        else { return [] }
        let stream = FailureStream(project: project, generation: evaluation.history.generation, asOf: asOf)
        return [stream.notSeen(in: window), stream.stopped(in: recent)].compactMap { $0 }
    }

    static func findUnproven(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Reason? {
        let evaluation = result.evaluation
        guard result.verdict == .enforce, evaluation.period.admitted >= unprovenRequests,
            !evaluation.proof.showsEverything,
            let project = evaluation.project,
            let stretch = project.firstDay.flatMap({ Window(from: $0, to: project.today) })
        else { return nil }
        let hasFailed = project.coverage.stream(evaluation.history.generation).failedDays.containsDay(of: stretch)
        return hasFailed ? nil : .failures(.unproven(admitted: Int(evaluation.period.admitted)))
    }
}

/// Whether the stream of failed verifications of one project and generation arrived, as far as is known at an instant.
struct FailureStream {
    /// More failed verifications than this must be missing before silence counts as a lost stream: by chance a stream
    /// with such an expectation stays empty with probability e⁻⁷, about once in a thousand.
    static let expectedFailures = 7.0

    let project: ProjectView
    let generation: Generation?
    let asOf: Instant

    private var stream: StreamCoverage {
        project.coverage.stream(generation)
    }

    fileprivate func notSeen(in window: Window) -> Reason? {
        guard generation == .second, let window = project.stretch(of: window) else { return nil }
        return stream.signDays.containsDay(of: window) ? nil : .failures(.notSeen)
    }

    /// Looks for the run of days without a failure in window(W).
    func stopped(in recent: Window) -> Reason? {
        guard let firstDay = project.firstDay else { return nil }
        let signs = stream.signDays
        let index = signs.firstIndex(notBefore: asOf.day.advanced(by: 1)) - 1
        let runStart = index < 0 ? recent.from : max(recent.from, signs[index].advanced(by: 1))
        guard firstDay < runStart, runStart <= asOf.day else { return nil }
        let days = firstDay.distance(to: runStart)
        let failures = usualFailures(from: firstDay, to: runStart, days: days)
        let day: Int128 = 86_400_000_000_000
        let run = Int128(runStart.distance(to: asOf.day)) * day + Int128(asOf.nanosecondOfDay)
        // k·f̄ > 7 in whole numbers: a quotient would round at the boundary.
        guard run * Int128(failures) > Int128(FailureStream.expectedFailures) * day * Int128(days) else { return nil }
        return .failures(.stopped(days: Double(run) / Double(day), perDay: Double(failures) / Double(days)))
    }

    /// Failures of some days together, each day counted up to their upper quartile, so that one day of attacks does not
    /// set the expectation.
    private func usualFailures(from first: Day, to end: Day, days: Int) -> Int {
        let (start, stop) = (
            stream.failedDays.firstIndex(notBefore: first), stream.failedDays.firstIndex(notBefore: end)
        )
        let counts = stream.failed[start..<stop].sorted()
        let rank = (3 * days + 3) / 4 - (days - counts.count)
        guard rank > 0 else { return 0 }
        return counts.reduce(0) { $0 + min($1, counts[rank - 1]) }
    }
}

extension [Day] {
    /// Whether any of the days, which are in order, lies in a window.
    fileprivate func containsDay(of window: Window) -> Bool {
        let index = firstIndex(notBefore: window.from)
        return index < count && self[index] <= window.to
    }
}
