import Verifications

/// Nothing is against enforcement: today, or for long enough.
package enum Safety: Hashable, Sendable {
    /// The upper bound is within the maximum, and nothing else is against enforcement.
    case safe(upper: Double, limit: Double)
    /// The upper bound exceeds the maximum, but the policy accepts this number of refused requests a week.
    case few(perWeek: Double, limit: Double, blocked: Int, admitted: Int)
    /// Nothing is against enforcement, but not yet on enough days in a row; `logDays` is the length of the log.
    case notConfirmed(nights: Int, required: Int, logDays: Int? = nil)

    var facts: Finding {
        switch self {
        case .safe(let upper, let limit): .init("safe", .safe, value: upper, limit: limit)
        case .few(let perWeek, let limit, _, _):
            .init("few", .safe, value: perWeek, limit: limit, .caution, [.shared, .inAnswers, .ofReadiness])
        case .notConfirmed(let nights, let required, _):
            .init("not-confirmed", .doubt, value: Double(nights), limit: Double(required))
        }
    }
}

extension Safety {
    /// The reason if nothing is against enforcement.
    static func find(_ evaluation: Evaluation) -> Reason {
        let (upper, limit) = (evaluation.period.upper, evaluation.numbers.maxBlocked)
        guard let few = evaluation.few, let most = evaluation.numbers.maxPerWeek, upper > limit else {
            return .safety(.safe(upper: upper, limit: limit))
        }
        return .safety(
            .few(
                perWeek: few, limit: most, blocked: Int(evaluation.period.blocked),
                admitted: Int(evaluation.period.admitted)))
    }

    /// `notConfirmed` of a rule that is safe now.
    static func findUnconfirmed(_ evaluation: Evaluation, safeNights: Int) -> [Reason] {
        let required = evaluation.numbers.confirm
        guard safeNights < required else { return [] }
        let logDays = evaluation.project?.firstDay.flatMap { first in
            evaluation.asOf.map { first.distance(to: $0.day) + 1 }
        }
        return [.safety(.notConfirmed(nights: safeNights, required: required, logDays: logDays))]
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
