import Verifications

extension Finding.Code {
    /// Generation 2 has no failed verification, and nothing was read from its standard-error log.
    package static let failuresNotSeen = Finding.Code("failures-not-seen", .incomplete(.failures), nil, .shared)
    /// Failed verifications ended some days before the as-of instant, though ``Finding/rate`` a day came before; their
    /// product is ``Finding/value``.
    package static let failuresStopped = Finding.Code("failures-stopped", .incomplete(.failures))
    /// The window begins with some days without one, though ``Finding/rate`` a day came after them; their product is
    /// ``Finding/value``.
    package static let failuresLate = Finding.Code("failures-late", .incomplete(.failures))
    /// Advice: safe, but not one failed verification of the generation shows that failures are in the log.
    package static let failuresUnproven = Finding.Code("failures-unproven")
}

/// Failed verifications may be missing from the log.
///
/// Generation 2 writes passes to standard output and failures to standard error, two logs; an export that has only the
/// first looks perfectly safe.
enum Failures {
    /// A safe function with this many requests and no failure: all is well, or a filter drops warnings.
    static let unprovenRequests = 300.0

    /// Looks at the stream within the function's own window.
    static func find(_ evaluation: Evaluation) -> [Finding] {
        if let lasting = evaluation.lasting?.failures { return lasting }
        guard evaluation.numbers.assumeComplete == .nothing, let asOf = evaluation.asOf, let window = evaluation.window,
            let recent = evaluation.recentWindow, let project = evaluation.project
        else { return [] }
        var stream = FailureStream(project: project, generation: evaluation.history.generation, asOf: asOf)
        // Python writes passes where it writes failures.
        if evaluation.history.provenance == .unlabelled {
            stream.shown = evaluation.traffic.lazy.filter { $0.blocked < $0.requests }.map(\.day)
        }
        let found = [stream.notSeen(in: window), stream.stopped(in: recent), stream.late(in: window)].compactMap { $0 }
        return found.isEmpty || evaluation.isWholeByRows ? [] : found
    }

    static func findUnproven(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        let evaluation = result.evaluation
        guard result.verdict == .enforce, evaluation.period.requests >= unprovenRequests,
            let project = evaluation.project,
            let stretch = project.firstDay.flatMap({ Window(from: $0, to: project.today) })
        else { return nil }
        let hasFailed = project.coverage.stream(evaluation.history.generation).failedDays.containsDay(of: stretch)
        return hasFailed ? nil : Finding(code: .failuresUnproven, value: evaluation.period.requests)
    }
}

/// The stream of failed verifications of one project and generation, as far as its arrival is known at an instant.
struct FailureStream {
    /// More failed verifications than this must be missing before silence counts as a lost stream: by chance a stream
    /// with such an expectation stays empty with probability e⁻⁷, about once in a thousand.
    static let expectedFailures = 7.0

    let project: ProjectView
    let generation: Generation?
    let asOf: Instant
    /// Days on which failures would be seen, ascending, though none is there.
    var shown: [Day] = []

    /// Days that show that failures arrive, ascending.
    private var signs: [Day] {
        shown.isEmpty ? stream.signDays : Set(stream.signDays).union(shown).sorted()
    }

    private var stream: StreamCoverage {
        project.coverage.stream(generation)
    }

    fileprivate func notSeen(in window: Window) -> Finding? {
        guard generation == .second, let window = project.stretch(of: window) else { return nil }
        return signs.containsDay(of: window) ? nil : Finding(code: .failuresNotSeen)
    }

    /// Looks for the run of days without a failure in window(W).
    func stopped(in recent: Window) -> Finding? {
        guard let firstDay = project.firstDay else { return nil }
        let signs = signs
        let index = signs.firstIndex(notBefore: asOf.day.advanced(by: 1)) - 1
        let runStart = index < 0 ? recent.from : max(recent.from, signs[index].advanced(by: 1))
        guard firstDay < runStart, runStart <= asOf.day else { return nil }
        let days = firstDay.distance(to: runStart)
        let failures = usualFailures(from: firstDay, to: runStart)
        let day: Int128 = 86_400_000_000_000
        let run = Int128(runStart.distance(to: asOf.day)) * day + Int128(asOf.nanosecondOfDay)
        // k·f̄ > 7 in whole numbers: a quotient would round at the boundary.
        guard run * Int128(failures) > Int128(FailureStream.expectedFailures) * day * Int128(days) else { return nil }
        let perDay = Double(failures) / Double(days)
        return Finding(
            code: .failuresStopped, value: Double(run) / Double(day) * perDay, limit: FailureStream.expectedFailures,
            rate: perDay)
    }

    /// Looks for the run of days without a failure with which a window begins.
    func late(in window: Window) -> Finding? {
        guard let window = project.stretch(of: window) else { return nil }
        let signs = signs
        let index = signs.firstIndex(notBefore: window.from)
        guard index < signs.count, signs[index] > window.from, signs[index] <= asOf.day else { return nil }
        let end = asOf.day.advanced(by: 1)
        let (run, days) = (window.from.distance(to: signs[index]), signs[index].distance(to: end))
        let failures = usualFailures(from: signs[index], to: end)
        guard run * failures > Int(FailureStream.expectedFailures) * days else { return nil }
        let perDay = Double(failures) / Double(days)
        return Finding(
            code: .failuresLate, value: Double(run) * perDay, limit: FailureStream.expectedFailures, count: run,
            rate: perDay)
    }

    /// Failures of some days together, each day counted up to their upper quartile, so that one day of attacks does not
    /// set the expectation.
    private func usualFailures(from first: Day, to end: Day) -> Int {
        let days = first.distance(to: end)
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
    /// True if any of the days, which are in order, lies in a window.
    fileprivate func containsDay(of window: Window) -> Bool {
        let index = firstIndex(notBefore: window.from)
        return index < count && self[index] <= window.to
    }
}
