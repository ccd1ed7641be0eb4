package import Verifications

/// People whom enforcement that is on refuses.
package struct Lockout: Hashable, Sendable {
    package struct Count: Hashable, Sendable {
        package let requests: Int
        package let refused: Int
    }

    /// Requests of the last W days, from the switch on: signed-in ones, or all where hardly anybody is signed in.
    package let requests: Int
    package let refused: Int
    package let isSignedIn: Bool
    /// Lower bound of the share that is refused.
    package let lower: Double
    package let limit: Double
    package let lastHour: Count
    /// The finding that more is refused than before, up to now.
    package let failing: Finding?
    /// Refused as a whole since the switch.
    package let platforms: [PlatformCount]
    /// The refused platforms to name, where one is a part of another.
    package let namedPlatforms: [PlatformCount]
    /// Hours of the day in which most requests to a service are refused.
    package let hours: Finding?
    /// The newest of the last two days on which requests failed before the SDK logged them.
    package let failingBeforeLog: Day?
    /// The days that were looked at, where enforcement has been on for longer.
    package let lastDays: Int?

    var finding: Finding { Finding(code: .lockout, value: lower, limit: limit, count: refused, total: requests) }

    /// One refused request may be anybody's.
    private static let fewestRefused = 2.0

    /// Nil where enforcement is off, or refuses next to nobody.
    ///
    /// Nothing that a policy sets hides anybody.
    init?(_ evaluation: Evaluation) {
        let (history, enforcement) = (evaluation.history.enforcementHistory, evaluation.history.enforcement)
        guard evaluation.isNow, let asOf = evaluation.asOf, let start = enforcement.start, start <= asOf,
            let firstDay = history.firstDay,
            let recent = Window(length: evaluation.numbers.window, asOf: asOf, since: firstDay)
        else { return nil }
        isSignedIn = !history.isSignedOut(enforcement, in: recent)
        let admission = isSignedIn ? Admission.signedIn : .notRefused
        let counts = DayCounts(history.days(of: enforcement, in: recent, admission))
        lower = counts.lower(evaluation.numbers.confidence)
        (requests, refused, limit) = (Int(counts.requests), Int(counts.blocked), evaluation.numbers.maxBlocked)
        lastHour = history.lastHour(of: enforcement, admission, until: asOf)
        // A single client cannot be told from many where requests alone are counted.
        failing =
            evaluation.history.table.isByHour ? nil : evaluation.findRefusing(admission)?.finding(limit: limit)
        let month = Window(from: max(firstDay, asOf.day.advanced(by: -27)), to: asOf.day) ?? recent
        func isAsked(_ cell: Cell) -> Bool { admission.admits(auth: cell.auth) && history.concerns(enforcement, cell) }
        let areSelected = PlatformView.areSelected(
            history.table.cells(in: month.days).filter(isAsked), blocked: history.isRefused)
        let view = PlatformView(
            areSelected
                ? []
                : PlatformView.requests(
                    history.table, in: month.days, where: isAsked, blocked: history.isRefused),
            PlatformView.Options(
                isSignedIn: isSignedIn, window: month, recent: recent, maxBlocked: limit,
                accepted: evaluation.numbers.acceptedPlatforms,
                segments: { evaluation.segments(of: $0, since: enforcement, admission) }))
        platforms = view.refused
        namedPlatforms = view.smallestCover(of: platforms)
        failingBeforeLog = [asOf.day, asOf.day.advanced(by: -1)].first(where: evaluation.history.isFailingBeforeLog)
        hours = HoursOfDay.refused(
            evaluation, in: month, recent, isSignedIn: isSignedIn, since: start.hourStart)
        lastDays = start.day < recent.from ? evaluation.numbers.window : nil
        guard
            lower > limit && counts.blocked >= Lockout.fewestRefused || failing != nil || !platforms.isEmpty
                || failingBeforeLog != nil || hours != nil
        else { return nil }
    }
}
