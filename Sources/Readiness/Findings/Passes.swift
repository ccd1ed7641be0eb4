import Verifications

extension Finding.Code {
    /// The log lacks passed requests in the whole window, or on the given day of it.
    package static let passesNotSeen = Finding.Code("passes-not-seen", .blind, nil, [.shared, .ofLog])
    /// Many requests were answered and left no verification: passes were sampled, or excluded.
    package static let passesSampled = Finding.Code("passes-not-seen", .blind, nil, [.shared, .ofLog])
    /// Advice: no verification of the window passed, though the log would show it.
    package static let allRefused = Finding.Code("all-refused", .advice, nil, .ofLog)
}

/// No request passed: either the log lacks passed requests, or every client really fails.
enum Passes {
    /// A day with this many verifications would show a pass if any were logged.
    private static let busyDay = 10.0
    /// Answered requests without a verification, and their part of the verifications.
    private static let (fewestUnlogged, mostUnlogged) = (20.0, 0.1)

    /// Passes are missing on most days of the window, or on a busy one.
    static func findHidden(_ evaluation: Evaluation) -> [Finding] {
        let seen = evaluation.seen
        let (all, unlogged) = (seen.reduce(0) { $0 + $1.requests }, Double(evaluation.unloggedSinceFirst))
        if unlogged >= fewestUnlogged, unlogged > mostUnlogged * all {
            return [Finding(code: .passesSampled, value: unlogged, limit: mostUnlogged, total: Int(all))]
        }
        let failing = seen.filter { $0.blocked == $0.requests }
        guard !failing.isEmpty else { return [] }
        let hidden = failing.filter { !areShown(on: $0, evaluation) }
        if failing.count == seen.count, 2 * hidden.count >= seen.count {
            return [Finding(code: .passesNotSeen, value: seen.reduce(0) { $0 + $1.requests })]
        }
        guard let day = hidden.first(where: { $0.requests >= busyDay }) else { return [] }
        return [Finding(code: .passesNotSeen, value: day.requests, days: [day.day])]
    }

    static func findAllRefused(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        let days = result.evaluation.seen
        guard !days.isEmpty, days.allSatisfy({ $0.blocked == $0.requests }), findHidden(result.evaluation).isEmpty
        else {
            return nil
        }
        return Finding(code: .allRefused, value: days.reduce(0) { $0 + $1.requests })
    }

    /// True if a day without a passed verification would show passes if there had been any.
    ///
    /// Another labelled function shows them, as the SDK logs all alike; for text they show nothing, as each function
    /// sets its own log level. So does the function's own volume: lost passes shrink a day, a broken client does not.
    private static func areShown(on day: DaySum, _ evaluation: Evaluation) -> Bool {
        let stream = evaluation.project?.coverage.stream(evaluation.history.generation)
        if evaluation.history.provenance == .labelled, stream?.labelledPassDays.contains(day.day) == true {
            return true
        }
        let volumes = evaluation.traffic.lazy.filter { $0.blocked < $0.requests }.map(\.requests).sorted()
        guard !volumes.isEmpty else { return false }
        let middle = volumes.count / 2
        let median = volumes.count.isMultiple(of: 2) ? (volumes[middle - 1] + volumes[middle]) / 2 : volumes[middle]
        return day.requests >= median / 2
    }
}
