import Verifications

/// Whether a function's silence is longer than its own habit explains.
enum Staleness {
    /// An export whose newest verification is older than this many hours does not speak of today.
    static let exportHours = 36

    /// Silence of up to this many days is never stale.
    private static let toleratedDays = 3

    /// How many silent days are tolerated in a function whose days with traffic were at most this far apart.
    static func limit(longestDistance: Int) -> Int {
        max(toleratedDays, 2 * longestDistance)
    }

    /// `stale`, when it holds: days from the last day with traffic to the as-of day, against twice the longest distance
    /// between two consecutive days with traffic (1 for neighbours, and when there is one day only).
    static func finding(_ days: ArraySlice<DayEvidence>, asOf day: Day) -> Reason? {
        guard let last = days.last?.day else { return nil }
        let silentDays = last.distance(to: day)
        guard silentDays > toleratedDays else { return nil }
        let longestDistance = zip(days, days.dropFirst()).map { $0.day.distance(to: $1.day) }.max() ?? 1
        guard silentDays > limit(longestDistance: longestDistance) else { return nil }
        return .stale(last: last, silentDays: silentDays, longestDistance: longestDistance)
    }

    /// `export-old`, when it holds: hours from the project's newest verification to the clock, one day more for each
    /// excused day in between.
    static func finding(newest: Instant, clock: Instant, project: ProjectView) -> Reason? {
        let nanoseconds = Double(clock.nanoseconds) - Double(newest.nanoseconds)
        let hours = (Double(clock.seconds - newest.seconds) + nanoseconds / 1e9) / 3600
        guard hours > Double(exportHours) else { return nil }
        let between = newest.day.advanced(by: 1)..<clock.day
        let limit = exportHours + 24 * between.count { project.isExcused($0) }
        guard newest.adding(seconds: Int64(limit) * 3600) < clock else { return nil }
        return .exportOld(newest: newest, hours: hours, limit: limit)
    }
}
