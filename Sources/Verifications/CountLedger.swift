/// Knows which verifications were counted on earlier nights, so that each counts once, ever.
///
/// A pass over an input asks it about every verification; what it says yes to, it takes as counted from then on.
public protocol CountLedger: AnyObject {
    /// Says whether a verification counts, and takes note of it.
    func take(_ verification: Verification) -> CountDecision
    /// False for a time of which nothing is counted any more, whatever it is.
    func isOpen(at instant: Instant?) -> Bool
}

/// What becomes of a verification.
public enum CountDecision: Hashable, Sendable {
    /// It counts: it was never counted before.
    case counts
    /// It was counted already, from this input or from an earlier one.
    case isCopy
    /// It lies outside the time that counts.
    case isTooOld
}
