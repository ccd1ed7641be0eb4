import Verifications

/// What is known of enforcement and matters under every verdict.
package enum EnforcementNotice: Hashable, Sendable {
    /// Only some of the revisions that share the requests enforce App Check.
    case staged([RevisionSummary])
    /// Requests were refused, too few to know whether enforcement is on.
    case refusedRecently(Enforcement.Recent)
    /// The log contradicts the policy.
    case contradicted(Enforcement.Doubt)
    /// The log shows that enforcement is on, and the policy does not say so.
    case missingEntry(MissingEntry)

    var facts: Finding {
        switch self {
        case .staged: .init("staged", .advice, .caution, [.shared, .inAnswers])
        case .refusedRecently(let recent):
            .init("refused-recently", .advice, value: Double(recent.refused), .caution, [.shared, .inAnswers])
        case .contradicted: .init("policy-contradicted", .advice, .caution, [.shared, .inAnswers, .whole])
        case .missingEntry: .init("enforced-by-log", .advice, .caution, [.shared, .inAnswers])
        }
    }

    static func find(_ function: FunctionSummary) -> [Reason] {
        let enforcement = function.assessment.enforcement
        let ofPolicy =
            enforcement.doubt.map { contradicted($0) } ?? function.missingEntry.map { missingEntry($0) }
        let now =
            enforcement.state == .staged ? staged(function.revisions) : enforcement.recent.map { refusedRecently($0) }
        return [ofPolicy, now].compactMap { $0.map(Reason.enforcement) }
    }
}
