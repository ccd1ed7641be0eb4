/// One row of the result of a query that counts verifications.
public enum CountedRow: Sendable {
    case verifications(CountedVerifications)
    /// Something of generation 2's standard-error log arrived on a day; nil where it had no time.
    case errorStream(project: String, day: Day?)

    package static let limit = 1 << 40
}

/// A number of verifications of one function, hour and pair of statuses.
public struct CountedVerifications: Sendable {
    package let function: FunctionIdentity
    /// The smallest `goog-drz-cloudfunctions-id` of the function; nil when no entry carried one.
    package let label: ExactName?
    package let provenance: Provenance
    package let severity: PassSeverity
    package let app: TokenStatus
    package let auth: TokenStatus
    package let count: Int
    /// The first and the last of them, within one hour; nil for those without a time.
    package let instants: ClosedRange<Instant>?

    package init(
        function: FunctionIdentity, label: ExactName?, provenance: Provenance, severity: PassSeverity,
        app: TokenStatus, auth: TokenStatus, count: Int, instants: ClosedRange<Instant>?
    ) {
        (self.function, self.label, self.provenance, self.severity) = (function, label, provenance, severity)
        (self.app, self.auth, self.count, self.instants) = (app, auth, count, instants)
    }
}
