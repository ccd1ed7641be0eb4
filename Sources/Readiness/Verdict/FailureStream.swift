import Verifications

/// Whether the stream of failed verifications of one project and generation arrived.
///
/// Generation 2 writes passes to standard output and failures to standard error, two logs; an export that has one and
/// not the other looks perfectly safe.
enum FailureStream {
    /// More failed verifications than this must be missing before silence is taken for a lost stream: by chance a
    /// stream with such an expectation stays empty with probability e⁻⁷, about once in a thousand.
    static let expectedFailures = 7.0

    /// `failures-not-seen` and `failures-stopped`, where they hold.
    ///
    /// The stream is that of the function's generation; `firstDay` is the project's first day, of whatever generation;
    /// `recent` is window(W), in which the run is looked for.
    static func findings(
        _ stream: StreamEvidence, generation: Generation?, asOf: Instant, recent: Window, firstDay: Day?
    ) -> [Reason] {
        let failedDays = stream.failed.filter { $0.key <= asOf.day }
        let sawErrorStream = stream.errorStreamDays.contains { $0 <= asOf.day }
        var findings: [Reason] = []
        if generation == .second, failedDays.isEmpty, !stream.hasUndatedFailure, !sawErrorStream {
            findings.append(.failuresNotSeen)
        }
        let silent = recent.days.reversed().prefix { failedDays[$0] == nil && !stream.errorStreamDays.contains($0) }
        guard let runStart = silent.last, let firstDay, firstDay < runStart else { return findings }
        let before = failedDays.reduce(0) { firstDay <= $1.key && $1.key < runStart ? $0 + $1.value : $0 }
        let daysBefore = firstDay.distance(to: runStart)
        let day: Int128 = 86_400_000_000_000
        let run = Int128(silent.count - 1) * day + Int128(asOf.nanosecondOfDay)
        // k·f̄ > 7 in whole numbers: a quotient would round at the boundary.
        guard run * Int128(before) > Int128(expectedFailures) * day * Int128(daysBefore) else { return findings }
        findings.append(
            .failuresStopped(days: Double(run) / Double(day), perDay: Double(before) / Double(daysBefore)))
        return findings
    }
}
