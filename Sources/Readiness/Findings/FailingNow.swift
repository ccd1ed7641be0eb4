import Verifications

extension Finding.Code {
    /// More is refused than before, from several people, beyond the maximum, and it goes on.
    ///
    /// ``Finding/value`` is the share since ``Finding/instant``; ``Finding/count`` of ``Finding/total`` requests, of
    /// one platform if ``Finding/platforms`` has one.
    package static let failingNow = Finding.Code("failing-now", .against, .act, .now)
}

/// A unit of which more is refused than before, up to now: all requests, or those of one platform.
struct FailingUnit {
    /// Nil for all requests.
    let platform: PlatformName?
    let segments: Segments

    /// The requests since then; nil where none is raised.
    func finding(limit: Double) -> Finding? {
        segments.since.map { since in
            let raised = segments.all.filter { since <= $0.start }
            return Finding(
                code: .failingNow, value: segments.share, limit: limit, count: raised.reduce(0) { $0 + $1.blocked },
                total: raised.reduce(0) { $0 + $1.requests }, instant: since,
                names: [platform?.text].compactMap(\.self))
        }
    }
}

/// The clause on what fails now; VERDICT calls it the alarm of segments.
enum FailingNow {
    static func find(_ evaluation: Evaluation) -> [Finding] {
        if let lasting = evaluation.lasting?.failing { return lasting }
        let enforcement = evaluation.history.enforcement
        // Of a service that is on it is no lock-out, but it is to be told.
        guard !enforcement.isOn || enforcement.state == .partly || evaluation.history.table.isByHour,
            let finding = evaluation.failing?.finding(limit: evaluation.numbers.maxBlocked)
        else { return [] }
        let isDecided = ExcessBlocking.find(evaluation).contains { $0.code == .tooManyBlocked }
        return [finding] + (isDecided ? [] : [mostlyInvalid(evaluation, finding)].compactMap(\.self))
    }

    private static func mostlyInvalid(_ evaluation: Evaluation, _ finding: Finding) -> Finding? {
        guard let since = finding.instant else { return nil }
        let (table, judgement, platform) = (
            evaluation.history.table, evaluation.history.judgement, evaluation.failing?.platform
        )
        let blocked = table.cells(in: since.day...(evaluation.asOf?.day ?? since.day)).filter { cell in
            cell.isBlocked && since <= cell.start && judgement.isJudged(cell, evaluation.counted)
                && platform.map { name in table.client(of: cell).map(name.covers) ?? false } ?? true
        }
        let (all, invalid) = (blocked.requests, blocked.filter { $0.app == .invalid }.requests)
        guard all > 0, 2 * invalid >= all else { return nil }
        return Finding(
            code: .mostlyInvalid, value: Double(invalid) / Double(all), limit: 0.5, count: invalid, total: all)
    }
}
