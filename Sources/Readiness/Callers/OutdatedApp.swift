package import Verifications

/// The version of an iOS app up to which nearly all of its requests come that would be refused.
package struct OutdatedApp: Hashable, Sendable {
    /// The bundle identifier.
    package let app: String
    package let version: String
    /// Blocked requests of this version and older ones.
    package let blocked: Int
    /// Blocked requests of all versions of the app.
    package let ofApp: Int

    /// Nil without such an app, and where newer versions are refused just as well.
    init?(_ callers: AdmittedCallers) {
        let known = callers.clients.filter { $0.key.kind == .ios && $0.key.version != nil }
        let apps = Dictionary(grouping: known) { $0.key.version?.app ?? "" }
        let largest = apps.max { ($0.value.sum(\.blocked), $1.key) < ($1.value.sum(\.blocked), $0.key) }
        guard let (app, clients) = largest, case let ofApp = clients.sum(\.blocked),
            ofApp >= CallerSummary.Clients.fewest
        else { return nil }
        let versions = Dictionary(grouping: clients) { ReleaseNumber($0.key.version?.version ?? "") }
            .mapValues { (admitted: $0.sum(\.admitted), blocked: $0.sum(\.blocked)) }
        let admitted = clients.sum(\.admitted)
        var older = (admitted: 0, blocked: 0)
        for (version, counts) in versions.sorted(by: { $0.key < $1.key }).dropLast() {
            older.admitted += counts.admitted
            older.blocked += counts.blocked
            guard older.blocked * 10 >= ofApp * 9, !version.text.isEmpty else { continue }
            // Newer versions have at most half as large a share blocked.
            guard 2 * (ofApp - older.blocked) * older.admitted <= older.blocked * (admitted - older.admitted) else {
                return nil
            }
            (self.app, self.version, blocked, self.ofApp) = (app, version.text, older.blocked, ofApp)
            return
        }
        return nil
    }

    /// True for an app of this version or older.
    private func includes(_ client: AdmittedCallers.Client) -> Bool {
        guard client.kind == .ios, let other = client.version, other.app == app else { return false }
        return ReleaseNumber(other.version) <= ReleaseNumber(version)
    }
}

extension OutdatedApp {
    /// When the share of a function's requests that are blocked and come from these versions is small enough.
    package enum Decline: Hashable, Sendable {
        /// It is, by the last three days.
        case isOver
        /// On that day, if it goes on falling as in the last one and two weeks.
        case through(Day)
        /// It is not falling enough to name a day within reach.
        case isUnknown
    }

    /// How many days ahead are tried.
    private static let reach = 60

    /// Looks at the daily shares up to the day of `asOf`.
    func decline(of callers: FunctionCallers, admission: Admission, policy: FunctionPolicy, asOf: Instant) -> Decline {
        func days(_ length: Int) -> [DayCount] {
            guard let window = Window(length: length, asOf: asOf, since: policy.since) else { return [] }
            return callers.days.filter { window.days.contains($0.key) }.sorted { $0.key < $1.key }.map { day, callers in
                let admitted = callers.admitted(admission)
                let blocked = admitted.clients.reduce(0) { includes($1.key) ? $0 + $1.value.blocked : $0 }
                return DayCount(day: Int(day.number), requests: Double(admitted.joined), blocked: Double(blocked))
            }
        }
        let limit = policy.numbers.maxBlocked
        let recent = days(3)
        let requests = recent.reduce(0) { $0 + $1.requests }
        if requests > 0, recent.reduce(0, { $0 + $1.blocked }) <= limit * requests { return .isOver }
        let trends = [7, 14].compactMap { LogisticTrend.falling(days($0), confidence: policy.numbers.confidence) }
        guard trends.count == 2 else { return .isUnknown }
        let day = (1...OutdatedApp.reach).lazy.map(asOf.day.advanced).first { day in
            trends.allSatisfy { $0.rate(onDay: Int(day.number)) <= limit }
        }
        return day.map { .through($0) } ?? .isUnknown
    }
}

extension Sequence<(key: AdmittedCallers.Client, value: AdmittedCallers.Counts)> {
    fileprivate func sum(_ requests: (AdmittedCallers.Counts) -> Int) -> Int { reduce(0) { $0 + requests($1.value) } }
}
