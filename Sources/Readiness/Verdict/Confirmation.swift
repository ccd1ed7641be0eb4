public import Verifications

/// For how many nights in a row the rule has said `enforce`.
///
/// Who looks every night until the answer pleases multiplies the chance of a lucky week; so several answers in a row
/// are wanted, all computed from the same tally.
public struct Confirmation: Hashable, Sendable {
    /// Nights in a row up to now; 0 when the rule does not say `enforce` now.
    public let nights: Int
    /// The first of them.
    public let safeSince: Day?
}

extension Judge {
    /// How long the rule has said `enforce` without a break: now, and before at the end of each day.
    ///
    /// The run may reach back further than any number of nights wanted; it ends at the function's first days at the
    /// latest, which have too few active ones.
    public func confirmation(of identity: FunctionIdentity) -> Confirmation {
        guard let today = asOf?.day, identity != .pooled, FunctionCase(identity, judge: self).rule.isSafe else {
            return Confirmation(nights: 0, safeSince: nil)
        }
        var nights = 1
        while isSafe(identity, atEndOf: today.advanced(by: -nights)) { nights += 1 }
        return Confirmation(nights: nights, safeSince: today.advanced(by: 1 - nights))
    }

    /// One function, of which `enforce` is said only when the rule says so for that many nights in a row (`--confirm`).
    ///
    /// One night asks for now alone, and still tells since when.
    public func assess(_ identity: FunctionIdentity, confirmedBy nights: Int) -> Assessment {
        var assessment = assess(identity)
        guard assessment.verdict == .enforce else { return assessment }
        let confirmation = confirmation(of: identity)
        assessment.safeSince = confirmation.safeSince
        guard confirmation.nights < nights else { return assessment }
        assessment.verdict = .insufficient
        assessment.reasons = assessment.reasons.map { reason in
            guard case .safe = reason else { return reason }
            return .notConfirmed(nights: confirmation.nights, required: nights)
        }
        return assessment
    }

    private func isSafe(_ identity: FunctionIdentity, atEndOf day: Day) -> Bool {
        FunctionCase(identity, judge: Judge(self, asOfEndOf: day)).rule.isSafe
    }
}
