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

    /// Denied requests of unknown origin in these days, of a service; anybody can send them.
    package let unknownOrigin: Int

    /// Refused clients of a service try again: so many times the share before the switch show nothing.
    private static let retries = 5.0
    /// One refused request may be anybody's.
    private static let fewestRefused = 2.0

    /// Nil where enforcement is off, or refuses next to nobody.
    init?(_ evaluation: Evaluation) {
        guard evaluation.isNow, let asOf = evaluation.asOf, let after = evaluation.afterSwitch,
            let start = after.judgement.enforcement.start
        else { return nil }
        isSignedIn = after.isSignedIn
        let admission = isSignedIn ? Admission.signedIn : after.counted.admission
        let counts = DayCounts(after.days(in: after.recent, admission))
        lower = counts.lower(evaluation.numbers.confidence)
        (requests, refused, limit) = (Int(counts.requests), Int(counts.blocked), evaluation.numbers.maxBlocked)
        lastHour = after.lastHour(admission, until: asOf)
        // A single client cannot be told from many where requests alone are counted.
        failing =
            evaluation.history.table.isByHour ? nil : evaluation.findRefusing(after, admission)?.finding(limit: limit)
        let view = PlatformView(after, evaluation)
        platforms = view?.refused ?? []
        namedPlatforms = view?.smallestCover(of: platforms) ?? []
        failingBeforeLog = [asOf.day, asOf.day.advanced(by: -1)].first(where: evaluation.history.isFailingBeforeLog)
        hours = HoursOfDay.refused(
            evaluation, in: after.month, after.recent, isSignedIn: isSignedIn, since: start.hourStart)
        unknownOrigin = after.judgement.table.cells(in: after.recent.days).reduce(0) { sum, cell in
            let isMeant = start.hourStart <= cell.start && cell.line == .refused
            return isMeant && after.judgement.table.security(of: cell) == .unknownOrigin ? sum + cell.count : sum
        }
        var isMore = true
        if evaluation.history.table.isByHour {
            let before = DayCounts(
                after.judgement.table.days(of: {
                    $0.start < start.hourStart && admission.admits(auth: $0.auth) && $0.isCounted
                }))
            isMore =
                before.requests == 0
                || counts.blocked * before.requests > Lockout.retries * before.blocked * counts.requests
        }
        lastDays = start.day < after.recent.from ? evaluation.numbers.window : nil
        guard
            isMore && lower > limit && counts.blocked >= Lockout.fewestRefused || failing != nil || !platforms.isEmpty
                || failingBeforeLog != nil || hours != nil
        else { return nil }
    }
}
