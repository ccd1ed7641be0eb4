import Verifications

extension Finding.Code {
    /// The upper bound is within the maximum, and nothing else is against enforcement.
    package static let safe = Finding.Code("safe", .safe)
    /// The upper bound exceeds the maximum, but the policy accepts this number of refused requests a week.
    package static let few = Finding.Code("few", .safe, .caution, [.shared, .inAnswers, .ofReadiness])
    /// Nothing is against enforcement, but not yet on enough days in a row; ``Finding/count`` is the length of the log
    /// in days.
    package static let notConfirmed = Finding.Code("not-confirmed", .doubt, nil, .needsMore)
}

/// Nothing is against enforcement: today, or for long enough.
enum Safety {
    /// The reason if nothing is against enforcement.
    static func find(_ evaluation: Evaluation) -> Finding {
        let (upper, limit) = (evaluation.period.upper, evaluation.numbers.maxBlocked)
        guard let few = evaluation.few, let most = evaluation.numbers.maxPerWeek, upper > limit else {
            return Finding(code: .safe, value: upper, limit: limit)
        }
        return Finding(
            code: .few, value: few, limit: most, count: evaluation.period.blocked,
            total: evaluation.period.admitted)
    }

    /// `not-confirmed` of a rule that is safe now.
    static func findUnconfirmed(_ evaluation: Evaluation, safeNights: Int) -> [Finding] {
        let required = evaluation.numbers.confirm
        guard safeNights < required else { return [] }
        let logDays = evaluation.project?.firstDay.flatMap { first in
            evaluation.asOf.map { first.distance(to: $0.day) + 1 }
        }
        return [
            Finding(
                code: .notConfirmed, value: Double(safeNights), limit: Double(required), count: logDays ?? 0)
        ]
    }
}

extension Evaluation {
    /// For how many days in a row, up to T, no reason against enforcement has held; of a rule that is safe now, but
    /// perhaps for its age.
    ///
    /// Looking every night until the answer pleases multiplies the chance of a lucky week; so several answers in a row
    /// are required, each as if nothing after it were known. The run ends at the latest with the function's first days,
    /// which have too few active ones.
    var safeNights: Int {
        guard let today = asOf?.day else { return 0 }
        var nights = 1
        while Evaluation(history, asOf: Instant(endOf: today.advanced(by: -nights)), now: self).isSafe { nights += 1 }
        return nights
    }
}
