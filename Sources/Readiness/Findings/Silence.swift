package import Verifications

/// The log has nothing recent: only a newer one can tell more.
package enum Silence: Hashable, Sendable {
    /// No verification in the window; the last day with one, if there is any.
    case noTraffic(last: Day?)
    /// Silent for longer than the function's own pauses explain.
    case stale(last: Day, silentDays: Int, longestDistance: Int)
    /// The newest verification of the project is too old to say anything about today.
    case exportOld(newest: Instant, hours: Double, limit: Int)
    /// It is deployed, and the log has nothing of it.
    case notCalled(InventoryEntry.Trigger)

    var facts: Finding {
        switch self {
        case .noTraffic: .init("no-traffic", .silence)
        case .stale(_, let silentDays, let longestDistance):
            .init(
                "stale", .silence, value: Double(silentDays),
                limit: Double(Silence.longestPause(distance: longestDistance)))
        case .exportOld(_, let hours, let limit):
            .init("export-old", .silence, value: hours, limit: Double(limit), .act, [.shared, .inAnswers])
        case .notCalled: .init("not-called", .advice, nil, .shared)
        }
    }
}

extension Silence {
    /// An export whose newest verification is older than this many hours says nothing about today.
    private static let exportHours = 36

    /// Silence of up to this many days is never stale.
    private static let toleratedDays = 3

    static func find(_ evaluation: Evaluation) -> [Reason] {
        let noTraffic =
            evaluation.period.days.isEmpty ? Reason.silence(.noTraffic(last: evaluation.days.last?.day)) : nil
        let stale = evaluation.asOf.flatMap { findStale(evaluation.days, asOf: $0.day) }
        return [noTraffic, stale, evaluation.isNow ? evaluation.history.exportOld : nil].compactMap { $0 }
    }

    /// Compares the days from the last one with traffic to the as-of day with twice the longest distance between two
    /// consecutive days with traffic, which is 1 for neighbours, and when there is only one day.
    static func findStale(_ days: ArraySlice<FunctionDay>, asOf day: Day) -> Reason? {
        guard let last = days.last?.day else { return nil }
        let silentDays = last.distance(to: day)
        guard silentDays > toleratedDays else { return nil }
        let longestDistance = zip(days, days.dropFirst()).map { $0.day.distance(to: $1.day) }.max() ?? 1
        guard silentDays > longestPause(distance: longestDistance) else { return nil }
        return .silence(.stale(last: last, silentDays: silentDays, longestDistance: longestDistance))
    }

    /// Compares the hours from the project's newest verification to the clock with ``exportHours``, and one day more
    /// for each excused day in between.
    static func findOldExport(newest: Instant, clock: Instant, project: ProjectView) -> Reason? {
        let nanoseconds = Double(clock.nanoseconds) - Double(newest.nanoseconds)
        let hours = (Double(clock.seconds - newest.seconds) + nanoseconds / 1e9) / 3600
        guard hours > Double(exportHours) else { return nil }
        let between = newest.day.advanced(by: 1)..<clock.day
        let limit = exportHours + 24 * between.count { project.isExcused($0) }
        guard newest.adding(seconds: Int64(limit) * 3600) < clock else { return nil }
        return .silence(.exportOld(newest: newest, hours: hours, limit: limit))
    }

    /// How many silent days are tolerated in a function whose days with traffic were at most this far apart.
    private static func longestPause(distance: Int) -> Int {
        max(toleratedDays, 2 * distance)
    }
}
