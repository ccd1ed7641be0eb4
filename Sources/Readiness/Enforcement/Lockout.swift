package import Verifications

/// People whom enforcement that is on refuses.
package struct Lockout: Hashable, Sendable {
    package struct Count: Hashable, Sendable {
        package let requests: Int
        package let refused: Int
    }

    /// Persons where addresses show them, else requests, of the last W days, from the switch on: signed-in ones, or all
    /// where hardly anybody is signed in.
    package let requests: Int
    package let refused: Int
    /// More of these people are refused than ``limit`` allows; if not, something else holds, and their number says
    /// nothing of it.
    package let isMany: Bool
    /// These people are many, and the signed-in ones.
    package let isSignedIn: Bool
    /// Different addresses of what was refused; nil where no row shows one.
    package let addresses: Int?
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
    /// T's day, where the newest requests failed before the SDK logged them.
    package let failingBeforeLog: Day?
    /// The days that were looked at, where enforcement has been on for longer.
    package let lastDays: Int?

    /// What is refused of what, as the first thing that holds counts it: people, what fails now, or a platform.
    package var shown: Count {
        if !isMany {
            if let failing { return Count(requests: failing.total, refused: failing.count) }
            if let first = namedPlatforms.first { return Count(requests: first.admitted, refused: first.blocked) }
        }
        return Count(requests: requests, refused: refused)
    }

    var finding: Finding {
        Finding(code: .lockout, value: lower, limit: limit, count: shown.refused, total: shown.requests)
    }

    /// Denied requests of unknown origin in these days, of a service; anybody can send them.
    package let unknownOrigin: Int
    /// True where they are among ``refused``: pages load files by their URL, without a token.
    package let countsUnknownOrigin: Bool

    /// One refused request may be anybody's.
    private static let fewestRefused = 2.0
    /// Of one hour, fewer addresses may be one person's.
    private static let (fewestHours, fewestAddresses) = (2, 4)

    /// Nil where enforcement is off, or refuses next to nobody.
    init?(_ evaluation: Evaluation) {
        guard evaluation.isNow, let asOf = evaluation.asOf, let after = evaluation.afterSwitch,
            let start = after.judgement.enforcement.start,
            let persons = evaluation.persons(after, isSignedIn: after.isSignedIn)
        else { return nil }
        let (numbers, recent) = (evaluation.numbers, after.recent)
        let admission = after.asked
        let over = evaluation.persons(after, isSignedIn: false).flatMap(evaluation.hoursThatAreOver)
        let counts = DayCounts(after.withoutFirst(persons.days(in: recent.days, without: over)))
        let spread = persons.spread(in: recent.days, without: over)
        lower = counts.lower(numbers.confidence)
        (requests, refused, limit) = (Int(counts.requests), Int(counts.blocked), numbers.maxBlocked)
        addresses = after.judgement.table.hasAddresses ? spread.addresses : nil
        lastHour = after.lastHour(admission, until: asOf)
        // A single client cannot be told from many where requests alone are counted.
        failing = evaluation.history.table.isByHour ? nil : evaluation.findRefusing(after)?.finding(limit: limit)
        let views = after.callers.compactMap { Platforms(after, evaluation, isSignedIn: $0 == .signedIn) }
        let refusals = views.map(\.refused)
        platforms = refusals.reduce(into: []) { all, more in
            all += more.filter { platform in !all.contains { $0.name == platform.name } }
        }
        namedPlatforms = zip(views, refusals).first { !$0.1.isEmpty }.map { $0.smallestCover(of: $1) } ?? []
        failingBeforeLog = FailingBeforeLog.holds(evaluation.history.table, since: start, asOf: asOf) ? asOf.day : nil
        hours = HoursOfDay.refused(
            evaluation, in: after.month, recent, isSignedIn: after.isSignedIn, since: start.hourStart)
        let unknown = after.unknownOrigin
        unknownOrigin = unknown.requests
        countsUnknownOrigin = unknown.contains { admission.admits(auth: $0.auth) }
        lastDays = start.day < recent.from ? numbers.window : nil
        let elapsed = Double(asOf.seconds - max(start, Instant(day: recent.from, nanosecondOfDay: 0)).seconds)
        let observed = max(1, elapsed / Double(Instant.secondsPerDay))
        // W days alone are too short for a bound of so few a week: the window of the rule has the days before the
        // switch, too, on which the same requests were blocked.
        let isFew =
            evaluation.few != nil && 2 * counts.blocked < counts.requests
            && 7 * counts.blocked / observed <= numbers.maxPerWeek ?? 0
        isMany =
            lower > limit && counts.blocked >= Lockout.fewestRefused
            && (spread.hours >= Lockout.fewestHours || spread.addresses >= Lockout.fewestAddresses)
            && !isFew && after.isMoreThanBefore(counts, admission, limit: limit)
        isSignedIn = isMany && after.isSignedIn
        guard isMany || failing != nil || !platforms.isEmpty || failingBeforeLog != nil || hours != nil else {
            return nil
        }
    }
}

extension AfterSwitch {
    /// Refused clients of a service try again: where hardly any were to be expected, so many times the share before the
    /// switch show nothing.
    private static let retries = 5.0

    fileprivate func isMoreThanBefore(_ counts: DayCounts, _ admission: Admission, limit: Double) -> Bool {
        guard judgement.table.isByHour, let start = judgement.enforcement.start?.hourStart else { return true }
        let before = DayCounts(
            judgement.table.days(of: { $0.start < start && admission.admits(auth: $0.auth) && $0.isVerification }))
        return before.blocked > limit * before.requests || before.requests == 0
            || counts.blocked * before.requests > AfterSwitch.retries * before.blocked * counts.requests
    }

    /// Leaves out the refused request that began the count, where entries name no revision: its share would say
    /// nothing.
    fileprivate func withoutFirst(_ days: [DayCount]) -> [DayCount] {
        guard case .run = judgement.enforcement.scope, let start = judgement.enforcement.start,
            let place = days.firstIndex(where: { $0.day == Int(start.day.number) }), days[place].blocked > 0
        else { return days }
        var days = days
        days[place].requests -= 1
        days[place].blocked -= 1
        return days
    }
}

/// Requests that fail before the SDK logs them, such as all of them with `consumeAppCheckToken` and an old Admin SDK.
private enum FailingBeforeLog {
    private static let lookedAt = 20
    private static let fewest = 10

    /// True where more than half of the newest rows are answered 403, 404 or 5xx and have no verification, and of as
    /// many before the switch fewer than half.
    static func holds(_ table: CellTable, since start: Instant, asOf: Instant) -> Bool {
        let newest = last(table, lookedAt, in: asOf.adding(seconds: -Instant.secondsPerDay)...asOf)
        guard newest.rows >= fewest, 2 * newest.failing > newest.rows else { return false }
        let first = Instant(day: Day(number: 0), nanosecondOfDay: 0)
        let before = last(table, newest.rows, in: first...max(first, start.adding(nanoseconds: -1)))
        return before.rows > 0 && 2 * before.failing < before.rows
    }

    /// At least a number of the newest rows of a time, by whole hours.
    private static func last(
        _ table: CellTable, _ count: Int, in times: ClosedRange<Instant>
    ) -> (rows: Int, failing: Int) {
        var (rows, failing, hour) = (0, 0, Instant?.none)
        let cells = table.cells(in: times.lowerBound.day...times.upperBound.day)
            .filter { $0.row != .none && times.contains($0.start) }.sorted { $0.start.hourStart > $1.start.hourStart }
        for cell in cells {
            if rows >= count, cell.start.hourStart != hour { break }
            hour = cell.start.hourStart
            rows += cell.count
            let isFailing = cell.answer.map { [.forbidden, .notFound, .serverError].contains($0) } ?? false
            if !cell.isVerification, isFailing { failing += cell.count }
        }
        return (rows, failing)
    }
}
