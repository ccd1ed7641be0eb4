package import Verifications

/// A platform, or a release, that was refused and is no more.
package struct Cure: Hashable, Sendable {
    package let name: PlatformName
    /// The end of the last hour with a blocked request.
    package let since: Instant
    /// The first whole day since.
    package let firstDay: Day
    /// Its requests from that day on.
    package let requests: Int
    /// The verdict if nothing before ``firstDay`` counts.
    package let verdict: Verdict
    /// The day from which on it is `enforce` then; nil where none is known.
    package let readyDay: Day?

    /// True where nothing else speaks against the function since.
    package var leadsOn: Bool { verdict == .enforce || verdict == .insufficient }
}

/// A platform of which all requests are refused since an instant, though before they passed.
package struct Outage: Hashable, Sendable {
    package let name: PlatformName
    /// The first hour that was blocked.
    package let since: Instant
    /// True where several versions of an app fail.
    package let isOfVersions: Bool
}

extension PlatformView {
    /// This many requests, none refused, show at 95% confidence that less than one in twenty is refused.
    private static let fewestCured = 59
    /// The fewest hours with requests that an outage lasts, and the fewest requests.
    private static let fewestHours = 3
    private static let fewestFailing = 20

    private typealias Turn = (name: PlatformName, since: Instant, requests: Int)

    /// The platform, or else the release, that was refused and is no more, the widest; `judge` runs the rule from a day
    /// on.
    func cure(in courses: [Course], judge: (Day) -> ConfirmedEvaluation) -> Cure? {
        guard let turn = PlatformView.widest(courses.compactMap(cured)) else { return nil }
        let day = turn.since.day
        let firstDay = turn.since.nanosecondOfDay == 0 ? day : day.advanced(by: 1)
        let result = judge(firstDay)
        let readyDay: Day? = if case .date(let day, _) = Forecast.outlook(of: result) { day } else { nil }
        return Cure(
            name: turn.name, since: turn.since, firstDay: firstDay, requests: turn.requests, verdict: result.verdict,
            readyDay: readyDay)
    }

    /// The platform of which all requests are refused by now, though before they passed, the widest.
    func outage(in courses: [Course]) -> Outage? {
        PlatformView.widest(courses.compactMap(failing)).map { turn in
            Outage(
                name: turn.name, since: turn.since,
                isOfVersions: refusedVersions(of: turn.name, since: turn.since.day).count > 1)
        }
    }

    private static func widest(_ turns: [Turn]) -> Turn? {
        turns.max { left, right in
            left.requests == right.requests ? left.name.isNarrower(than: right.name) : left.requests < right.requests
        }
    }

    private func cured(_ course: Course) -> Turn? {
        let (name, days) = course
        guard let last = days.last(where: { $0.blocked > 0 }) else { return nil }
        let (before, after) = (days.prefix { $0.day <= last.day }, days.drop { $0.day <= last.day })
        let requests = after.reduce(0) { $0 + $1.admitted }
        guard requests >= PlatformView.fewestCured, wasRefused(name, before) else { return nil }
        return (name, Instant(endOf: last.blockedHours, on: last.day), requests)
    }

    private func failing(_ course: Course) -> Turn? {
        let (name, days) = course
        guard !name.isRelease, let last = days.last(where: { $0.verified > 0 }), let newest = days.last,
            isRecent(newest.day)
        else { return nil }
        let end = Instant(endOf: last.verifiedHours, on: last.day)
        let since = days.drop { $0.day < last.day }
        let hours = since.flatMap { day in
            (0..<24).filter { day.blockedHours >> $0 & 1 == 1 }.map { Instant(hour: $0, on: day.day) }
        }.filter { end <= $0 }
        let (verified, blocked) = (
            days.reduce(0) { $0 + $1.verified }, since.reduce(0) { $0 + $1.blocked }
        )
        guard blocked >= PlatformView.fewestFailing, let first = hours.first, hours.count >= PlatformView.fewestHours,
            verified >= PlatformView.fewestCured
        else { return nil }
        return (name, first, blocked)
    }
}

extension Instant {
    fileprivate init(hour: Int, on day: Day) { self.init(day: day, nanosecondOfDay: Int64(hour) * 3_600_000_000_000) }

    /// The end of the last of a day's hours.
    fileprivate init(endOf hours: UInt32, on day: Day) {
        self.init(hour: UInt32.bitWidth - hours.leadingZeroBitCount, on: day)
    }
}
