/// Knows which verifications were counted on earlier nights, so that each counts once, ever.
public protocol CountLedger: AnyObject {
    /// False for a time of which nothing is counted any more, whatever it is.
    func isOpen(at instant: Instant?) -> Bool
    /// What earlier inputs make of a verification; asked once of each that is read, in the order of the input.
    func find(_ verification: Verification, _ fingerprint: Fingerprint) -> LedgerEntry
    /// Takes note of a verification that counts from now on.
    func add(_ verification: Verification, _ fingerprint: Fingerprint)
}

/// What earlier inputs make of a verification.
public enum LedgerEntry: Hashable, Sendable {
    case isNew
    /// It was counted already.
    case isCopy
    /// Another one of its execution was counted.
    case isRepeated
    /// It lies in a time of which nothing is counted any more.
    case isTooOld
}
