import Verifications

extension Finding.Code {
    /// Advice: nearly all of the newest requests would be refused, in hours in which others were not: an outage, or a
    /// release in the last hour.
    ///
    /// ``Finding/value`` of the ``Finding/total`` newest requests are blocked, since ``Finding/instant``; the tokens of
    /// ``Finding/count`` were refused.
    package static let failingNow = Finding.Code("failing-now", .advice, .act, .now)
}

enum FailingNow {
    /// The least number of newest requests that must be blocked.
    private static let fewestBlocked = 10
    /// The same for one kind of client alone.
    private static let fewestBlockedOfClient = 20
    /// Fewer requests of earlier days show nothing of what is usual.
    private static let fewestBefore = 10

    /// Returns the finding before the switch, for the requests that the rule judges.
    static func find(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        let evaluation = result.evaluation
        return evaluation.history.enforcement.isOn ? nil : find(evaluation, evaluation.judgedAdmission, nil)
    }

    /// Returns the finding for all requests, or for those of one kind of client.
    ///
    /// Requests that enforcement concerns all count, regardless of the policy.
    static func find(_ evaluation: Evaluation, _ admission: Admission, _ enforcement: Enforcement?) -> Finding? {
        let clients = ClientKind.allCases.filter { admission == .signedIn ? $0.isPlatform : $0.isOfPeople }
        return find(evaluation, admission, enforcement, client: nil, fewestBlocked: fewestBlocked)
            ?? clients.lazy.compactMap {
                find(evaluation, admission, enforcement, client: $0, fewestBlocked: fewestBlockedOfClient)
            }.first
    }

    private static func find(
        _ evaluation: Evaluation, _ admission: Admission, _ enforcement: Enforcement?, client: ClientKind?,
        fewestBlocked: Int
    ) -> Finding? {
        guard evaluation.isNow else { return nil }
        let (recent, history) = (evaluation.history.recent, evaluation.history.enforcementHistory)
        let table = evaluation.history.table
        let ignored = enforcement == nil ? evaluation.numbers.ignoredClients : []
        func isJudged(_ isSignedIn: Bool, _ kind: ClientKind?) -> Bool {
            (isSignedIn || admission == .notRefused) && (client == nil || kind == client)
                && !(kind.map(ignored.contains) ?? false)
        }
        let since = enforcement == nil ? evaluation.policy.since.map { Instant(day: $0, nanosecondOfDay: 0) } : nil
        let newest = recent.newest(areRefused: enforcement != nil) { sort, instant in
            isJudged(sort.isSignedIn, sort.client) && since.map { $0 <= instant } ?? true
                && enforcement.map { history.isIn($0, sort.revision, instant) } ?? true
        }
        guard newest.blocked >= fewestBlocked, 4 * newest.blocked >= 3 * newest.requests else { return nil }
        let hours = newest.hours
        func isUsual(_ distances: ClosedRange<Int>) -> Bool {
            let before = Set(
                hours.flatMap { hour in
                    distances.map { RecentRequests.DayHour(day: hour.day.advanced(by: -$0), hour: hour.hour) }
                }
            ).subtracting(hours)
            let usual = table.cells.filter { cell in
                cell.isVerification && cell.auth != .invalid && !cell.isCoarse
                    && before.contains(RecentRequests.DayHour(day: cell.day, hour: cell.hour))
                    && isJudged(cell.auth == .valid, cell.row == .certain ? table.client(of: cell)?.kind : nil)
            }
            let (requests, blocked) = (
                usual.reduce(0) { $0 + $1.count }, usual.reduce(0) { $1.isBlocked ? $0 + $1.count : $0 }
            )
            return requests >= fewestBefore && 2 * blocked >= requests
        }
        guard !isUsual(1...7), !isUsual(7...7) else { return nil }
        return Finding(
            code: .failingNow, value: Double(newest.blocked), limit: Double(fewestBlocked),
            count: newest.invalid, total: newest.requests, instant: newest.first)
    }
}
