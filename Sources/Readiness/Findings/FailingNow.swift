package import Verifications

/// Advice: nearly all of the newest requests would be refused, in hours in which others were not: an outage, or a
/// release in the last hour.
package struct FailingNow: Hashable, Sendable {
    /// Blocked requests among the newest.
    package let blocked: Int
    /// Those among them whose App Check token was refused.
    package let tokenRefused: Int
    /// The newest requests, at most 20.
    package let requests: Int
    /// The first blocked one.
    package let since: Instant

    package var isMostlyInvalid: Bool { 2 * tokenRefused >= blocked }

    var facts: Finding {
        .init("failing-now", .advice, value: Double(blocked), limit: Double(FailingNow.fewest), .act)
    }
}

extension FailingNow {
    /// How many of the newest requests must be blocked.
    private static let fewest = 15
    /// In seconds: one client's loop is over sooner.
    private static let shortest: Int64 = 1800
    /// How many of the seven days before had a valid token in one of the hours: dead hours show nothing.
    private static let usualDays = 4

    /// Asked at T alone; sums of days and counts of queries know nothing of single requests.
    static func find(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Reason? {
        let evaluation = result.evaluation
        guard let asOf = evaluation.asOf else { return nil }
        let signedIn = evaluation.period.days.reduce(0) { $0 + $1.signedIn }
        let admission = 2 * signedIn >= evaluation.period.admitted ? Admission.signedIn : evaluation.history.admission
        let first = max(asOf.day.advanced(by: -1), evaluation.policy.since ?? asOf.day.advanced(by: -1))
        let newest = evaluation.history.newest.admitted(admission, leavingOut: evaluation.numbers.ignoredClients)
            .filter { $0.instant <= asOf && $0.instant.day >= first }.prefix(NewestRequests.limit)
        let blocked = newest.filter { $0.app != .valid }
        guard blocked.count >= fewest, let last = blocked.first?.instant, let since = blocked.last?.instant,
            !evaluation.history.newest.isIncomplete(from: first, to: asOf.day),
            since.adding(seconds: shortest) <= last
        else { return nil }
        let hours = blocked.reduce(UInt32(0)) { $0 | BlockedTimes.hour(of: $1.instant.nanosecondOfDay) }
        let before = evaluation.days.within(Window(from: asOf.day.advanced(by: -7), to: asOf.day.advanced(by: -1)))
        guard before.count(where: { $0.validHours & hours != 0 }) >= usualDays else { return nil }
        return .failing(
            FailingNow(
                blocked: blocked.count, tokenRefused: blocked.count { $0.app == .invalid }, requests: newest.count,
                since: since))
    }
}
