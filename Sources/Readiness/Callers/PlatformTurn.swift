package import Verifications

/// A platform whose requests have all been refused since an instant, or none of them any more.
package struct PlatformTurn: Hashable, Sendable {
    package let name: PlatformName
    /// The end of the last hour that was otherwise.
    package let since: Instant
    /// Its requests on the days after that hour's.
    package let requests: Int
    /// True for an outage of several versions of an app.
    package var isOfVersions = false
    /// For a platform that is no longer refused: the verdict if nothing before ``firstDay`` counts.
    package internal(set) var verdict = Verdict.wait
    package internal(set) var outlook = Outlook.notAsked

    /// The first whole day since.
    package var firstDay: Day { since.nanosecondOfDay == 0 ? since.day : since.day.advanced(by: 1) }

    /// True where nothing else speaks against the function since.
    package var leadsOn: Bool { verdict == .enforce || verdict == .insufficient }

    /// The day from which on the function can be enforced when it is judged by the days since; nil where none is known.
    package var readyDay: Day? {
        if case .date(let day, _) = outlook { day } else { nil }
    }
}

extension PlatformView {
    /// This many requests, none refused, show at 95% confidence that less than one in twenty is refused.
    private static let fewestCured = 59
    /// The fewest hours with requests that an outage lasts.
    private static let fewestHours = 3

    /// The platform, or else the release, that was refused and is no more, the widest.
    var cured: PlatformTurn? { courses.compactMap(cured).max(by: PlatformView.isNarrower) }

    /// The platform of which all requests are refused by now, though before they passed, the widest.
    var outage: PlatformTurn? { courses.compactMap(outage).max(by: PlatformView.isNarrower) }

    private static func isNarrower(_ left: PlatformTurn, than right: PlatformTurn) -> Bool {
        left.requests == right.requests ? left.name.isNarrower(than: right.name) : left.requests < right.requests
    }

    private func cured(_ name: PlatformName, _ days: [(day: Day, counts: AdmittedCallers.Counts)]) -> PlatformTurn? {
        guard let last = days.last(where: { $0.counts.blocked > 0 }) else { return nil }
        let (before, after) = (days.prefix { $0.day <= last.day }, days.drop { $0.day <= last.day })
        let requests = after.reduce(0) { $0 + $1.counts.admitted }
        guard requests >= PlatformView.fewestCured, wasRefused(name, before) else { return nil }
        return PlatformTurn(
            name: name, since: Instant(endOf: last.counts.blockedHours, on: last.day), requests: requests)
    }

    private func outage(_ name: PlatformName, _ days: [(day: Day, counts: AdmittedCallers.Counts)]) -> PlatformTurn? {
        if case .release = name { return nil }
        guard let last = days.last(where: { $0.counts.verified > 0 }), let newest = days.last, isRecent(newest.day)
        else { return nil }
        let since = Instant(endOf: last.counts.verifiedHours, on: last.day)
        let hours = days.drop { $0.day < last.day }.flatMap { day, counts in
            (0..<24).filter { counts.blockedHours >> $0 & 1 == 1 }.map { Instant(hour: $0, on: day) }
        }.filter { since <= $0 }
        let verified = days.reduce(0) { $0 + $1.counts.verified }
        guard let first = hours.first, hours.count >= PlatformView.fewestHours, verified >= PlatformView.fewestCured
        else { return nil }
        let after = days.drop { $0.day <= last.day }
        return PlatformTurn(
            name: name, since: first, requests: after.reduce(0) { $0 + $1.counts.admitted },
            isOfVersions: refusedVersions(of: name, since: first.day).count > 1)
    }
}

extension Instant {
    fileprivate init(hour: Int, on day: Day) { self.init(day: day, nanosecondOfDay: Int64(hour) * 3_600_000_000_000) }

    /// The end of the last of a day's hours.
    fileprivate init(endOf hours: UInt32, on day: Day) {
        self.init(hour: UInt32.bitWidth - hours.leadingZeroBitCount, on: day)
    }
}
