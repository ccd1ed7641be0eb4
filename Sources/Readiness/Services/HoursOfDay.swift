import Verifications

extension Finding.Code {
    /// Requests of an hour of the day would be refused as a whole; ``Finding/counts`` has these hours.
    package static let hourRefused = Finding.Code("platform-refused", .against)
}

/// Hours of the day in which most requests are refused: debug tokens that run by night, and quotas that end by night.
enum HoursOfDay {
    private static let fewestBlocked = 10.0
    private static let fewestDays = 3
    private static let confidence = 0.99
    private static let leastShare = 0.5

    /// Debug tokens that run by night, and quotas that end by night, show as hours of the day.
    static func find(_ evaluation: Evaluation) -> [Finding] {
        if let lasting = evaluation.lasting?.platforms { return lasting }
        guard let asOf = evaluation.asOf, let recent = evaluation.recentWindow,
            let window = Window(length: evaluation.numbers.maxWindow, asOf: asOf, since: evaluation.policy.since)
        else { return [] }
        let isSignedIn = evaluation.judgedAdmission == .signedIn
        return [refused(evaluation, in: window, recent, isSignedIn: isSignedIn)].compactMap(\.self)
    }

    /// The hours of the day in which most requests would be refused; those in which they are, since a switch.
    static func refused(
        _ evaluation: Evaluation, in window: Window, _ recent: Window, isSignedIn: Bool, since start: Instant? = nil
    ) -> Finding? {
        let table = evaluation.history.table
        guard let asOf = evaluation.asOf, table.isByHour, !table.cells.contains(where: \.isCoarse) else { return nil }
        let limit = max(leastShare, evaluation.numbers.maxBlocked)
        let shown = table.hours(
            of: { cell in
                window.days.contains(cell.day) && cell.start <= asOf
                    && (start.map { $0 <= cell.start } ?? cell.isCounted)
                    && (cell.auth == .valid || !isSignedIn)
            }, blocked: { start == nil ? $0.isBlocked : $0.line == .refused })
        func sum(_ hours: [HourSum]) -> (requests: Double, blocked: Double) {
            hours.reduce((0, 0)) { ($0.0 + $1.requests, $0.1 + $1.blocked) }
        }
        let refused = Dictionary(grouping: shown, by: \.start.hour).compactMap {
            hour, hours -> (hour: Int, requests: Double, blocked: Double, lower: Double)? in
            let (all, newest) = (sum(hours), sum(hours.filter { recent.days.contains($0.start.day) }))
            guard all.blocked >= fewestBlocked, hours.count(where: { $0.blocked > 0 }) >= fewestDays,
                newest.requests > 0, 2 * newest.blocked >= newest.requests
            else { return nil }
            let lower = ClopperPearson.lower(blocked: all.blocked, requests: all.requests, confidence: confidence)
            return lower > limit ? (hour, all.requests, all.blocked, lower) : nil
        }.sorted { $0.hour < $1.hour }
        return refused.map(\.lower).max().map { bound in
            Finding(
                code: .hourRefused, value: bound, limit: limit, count: Int(refused.reduce(0) { $0 + $1.blocked }),
                total: Int(refused.reduce(0) { $0 + $1.requests }), counts: refused.map(\.hour))
        }
    }
}
