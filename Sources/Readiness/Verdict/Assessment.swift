public import Verifications

/// The answer for one function, with all that it rests on.
public struct Assessment: Hashable, Sendable {
    public internal(set) var verdict: Verdict
    /// All reasons that hold: those against enforcement in the order in which they decide, then advice.
    ///
    /// Reasons of lower rows are listed beside the deciding one: an exempt function may well have too many blocked
    /// requests. `no-traffic` stands alone but for `exempt`, even where the verdict comes from an earlier row.
    public internal(set) var reasons: [Reason]
    public let evidence: Evidence
    /// Age of the function's log in days, rounded, at least 1; 0 when it has no dated verification.
    public let ageDays: Int
    /// The whole rule once more for signed-in callers only.
    public let signedIn: SignedInAssessment
    public let outlook: Outlook
    /// What was held against the evidence.
    public let policy: FunctionPolicy
    /// For how many days in a row, up to now, nothing has spoken against enforcement; `--confirm` asks for so many.
    public let safeNights: Int
    /// The first of them; nil when something speaks against it now.
    public let safeSince: Day?
}

/// What the rule says when callers who are not signed in are left out, as with `requires-auth`.
public struct SignedInAssessment: Hashable, Sendable {
    public let verdict: Verdict
    public let evidence: Evidence
}

/// When the verdict would become `enforce` if things went on as they do.
public enum Outlook: Hashable, Sendable {
    public enum Kind: String, Sendable {
        /// The blocked rate stays what it was on the last three days.
        case steady
        /// The blocked rate goes on falling as it has.
        case trend
    }

    /// The verdict is none that time alone could turn into `enforce`.
    case notAsked
    /// The first day at whose end the rule says `enforce`.
    case date(Day, Kind)
    /// No request was admitted in the last seven days: there is nothing to fill days to come with.
    case noRequests
    /// Neither kind gives a date within 60 days: the rate is not falling any more.
    case notFalling
}
