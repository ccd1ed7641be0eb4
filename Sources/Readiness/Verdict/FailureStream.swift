import Verifications

/// Whether the stream of failed verifications of one project and generation arrived, as far as is known at an instant.
///
/// Generation 2 writes passes to standard output and failures to standard error, two logs; an export that has one and
/// not the other looks perfectly safe.
struct FailureStream {
    /// More failed verifications than this must be missing before silence is taken for a lost stream: by chance a
    /// stream with such an expectation stays empty with probability e⁻⁷, about once in a thousand.
    static let expectedFailures = 7.0

    let project: ProjectView
    let generation: Generation?
    let asOf: Instant

    private var stream: StreamEvidence {
        project.evidence.stream(generation)
    }

    /// `failures-not-seen` in a function's window and `failures-stopped` in window(W), where they hold.
    func findings(window: Window, recent: Window) -> [Reason] {
        [notSeen(in: window), stopped(in: recent)].compactMap { $0 }
    }

    private func notSeen(in window: Window) -> Reason? {
        guard generation == .second, let window = project.stretch(of: window) else { return nil }
        let signs = stream.signDays
        let index = signs.firstIndex(notBefore: window.from)
        return index < signs.count && signs[index] <= window.to ? nil : .failuresNotSeen
    }

    /// The run of days without a failure is looked for in window(W).
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
        return .failuresStopped(days: Double(run) / Double(day), perDay: Double(failures) / Double(days))
    }

    /// Failures of some days together, each counted up to their upper quartile: one day of attacks sets no expectation.
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
